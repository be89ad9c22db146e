// Convolutions of bfloat16 by AMX.
#pragma once

#include "kernels/convolutions/correlation.hpp"

namespace lamina {

// `correlate`, of items of bfloat16.
void correlate_by_amx(int64_t groups, const Images& images, const WindowAxis* axes, const Filters& filters, const View* bias,
                      const Results& results);

// `weight_gradient`, of items of bfloat16.
void weight_gradient_by_amx(int64_t groups, const Images& images, const WindowAxis* axes, const Filters& filters, const Images& results);

}  // namespace lamina
