// Threads that share a line of items: one alone, a warp, or a block.
#define BLOCK 256

// Where item i of a line is. PLAIN, which what is included before defines, is 1 where lines have one axis, in which all distances fit
// into 32 bits: nothing is divided then, and reads that do not depend on each other can be under way together.
#if PLAIN
typedef int Index;
#else
typedef i64 Index;
#endif
template <int K>
LAMINA Place<K> item_of(const Walk<K>& inner, Index i) {
#if PLAIN
  Place<K> place;
  for (int k = 0; k < K; ++k) place.at[k] = (i64)i * (int)inner.strides[k][0];
  return place;
#else
  return place_of(inner, i);
#endif
}

template <int TEAM> LAMINA int member() { return threadIdx.x % TEAM; }
template <int TEAM> LAMINA i64 first_line() { return (blockIdx.x * (i64)BLOCK + threadIdx.x) / TEAM; }
template <int TEAM> LAMINA i64 line_stride() { return gridDim.x * (i64)(BLOCK / TEAM); }

// Two numbers that are folded together.
template <class T> struct Pair { T a, b; };
typedef Pair<W> Two;
LAMINA Two two(W a, W b) {
  Two made;
  made.a = a;
  made.b = b;
  return made;
}
template <class T> LAMINA T from_lane(T mine, int reach) { return __shfl_xor_sync(0xffffffffu, mine, reach); }
LAMINA Two from_lane(Two mine, int reach) { return two(from_lane(mine.a, reach), from_lane(mine.b, reach)); }

// Items of two operands.
struct Both {
  In a, b;
};

struct Sum {
  LAMINA W operator()(W a, W b) const { return a + b; }
  LAMINA Two operator()(Two a, Two b) const { return two(a.a + b.a, a.b + b.b); }
};

enum { AT_ONCE = !PLAIN ? 1 : sizeof(In) < 4 ? 8 : 4 };  // divisions of places would be as many

// Items `begin` ... `end - 1` of a line, some at a time: all are read before one of them is used, so that more
// bytes are under way. read(i) gives what use(i, item) is given; it had better do nothing else, as that would wait.
template <int TEAM, class Read, class Use>
LAMINA void each_item(Index begin, Index end, const Read& read, const Use& use) {
  for (Index i = begin + member<TEAM>(); i < end; i += AT_ONCE * TEAM) {
    decltype(read(i)) items[AT_ONCE];
#pragma unroll
    for (int j = 0; j < AT_ONCE; ++j)
      if (i + j * TEAM < end) items[j] = read(i + j * TEAM);
#pragma unroll
    for (int j = 0; j < AT_ONCE; ++j)
      if (i + j * TEAM < end) use(i + j * TEAM, items[j]);
  }
}

// What all members have together, always joined in the same order; each of them gets it.
template <int TEAM, class T, class Join>
LAMINA T together(T mine, Join join) {
  if constexpr (TEAM == 1) {
    return mine;
  } else {
    for (int reach = 16; reach > 0; reach /= 2) mine = join(mine, from_lane(mine, reach));
    if constexpr (TEAM == BLOCK) {
      __shared__ T kept[BLOCK / 32];
      __syncthreads();  // until what was kept before is read
      if (threadIdx.x % 32 == 0) kept[threadIdx.x / 32] = mine;
      __syncthreads();
      mine = kept[0];
      for (int i = 1; i < BLOCK / 32; ++i) mine = join(mine, kept[i]);
    }
    return mine;
  }
}
