// Many rows of few bytes.
#include "loops/copies/short_rows.hpp"

#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {
namespace {

void copy_rows(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t rows, int64_t bytes) {
    for (int64_t row = 0; row < rows; ++row, to += to_step, from += from_step) copy_bytes(to, from, bytes);
}

}  // namespace

extern const RowCopies row_copies = {copy_rows};

}  // namespace lamina::LAMINA_ISA
