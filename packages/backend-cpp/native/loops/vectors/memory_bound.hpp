// For files whose loops wait for memory: the second cache feeds vectors of 256 bits a tenth faster than those of 512.
#pragma once

#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=256")
#endif
