// Scratch memory for the panels of a gemm, one for each thread, kept until the thread ends.
#pragma once

#include <atomic>
#include <new>

#include "runtime/scratch.hpp"

namespace lamina {

char* gemm_panels();  // null where no memory is left

// Like `share`, with the thread's panels for each task. Those that have none leave their tasks to others.
template <class F>
void share_with_panels(int64_t n, int64_t slots, const F& task) {
    std::atomic<int64_t> next{0};
    parallel(slots, 1, [&](int64_t begin, int64_t end) {
        char* panels = gemm_panels();
        for (int64_t slot = begin; slot < end && panels != nullptr; ++slot)
            for (int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < n;) task(i, slot, panels);
    });
    if (next.load() < n) throw std::bad_alloc();
}

}  // namespace lamina
