// Products of matrices in tiles, of any strides: for types that cuBLAS does not multiply, and where there is no cuBLAS.
// What is included before says the type In. 256 threads make 64 x 64 items, 4 x 4 each.
#define TILE 64
#define DEPTH 16
#define SIDE 16
#define OWN 4

typedef Item<In>::Wide W;

struct Extents {
  i64 m, n, k;
  i64 a_row, a_column, b_row, b_column, c_row, c_column;
};

LAMINA W zero() { return Cast<W>::of(0); }

extern "C" __global__ void multiply(In* c, const In* a, const In* b, Walk<3> batch, Extents s) {
  __shared__ W left[DEPTH][TILE + 1];
  __shared__ W right[DEPTH][TILE + 1];
  int me = threadIdx.x, column = me % SIDE, row = me / SIDE;
  i64 across = (s.n + TILE - 1) / TILE, down = (s.m + TILE - 1) / TILE;
  for (i64 tile = blockIdx.x; tile < batch.size * across * down; tile += gridDim.x) {
    Place<3> place = place_of(batch, tile / (across * down));
    const In* from_a = a + place.at[1];
    const In* from_b = b + place.at[2];
    i64 top = tile / across % down * TILE, first_column = tile % across * TILE;
    W total[OWN][OWN];
    for (int i = 0; i < OWN; ++i)
      for (int j = 0; j < OWN; ++j) total[i][j] = zero();
    for (i64 begin = 0; begin < s.k; begin += DEPTH) {
      for (int i = me; i < TILE * DEPTH; i += 256) {
        // neighbouring threads read neighbouring items, whichever way the matrix lies
        int deep = s.a_column == 1 ? i % DEPTH : i / TILE, high = s.a_column == 1 ? i / DEPTH : i % TILE;
        bool inside = top + high < s.m && begin + deep < s.k;
        left[deep][high] = inside ? widened(from_a[(top + high) * s.a_row + (begin + deep) * s.a_column]) : zero();
        int low = s.b_row == 1 ? i % DEPTH : i / TILE, wide = s.b_row == 1 ? i / DEPTH : i % TILE;
        inside = first_column + wide < s.n && begin + low < s.k;
        right[low][wide] = inside ? widened(from_b[(begin + low) * s.b_row + (first_column + wide) * s.b_column]) : zero();
      }
      __syncthreads();
      int depth = s.k - begin < DEPTH ? (int)(s.k - begin) : DEPTH;
      for (int deep = 0; deep < depth; ++deep)
        for (int i = 0; i < OWN; ++i) {
          W item = left[deep][row + i * SIDE];
          for (int j = 0; j < OWN; ++j) total[i][j] = total[i][j] + item * right[deep][column + j * SIDE];
        }
      __syncthreads();
    }
    In* to = c + place.at[0];
    for (int i = 0; i < OWN; ++i)
      for (int j = 0; j < OWN; ++j) {
        i64 high = top + row + i * SIDE, wide = first_column + column + j * SIDE;
        if (high < s.m && wide < s.n) to[high * s.c_row + wide * s.c_column] = Cast<In>::of(total[i][j]);
      }
  }
}
