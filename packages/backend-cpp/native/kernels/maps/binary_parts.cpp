// frexp: numbers as a mantissa in [0.5, 1) times a power of two.
#include <cmath>

#include "dtypes/number.hpp"
#include "runtime/kernel.hpp"
#include "runtime/parameters.hpp"
#include "runtime/threads.hpp"
#include "traversal/plan.hpp"

namespace lamina {
namespace {

template <class T>
void take_apart(char* const* p, const int64_t* s, int64_t n) {
    T* mantissas = reinterpret_cast<T*>(p[0]);
    int32_t* exponents = reinterpret_cast<int32_t*>(p[1]);
    const T* x = reinterpret_cast<const T*>(p[2]);
    for (int64_t i = 0; i < n; ++i) {
        const auto item = plain(x[i * s[2]]);
        int exponent = 0;
        const auto mantissa = std::isfinite(item) ? std::frexp(item, &exponent) : item;
        mantissas[i * s[0]] = converted<T>(mantissa);
        exponents[i * s[1]] = exponent;
    }
}

MapLoop loop_of(int code) {
    switch (code) {
        case kFloat16: return take_apart<Half>;
        case kBFloat16: return take_apart<BFloat16>;
        case kFloat32: return take_apart<float>;
        default: return take_apart<double>;
    }
}

bool run_frexp(const Kernel& kernel, const Call& call) {
    call.require_inputs(1);
    View mantissas, exponents, x;
    x.read(call.positional[1], false, call.op);
    if (kernel.rows[x.code] == nullptr) return false;
    mantissas.read(result_of(call, 0, 2), true, call.op, &x);
    exponents.read(result_of(call, 1, 2), true, call.op, &x);
    require(mantissas, "out[0]", x.code, x.g.shape, x.g.ndim, call.op);
    require(exponents, "out[1]", kInt32, x.g.shape, x.g.ndim, call.op);
    if (may_meet(mantissas, x) || may_meet(exponents, x) || may_meet(mantissas, exponents)) return false;
    View* views[] = {&mantissas, &exponents, &x};
    constexpr int kCost = 6;
    Plan plan(views, 3, call.op);
    plan.written = 0b11;
    const WithoutGil free(x.g.size * kCost >= kReleaseGil);
    plan.run(loop_of(x.code), kCost);
    return true;
}

const Registration registration([](const Loops&) {
    for (const int code : {kFloat16, kBFloat16, kFloat32, kFloat64}) kernel_named("frexp", run_frexp).rows[code] = kServed;
});

}  // namespace
}  // namespace lamina
