// Memory as the system gives it: aligned blocks, and how much of it the machine has.
#pragma once

#include <cstdint>
#include <cstdlib>

#ifdef _WIN32
#include <malloc.h>
#endif

namespace lamina {

// A block that begins at a multiple of `align`, of which `bytes` is one, too; null where there is none.
inline char* aligned_block(int64_t align, int64_t bytes) {
#ifdef _WIN32
    return static_cast<char*>(_aligned_malloc(size_t(bytes), size_t(align)));
#else
    return static_cast<char*>(std::aligned_alloc(size_t(align), size_t(bytes)));
#endif
}

inline void free_block(void* block) {
#ifdef _WIN32
    _aligned_free(block);
#else
    std::free(block);
#endif
}

void ask_for_huge_pages(char* block, int64_t bytes);  // advice, which the system may not take
void return_free_pages();                             // of freed blocks, to the system
int64_t physical_memory();                            // bytes

}  // namespace lamina
