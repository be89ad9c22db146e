// Folding the items of some axes. What is included before says what a fold is:
//   Acc, and start(), lift(item, index), join(a, b), finish(acc, count).
#define THREADS 256
#define CHUNK 128  // so many items are folded one after another: as sums of chunks, rounding errors stay small

// Of items begin, begin + step, ... below end of one row.
LAMINA Acc folded(const In* x, const Walk<1>& inner, i64 begin, i64 end, i64 step) {
  Acc total = start();
  for (i64 i = begin; i < end;) {
    bool is_first = i == begin;
    Acc part = lift(widened(x[place_of(inner, i).at[0]]), i);
    i += step;
    for (int j = 1; j < CHUNK && i < end; ++j, i += step) part = join(part, lift(widened(x[place_of(inner, i).at[0]]), i));
    total = is_first ? part : join(total, part);
  }
  return total;
}

// Of all threads of a block; the first of them has the result.
LAMINA Acc joined(Acc mine) {
  __shared__ Acc kept[THREADS];
  kept[threadIdx.x] = mine;
  __syncthreads();
  for (int reach = THREADS / 2; reach > 0; reach /= 2) {
    if ((int)threadIdx.x < reach) kept[threadIdx.x] = join(kept[threadIdx.x], kept[threadIdx.x + reach]);
    __syncthreads();
  }
  Acc all = kept[0];
  __syncthreads();  // before the next row is kept
  return all;
}

// A thread for each result.
extern "C" __global__ void columns(Out* out, const In* x, Walk<2> outer, Walk<1> inner) {
  for (i64 i = first(); i < outer.size; i += stride()) {
    Place<2> place = place_of(outer, i);
    out[place.at[0]] = Cast<Out>::of(finish(folded(x + place.at[1], inner, 0, inner.size, 1), inner.size));
  }
}

// A block for each result.
extern "C" __global__ void rows(Out* out, const In* x, Walk<2> outer, Walk<1> inner) {
  for (i64 i = blockIdx.x; i < outer.size; i += gridDim.x) {
    Place<2> place = place_of(outer, i);
    Acc all = joined(folded(x + place.at[1], inner, threadIdx.x, inner.size, THREADS));
    if (!threadIdx.x) out[place.at[0]] = Cast<Out>::of(finish(all, inner.size));
  }
}

// Several blocks for each result, whose parts `join_parts` puts together.
extern "C" __global__ void parts(Acc* kept, const In* x, Walk<2> outer, Walk<1> inner, i64 count) {
  i64 length = (inner.size + count - 1) / count;
  for (i64 i = blockIdx.x; i < outer.size * count; i += gridDim.x) {
    i64 begin = i % count * length, end = begin + length < inner.size ? begin + length : inner.size;
    Acc all = joined(folded(x + place_of(outer, i / count).at[1], inner, begin + threadIdx.x, end, THREADS));
    if (!threadIdx.x) kept[i] = all;
  }
}
extern "C" __global__ void join_parts(Out* out, const Acc* kept, Walk<2> outer, i64 size, i64 count) {
  for (i64 i = blockIdx.x; i < outer.size; i += gridDim.x) {
    Acc mine = start();
    for (i64 part = threadIdx.x; part < count; part += THREADS) mine = join(mine, kept[i * count + part]);
    Acc all = joined(mine);
    if (!threadIdx.x) out[place_of(outer, i).at[0]] = Cast<Out>::of(finish(all, size));
  }
}
