// Convolution and its transposes as products of matrices that are never made: rows are channels of a factor that is read as it lies,
// columns and depth are each one of some things (an example or a channel) and a place along up to three axes. A column and a step
// along the depth have together one item of the other factor, whose position is the sum of what each of them says.
struct Sliding {
  i64 rows, columns, depth, groups;
  i64 left_row, left_deep, left_steps[3], left_group;
  i64 column_lengths[3], column_step, column_scale[3], column_shift[3];
  i64 deep_lengths[3], deep_step, deep_scale[3], deep_shift[3];
  i64 divisors[3], bounds[3], right_steps[3], right_group;  // a position must be a multiple of its divisor
  i64 out_row, out_column, out_steps[3], out_group, bias_row, bias_group;
};

struct Decoded {
  i64 thing, at[3];
};
LAMINA Decoded decoded(u32 i, const i64* lengths) {
  Decoded made;
#pragma unroll
  for (int axis = 2; axis >= 0; --axis) {
    u32 n = (u32)lengths[axis], next = i / n;
    made.at[axis] = i - next * n;
    i = next;
  }
  made.thing = i;
  return made;
}

// What a step along the depth says: where its items are in both factors, and how it moves the position.
struct Tap {
  i64 left, right;
  int at[3], inside;
};

struct Rows {
  const In* from;
  const Sliding& s;
  i64 top;
  Tap (*taps)[DEPTH];
  LAMINA bool deep_first() const { return true; }
  LAMINA W operator()(int row, i64 deep) const {
    const Tap& tap = taps[deep / DEPTH % 2][deep % DEPTH];
    return tap.inside && top + row < s.rows ? widened(from[(top + row) * s.left_row + tap.left]) : W(0);
  }
};

struct Columns {
  const In* from;
  const Sliding& s;
  Tap (*taps)[DEPTH];
  i64 end;
  int at[3];    // of this thread's column, which is the same throughout
  bool inside;

  LAMINA Columns(const In* from_, const Sliding& s_, i64 first, Tap (*taps_)[DEPTH], i64 end_) : s(s_), taps(taps_), end(end_) {
    i64 column = first + threadIdx.x % TILE;
    inside = column < s.columns;
    Decoded own = decoded((u32)column, s.column_lengths);
    from = from_ + own.thing * s.column_step;
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) at[axis] = (int)(own.at[axis] * s.column_scale[axis] + s.column_shift[axis]);
  }
  LAMINA bool deep_first() const { return false; }
  LAMINA void prepare(i64 begin) const {
    if (threadIdx.x >= DEPTH) return;
    i64 deep = begin + threadIdx.x;
    Tap& tap = taps[deep / DEPTH % 2][threadIdx.x];
    Decoded own = decoded((u32)deep, s.deep_lengths);
    tap.inside = deep < end;
    tap.left = own.thing * s.left_deep;
    tap.right = own.thing * s.deep_step;
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      tap.left += own.at[axis] * s.left_steps[axis];
      tap.at[axis] = (int)(own.at[axis] * s.deep_scale[axis] + s.deep_shift[axis]);
    }
  }
  LAMINA W operator()(int, i64 deep) const {
    const Tap& tap = taps[deep / DEPTH % 2][deep % DEPTH];
    if (!inside || !tap.inside) return 0;
    i64 where = tap.right;
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      int position = at[axis] + tap.at[axis], divisor = (int)s.divisors[axis];
      if (position < 0) return 0;
      if (divisor != 1) {
        if (position % divisor) return 0;
        position /= divisor;
      }
      if (position >= (int)s.bounds[axis]) return 0;
      where += position * s.right_steps[axis];
    }
    return widened(from[where]);
  }
};

LAMINA i64 place_in_out(const Sliding& s, i64 group, i64 row, i64 column) {
  Decoded own = decoded((u32)column, s.column_lengths);
  i64 at = group * s.out_group + row * s.out_row + own.thing * s.out_column;
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) at += own.at[axis] * s.out_steps[axis];
  return at;
}

// Where the depth is divided into parts, their sums go to `kept`, and `join_parts` adds them up in their order.
extern "C" __global__ void slide(In* out, W* kept, const In* left, const In* right, const In* bias, Sliding s, i64 parts) {
  __shared__ Parts read;
  __shared__ Tap taps[2][DEPTH];
  i64 down = (s.rows + TILE - 1) / TILE, across = (s.columns + TILE - 1) / TILE, tiles = s.groups * down * across;
  i64 length = ((s.depth + parts - 1) / parts + DEPTH - 1) / DEPTH * DEPTH;
  for (i64 tile = blockIdx.x; tile < tiles * parts; tile += gridDim.x) {
    i64 part = tile / tiles, group = tile % tiles / (down * across), top = tile / across % down * TILE, first = tile % across * TILE;
    i64 begin = part * length, end = begin + length < s.depth ? begin + length : s.depth;
    W total[OWN][OWN];
    clear(total);
    __syncthreads();  // until the taps before are read
    Rows rows{left + group * s.left_group, s, top, taps};
    Columns columns(right + group * s.right_group, s, first, taps, end);
    add_product(total, rows, columns, begin, end, read);
    i64 row = top + threadIdx.x / SIDE * OWN, column = first + threadIdx.x % SIDE * OWN;
#pragma unroll
    for (int j = 0; j < OWN; ++j) {
      if (column + j >= s.columns) continue;
      i64 at = place_in_out(s, group, row, column + j);
#pragma unroll
      for (int i = 0; i < OWN; ++i) {
        if (row + i >= s.rows) continue;
        if (parts > 1) kept[((part * s.groups + group) * s.rows + row + i) * s.columns + column + j] = total[i][j];
        else out[at + i * s.out_row] =
            Cast<In>::of(bias ? total[i][j] + widened(bias[group * s.bias_group + (row + i) * s.bias_row]) : total[i][j]);
      }
    }
  }
}

extern "C" __global__ void join_parts(In* out, const W* kept, const In* bias, Sliding s, i64 parts) {
  i64 all = s.groups * s.rows * s.columns;
  for (i64 i = first(); i < all; i += stride()) {
    i64 column = i % s.columns, row = i / s.columns % s.rows, group = i / (s.columns * s.rows);
    W sum = kept[i];
    for (i64 part = 1; part < parts; ++part) sum += kept[part * all + i];
    if (bias) sum += widened(bias[group * s.bias_group + row * s.bias_row]);
    out[place_in_out(s, group, row, column)] = Cast<In>::of(sum);
  }
}
