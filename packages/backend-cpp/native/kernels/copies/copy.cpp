// copy (with casts between all dtypes, see loops/copies/casts.cpp), fill, arange and linspace.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/copies/copy.hpp"
#include "runtime/kernel.hpp"
#include "runtime/threads.hpp"
#include "traversal/plan.hpp"

namespace lamina {
namespace {

constexpr int64_t kInCache = int64_t(1) << 20;  // bytes that a core has near it

// One item again and again. Within a cache the C library's own loop is best, for the bytes that it can repeat; beyond, its string
// instructions take a sixth longer than vectors on some processors.
template <class T>
void repeat(T* out, const T item, int64_t n) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&item);
    const bool of_one_byte = sizeof(T) == 1 || std::memcmp(bytes, bytes + 1, sizeof(T) - 1) == 0;
    const int64_t size = n * int64_t(sizeof(T));
    if (of_one_byte && size <= kInCache) {
        std::memset(static_cast<void*>(out), *bytes, size_t(size));
        return;
    }
    constexpr int64_t kPattern = kRepeated / int64_t(sizeof(T));
    T pattern[kPattern];
    for (T& part : pattern) part = item;
    best_loops().sequences->repeat(reinterpret_cast<char*>(out), reinterpret_cast<const char*>(pattern), size);
}

// Moves items of one size whatever they mean.
template <class T>
void move_loop(char* const* p, const int64_t* s, int64_t n) {
    T* out = reinterpret_cast<T*>(p[0]);
    const T* x = reinterpret_cast<const T*>(p[1]);
    if (s[0] == 1 && s[1] == 1) {
        std::memmove(out, x, size_t(n) * sizeof(T));
    } else if (s[0] == 1 && s[1] == 0) {
        repeat(out, T(*x), n);
    } else if (s[0] == 1 && s[1] == -1) {  // which the compiler makes vectors of
        for (int64_t i = 0; i < n; ++i) out[i] = x[-i];
    } else if (s[0] == 1) {
        const int64_t sx = s[1];
        for (int64_t i = 0; i < n; ++i) out[i] = x[i * sx];
    } else {
        const int64_t so = s[0], sx = s[1];
        for (int64_t i = 0; i < n; ++i) out[i * so] = x[i * sx];
    }
}

struct Pair {
    uint64_t low, high;
};

MapLoop mover(int itemsize) {
    switch (itemsize) {
        case 1: return move_loop<uint8_t>;
        case 2: return move_loop<uint16_t>;
        case 4: return move_loop<uint32_t>;
        case 8: return move_loop<uint64_t>;
        default: return move_loop<Pair>;
    }
}

}  // namespace

MapLoop copy_loop(int to, int from) {
    static const Casts& casts = *best_loops().casts;
    return to == from ? mover(kItemSize[to]) : casts.to[to].from[from];
}

namespace {

constexpr int64_t kLongRow = 1024;  // bytes, from which on a call for each row costs little
constexpr int64_t kFewRows = 8;

// The bytes that an operand reaches over.
struct Reach {
    const char *low, *end;

