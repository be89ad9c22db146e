// Map rows of dtypes that are seldom computed with, compiled once, for any processor: short and unsigned integers.
#define LAMINA_ISA anywhere
#include "kernels/maps/map.hpp"
#include "loops/maps/integer_rows.hpp"

namespace lamina::LAMINA_ISA {

struct Sixteen {
    uint64_t low, high;
};

const MapRow kRare[] = {
    LAMINA_INTEGER_ROWS(int8_t, kInt8) LAMINA_INTEGER_ROWS(int16_t, kInt16) LAMINA_INTEGER_ROWS(uint16_t, kUInt16)
    LAMINA_INTEGER_ROWS(uint32_t, kUInt32) LAMINA_INTEGER_ROWS(uint64_t, kUInt64)
    LAMINA_WHERE(uint16_t, kFloat16, 1) LAMINA_WHERE(uint16_t, kBFloat16, 1)
    LAMINA_WHERE(uint64_t, kComplex64, 1) LAMINA_WHERE(Sixteen, kComplex128, 2)
};

const Maps kRareMaps = {kRare, int(sizeof kRare / sizeof *kRare)};

}  // namespace lamina::LAMINA_ISA

namespace lamina {

const Registration registration([](const Loops&) { register_maps(anywhere::kRareMaps); });

}  // namespace lamina
