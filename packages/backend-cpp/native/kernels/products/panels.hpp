// Scratch memory for the panels of a gemm, one for each thread, kept until the thread ends.
#pragma once

#include <atomic>
#include <new>

#include "runtime/scratch.hpp"

namespace lamina {

char* gemm_panels();  // null where no memory is left

// Like `share`, with the thread's panels for each task.
template <class F>
void share_with_panels(int64_t n, int64_t slots, const F& task) {
    std::atomic<bool> lacking{false};
    share(n, slots, [&](int64_t index, int64_t slot) {
        if (char* panels = gemm_panels())
            task(index, slot, panels);
        else
            lacking.store(true, std::memory_order_relaxed);
    });
    if (lacking.load()) throw std::bad_alloc();
}

}  // namespace lamina
