// The tables of one instruction set, each made by the file of its family.
//
// Every file beneath this folder is compiled once for each instruction set, in the namespace of that one. It uses only inline
// functions of that namespace: one shared with the other files could be kept in a version that the processor does not have.
#pragma once

#include "loops/loops.hpp"

namespace lamina::LAMINA_ISA {

#define LAMINA_EXTERN(Type, name) extern const Type name;
LAMINA_MAP_TABLES(LAMINA_EXTERN)
LAMINA_REDUCTION_TABLES(LAMINA_EXTERN)
LAMINA_TABLES(LAMINA_EXTERN)
#undef LAMINA_EXTERN

}  // namespace lamina::LAMINA_ISA
