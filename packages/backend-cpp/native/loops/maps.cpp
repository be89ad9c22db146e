// The inner loops of map ops: each op as a function of items, in a loop for each kind of strides.
#include <cmath>
#include <type_traits>

#include "tables.hpp"
#include "vector_math.hpp"

namespace lamina::LAMINA_ISA {

// Integers are computed with as unsigned ones, which wrap.
template <class T>
struct Wrapping {
    using type = T;
};
template <>
struct Wrapping<int64_t> {
    using type = uint64_t;
};
template <class T>
using W = typename Wrapping<T>::type;

#define LAMINA_UNARY(Name, expression)        \
    struct Name {                             \
        template <class T>                    \
        static inline auto of(T x) {          \
            return expression;                \
        }                                     \
    };
#define LAMINA_BINARY(Name, expression)       \
    struct Name {                             \
        template <class T>                    \
        static inline auto of(T a, T b) {     \
            return expression;                \
        }                                     \
    };

LAMINA_BINARY(Add, T(W<T>(a) + W<T>(b)))
LAMINA_BINARY(Subtract, T(W<T>(a) - W<T>(b)))
LAMINA_BINARY(Multiply, T(W<T>(a) * W<T>(b)))
LAMINA_BINARY(Divide, a / b)
LAMINA_BINARY(Maximum, (a > b) | (a != a) ? a : b)
LAMINA_BINARY(Minimum, (a < b) | (a != a) ? a : b)
LAMINA_BINARY(Equal, uint8_t(a == b))
LAMINA_BINARY(NotEqual, uint8_t(a != b))
LAMINA_BINARY(Less, uint8_t(a < b))
LAMINA_BINARY(LessEqual, uint8_t(a <= b))
LAMINA_BINARY(Greater, uint8_t(a > b))
LAMINA_BINARY(GreaterEqual, uint8_t(a >= b))
LAMINA_BINARY(And, T(a & b))
LAMINA_BINARY(Or, T(a | b))
LAMINA_BINARY(Xor, T(a ^ b))
LAMINA_BINARY(LogicalAnd, uint8_t((a != T(0)) & (b != T(0))))
LAMINA_BINARY(LogicalOr, uint8_t((a != T(0)) | (b != T(0))))
LAMINA_BINARY(LogicalXor, uint8_t((a != T(0)) ^ (b != T(0))))
LAMINA_UNARY(Negative, T(-W<T>(x)))
LAMINA_UNARY(Square, T(W<T>(x) * W<T>(x)))
LAMINA_UNARY(AbsInteger, T(x < 0 ? -W<T>(x) : W<T>(x)))
LAMINA_UNARY(AbsFloat, std::fabs(x))
LAMINA_UNARY(Relu, (x > T(0)) | (x != x) ? x : T(0))
LAMINA_UNARY(Sqrt, std::sqrt(x))
LAMINA_UNARY(Rsqrt, T(1) / std::sqrt(x))
LAMINA_UNARY(Reciprocal, T(1) / x)
LAMINA_UNARY(Floor, std::floor(x))
LAMINA_UNARY(Ceil, std::ceil(x))
LAMINA_UNARY(Trunc, std::trunc(x))
LAMINA_UNARY(Not, uint8_t(x == T(0)))
LAMINA_UNARY(Invert, T(~x))
LAMINA_UNARY(IsNan, uint8_t(x != x))
LAMINA_UNARY(IsInf, uint8_t(std::fabs(x) == T(INFINITY)))
LAMINA_UNARY(IsFinite, uint8_t(std::fabs(x) < T(INFINITY)))
LAMINA_UNARY(ExpLibrary, std::exp(x))
LAMINA_UNARY(LogLibrary, std::log(x))
LAMINA_UNARY(TanhLibrary, std::tanh(x))

struct SigmoidLibrary {
    static inline double of(double x) {
        const double e = std::exp(-std::fabs(x));
        return (x < 0 ? e : 1.0) / (1.0 + e);
    }
};

struct ExpVector {
    static inline F32 of(const F32& x) { return vexp(x); }
};
struct LogVector {
    static inline F32 of(const F32& x) { return vlog(x); }
};
struct TanhVector {
    static inline F32 of(const F32& x) { return vtanh(x); }
};
struct SigmoidVector {
    static inline F32 of(const F32& x) { return vsigmoid(x); }
};

// `ivdep`: output and inputs share no memory, or all of it item by item.
template <class F, class T, class R>
void unary(char* const* p, const int64_t* s, int64_t n) {
    R* out = reinterpret_cast<R*>(p[0]);
    const T* x = reinterpret_cast<const T*>(p[1]);
    if (s[0] == 1 && s[1] == 1) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = F::of(x[i]);
    } else {
        const int64_t so = s[0], sx = s[1];
        for (int64_t i = 0; i < n; ++i) out[i * so] = F::of(x[i * sx]);
    }
}

