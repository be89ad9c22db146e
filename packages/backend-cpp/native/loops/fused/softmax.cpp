// Softmax and its logarithm of one row of adjacent items; `out` may be the row itself.
#include "loops/fused/softmax_down.hpp"
#include "loops/math/vector_math.hpp"
#include "loops/reductions/reductions.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

template <class T>
inline T greatest_of(const T* x, int64_t n) {
    T greatest = Greatest<T>::start();
    row<Greatest<T>>(reinterpret_cast<const char*>(x), 1, n, &greatest);
    return greatest;
}

inline float greatest_of(const float* x, int64_t n) {
    constexpr int L = kLanes<float>;
    if (n > 4 * L) return greatest_of<float>(x, n);
    F32 top = every(-__builtin_inff());
    for (int64_t i = 0; i < n; i += L)
        top = Greatest<float>::both(top, n - i < L ? load_some(x + i, n - i, -__builtin_inff()) : load(x + i));
    float greatest = top[0];
    for (int i = 1; i < L; ++i) greatest = Greatest<float>::both(greatest, top[i]);
    return greatest;
}

// out = exp(x - greatest), unless only the sum is wanted (out is null); returns the sum.
inline double exponentials(float* out, const float* x, int64_t n, float greatest) {
    constexpr int L = kLanes<float>;
    double total = 0;
    for (int64_t i = 0; i < n; i += kRowBlock) {
        const int64_t end = n - i < kRowBlock ? n : i + kRowBlock;
        F32 sum = every(0.0f), other = every(0.0f);
        int64_t j = i;
        for (; j + 2 * L <= end; j += 2 * L) {
            const F32 e = vexp(load(x + j) - greatest), f = vexp(load(x + j + L) - greatest);
            if (out != nullptr) {
                store<float>(out + j, e);
                store<float>(out + j + L, f);
            }
            sum += e;
            other += f;
        }
        for (; j < end; j += L) {
            const int64_t some = end - j < L ? end - j : L;
            F32 e = vexp(load_some(x + j, some, -__builtin_inff()) - greatest);
            if (some < L) e = first_of(e, some);  // infinity - infinity would be NaN in the lanes that are not there
            if (out != nullptr) store_some<float>(out + j, e, some);
            sum += e;
        }
        sum += other;
        float lanes = 0;
        for (int k = 0; k < L; ++k) lanes += sum[k];
        total += lanes;
    }
    return total;
}

inline double exponentials(double* out, const double* x, int64_t n, double greatest) {
    double total = 0;
    for (int64_t i = 0; i < n; ++i) {
        const double e = std::exp(x[i] - greatest);
        if (out != nullptr) out[i] = e;
        total += e;
    }
    return total;
}

template <class T>
void softmax_row(char* to, const char* from, int64_t n) {
    T* out = reinterpret_cast<T*>(to);
    const T* x = reinterpret_cast<const T*>(from);
    const T scale = T(1 / exponentials(out, x, n, greatest_of(x, n)));
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] *= scale;
}

template <class T>
void log_softmax_row(char* to, const char* from, int64_t n) {
    T* out = reinterpret_cast<T*>(to);
    const T* x = reinterpret_cast<const T*>(from);
    const T greatest = greatest_of(x, n);
    const T rest = T(std::log(exponentials(static_cast<T*>(nullptr), x, n, greatest)));
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = (x[i] - greatest) - rest;
}

extern const Softmaxes softmaxes = {
    {{softmax_row<float>, softmax_row<double>}, {log_softmax_row<float>, log_softmax_row<double>}},
    {{softmax_down<float, false>, softmax_down<double, false>}, {softmax_down<float, true>, softmax_down<double, true>}},
    {{softmax_gradient_down<float, false>, softmax_gradient_down<double, false>},
     {softmax_gradient_down<float, true>, softmax_gradient_down<double, true>}}};

}  // namespace lamina::LAMINA_ISA
