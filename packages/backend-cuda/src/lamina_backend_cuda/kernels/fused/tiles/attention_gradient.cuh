// The gradients of attention: chances and their slopes are found again, tile by tile, from the scores and the logarithms of their
// sums. Each result has a kernel whose blocks have its rows for themselves, so that nothing is added up between blocks.

// How much of a query's gradient goes along its result.
template <int TEAM>
LAMINA void lines(W* along, const In* gradient, const In* result, const Walk<3>& outer, const Walk<3>& inner) {
  for (i64 line = first_line<TEAM>(); line < outer.size; line += line_stride<TEAM>()) {
    Place<3> place = place_of(outer, line);
    W sum = 0;
    for (i64 i = member<TEAM>(); i < inner.size; i += TEAM) {
      Place<3> at = item_of(inner, i);
      sum += widened(gradient[place.at[1] + at.at[1]]) * widened(result[place.at[2] + at.at[2]]);
    }
    sum = together<TEAM>(sum, Sum());
    if (!member<TEAM>()) along[place.at[0]] = sum;
  }
}

// OF_QUERY: rows of a tile are queries, and else keys. SLOPES: it is those of the scores that are wanted, and else the chances.
template <bool OF_QUERY, bool SLOPES>
LAMINA void gradient_tiles(
    In* out, const In* gradient, const In* query, const In* key, const In* value, const Seen& masks, const W* logs, const W* along,
    const Walk<7>& batch, const Extents& s, Parts& parts, Made& made) {
  i64 rows = OF_QUERY ? s.queries : s.keys, columns = OF_QUERY ? s.keys : s.queries, width = SLOPES ? s.features : s.values;
  i64 down = (rows + TILE - 1) / TILE, across = (width + CHUNKS * TILE - 1) / (CHUNKS * TILE);
  for (i64 tile = blockIdx.x; tile < batch.size * down * across; tile += gridDim.x) {
    i64 number = tile / (down * across), top = tile / across % down * TILE, column = tile % across * (CHUNKS * TILE);
    Place<7> place = place_of(batch, number);
    const In *slopes = gradient + place.at[1], *queries = query + place.at[2], *keys = key + place.at[3], *values = value + place.at[4];
    Seen seen = masks;
    if (seen.chosen) seen.chosen += place.at[5];
    if (seen.added) seen.added += place.at[6];
    W total[CHUNKS][OWN][OWN];
#pragma unroll
    for (int c = 0; c < CHUNKS; ++c) clear(total[c]);
    i64 begin = !OF_QUERY && seen.causal ? top / TILE * TILE : 0;
    for (; begin < columns && !(OF_QUERY && seen.causal && begin >= top + TILE); begin += TILE) {
      i64 first_query = OF_QUERY ? top : begin, first_key = OF_QUERY ? begin : top;
      Matrix of_queries = matrix(queries, first_query, s.queries, s.features, s.query_row, s.query_column);
      Matrix of_keys = matrix(keys, first_key, s.keys, s.features, s.key_row, s.key_column);
      W items[OWN][OWN], turned[OWN][OWN];
      clear(items);
      add_product(items, OF_QUERY ? of_queries : of_keys, OF_QUERY ? of_keys : of_queries, 0, s.features, parts);
      if (SLOPES) {
        clear(turned);
        Matrix of_slopes = matrix(slopes, first_query, s.queries, s.values, s.gradient_row, s.gradient_column);
        Matrix of_values = matrix(values, first_key, s.keys, s.values, s.value_row, s.value_column);
        add_product(turned, OF_QUERY ? of_slopes : of_values, OF_QUERY ? of_values : of_slopes, 0, s.values, parts);
      }
#pragma unroll
      for (int i = 0; i < OWN; ++i)
#pragma unroll
        for (int j = 0; j < OWN; ++j) {
          i64 row = threadIdx.x / SIDE * OWN + i, other = threadIdx.x % SIDE * OWN + j;
          i64 q = first_query + (OF_QUERY ? row : other), k = first_key + (OF_QUERY ? other : row);
          W chance = 0;
          if (q < s.queries && k < s.keys) {
            chance = exp(seen.score(s, q, k, items[i][j]) - logs[number * s.queries + q]);
            if (SLOPES) chance *= (turned[i][j] - along[number * s.queries + q]) * seen.scale;
          }
          items[i][j] = chance;
        }
      __syncthreads();
      keep(made, items);
      const In* others = SLOPES ? (OF_QUERY ? keys : queries) : slopes;
      i64 row_step = SLOPES ? (OF_QUERY ? s.key_row : s.query_row) : s.gradient_row;
      i64 column_step = SLOPES ? (OF_QUERY ? s.key_column : s.query_column) : s.gradient_column;
      add_made(total, made, others, begin, columns, row_step, column, width, column_step, parts);
    }
#pragma unroll
    for (int c = 0; c < CHUNKS; ++c)
      write_tile(out + place.at[0], total[c], top, rows, s.out_row, column + c * TILE, width, s.out_column);
  }
}

extern "C" __global__ void of_query(
    In* out, const In* gradient, const In* query, const In* key, const In* value, const bool* chosen, const In* added, const W* logs,
    const W* along, Walk<7> batch, Extents s, W scale, int causal) {
  __shared__ Parts parts;
  __shared__ Made made;
  Seen masks{chosen, added, scale, causal};
  gradient_tiles<true, true>(out, gradient, query, key, value, masks, logs, along, batch, s, parts, made);
}

extern "C" __global__ void of_key(
    In* out, const In* gradient, const In* query, const In* key, const In* value, const bool* chosen, const In* added, const W* logs,
    const W* along, Walk<7> batch, Extents s, W scale, int causal) {
  __shared__ Parts parts;
  __shared__ Made made;
  Seen masks{chosen, added, scale, causal};
  gradient_tiles<false, true>(out, gradient, query, key, value, masks, logs, along, batch, s, parts, made);
}

extern "C" __global__ void of_value(
    In* out, const In* gradient, const In* query, const In* key, const In* value, const bool* chosen, const In* added, const W* logs,
    const W* along, Walk<7> batch, Extents s, W scale, int causal) {
  __shared__ Parts parts;
  __shared__ Made made;
  Seen masks{chosen, added, scale, causal};
  gradient_tiles<false, false>(out, gradient, query, key, value, masks, logs, along, batch, s, parts, made);
}
