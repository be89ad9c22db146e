// CUDA's words as C++, so that a kernel's source runs on the host: a loop over blocks, and in each over its threads.
// With barriers each thread of a block has a stack of its own, and runs from one barrier to the next.
#include <math.h>
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
enum State { READY, WAITING, DONE };
static const unsigned STACK = 64 * 1024;
static ucontext_t between;
static std::vector<ucontext_t> threads_of_block;
static std::vector<State> states;
static std::vector<char> stacks;
static void (*of_thread)(const void*);
static const void* its_work;

inline void __syncthreads() {
  unsigned me = threadIdx.x;
  states[me] = WAITING;
  swapcontext(&threads_of_block[me], &between);
}
inline void one_thread() {
  of_thread(its_work);
  states[threadIdx.x] = DONE;
}
template <class Work>
int each_thread(unsigned block, const Work& work) {
  threads_of_block.resize(block);
  states.assign(block, READY);
  stacks.resize((size_t)block * STACK);
  of_thread = [](const void* given) { (*(const Work*)given)(); };
  its_work = &work;
  for (unsigned i = 0; i < block; ++i) {
    getcontext(&threads_of_block[i]);
    threads_of_block[i].uc_stack.ss_sp = &stacks[(size_t)i * STACK];
    threads_of_block[i].uc_stack.ss_size = STACK;
    threads_of_block[i].uc_link = &between;
    makecontext(&threads_of_block[i], one_thread, 0);
  }
  for (bool backwards = false;; backwards = !backwards) {  // so that a barrier that is missing shows, whichever way it is read
    unsigned waiting = 0;
    for (unsigned n = 0; n < block; ++n) {
      unsigned i = backwards ? block - 1 - n : n;
      threadIdx.x = i;
      swapcontext(&between, &threads_of_block[i]);
      waiting += states[i] == WAITING;
    }
    if (!waiting) return 0;
    if (waiting != block) return 1;  // some threads wait at a barrier that others have passed by
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
