// A step of an optimizer over all parameters. What is included before says how many STATES there are, the parameter among them,
// what Numbers are, and what `step` does to the states of one item and its gradient.
extern "C" __global__ void step_all(Lists<STATES> lists, const Lists<1> gradients, Shares shares, Numbers numbers, int aligned) {
  for (i64 number = blockIdx.x; number < shares.count; number += gridDim.x) {
    Share share = share_of(shares, number);
    for (i64 i = share.begin + threadIdx.x * PACKED; i < share.end; i += BLOCK * PACKED) {
      Pack<In, PACKED> items[STATES], slopes;
      int count = share.end - i < PACKED ? (int)(share.end - i) : PACKED;
      bool whole = aligned && count == PACKED;
      if (whole) {
        slopes = *(const Pack<In, PACKED>*)(gradients.of[0][share.array] + i);
#pragma unroll
        for (int k = 0; k < STATES; ++k) items[k] = *(const Pack<In, PACKED>*)(lists.of[k][share.array] + i);
      }
#pragma unroll
      for (int j = 0; j < PACKED; ++j) {
        if (j >= count) break;
        W x[STATES];
#pragma unroll
        for (int k = 0; k < STATES; ++k) x[k] = widened(whole ? items[k].items[j] : lists.of[k][share.array][i + j]);
        step(x, widened(whole ? slopes.items[j] : gradients.of[0][share.array][i + j]), numbers);
#pragma unroll
        for (int k = 0; k < STATES; ++k) {
          if (whole) items[k].items[j] = Cast<In>::of(x[k]);
          else lists.of[k][share.array][i + j] = Cast<In>::of(x[k]);
        }
      }
      if (whole) {
#pragma unroll
        for (int k = 0; k < STATES; ++k) *(Pack<In, PACKED>*)(lists.of[k][share.array] + i) = items[k];
      }
    }
  }
}
