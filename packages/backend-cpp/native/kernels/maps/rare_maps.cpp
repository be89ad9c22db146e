// Map rows of dtypes that are seldom computed with, compiled once, for any processor: short and unsigned integers.
#define LAMINA_ISA anywhere
#include "runtime/kernel.hpp"
#include "loops/maps/integer_rows.hpp"

namespace lamina::LAMINA_ISA {

struct Sixteen {
    uint64_t low, high;
};

const MapRow kRare[] = {
    LAMINA_INTEGER_ROWS(int8_t, kInt8) LAMINA_INTEGER_ROWS(int16_t, kInt16) LAMINA_INTEGER_ROWS(uint16_t, kUInt16)
    LAMINA_INTEGER_ROWS(uint32_t, kUInt32) LAMINA_INTEGER_ROWS(uint64_t, kUInt64)
    {"where", kFloat16, kFloat16, 3, 1, where<uint16_t>}, {"where", kBFloat16, kBFloat16, 3, 1, where<uint16_t>},
    {"where", kComplex64, kComplex64, 3, 1, where<uint64_t>}, {"where", kComplex128, kComplex128, 3, 2, where<Sixteen>},
};

const Maps kRareMaps = {kRare, int(sizeof kRare / sizeof *kRare)};

}  // namespace lamina::LAMINA_ISA

namespace lamina {

const Maps& rare_maps() { return anywhere::kRareMaps; }

}  // namespace lamina
