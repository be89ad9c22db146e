// All tables of one instruction set, together.
#include "loops/tables.hpp"

#define LAMINA_TEXT(x) #x
#define LAMINA_TEXT_OF(x) LAMINA_TEXT(x)
#define LAMINA_ADDRESS(Type, name) &name,

namespace lamina::LAMINA_ISA {

const Maps* const kMaps[] = {LAMINA_MAP_TABLES(LAMINA_ADDRESS) nullptr};
const Reductions* const kReductions[] = {LAMINA_REDUCTION_TABLES(LAMINA_ADDRESS) nullptr};

extern const Loops loops = {LAMINA_TEXT_OF(LAMINA_ISA), kMaps, kReductions, LAMINA_TABLES(LAMINA_ADDRESS)};

}  // namespace lamina::LAMINA_ISA
