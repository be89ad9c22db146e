// CUDA's words as C++, so that a kernel's source runs on the host: a loop over blocks, and in each over its threads.
// With barriers each thread of a block has a stack of its own, and runs from one barrier to the next.
#include <math.h>
#include <stdlib.h>
#include <utility>

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __constant__ static const
#define __forceinline__ inline
#define __launch_bounds__(n)

struct Dim3 {
  unsigned x, y, z;
};
static Dim3 threadIdx{0, 0, 0}, blockIdx{0, 0, 0}, blockDim{1, 1, 1}, gridDim{1, 1, 1};

inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a * b) >> 32); }
inline float __int_as_float(int a) { float b; __builtin_memcpy(&b, &a, 4); return b; }
inline int __float_as_int(float a) { int b; __builtin_memcpy(&b, &a, 4); return b; }
inline double __longlong_as_double(long long a) { double b; __builtin_memcpy(&b, &a, 8); return b; }
inline long long __double_as_longlong(double a) { long long b; __builtin_memcpy(&b, &a, 8); return b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline unsigned long long atomicMax(unsigned long long* at, unsigned long long a) { unsigned long long b = *at; if (a > b) *at = a; return b; }
inline float rsqrt(float a) { return 1.0f / sqrtf(a); }
inline double rsqrt(double a) { return 1.0 / ::sqrt(a); }

#ifndef LAMINA_BARRIERS
template <class Work>
int each_thread(unsigned block, const Work& work) {
  for (threadIdx.x = 0; threadIdx.x < block; ++threadIdx.x) work();
  return 0;
}
#else
#include <ucontext.h>
#include <vector>
enum State { READY, WAITING, TOGETHER, DONE };  // waiting for its block, or for its warp
static const unsigned STACK = 64 * 1024, WARP = 32;
static ucontext_t between;
// One for all kernels of a process, each of which is a library of its own: 16 MiB for 256 threads.
inline std::vector<ucontext_t> threads_of_block;
inline std::vector<State> states;
inline std::vector<char> stacks;
static void (*of_thread)(const void*);
static const void* its_work;

inline void wait_as(State state) {
  unsigned me = threadIdx.x;
  states[me] = state;
  swapcontext(&threads_of_block[me], &between);
}
inline void __syncthreads() { wait_as(WAITING); }
inline void __syncwarp() { wait_as(TOGETHER); }

// What each thread hands to others of its warp; two places by turns, so that no one overwrites what is still read.
struct Handed {
  char of[2][16];
  unsigned turn;
};
static Handed handed[1024];
template <class T>
T from_thread(unsigned mask, T mine, unsigned other) {
  static_assert(sizeof(T) <= 8, "a shuffle moves 4 or 8 bytes");
  Handed& own = handed[threadIdx.x];
  unsigned turn = own.turn++ % 2;
  __builtin_memcpy(own.of[turn], &mine, sizeof(T));
  __syncwarp();
  T theirs;
  __builtin_memcpy(&theirs, handed[other].of[turn], sizeof(T));
  return mask == 0xffffffffu ? theirs : (abort(), theirs);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T mine, int reach) { return from_thread(mask, mine, threadIdx.x ^ reach); }
template <class T>
T __shfl_sync(unsigned mask, T mine, int lane) { return from_thread(mask, mine, threadIdx.x / WARP * WARP + lane); }

inline void one_thread() {
  of_thread(its_work);
  states[threadIdx.x] = DONE;
}
// Have those go on that have all met; whether they have.
inline bool released(unsigned begin, unsigned end, State state) {
  for (unsigned i = begin; i < end; ++i)
    if (states[i] != state) return false;
  for (unsigned i = begin; i < end; ++i) states[i] = READY;
  return true;
}
template <class Work>
int each_thread(unsigned block, const Work& work) {
  threads_of_block.resize(block);
  states.assign(block, READY);
  if (stacks.size() < (size_t)block * STACK) stacks.resize((size_t)block * STACK);
  of_thread = [](const void* given) { (*(const Work*)given)(); };
  its_work = &work;
  for (unsigned i = 0; i < block; ++i) {
    handed[i].turn = 0;
    getcontext(&threads_of_block[i]);
    threads_of_block[i].uc_stack.ss_sp = &stacks[(size_t)i * STACK];
    threads_of_block[i].uc_stack.ss_size = STACK;
    threads_of_block[i].uc_link = &between;
    makecontext(&threads_of_block[i], one_thread, 0);
  }
  // Each warp runs as far as it can before the next one begins, in turn from either end: so that a barrier that is missing shows.
  unsigned warps = (block + WARP - 1) / WARP;
  for (bool backwards = false;; backwards = !backwards) {
    unsigned done = 0;
    for (unsigned n = 0; n < warps; ++n) {
      unsigned begin = (backwards ? warps - 1 - n : n) * WARP, end = begin + WARP < block ? begin + WARP : block;
      do {
        for (unsigned m = begin; m < end; ++m) {
          unsigned i = backwards ? begin + end - 1 - m : m;
          threadIdx.x = i;
          if (states[i] == READY) swapcontext(&between, &threads_of_block[i]);
        }
      } while (end - begin == WARP && released(begin, end, TOGETHER));
    }
    for (unsigned i = 0; i < block; ++i) done += states[i] == DONE;
    if (done == block) return 0;
    if (!released(0, block, WAITING)) return 1;  // some threads wait at a barrier that others have passed by
  }
}
#endif

template <class... A, size_t... I>
int run_grid(void (*kernel)(A...), unsigned grid, unsigned block, char* packed, const long long* offsets, std::index_sequence<I...>) {
  gridDim = {grid, 1, 1};
  blockDim = {block, 1, 1};
  for (blockIdx.x = 0; blockIdx.x < grid; ++blockIdx.x)
    if (int wrong = each_thread(block, [&] { kernel(*(A*)(packed + offsets[I])...); })) return wrong;
  return 0;
}
template <class... A>
int run_all(void (*kernel)(A...), unsigned grid, unsigned block, char* packed, const long long* offsets) {
  return run_grid(kernel, grid, block, packed, offsets, std::index_sequence_for<A...>{});
}
template <class... A>
struct Sizes {
  long long of[sizeof...(A)] = {(long long)sizeof(A)...};
};
template <class... A>
constexpr Sizes<A...> sizes_of(void (*)(A...)) { return {}; }

#define LAMINA_ENTRY(name)                                                                                        \
  extern "C" int run_##name(unsigned grid, unsigned block, char* packed, const long long* offsets) {              \
    return run_all(name, grid, block, packed, offsets);                                                           \
  }                                                                                                               \
  extern "C" decltype(sizes_of(name)) sizes_##name = sizes_of(name);
