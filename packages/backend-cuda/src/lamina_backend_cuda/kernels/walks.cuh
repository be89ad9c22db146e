// Where items lie: one index counts all items of a result in row-major order, and a walk turns it into places.
#define AXES 8

template <int K>
struct Walk {
  i64 size;
  int ndim, narrow;  // narrow: every index fits into 32 bits
  i64 shape[AXES];
  i64 strides[K][AXES];
};

// Place<K>: how far from their first items those of K operands lie.
template <int K>
struct Place {
  i64 at[K];
};

template <class Index, int K>
LAMINA Place<K> placed(const Walk<K>& walk, Index i) {
  Place<K> place;
  for (int k = 0; k < K; ++k) place.at[k] = 0;
  for (int axis = walk.ndim - 1; axis > 0; --axis) {
    Index n = (Index)walk.shape[axis], next = i / n, rest = i - next * n;
    for (int k = 0; k < K; ++k) place.at[k] += (i64)rest * walk.strides[k][axis];
    i = next;
  }
  for (int k = 0; k < K; ++k) place.at[k] += (i64)i * walk.strides[k][0];
  return place;
}

template <int K>
LAMINA Place<K> place_of(const Walk<K>& walk, i64 i) {
  return walk.narrow ? placed<u32, K>(walk, (u32)i) : placed<i64, K>(walk, i);
}

LAMINA i64 first() { return blockIdx.x * (i64)blockDim.x + threadIdx.x; }
LAMINA i64 stride() { return gridDim.x * (i64)blockDim.x; }

// So many items that they are read and written together, up to 16 bytes.
template <class T, int N>
struct alignas(N * sizeof(T)) Pack {
  T items[N];
};