    Reach(const Plan& plan, int operand) : low(plan.data[operand]), end(plan.data[operand] + plan.itemsize[operand]) {
        for (int d = 0; d < plan.ndim; ++d) {
            const int64_t last = (plan.shape[d] - 1) * plan.strides[d][operand] * plan.itemsize[operand];
            (last < 0 ? low : end) += last;
        }
    }
};

// Short rows of adjacent items, many at a call; false where there are none.
bool copy_short_rows(const Plan& plan) {
    const int inner = plan.ndim - 1;
    const int64_t item = plan.itemsize[0], bytes = plan.shape[inner] * item;
    if (inner < 1 || plan.strides[inner][0] != 1 || plan.strides[inner][1] != 1 || bytes >= kLongRow) return false;
    const Reach to(plan, 0), from(plan, 1);
    if (to.low < from.end && from.low < to.end) return false;
    int along = inner - 1;  // the dimension whose rows are copied at a call
    for (int d = 0; d < inner && plan.shape[along] < kFewRows; ++d)
        if (plan.shape[d] > plan.shape[along]) along = d;
    const int64_t length = plan.shape[along], rows = plan.size / plan.shape[inner];
    const auto copy = best_loops().row_copies->copy;
    parallel(rows, grain_of(rows, plan.size), [&](int64_t begin, int64_t end) {
        while (begin < end) {
            const int64_t first = begin % length, some = std::min(length - first, end - begin);
            int64_t rest = begin / length, at[2] = {first * plan.strides[along][0], first * plan.strides[along][1]};
            for (int d = inner - 1; d >= 0; --d) {
                if (d == along) continue;
                for (int i = 0; i < 2; ++i) at[i] += rest % plan.shape[d] * plan.strides[d][i];
                rest /= plan.shape[d];
            }
            copy(plan.data[0] + at[0] * item, plan.strides[along][0] * item, plan.data[1] + at[1] * item, plan.strides[along][1] * item, some,
                 bytes);
            begin += some;
        }
    });
    return true;
}

}  // namespace

void copy_planned(const Plan& plan) {
    const int to = plan.codes[0], from = plan.codes[1];
    if (to == from && plan.size > 0 && (copy_short_rows(plan) || plan.move_transposed())) return;
    plan.run(copy_loop(to, from), 1);
}

namespace {

void run_pair(View& out, View& x, const char* op) {
    const bool alike = out.g.contiguous && (x.scalar || (x.g.contiguous && x.g.shape == out.g.shape));
    if (alike && out.g.size < kReleaseGil) {
        char* p[] = {out.data, x.data};
        const int64_t steps[] = {1, x.scalar ? 0 : 1};
        return copy_loop(out.code, x.code)(p, steps, out.g.size);
    }
    View* views[] = {&out, &x};
    const Plan plan(views, 2, op);
    const WithoutGil free(out.g.size >= kReleaseGil);
    copy_planned(plan);
}

// Fills many items side by side: each thread its own part of them, the same one every time, which its cache may still have.
bool fill_parts(View& out, View& value) {
    const int64_t n = out.g.size;
    if (!out.g.contiguous || n < kParallel) return false;
    const MapLoop loop = mover(out.itemsize());
    const WithoutGil free(true);
    parallel(n, (n / num_threads() / 64 + 1) * 64, [&](int64_t begin, int64_t end) {
        char* const operands[] = {out.data + begin * out.itemsize(), value.data};
        const int64_t strides[] = {1, 0};
        loop(operands, strides, end - begin);
    });
    return true;
}

PyObject* zero() {
    static PyObject* const number = PyLong_FromLong(0);
    return number;
}

bool run_copy(const Kernel&, const Call& call) {
    call.require_inputs(1);
    View out, x;
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op, &out);
    run_pair(out, x, call.op);
    return true;
}

// The usual call: a few items side by side. Nothing is held, thrown or waited for; false means that it is looked at properly.
bool fill_alike(const Call& call, PyObject* number) {
    Glance out;
    Geometry g;
    if (!glance(call.positional[0], out) || !measure(out.packed, g) || !g.contiguous || g.low < 0 || g.size >= kReleaseGil) return false;
    const bool real = out.code == kFloat32 || out.code == kFloat64;
    if (!(real ? PyFloat_CheckExact(number) || number == zero() : out.code == kInt64 && number == zero())) return false;
    if ((g.high + 1) * kItemSize[out.code] > out.nbytes) return false;
    char* start = out.start + g.offset * kItemSize[out.code];
    const double value = number == zero() ? 0.0 : PyFloat_AS_DOUBLE(number);
    if (out.code == kFloat32)
        repeat(reinterpret_cast<float*>(start), float(value), g.size);
    else  // an integer 0 has the bytes of 0.0
        repeat(reinterpret_cast<double*>(start), value, g.size);
    return true;
}

