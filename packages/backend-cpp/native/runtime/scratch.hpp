// Scratch: memory for the length of one call, from the pool of the module's memory.
#pragma once

#include <Python.h>

#include <atomic>

#include "runtime/memory.hpp"
#include "runtime/operand.hpp"
#include "runtime/threads.hpp"

namespace lamina {

// Must be made and end where the GIL is held: make it before a WithoutGil.
class Scratch {
   public:
    explicit Scratch(int64_t nbytes) {
        memory_ = new_memory(nbytes);
        if (memory_ == nullptr) throw PythonError{};
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() { Py_DECREF(memory_); }

    char* data() const { return reinterpret_cast<Memory*>(memory_)->data; }

   private:
    PyObject* memory_;
};

constexpr int64_t aligned(int64_t nbytes) { return (nbytes + 63) & ~int64_t(63); }

// Calls task(index, slot) for every index below n, on at most `slots` threads at once, each with a slot of its own.
template <class F>
void share(int64_t n, int64_t slots, const F& task) {
    std::atomic<int64_t> next{0};
    const bool backwards = n > 1 && turn_round();
    parallel(slots, 1, false, [&](int64_t begin, int64_t end) {
        for (int64_t slot = begin; slot < end; ++slot)
            for (int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < n;) task(backwards ? n - 1 - i : i, slot);
    });
}

}  // namespace lamina
