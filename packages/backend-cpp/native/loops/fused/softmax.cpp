// Softmax and its logarithm of one row of adjacent items; `out` may be the row itself.
#include "loops/fused/softmax_down.hpp"
#include "loops/math/vector_math.hpp"
#include "loops/reductions/reductions.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

template <class T>
inline T greatest_of(const T* x, int64_t n) {
    constexpr int L = kLanes<T>;
    T greatest = Greatest<T>::start();
    if (n > 4 * L) {
        row<Greatest<T>>(reinterpret_cast<const char*>(x), 1, n, &greatest);
        return greatest;
    }
    Vec<T> top = every(T(-__builtin_inf()));
    for (int64_t i = 0; i < n; i += L)
        top = Greatest<T>::both(top, n - i < L ? load_some<T>(x + i, n - i, T(-__builtin_inf())) : load(x + i));
    for (int i = 0; i < L; ++i) greatest = Greatest<T>::both(greatest, top[i]);
    return greatest;
}

// out = exp(x - greatest), unless only the sum is wanted (out is null); returns the sum.
template <class T>
inline double exponentials(T* out, const T* x, int64_t n, T greatest) {
    constexpr int L = kLanes<T>;
    double total = 0;
    for (int64_t i = 0; i < n; i += kRowBlock) {
        const int64_t end = n - i < kRowBlock ? n : i + kRowBlock;
        Vec<T> sum{}, other{};
        int64_t j = i;
        for (; j + 2 * L <= end; j += 2 * L) {
            const Vec<T> e = passes::exp_of(load(x + j) - greatest), f = passes::exp_of(load(x + j + L) - greatest);
            if (out != nullptr) {
                store<T>(out + j, e);
                store<T>(out + j + L, f);
            }
            sum += e;
            other += f;
        }
        for (; j < end; j += L) {
            const int64_t some = end - j < L ? end - j : L;
            Vec<T> e = passes::exp_of(load_some<T>(x + j, some, T(-__builtin_inf())) - greatest);
            if (some < L) e = first_of<T>(e, some);  // infinity - infinity would be NaN in the lanes that are not there
            if (out != nullptr) store_some<T>(out + j, e, some);
            sum += e;
        }
        total += sum_of_lanes<T>(sum + other);
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
