// The gradient of each window added to the item that was its greatest. A block has a plane, and each thread some neighbouring items
// of it: all windows pass by in their order, and each thread takes its own, so that nothing is added up by two.
#define BLOCK 256
#define AT_ONCE 4

extern "C" __global__ void max_pool_gradient(
    In* out, const In* gradient, const i64* positions, W* sums, Walk<3> planes, Windows w) {
  __shared__ Pack<int, AT_ONCE> places[BLOCK / AT_ONCE];
  __shared__ W slopes[BLOCK];
  int items = (int)items_of(w.lengths), windows = (int)items_of(w.counts), share = (items + BLOCK - 1) / BLOCK;
  int begin = threadIdx.x * share, end = begin + share < items ? begin + share : items;
  for (i64 number = blockIdx.x; number < planes.size; number += gridDim.x) {
    Place<3> plane = place_of(planes, number);
    W* own = sums + number * items;
    for (int i = begin; i < end; ++i) own[i] = 0;
    for (int from = 0; from < windows; from += BLOCK) {
      __syncthreads();  // until those before are read
      int mine = from + threadIdx.x;
      Spot spot = spot_of(mine, windows, w.counts);
      bool inside = mine < windows;
      places[threadIdx.x / AT_ONCE].items[threadIdx.x % AT_ONCE] =
          inside ? (int)positions[plane.at[2] + offset_of(spot.at, w.position_steps)] : -1;
      slopes[threadIdx.x] = inside ? widened(gradient[plane.at[1] + offset_of(spot.at, w.x_steps)]) : W(0);
      __syncthreads();
      for (int k = 0; k < BLOCK / AT_ONCE; ++k) {
        Pack<int, AT_ONCE> next = places[k];
#pragma unroll
        for (int j = 0; j < AT_ONCE; ++j)
          if (next.items[j] >= begin && next.items[j] < end) own[next.items[j]] += slopes[k * AT_ONCE + j];
      }
    }
    for (int i = begin; i < end; ++i) {
      Spot spot = spot_of(i, items, w.lengths);
      out[plane.at[0] + offset_of(spot.at, w.out_steps)] = Cast<In>::of(own[i]);
    }
  }
}
