// How well queries see keys: what both directions of attention know of a batch, and the score of one of each.
struct Extents {
  i64 queries, keys, features, values;
  i64 out_row, out_column, gradient_row, gradient_column, query_row, query_column, key_row, key_column, value_row, value_column;
  i64 mask_row, mask_column;
};

struct Seen {
  const bool* chosen;  // either of the masks may be missing
  const In* added;
  W scale;
  int causal;
  LAMINA W score(const Extents& s, i64 query, i64 key, W product) const {
    if (query >= s.queries || key >= s.keys || (causal && key > query)) return -infinity(W());
    i64 at = query * s.mask_row + key * s.mask_column;
    if (chosen && !chosen[at]) return -infinity(W());
    return product * scale + (added ? widened(added[at]) : W(0));
  }
};

// Factors of a second product, which threads make of the tile of the first: rows of `made` are its columns.
struct alignas(sizeof(Own)) Made {
  W of[TILE][PITCH];
};
LAMINA void keep(Made& made, const W (*items)[OWN]) {
  int row = threadIdx.x / SIDE * OWN, column = threadIdx.x % SIDE * OWN;
#pragma unroll
  for (int j = 0; j < OWN; ++j)
#pragma unroll
    for (int i = 0; i < OWN; ++i) made.of[column + j][row + i] = items[i][j];
}

// total[c][i][j] += the sum of made[d][i] * (row begin + d, column first + c * TILE + j) of a matrix of `rows` x `columns`.
LAMINA void add_made(
    W (*total)[OWN][OWN], const Made& made, const In* from, i64 begin, i64 rows, i64 row_step, i64 first, i64 columns, i64 column_step,
    Parts& parts) {
  for (int deep = 0; deep < TILE && begin + deep < rows; deep += DEPTH) {
#pragma unroll
    for (int c = 0; c < CHUNKS; ++c) {
      if (first + c * TILE >= columns) break;
      __syncthreads();
      read_part(parts.right, matrix(from, first + c * TILE, columns, rows, column_step, row_step), begin + deep);
      __syncthreads();
      add_products(total[c], &made.of[deep], parts.right, DEPTH);
    }
  }
}

LAMINA void write_tile(In* out, W (*total)[OWN], i64 top, i64 rows, i64 row_step, i64 first, i64 columns, i64 column_step) {
  top += threadIdx.x / SIDE * OWN;
  first += threadIdx.x % SIDE * OWN;
#pragma unroll
  for (int i = 0; i < OWN; ++i)
#pragma unroll
    for (int j = 0; j < OWN; ++j)
      if (top + i < rows && first + j < columns) out[(top + i) * row_step + (first + j) * column_step] = Cast<In>::of(total[i][j]);
}
