// Products in tiles: 256 threads make TILE x TILE items, OWN x OWN each, of parts that they read together. What is
// included before says OWN. Both factors are
// functions of a row of the tile and a place along the depth, so they may be matrices, or what a convolution reads.
#define DEPTH 16
#define SIDE 16
#define TILE (SIDE * OWN)
#define PITCH (TILE + OWN)  // rows of a part begin in different banks

typedef Pack<W, OWN> Own;
struct alignas(sizeof(Own)) Parts {
  W left[DEPTH][PITCH], right[DEPTH][PITCH];
};

// A matrix that is read from its row `first` on; 0 outside.
struct Matrix {
  const In* from;
  i64 first, rows, depth, row_step, deep_step;
  LAMINA bool deep_first() const { return deep_step == 1; }
  LAMINA void prepare(i64) const {}
  LAMINA W operator()(int row, i64 deep) const {
    return first + row < rows && deep < depth ? widened(from[(first + row) * row_step + deep * deep_step]) : W(0);
  }
};
LAMINA Matrix matrix(const In* from, i64 first, i64 rows, i64 depth, i64 row_step, i64 deep_step) {
  return Matrix{from, first, rows, depth, row_step, deep_step};
}

// Neighbouring threads read neighbouring items, whichever way these lie.
template <class Factor>
LAMINA void read_part(W (*part)[PITCH], const Factor& factor, i64 begin) {
  bool deep_first = factor.deep_first();
  for (int i = threadIdx.x; i < TILE * DEPTH; i += BLOCK) {
    int deep = deep_first ? i % DEPTH : i / TILE, row = deep_first ? i / DEPTH : i % TILE;
    part[deep][row] = factor(row, begin + deep);
  }
}

LAMINA void add_products(W (*total)[OWN], const W (*left)[PITCH], const W (*right)[PITCH], int depth) {
  int row = threadIdx.x / SIDE * OWN, column = threadIdx.x % SIDE * OWN;
#pragma unroll 4
  for (int deep = 0; deep < depth; ++deep) {
    Own a = *(const Own*)&left[deep][row], b = *(const Own*)&right[deep][column];
#pragma unroll
    for (int i = 0; i < OWN; ++i)
#pragma unroll
      for (int j = 0; j < OWN; ++j) total[i][j] += a.items[i] * b.items[j];
  }
}

LAMINA void clear(W (*total)[OWN]) {
#pragma unroll
  for (int i = 0; i < OWN; ++i)
#pragma unroll
    for (int j = 0; j < OWN; ++j) total[i][j] = 0;
}

// total[i][j] += the sum of left(i, d) * right(j, d) over d from `begin` to `end`. The right factor is told beforehand what is next.
template <class Left, class Right>
LAMINA void add_product(W (*total)[OWN], const Left& left, const Right& right, i64 begin, i64 end, Parts& parts) {
  right.prepare(begin);
  for (; begin < end; begin += DEPTH) {
    __syncthreads();  // until the parts before are read
    read_part(parts.left, left, begin);
    read_part(parts.right, right, begin);
    right.prepare(begin + DEPTH);
    __syncthreads();
    add_products(total, parts.left, parts.right, end - begin < DEPTH ? (int)(end - begin) : DEPTH);
  }
}