bool run_fill(const Kernel&, const Call& call) {
    call.require_keywords(1);
    if (call.count == 1 && fill_alike(call, call.keyword("value"))) return true;
    if (call.count != 1) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out alone", call.op, call.count);
    View out, value;
    out.read(call.positional[0], true, call.op);
    PyObject* number = call.keyword("value");
    const bool is_integer = kNames[out.code][0] == 'i' || kNames[out.code][0] == 'u';
    const bool is_complex_dtype = out.code == kComplex64 || out.code == kComplex128;
    if (is_integer && !PyLong_Check(number)) return false;  // to lose a fraction is the reference's decision
    if (PyComplex_Check(number) && !is_complex_dtype) return false;
    if (!value.read_scalar(number, out.code, call.op)) return false;
    if (!fill_parts(out, value)) run_pair(out, value, call.op);
    return true;
}

template <class T, class Number>
void progression(char* data, int64_t stride, int64_t n, Number start, Number step) {
    T* out = reinterpret_cast<T*>(data);
    for (int64_t i = 0; i < n; ++i) out[i * stride] = T(start + Number(i) * step);
}

bool run_arange(const Kernel& kernel, const Call& call) {
    call.require_keywords(2);
    if (call.count != 1) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out alone", call.op, call.count);
    View out;
    out.read(call.positional[0], true, call.op);
    PyObject *start = call.keyword("start"), *step = call.keyword("step");
    if (kernel.rows[out.code] == nullptr || out.g.ndim != 1) return false;
    const int64_t n = out.g.size, stride = out.g.strides[0];
    if (out.code == kInt32 || out.code == kInt64) {
        if (!PyLong_Check(start) || !PyLong_Check(step)) return false;
        const int64_t a = PyLong_AsLongLong(start), b = PyLong_AsLongLong(step);
        if (PyErr_Occurred()) throw PythonError{};
        if (out.code == kInt32)
            progression<int32_t, uint64_t>(out.data, stride, n, uint64_t(a), uint64_t(b));
        else
            progression<int64_t, uint64_t>(out.data, stride, n, uint64_t(a), uint64_t(b));
        return true;
    }
    if (PyComplex_Check(start) || PyComplex_Check(step)) return false;
    const double a = PyFloat_AsDouble(start), b = PyFloat_AsDouble(step);
    if (PyErr_Occurred()) throw PythonError{};
    if (out.code == kFloat32)
        progression<float, double>(out.data, stride, n, a, b);
    else
        progression<double, double>(out.data, stride, n, a, b);
    return true;
}

bool run_linspace(const Kernel& kernel, const Call& call) {
    call.require_keywords(2);
    if (call.count != 1) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out alone", call.op, call.count);
    View out;
    out.read(call.positional[0], true, call.op);
    PyObject *start = call.keyword("start"), *stop = call.keyword("stop");
    if (kernel.rows[out.code] == nullptr || out.g.ndim != 1 || PyComplex_Check(start) || PyComplex_Check(stop)) return false;
    const double a = PyFloat_AsDouble(start), b = PyFloat_AsDouble(stop);
    if (PyErr_Occurred()) throw PythonError{};
    if (!(std::fabs(a) < 1e290 && std::fabs(b) < 1e290)) return false;  // what overflows is the reference's decision
    best_loops().sequences->evenly[out.code == kFloat64](out.data, out.g.strides[0], out.g.size, a, b);
    return true;
}

const Registration registration([](const Loops&) {
    for (int code = 0; code < kCodes; ++code) {
        kernel_named("copy", run_copy).rows[code] = kServed;
        kernel_named("fill", run_fill).rows[code] = kServed;
    }
    for (int code : {kInt32, kInt64, kFloat32, kFloat64}) kernel_named("arange", run_arange).rows[code] = kServed;
    for (int code : {kFloat32, kFloat64}) kernel_named("linspace", run_linspace).rows[code] = kServed;
});

}  // namespace
}  // namespace lamina
