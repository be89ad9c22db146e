// Products of float16 and bfloat16, added up in float32 and rounded once.
#pragma once

#include "kernels/products/product.hpp"

namespace lamina {

// `product` tells where the narrow items lie, its bias included. Throws before it writes; the GIL is held.
void run_narrow(const Product& product, int code);

}  // namespace lamina
