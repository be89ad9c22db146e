// Attention tile by tile, so that scores never go to memory: the greatest score of each query so far and the sum of exponentials
// less it are carried along (T. Dao et al., FlashAttention: fast and memory-efficient exact attention with IO-awareness, 2022).
template <class Join>
LAMINA W of_row(W mine, Join join) {  // the 16 threads of a row of the tile are half a warp
  for (int reach = SIDE / 2; reach > 0; reach /= 2) mine = join(mine, from_lane(mine, reach));
  return mine;
}
struct Greater {
  LAMINA W operator()(W a, W b) const { return a > b ? a : b; }
};

extern "C" __global__ void attention(
    In* out, W* logs, const In* query, const In* key, const In* value, const bool* chosen, const In* added, Walk<7> batch, Extents s,
    i64 log_step, W scale, int causal) {
  __shared__ Parts parts;
  __shared__ Made powers;
  i64 down = (s.queries + TILE - 1) / TILE, across = (s.values + CHUNKS * TILE - 1) / (CHUNKS * TILE);
  for (i64 tile = blockIdx.x; tile < batch.size * down * across; tile += gridDim.x) {
    Place<7> place = place_of(batch, tile / (down * across));
    i64 top = tile / across % down * TILE, column = tile % across * (CHUNKS * TILE);
    Seen seen{chosen ? chosen + place.at[5] : 0, added ? added + place.at[6] : 0, scale, causal};
    W greatest[OWN], sums[OWN], total[CHUNKS][OWN][OWN];
#pragma unroll
    for (int i = 0; i < OWN; ++i) greatest[i] = -infinity(W()), sums[i] = 0;
#pragma unroll
    for (int c = 0; c < CHUNKS; ++c) clear(total[c]);
    int row = threadIdx.x / SIDE * OWN, own = threadIdx.x % SIDE * OWN;
    for (i64 begin = 0; begin < s.keys && !(causal && begin >= top + TILE); begin += TILE) {
      W scores[OWN][OWN];
      clear(scores);
      add_product(
          scores, matrix(query + place.at[2], top, s.queries, s.features, s.query_row, s.query_column),
          matrix(key + place.at[3], begin, s.keys, s.features, s.key_row, s.key_column), 0, s.features, parts);
#pragma unroll
      for (int i = 0; i < OWN; ++i) {
        W most = -infinity(W()), sum = 0;
#pragma unroll
        for (int j = 0; j < OWN; ++j) {
          scores[i][j] = seen.score(s, top + row + i, begin + own + j, scores[i][j]);
          most = Greater()(most, scores[i][j]);
        }
        most = Greater()(greatest[i], of_row(most, Greater()));
        bool blind = most == -infinity(W());
        W shrink = blind ? W(1) : exp(greatest[i] - most);
#pragma unroll
        for (int j = 0; j < OWN; ++j) {
          scores[i][j] = exp(scores[i][j] - (blind ? W(0) : most));
          sum += scores[i][j];
        }
        greatest[i] = most;
        sums[i] = sums[i] * shrink + of_row(sum, Sum());
#pragma unroll
        for (int c = 0; c < CHUNKS; ++c)
#pragma unroll
          for (int j = 0; j < OWN; ++j) total[c][i][j] *= shrink;
      }
      __syncthreads();  // until the powers before are read
      keep(powers, scores);
      add_made(total, powers, value + place.at[4], begin, s.keys, s.value_row, column, s.values, s.value_column, parts);
    }
#pragma unroll
    for (int i = 0; i < OWN; ++i) {
      bool blind = greatest[i] == -infinity(W());
#pragma unroll
      for (int c = 0; c < CHUNKS; ++c)
#pragma unroll
        for (int j = 0; j < OWN; ++j) total[c][i][j] = blind ? W(0) : total[c][i][j] / sums[i];
      if (!own && !column && top + row + i < s.queries)
        logs[place.at[1] + (top + row + i) * log_step] = blind ? infinity(W()) : greatest[i] + log(sums[i]);
    }
#pragma unroll
    for (int c = 0; c < CHUNKS; ++c)
      write_tile(out + place.at[0], total[c], top, s.queries, s.out_row, column + c * TILE, s.values, s.out_column);
  }
}
