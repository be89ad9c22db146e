// float16 as its bits, where the processor does not read it.
#pragma once

#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

inline float from_half(uint16_t bits) {
    const uint32_t sign = uint32_t(bits & 0x8000) << 16, size = bits & 0x7fff;
    if (size >= 0x7c00) return bits_as<float>(sign | 0x7f800000 | (size & 0x3ff) << 13);
    // As the bits of a float that is 2**112 too small: the product puts subnormal numbers right, too.
    return bits_as<float>(sign | bits_as<uint32_t>(bits_as<float>(size << 13) * 0x1p112f));
}

}  // namespace lamina::LAMINA_ISA
