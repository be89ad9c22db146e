// Folding the items of some axes. What is included before says what a fold is:
//   Acc, and start(), lift(item, index), join(a, b), finish(acc, count).
#define THREADS 256
#define CHUNK 128  // so many items are folded one after another: as sums of chunks, rounding errors stay small

// Of items begin, begin + step, ... below end of one row. Of a line several are read before they are joined, in the same order as one by one.
LAMINA Acc folded(const In* x, const Walk<1>& inner, i64 begin, i64 end, i64 step) {
  enum { AT_ONCE = 4 };
  bool is_line = inner.ndim == 1;
  const In* here = x + begin * inner.strides[0][0];
  i64 hop = step * inner.strides[0][0], i = begin;
  auto next = [&]() {
    Acc lifted = lift(widened(is_line ? *here : x[place_of(inner, i).at[0]]), i);
    i += step;
    here += hop;
    return lifted;
  };
  Acc total = start();
  while (i < end) {
    bool is_first = i == begin;
    Acc part = next();
    int j = 1;
    for (; is_line && j + AT_ONCE <= CHUNK && i + (AT_ONCE - 1) * step < end; j += AT_ONCE) {
      In read[AT_ONCE];
#pragma unroll
      for (int k = 0; k < AT_ONCE; ++k) read[k] = here[k * hop];
#pragma unroll
      for (int k = 0; k < AT_ONCE; ++k) part = join(part, lift(widened(read[k]), i + k * step));
      i += AT_ONCE * step;
      here += AT_ONCE * hop;
    }
    for (; j < CHUNK && i < end; ++j) part = join(part, next());
    total = is_first ? part : join(total, part);
  }
  return total;
}

// Of all threads of a warp, each of which has the result.
LAMINA Acc joined_in_warp(Acc* kept, Acc mine) {
  int lane = threadIdx.x % 32;
  Acc* own = kept + threadIdx.x;
  *own = mine;
  __syncwarp();
  for (int reach = 16; reach > 0; reach /= 2) {
    if (lane < reach) *own = join(*own, own[reach]);
    __syncwarp();
  }
  Acc all = own[-lane];
  __syncwarp();  // before the next row is kept
  return all;
}

// Of all threads of a block, each of which has the result.
LAMINA Acc joined(Acc* kept, Acc mine) {
  mine = joined_in_warp(kept, mine);
  __syncthreads();
  if (threadIdx.x % 32 == 0) kept[threadIdx.x / 32] = mine;
  __syncthreads();
  Acc all = kept[0];
  for (int warp = 1; warp < THREADS / 32; ++warp) all = join(all, kept[warp]);
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

// A warp for each result.
extern "C" __global__ void warps(Out* out, const In* x, Walk<2> outer, Walk<1> inner) {
  __shared__ Acc kept[THREADS];
  for (i64 i = first() / 32; i < outer.size; i += stride() / 32) {
    Place<2> place = place_of(outer, i);
    Acc all = joined_in_warp(kept, folded(x + place.at[1], inner, threadIdx.x % 32, inner.size, 32));
    if (threadIdx.x % 32 == 0) out[place.at[0]] = Cast<Out>::of(finish(all, inner.size));
  }
}

// A block for each result.
extern "C" __global__ void rows(Out* out, const In* x, Walk<2> outer, Walk<1> inner) {
  __shared__ Acc kept[THREADS];
  for (i64 i = blockIdx.x; i < outer.size; i += gridDim.x) {
    Place<2> place = place_of(outer, i);
    Acc all = joined(kept, folded(x + place.at[1], inner, threadIdx.x, inner.size, THREADS));
    if (!threadIdx.x) out[place.at[0]] = Cast<Out>::of(finish(all, inner.size));
  }
}

// Several blocks for each result, whose parts `join_parts` puts together.
extern "C" __global__ void parts(Acc* found, const In* x, Walk<2> outer, Walk<1> inner, i64 count) {
  __shared__ Acc kept[THREADS];
  i64 length = (inner.size + count - 1) / count;
  for (i64 i = blockIdx.x; i < outer.size * count; i += gridDim.x) {
    i64 begin = i % count * length, end = begin + length < inner.size ? begin + length : inner.size;
    Acc all = joined(kept, folded(x + place_of(outer, i / count).at[1], inner, begin + threadIdx.x, end, THREADS));
    if (!threadIdx.x) found[i] = all;
  }
}
extern "C" __global__ void join_parts(Out* out, const Acc* found, Walk<2> outer, i64 size, i64 count) {
  __shared__ Acc kept[THREADS];
  for (i64 i = blockIdx.x; i < outer.size; i += gridDim.x) {
    Acc mine = start();
    for (i64 part = threadIdx.x; part < count; part += THREADS) mine = join(mine, found[i * count + part]);
    Acc all = joined(kept, mine);
    if (!threadIdx.x) out[place_of(outer, i).at[0]] = Cast<Out>::of(finish(all, size));
  }
}
