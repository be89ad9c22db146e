// The rows of ops that compare an item with others or with 0: clip, lerp, sign, round, copysign, nextafter, signbit, shifts.
#include <cmath>

#include "loops/maps/integer_rows.hpp"
#include "loops/math/float_math.hpp"
#include "loops/tables.hpp"
#include "loops/vectors/vector_loops.hpp"

namespace lamina::LAMINA_ISA {

LAMINA_UNARY(Round, std::rint(x))
LAMINA_UNARY(SignBit, uint8_t(std::signbit(x)))
LAMINA_BINARY(CopySign, std::copysign(a, b))

// Sizes are ordered as their bits are. A zero goes to the least number that has b's sign; NaN stays.
template <class U, U kInfinity>
struct NextAfter {
    static inline U of(U a, U b) {
        using I = std::make_signed_t<U>;
        constexpr U kSize = U(~U(0)) >> 1;
        const U size = U(a & kSize), other = U(b & kSize);
        const I from = I(a > kSize ? U(0) - size : size), to = I(b > kSize ? U(0) - other : other);
        const U found = from == 0 ? U((b & U(~kSize)) | 1) : U((to > from) == (from > 0) ? a + 1 : a - 1);
        return size > kInfinity ? a : (other > kInfinity) | (from == to) ? b : found;
    }
};

// min(max(x, low), high): a NaN among them stays.
struct Clip {
    template <class V>
    static inline V of(const V& x, const V& low, const V& high) {
        const V y = choose((x < low) | (low != low), low, x);
        return choose((y > high) | (high != high), high, y);
    }
};
// From the nearer end, so that weight 1 gives b itself.
template <class T>
struct Lerp {
    static inline T of(T a, T b, T weight) {
        const T reach = b - a;
        return std::fabs(weight) < T(0.5) ? a + weight * reach : b - reach * (T(1) - weight);
    }
};

#define LAMINA_BOUND1(name, F, T, code, R, out_code) {name, code, out_code, 1, 1, unary<F, T, R>},
#define LAMINA_BOUND2(name, F, T, code) {name, code, code, 2, 1, binary<F, T, T>},
#define LAMINA_FLOAT_BOUNDS(T, code)                             \
    {"clip", code, code, 3, 1, vector_map<Clip, T, 1, 2>},      \
    {"lerp", code, code, 3, 1, ternary<Lerp<T>, T>, kExactNumbers},             \
    LAMINA_BOUND1("sign", Sign, T, code, T, code)                \
    LAMINA_BOUND1("signbit", SignBit, T, code, uint8_t, kBool)   \
    LAMINA_BOUND1("round", Round, T, code, T, code)              \
    LAMINA_BOUND2("copysign", CopySign, T, code)
#define LAMINA_NEIGHBOUR(U, code, infinity) {"nextafter", code, code, 2, 1, binary<NextAfter<U, infinity>, U, U>},

const MapRow kBounds[] = {
    LAMINA_FLOAT_BOUNDS(float, kFloat32) LAMINA_FLOAT_BOUNDS(double, kFloat64)
    LAMINA_NEIGHBOUR(uint32_t, kFloat32, 0x7f800000) LAMINA_NEIGHBOUR(uint64_t, kFloat64, 0x7ff0000000000000)
    LAMINA_NEIGHBOUR(uint16_t, kFloat16, 0x7c00) LAMINA_NEIGHBOUR(uint16_t, kBFloat16, 0x7f80)
    LAMINA_WHOLE_BOUNDS(int64_t, kInt64) LAMINA_WHOLE_ROUNDS(int64_t, kInt64)
    LAMINA_BOUND1("sign", Itself, uint8_t, kBool, uint8_t, kBool) LAMINA_BOUND1("signbit", Never, uint8_t, kBool, uint8_t, kBool)
};

extern const Maps bounds = {kBounds, int(sizeof kBounds / sizeof *kBounds)};

}  // namespace lamina::LAMINA_ISA
