// Running a piece of work in parts on several threads.
#pragma once

#include <Python.h>

#include <cstdint>

namespace lamina {

// Calls part(context, begin, end) for consecutive ranges of at most `grain` that cover 0 .. n; the last ones first if `backwards`.
// Runs them on the calling thread alone if there is one thread, one range, or another call has the threads. Parts must not throw.
void parallel_ranges(int64_t n, int64_t grain, bool backwards, void (*part)(const void*, int64_t, int64_t), const void* context);

// Whether to begin with the last piece: every second time, as a cache holds what the work before ended with.
bool turn_round();

template <class F>
void parallel(int64_t n, int64_t grain, bool backwards, const F& part) {
    parallel_ranges(
        n, grain, backwards, [](const void* f, int64_t begin, int64_t end) { (*static_cast<const F*>(f))(begin, end); }, &part);
}

template <class F>
void parallel(int64_t n, int64_t grain, const F& part) {
    parallel(n, grain, n > grain && turn_round(), part);
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
// for several threads, else so many that each thread has `kPiecesEach`, or fewer that are not too little.
int64_t grain_of(int64_t n, int64_t work);

constexpr int64_t kPiecesEach = 16;     // for each thread, of what is shared out evenly
constexpr int64_t kReleaseGil = 20000;  // items of a cheap op from which the GIL is released
constexpr int64_t kParallel = 32768;    // and from which several threads pay

}  // namespace lamina
