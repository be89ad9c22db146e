// Running a piece of work in parts on several threads.
#pragma once

#include <Python.h>

#include <cstdint>

namespace lamina {

// Calls part(context, begin, end) for consecutive ranges of at most `grain` that cover 0 .. n. Runs them on the
// calling thread alone if there is one thread, one range, or another call has the threads. Parts must not throw.
void parallel_ranges(int64_t n, int64_t grain, void (*part)(const void*, int64_t, int64_t), const void* context);

template <class F>
void parallel(int64_t n, int64_t grain, const F& part) {
    parallel_ranges(
        n, grain, [](const void* f, int64_t begin, int64_t end) { (*static_cast<const F*>(f))(begin, end); }, &part);
}

int num_threads();
void set_num_threads(int n);
int default_threads();  // min(affinity, cgroup quota)

// Lets other Python threads run while it lives, if the work is worth it.
class WithoutGil {
   public:
    explicit WithoutGil(bool worthwhile) : state_(worthwhile ? PyEval_SaveThread() : nullptr) {}
    ~WithoutGil() {
        if (state_ != nullptr) PyEval_RestoreThread(state_);
    }
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;

   private:
    PyThreadState* state_;
};

// How many of `n` equal tasks make a piece: all of them where their `work` together, in simple operations, is too little
// for several threads, else so many that each thread has a few pieces.
int64_t grain_of(int64_t n, int64_t work);

constexpr int64_t kReleaseGil = 20000;  // items of a cheap op from which the GIL is released
constexpr int64_t kParallel = 32768;    // and from which several threads pay

}  // namespace lamina
