// Products of float16 and bfloat16, added up in float32 and rounded once.
#pragma once

#include "kernels/products/product.hpp"

namespace lamina {

// `product` tells where the narrow items lie, and `c_column` how far apart columns of C are; its bias is of float32. Throws before it
// writes; the GIL is held.
void run_narrow(const Product& product, int code, int64_t c_column);

}  // namespace lamina
