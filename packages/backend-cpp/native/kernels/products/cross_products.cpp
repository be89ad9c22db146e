// cross: the products of vectors of three items along an axis. Compiled for any processor: products are rounded before their
// difference, so that a vector's product with itself is 0.
#include "dtypes/real_types.hpp"
#include "runtime/kernel.hpp"
#include "runtime/parameters.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

struct Vectors3 {
    int64_t count = 1, steps[3];
    int ndim = 0;
    int64_t shape[kMaxDims], strides[kMaxDims][3];

    // Where vector `at` begins in each operand, in items.
    void locate(int64_t at, int64_t* begin) const {
        begin[0] = begin[1] = begin[2] = 0;
        for (int d = ndim - 1; d >= 0; --d) {
            const int64_t i = at % shape[d];
            at /= shape[d];
            for (int k = 0; k < 3; ++k) begin[k] += i * strides[d][k];
        }
    }
};

// What an item is computed with: integers wrap.
template <class T>
auto arithmetic(T item) {
    if constexpr (is_complex<T>)
        return item;
    else if constexpr (std::is_integral_v<T>)
        return uint64_t(item);
    else
        return plain(item);
}

template <class T>
void multiply_all(const Vectors3& vectors, View* const* views) {
    T* out = reinterpret_cast<T*>(views[0]->data);
    const T *a = reinterpret_cast<const T*>(views[1]->data), *b = reinterpret_cast<const T*>(views[2]->data);
    const int64_t* step = vectors.steps;
    parallel(vectors.count, grain_of(vectors.count, 16 * vectors.count), [&](int64_t begin, int64_t end) {
        for (int64_t at = begin; at < end; ++at) {
            int64_t from[3];
            vectors.locate(at, from);
            const T *x = a + from[1], *y = b + from[2];
            for (int i = 0; i < 3; ++i) {
                const int j = (i + 1) % 3, k = (i + 2) % 3;
                const T one = converted<T>(arithmetic(x[j * step[1]]) * arithmetic(y[k * step[2]]));
                const T other = converted<T>(arithmetic(x[k * step[1]]) * arithmetic(y[j * step[2]]));
                out[from[0] + i * step[0]] = converted<T>(arithmetic(one) - arithmetic(other));
            }
        }
    });
}

bool run_cross(const Kernel& kernel, const Call& call) {
    if (call.count != 3) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, a and b", call.op, call.count);
    call.require_keywords(1);
    View out, a, b;
    out.read(call.positional[0], true, call.op);
    a.read(call.positional[1], false, call.op, &out);
    b.read(call.positional[2], false, call.op, &out);
    if (kernel.rows[a.code] == nullptr) return false;
    const int64_t axis = integer_of(call, "axis");
    require(out, "out", a.code, a.g.shape, a.g.ndim, call.op);
    require(b, "b", a.code, a.g.shape, a.g.ndim, call.op);
    if (axis < 0 || axis >= a.g.ndim || a.g.shape[axis] != 3)
        fail(PyExc_ValueError, "%s: axis %lld does not have three items", call.op, (long long)axis);
    if (may_meet(out, a) || may_meet(out, b)) return false;
    View* views[] = {&out, &a, &b};
    Vectors3 vectors;
    for (int d = 0; d < a.g.ndim; ++d) {
        if (d == axis || a.g.shape[d] == 1) continue;
        vectors.count *= a.g.shape[d];
        vectors.shape[vectors.ndim] = a.g.shape[d];
        for (int k = 0; k < 3; ++k) vectors.strides[vectors.ndim][k] = views[k]->g.strides[d];
        ++vectors.ndim;
    }
    for (int k = 0; k < 3; ++k) vectors.steps[k] = views[k]->g.strides[axis];
    const WithoutGil free(a.g.size >= kReleaseGil / 10);
    if (a.code == kComplex64)
        multiply_all<std::complex<float>>(vectors, views);
    else if (a.code == kComplex128)
        multiply_all<std::complex<double>>(vectors, views);
    else
        with_real_type(a.code, [&](auto item) { multiply_all<decltype(item)>(vectors, views); });
    return true;
}

const Registration registration([](const Loops&) {
    for (int code = 0; code < kCodes; ++code)
        if (code != kBool) kernel_named("cross", run_cross).rows[code] = kServed;
});

}  // namespace
}  // namespace lamina
