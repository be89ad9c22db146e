// For files in which no product is fused with a sum, whatever the processor has: each is rounded by itself.
#pragma once

#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif
