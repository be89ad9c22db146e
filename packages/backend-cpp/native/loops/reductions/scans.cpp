// The inner loops of running sums, products and extremes: along one line in groups, or down many lines side by side.
#include <cmath>
#include <type_traits>

#include "loops/math/double_math.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

constexpr int64_t kSideBySide = 256;

// A complex number, to be added up.
template <class T>
struct Complex {
    T re, im;
    Complex() = default;
    Complex(T a, T b) : re(a), im(b) {}
    template <class S>
    explicit Complex(const Complex<S>& z) : re(T(z.re)), im(T(z.im)) {}
    Complex operator+(const Complex& z) const { return {re + z.re, im + z.im}; }
};
using C64 = Complex<float>;
using C128 = Complex<double>;

// Items T are gathered in A: float32 in float64, integers in unsigned ones, which wrap.
template <class A>
struct Summing {
    static inline A both(A a, A b) { return a + b; }
};
template <class A>
struct Multiplying {
    static inline A both(A a, A b) { return a * b; }
};
template <class A>
struct Rising {
    static inline A both(A a, A b) { return (a > b) | (a != a) ? a : b; }
};
template <class A>
struct Falling {
    static inline A both(A a, A b) { return (a < b) | (a != a) ? a : b; }
};

template <class F, class T, class A>
void scan(char* to, const char* from, int64_t out_stride, int64_t x_stride, int64_t n, int64_t out_line, int64_t x_line,
          int64_t lines) {
    T* out = reinterpret_cast<T*>(to);
    const T* x = reinterpret_cast<const T*>(from);
    if (lines == 1) {
        A sum = A(x[0]);
        out[0] = T(sum);
        int64_t i = 1;
        for (; i + 4 <= n; i += 4) {  // only one of four steps waits for the group before
            const A a = A(x[i * x_stride]), b = A(x[(i + 1) * x_stride]), c = A(x[(i + 2) * x_stride]), d = A(x[(i + 3) * x_stride]);
            const A ab = F::both(a, b), abc = F::both(ab, c), abcd = F::both(ab, F::both(c, d));
            out[i * out_stride] = T(F::both(sum, a));
            out[(i + 1) * out_stride] = T(F::both(sum, ab));
            out[(i + 2) * out_stride] = T(F::both(sum, abc));
            sum = F::both(sum, abcd);
            out[(i + 3) * out_stride] = T(sum);
        }
        for (; i < n; ++i) {
            sum = F::both(sum, A(x[i * x_stride]));
            out[i * out_stride] = T(sum);
        }
        return;
    }
    A sums[kSideBySide];
    for (int64_t first = 0; first < lines; first += kSideBySide) {
        const int64_t some = lines - first < kSideBySide ? lines - first : kSideBySide;
        const T* source = x + first * x_line;
        T* target = out + first * out_line;
        for (int64_t j = 0; j < some; ++j) target[j * out_line] = T(sums[j] = A(source[j * x_line]));
        for (int64_t i = 1; i < n; ++i) {
            source += x_stride;
            target += out_stride;
            if (x_line == 1 && out_line == 1) {
#pragma GCC ivdep
                for (int64_t j = 0; j < some; ++j) target[j] = T(sums[j] = F::both(sums[j], A(source[j])));
            } else {
                for (int64_t j = 0; j < some; ++j) target[j * out_line] = T(sums[j] = F::both(sums[j], A(source[j * x_line])));
            }
        }
    }
}

// Per item the product of all others: those before it on the way there, times those after it on the way back. Of up to `kLines`
// lines; where they are few, the products are in registers.
template <class T, class A, int kLines>
inline void products_there_and_back(T* out, const T* x, int64_t out_stride, int64_t x_stride, int64_t n, int64_t out_line, int64_t x_line,
                                    int64_t lines) {
    A products[kLines];
    for (int64_t j = 0; j < lines; ++j) products[j] = A(1);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < lines; ++j) {
            out[i * out_stride + j * out_line] = T(products[j]);
            products[j] *= A(x[i * x_stride + j * x_line]);
        }
    for (int64_t j = 0; j < lines; ++j) products[j] = A(1);
    for (int64_t i = n - 1; i >= 0; --i)
        for (int64_t j = 0; j < lines; ++j) {
            T& item = out[i * out_stride + j * out_line];
            item = T(A(item) * products[j]);
            products[j] *= A(x[i * x_stride + j * x_line]);
        }
}

template <class T, class A>
void products_of_others(char* to, const char* from, int64_t out_stride, int64_t x_stride, int64_t n, int64_t out_line, int64_t x_line,
                        int64_t lines) {
    T* out = reinterpret_cast<T*>(to);
    const T* x = reinterpret_cast<const T*>(from);
    if (lines == kScanTogether)
        return products_there_and_back<T, A, kScanTogether>(out, x, out_stride, x_stride, n, out_line, x_line, kScanTogether);
    if (lines == 1) return products_there_and_back<T, A, 1>(out, x, out_stride, x_stride, n, 0, 0, 1);
    for (int64_t first = 0; first < lines; first += kSideBySide)
        products_there_and_back<T, A, kSideBySide>(out + first * out_line, x + first * x_line, out_stride, x_stride, n, out_line, x_line,
                                                   lines - first < kSideBySide ? lines - first : kSideBySide);
}

