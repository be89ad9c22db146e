// Running folds along one axis; what is included before says what the fold is, as for `reduce`.
#define THREADS 256

// A thread for each line.
extern "C" __global__ void lines(Out* out, const In* x, Walk<2> walk, i64 length, i64 out_step, i64 x_step) {
  for (i64 i = first(); i < walk.size; i += stride()) {
    Place<2> place = place_of(walk, i);
    Acc total = start();
    for (i64 j = 0; j < length; ++j) {
      Acc mine = lift(widened(x[place.at[1] + j * x_step]), j);
      total = j ? join(total, mine) : mine;
      out[place.at[0] + j * out_step] = Cast<Out>::of(finish(total, j + 1));
    }
  }
}

// A block for each line: parts of so many items as there are threads, each scanned in doubling steps (Hillis and Steele,
// Data parallel algorithms, CACM 29, 1986).
extern "C" __global__ void blocks(Out* out, const In* x, Walk<2> walk, i64 length, i64 out_step, i64 x_step) {
  __shared__ Acc kept[THREADS];
  int me = threadIdx.x;
  for (i64 i = blockIdx.x; i < walk.size; i += gridDim.x) {
    Place<2> place = place_of(walk, i);
    Acc before = start();
    for (i64 begin = 0; begin < length; begin += THREADS) {
      i64 j = begin + me;
      kept[me] = j < length ? lift(widened(x[place.at[1] + j * x_step]), j) : start();
      __syncthreads();
      for (int reach = 1; reach < THREADS; reach *= 2) {
        Acc mine = me >= reach ? join(kept[me - reach], kept[me]) : kept[me];
        __syncthreads();
        kept[me] = mine;
        __syncthreads();
      }
      if (j < length) out[place.at[0] + j * out_step] = Cast<Out>::of(finish(begin ? join(before, kept[me]) : kept[me], j + 1));
      before = begin ? join(before, kept[THREADS - 1]) : kept[THREADS - 1];
      __syncthreads();
    }
  }
}
