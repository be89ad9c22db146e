// The rows of the integer dtypes that images and indices come in.
#include "loops/maps/integer_rows.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

const MapRow kIntegers[] = {LAMINA_INTEGER_ROWS(int32_t, kInt32) LAMINA_INTEGER_ROWS(uint8_t, kUInt8)};

extern const Maps integers = {kIntegers, int(sizeof kIntegers / sizeof *kIntegers)};

}  // namespace lamina::LAMINA_ISA