template <class F, class T, class R>
void binary(char* const* p, const int64_t* s, int64_t n) {
    R* out = reinterpret_cast<R*>(p[0]);
    const T* a = reinterpret_cast<const T*>(p[1]);
    const T* b = reinterpret_cast<const T*>(p[2]);
    const int64_t so = s[0], sa = s[1], sb = s[2];
    if (so == 1 && sa == 1 && sb == 1) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = F::of(a[i], b[i]);
    } else if (so == 1 && sa == 1 && sb == 0) {
        const T y = *b;
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = F::of(a[i], y);
    } else if (so == 1 && sa == 0 && sb == 1) {
        const T x = *a;
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = F::of(x, b[i]);
    } else {
        for (int64_t i = 0; i < n; ++i) out[i * so] = F::of(a[i * sa], b[i * sb]);
    }
}

template <class T>
void where(char* const* p, const int64_t* s, int64_t n) {
    T* out = reinterpret_cast<T*>(p[0]);
    const uint8_t* condition = reinterpret_cast<const uint8_t*>(p[1]);
    const T* a = reinterpret_cast<const T*>(p[2]);
    const T* b = reinterpret_cast<const T*>(p[3]);
    const int64_t so = s[0], sc = s[1], sa = s[2], sb = s[3];
    if (so == 1 && sc == 1 && sa == 1 && sb == 1) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) {
            const T x = a[i], y = b[i];
            out[i] = condition[i] ? x : y;
        }
    } else {
        for (int64_t i = 0; i < n; ++i) out[i * so] = condition[i * sc] ? a[i * sa] : b[i * sb];
    }
}

// A function of vectors: items that do not lie side by side pass through a buffer.
template <class F>
void vector_unary(char* const* p, const int64_t* s, int64_t n) {
    constexpr int L = kLanes<float>;
    float* out = reinterpret_cast<float*>(p[0]);
    const float* x = reinterpret_cast<const float*>(p[1]);
    const int64_t so = s[0], sx = s[1];
    if (so != 1 || sx != 1) {
        for (int64_t i = 0; i < n; i += L) {
            const int64_t some = n - i < L ? n - i : L;
            float lanes[L] = {};
            for (int64_t j = 0; j < some; ++j) lanes[j] = x[(i + j) * sx];
            store<float>(lanes, F::of(load(lanes)));
            for (int64_t j = 0; j < some; ++j) out[(i + j) * so] = lanes[j];
        }
        return;
    }
    int64_t i = 0;
    for (; i + 2 * L <= n; i += 2 * L) {  // two at a time: one's latency hides the other's
        const F32 first = F::of(load(x + i)), second = F::of(load(x + i + L));
        store<float>(out + i, first);
        store<float>(out + i + L, second);
    }
    for (; i < n; i += L) {
        if (n - i >= L)
            store<float>(out + i, F::of(load(x + i)));
        else
            store_some<float>(out + i, F::of(load_some(x + i, n - i, 1.0f)), n - i);
    }
}

#define LAMINA_ROW1(name, F, T, code, R, out_code, cost) {name, code, out_code, 1, cost, unary<F, T, R>},
#define LAMINA_ROW2(name, F, T, code, R, out_code) {name, code, out_code, 2, 1, binary<F, T, R>},
#define LAMINA_FLOATS1(name, F, cost) \
    LAMINA_ROW1(name, F, float, kFloat32, float, kFloat32, cost) LAMINA_ROW1(name, F, double, kFloat64, double, kFloat64, cost)
#define LAMINA_FLOATS_TO_BOOL1(name, F) \
    LAMINA_ROW1(name, F, float, kFloat32, uint8_t, kBool, 1) LAMINA_ROW1(name, F, double, kFloat64, uint8_t, kBool, 1)
#define LAMINA_NUMBERS1(name, F) LAMINA_FLOATS1(name, F, 1) LAMINA_ROW1(name, F, int64_t, kInt64, int64_t, kInt64, 1)
#define LAMINA_FLOATS2(name, F) \
    LAMINA_ROW2(name, F, float, kFloat32, float, kFloat32) LAMINA_ROW2(name, F, double, kFloat64, double, kFloat64)
#define LAMINA_NUMBERS2(name, F) LAMINA_FLOATS2(name, F) LAMINA_ROW2(name, F, int64_t, kInt64, int64_t, kInt64)
#define LAMINA_BOOL2(name, F) LAMINA_ROW2(name, F, uint8_t, kBool, uint8_t, kBool)
#define LAMINA_COMPARE2(name, F)                                                                               \
    LAMINA_ROW2(name, F, float, kFloat32, uint8_t, kBool) LAMINA_ROW2(name, F, double, kFloat64, uint8_t, kBool) \
    LAMINA_ROW2(name, F, int64_t, kInt64, uint8_t, kBool) LAMINA_ROW2(name, F, uint8_t, kBool, uint8_t, kBool)
