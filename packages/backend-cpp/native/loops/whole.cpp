// The rows of the integer dtypes that images and indices come in.
#include "tables.hpp"
#include "whole_rows.hpp"

namespace lamina::LAMINA_ISA {

const MapRow kWhole[] = {LAMINA_WHOLE_ROWS(int32_t, kInt32) LAMINA_WHOLE_ROWS(uint8_t, kUInt8)};

extern const Maps whole = {kWhole, int(sizeof kWhole / sizeof *kWhole)};

}  // namespace lamina::LAMINA_ISA