inline double log_of_sum(double a, double b) {
    if (a == b) return a + 0.69314718055994530942;  // infinities, too
    const double great = a > b ? a : b, distance = -std::fabs(a - b);
    return distance == distance ? great + std::log1p(std::exp(distance)) : a + b;
}

// In blocks that share one shift: their exponentials, and the logarithms of their running sums, are vectors. A logarithm is rounded in
// units of the distance from the shift, so that of items of 64 bits must be small.
template <class T>
void log_scan(char* to, const char* from, int64_t out_stride, int64_t x_stride, int64_t n, int64_t out_line, int64_t x_line,
              int64_t lines) {
    constexpr int64_t kBlock = 64;
    constexpr double kFarthest = sizeof(T) == 8 ? 4.0 : 600.0;
    for (int64_t line = 0; line < lines; ++line) {
        T* out = reinterpret_cast<T*>(to) + line * out_line;
        const T* x = reinterpret_cast<const T*>(from) + line * x_line;
        double before = -INFINITY;  // the result so far
        double items[kBlock];
        for (int64_t at = 0; at < n; at += kBlock) {
            const int64_t some = n - at < kBlock ? n - at : kBlock;
            const double least = before > double(x[at * x_stride]) ? before : double(x[at * x_stride]);
            double shift = least;
            bool plain = true;
            for (int64_t i = 0; i < some; ++i) {
                items[i] = double(x[(at + i) * x_stride]);
                plain &= std::fabs(items[i]) < 1e300;
                shift = items[i] > shift ? items[i] : shift;
            }
            for (int64_t i = some; i < kBlock; ++i) items[i] = shift;
            if (!plain || !(shift - least < kFarthest) || !(before < 1e300) || before != before) {
                for (int64_t i = 0; i < some; ++i) {
                    before = at + i == 0 ? items[i] : log_of_sum(before, items[i]);
                    out[(at + i) * out_stride] = T(before);
                }
                continue;
            }
            for (int64_t i = 0; i < kBlock; i += kLanes<double>) store<double>(items + i, dexp(load(items + i) - shift));
            double sum = before == -INFINITY ? 0.0 : std::exp(before - shift);
            for (int64_t i = 0; i < kBlock; ++i) items[i] = sum += items[i];
            for (int64_t i = 0; i < kBlock; i += kLanes<double>) store<double>(items + i, dlog(load(items + i)) + shift);
            if (at == 0) items[0] = double(x[0]);
            for (int64_t i = 0; i < some; ++i) out[(at + i) * out_stride] = T(items[i]);
            before = items[some - 1];
        }
    }
}

const ScanRow kScans[] = {
    {"cumsum", kFloat32, scan<Summing<double>, float, double>},
    {"cumsum", kFloat64, scan<Summing<double>, double, double>},
    {"cumsum", kComplex64, scan<Summing<C128>, C64, C128>},
    {"cumsum", kComplex128, scan<Summing<C128>, C128, C128>},
    {"cumsum", kInt64, scan<Summing<uint64_t>, uint64_t, uint64_t>},
    {"cumsum", kInt32, scan<Summing<uint32_t>, uint32_t, uint32_t>},
    {"cumprod", kFloat32, scan<Multiplying<double>, float, double>},
    {"cumprod", kFloat64, scan<Multiplying<double>, double, double>},
    {"cumprod", kInt64, scan<Multiplying<uint64_t>, uint64_t, uint64_t>},
    {"products_of_others", kFloat32, products_of_others<float, double>, true},
    {"products_of_others", kFloat64, products_of_others<double, double>, true},
    {"running_max", kFloat32, scan<Rising<float>, float, float>},
    {"running_max", kFloat64, scan<Rising<double>, double, double>},
    {"running_max", kInt64, scan<Rising<int64_t>, int64_t, int64_t>},
    {"running_max", kInt32, scan<Rising<int32_t>, int32_t, int32_t>},
    {"running_max", kUInt8, scan<Rising<uint8_t>, uint8_t, uint8_t>},
    {"running_max", kBool, scan<Rising<uint8_t>, uint8_t, uint8_t>},
    {"running_min", kFloat32, scan<Falling<float>, float, float>},
    {"running_min", kFloat64, scan<Falling<double>, double, double>},
    {"running_min", kInt64, scan<Falling<int64_t>, int64_t, int64_t>},
    {"running_min", kInt32, scan<Falling<int32_t>, int32_t, int32_t>},
    {"running_min", kUInt8, scan<Falling<uint8_t>, uint8_t, uint8_t>},
    {"running_min", kBool, scan<Falling<uint8_t>, uint8_t, uint8_t>},
    {"logcumsumexp", kFloat32, log_scan<float>},
    {"logcumsumexp", kFloat64, log_scan<double>},
};

extern const Scans scans = {kScans, int(sizeof kScans / sizeof *kScans)};

}  // namespace lamina::LAMINA_ISA