#define LAMINA_BITS2(name, F) LAMINA_BOOL2(name, F) LAMINA_ROW2(name, F, int64_t, kInt64, int64_t, kInt64)

const MapRow kMaps[] = {
    LAMINA_NUMBERS2("add", Add) LAMINA_BOOL2("add", Or)
    LAMINA_NUMBERS2("subtract", Subtract)
    LAMINA_NUMBERS2("multiply", Multiply) LAMINA_BOOL2("multiply", And)
    LAMINA_FLOATS2("divide", Divide)
    LAMINA_NUMBERS2("maximum", Maximum) LAMINA_BOOL2("maximum", Or)
    LAMINA_NUMBERS2("minimum", Minimum) LAMINA_BOOL2("minimum", And)
    LAMINA_COMPARE2("equal", Equal)
    LAMINA_COMPARE2("not_equal", NotEqual)
    LAMINA_COMPARE2("less", Less)
    LAMINA_COMPARE2("less_equal", LessEqual)
    LAMINA_COMPARE2("greater", Greater)
    LAMINA_COMPARE2("greater_equal", GreaterEqual)
    LAMINA_COMPARE2("logical_and", LogicalAnd)
    LAMINA_COMPARE2("logical_or", LogicalOr)
    LAMINA_COMPARE2("logical_xor", LogicalXor)
    LAMINA_BITS2("bitwise_and", And)
    LAMINA_BITS2("bitwise_or", Or)
    LAMINA_BITS2("bitwise_xor", Xor)
    LAMINA_ROW1("bitwise_invert", Invert, int64_t, kInt64, int64_t, kInt64, 1)
    LAMINA_ROW1("bitwise_invert", Not, uint8_t, kBool, uint8_t, kBool, 1)
    LAMINA_FLOATS_TO_BOOL1("logical_not", Not)
    LAMINA_ROW1("logical_not", Not, int64_t, kInt64, uint8_t, kBool, 1)
    LAMINA_ROW1("logical_not", Not, uint8_t, kBool, uint8_t, kBool, 1)
    LAMINA_FLOATS_TO_BOOL1("isnan", IsNan)
    LAMINA_FLOATS_TO_BOOL1("isinf", IsInf)
    LAMINA_FLOATS_TO_BOOL1("isfinite", IsFinite)
    LAMINA_NUMBERS1("negative", Negative)
    LAMINA_NUMBERS1("square", Square)
    LAMINA_NUMBERS1("relu", Relu)
    LAMINA_FLOATS1("abs", AbsFloat, 1)
    LAMINA_ROW1("abs", AbsInteger, int64_t, kInt64, int64_t, kInt64, 1)
    LAMINA_FLOATS1("sqrt", Sqrt, 2)
    LAMINA_FLOATS1("rsqrt", Rsqrt, 2)
    LAMINA_FLOATS1("reciprocal", Reciprocal, 1)
    LAMINA_FLOATS1("floor", Floor, 1)
    LAMINA_FLOATS1("ceil", Ceil, 1)
    LAMINA_FLOATS1("trunc", Trunc, 1)
    {"exp", kFloat32, kFloat32, 1, 4, vector_unary<ExpVector>},
    {"log", kFloat32, kFloat32, 1, 4, vector_unary<LogVector>},
    {"tanh", kFloat32, kFloat32, 1, 4, vector_unary<TanhVector>},
    {"sigmoid", kFloat32, kFloat32, 1, 4, vector_unary<SigmoidVector>},
    LAMINA_ROW1("exp", ExpLibrary, double, kFloat64, double, kFloat64, 12)
    LAMINA_ROW1("log", LogLibrary, double, kFloat64, double, kFloat64, 12)
    LAMINA_ROW1("tanh", TanhLibrary, double, kFloat64, double, kFloat64, 20)
    LAMINA_ROW1("sigmoid", SigmoidLibrary, double, kFloat64, double, kFloat64, 15)
    {"where", kFloat32, kFloat32, 3, 1, where<float>},
    {"where", kFloat64, kFloat64, 3, 1, where<double>},
    {"where", kInt64, kInt64, 3, 1, where<int64_t>},
    {"where", kBool, kBool, 3, 1, where<uint8_t>},
};

extern const Maps maps = {kMaps, int(sizeof kMaps / sizeof *kMaps)};

#undef LAMINA_UNARY
#undef LAMINA_BINARY

}  // namespace lamina::LAMINA_ISA
