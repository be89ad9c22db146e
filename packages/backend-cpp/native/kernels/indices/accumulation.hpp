// What is done to an item where a value arrives at its index: replaced, added to, multiplied, compared with.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "dtypes/dtypes.hpp"

namespace lamina {

struct Sixteen {
    uint64_t low, high;
};

template <class T>
struct Put {
    using Item = T;
    static T of(T, T value) { return value; }
};

// Integers are computed with as unsigned ones of at least 32 bits: these wrap.
template <class T>
using Wrapping = std::conditional_t<std::is_integral_v<T>, std::conditional_t<(sizeof(T) < 8), uint32_t, uint64_t>, T>;

template <class T>
struct Plus {
    using Item = T;
    static T of(T a, T b) { return T(Wrapping<T>(a) + Wrapping<T>(b)); }
};
template <class T>
struct Times {
    using Item = T;
    static T of(T a, T b) { return T(Wrapping<T>(a) * Wrapping<T>(b)); }
};
template <class T>
struct Greater {
    using Item = T;
    static T of(T a, T b) {
        const T greater = b > a ? b : a;  // by two choices, neither of which is a jump
        return b != b ? b : greater;
    }
};
template <class T>
struct Lesser {
    using Item = T;
    static T of(T a, T b) {
        const T lesser = b < a ? b : a;
        return b != b ? b : lesser;
    }
};
struct Either {
    using Item = uint8_t;
    static uint8_t of(uint8_t a, uint8_t b) { return uint8_t((a | b) != 0); }
};
struct Both {
    using Item = uint8_t;
    static uint8_t of(uint8_t a, uint8_t b) { return uint8_t(a != 0 && b != 0); }
};

enum class Accumulation { put, sum, prod, amax, amin };

// Calls run(F{}) with the accumulation F for items of dtype `code`; false where there is none: float16 and bfloat16 are to be
// rounded once, after all values, and so come as float32; complex numbers have no order.
template <class Run>
bool with_accumulation(Accumulation what, int code, const Run& run) {
    using C64 = std::complex<float>;
    using C128 = std::complex<double>;
#define LAMINA_WITH(F)         \
    {                          \
        run(F{});              \
        return true;           \
    }
    if (what == Accumulation::put) switch (kItemSize[code]) {
            case 1: LAMINA_WITH(Put<uint8_t>)
            case 2: LAMINA_WITH(Put<uint16_t>)
            case 4: LAMINA_WITH(Put<uint32_t>)
            case 8: LAMINA_WITH(Put<uint64_t>)
            default: LAMINA_WITH(Put<Sixteen>)
        }
    if (what == Accumulation::sum) switch (code) {
            case kBool: LAMINA_WITH(Either)
            case kUInt8: case kInt8: LAMINA_WITH(Plus<uint8_t>)
            case kUInt16: case kInt16: LAMINA_WITH(Plus<uint16_t>)
            case kUInt32: case kInt32: LAMINA_WITH(Plus<uint32_t>)
            case kUInt64: case kInt64: LAMINA_WITH(Plus<uint64_t>)
            case kFloat32: LAMINA_WITH(Plus<float>)
            case kFloat64: LAMINA_WITH(Plus<double>)
            case kComplex64: LAMINA_WITH(Plus<C64>)
            case kComplex128: LAMINA_WITH(Plus<C128>)
            default: return false;
        }
    if (what == Accumulation::prod) switch (code) {
            case kBool: LAMINA_WITH(Both)
            case kUInt8: case kInt8: LAMINA_WITH(Times<uint8_t>)
            case kUInt16: case kInt16: LAMINA_WITH(Times<uint16_t>)
            case kUInt32: case kInt32: LAMINA_WITH(Times<uint32_t>)
            case kUInt64: case kInt64: LAMINA_WITH(Times<uint64_t>)
            case kFloat32: LAMINA_WITH(Times<float>)
            case kFloat64: LAMINA_WITH(Times<double>)
            default: return false;
        }
#define LAMINA_WITH_ORDER(F, logical)       \
    switch (code) {                         \
        case kBool: LAMINA_WITH(logical)    \
        case kUInt8: LAMINA_WITH(F<uint8_t>) \
        case kInt8: LAMINA_WITH(F<int8_t>)  \
        case kUInt16: LAMINA_WITH(F<uint16_t>) \
        case kInt16: LAMINA_WITH(F<int16_t>) \
        case kUInt32: LAMINA_WITH(F<uint32_t>) \
        case kInt32: LAMINA_WITH(F<int32_t>) \
        case kUInt64: LAMINA_WITH(F<uint64_t>) \
        case kInt64: LAMINA_WITH(F<int64_t>) \
        case kFloat32: LAMINA_WITH(F<float>) \
        case kFloat64: LAMINA_WITH(F<double>) \
        default: return false;              \
    }
    if (what == Accumulation::amax) LAMINA_WITH_ORDER(Greater, Either)
    LAMINA_WITH_ORDER(Lesser, Both)
#undef LAMINA_WITH
#undef LAMINA_WITH_ORDER
}

}  // namespace lamina
