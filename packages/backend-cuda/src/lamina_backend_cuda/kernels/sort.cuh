// A stable merge sort of lines. What is included before says the type In, and whether DESCENDING; NaN is the greatest.
#define CHUNK 256

template <class T> LAMINA bool less(T a, T b) { return b != b ? a == a : a < b; }
LAMINA bool ahead(In a, In b) { return DESCENDING ? less(widened(b), widened(a)) : less(widened(a), widened(b)); }

// Each chunk in order: an item's rank is the number of those ahead of it, and of equals that come before it.
extern "C" __global__ void chunks(In* keys, i64* places, const In* x, Walk<1> lines, i64 length, i64 step, i64 count) {
  __shared__ In kept[CHUNK];
  int me = threadIdx.x;
  for (i64 i = blockIdx.x; i < lines.size * count; i += gridDim.x) {
    i64 line = i / count, begin = i % count * CHUNK;
    int size = length - begin < CHUNK ? (int)(length - begin) : CHUNK;
    const In* from = x + place_of(lines, line).at[0];
    if (me < size) kept[me] = from[(begin + me) * step];
    __syncthreads();
    if (me < size) {
      int rank = 0;
      for (int j = 0; j < size; ++j) rank += ahead(kept[j], kept[me]) || (j < me && !ahead(kept[me], kept[j]));
      keys[line * length + begin + rank] = kept[me];
      places[line * length + begin + rank] = begin + me;
    }
    __syncthreads();
  }
}

// Runs of `run` items merged in pairs: an item's place is its own in its run, and how many of the other run go before it.
extern "C" __global__ void merged(In* keys, i64* places, const In* old_keys, const i64* old_places, i64 size, i64 length, i64 run) {
  for (i64 i = first(); i < size; i += stride()) {
    i64 line = i / length * length, at = i - line, pair = at / (2 * run) * (2 * run);
    bool left = at - pair < run;
    i64 begin = left ? pair + run : pair, end = begin + run < length ? begin + run : length;
    In mine = old_keys[i];
    i64 low = begin, high = end < begin ? begin : end;
    while (low < high) {
      i64 middle = (low + high) / 2;
      In other = old_keys[line + middle];
      if (left ? ahead(other, mine) : !ahead(mine, other)) low = middle + 1;
      else high = middle;
    }
    i64 to = line + pair + (at - pair - (left ? 0 : run)) + (low - begin);
    keys[to] = mine;
    places[to] = old_places[i];
  }
}
