// Windows that slide over up to three axes; where there are fewer, the first ones have one item each. ADAPTIVE, which what is
// included before defines, is 1 where windows are bins of nearly equal length.
struct Windows {
  i64 lengths[3], counts[3], kernel[3], stride[3], padding[3], dilation[3];
  i64 x_steps[3], out_steps[3], position_steps[3];
};

// One of all items of some axes, behind those that count planes.
struct Spot {
  i64 plane, at[3];
};
template <class Index>
LAMINA Spot spot_as(Index i, const i64* lengths) {
  Spot spot;
  for (int axis = 2; axis >= 0; --axis) {
    Index n = (Index)lengths[axis], next = i / n;
    spot.at[axis] = (i64)(i - next * n);
    i = next;
  }
  spot.plane = (i64)i;
  return spot;
}
LAMINA Spot spot_of(i64 i, i64 all, const i64* lengths) { return all < (1ll << 31) ? spot_as<u32>((u32)i, lengths) : spot_as<i64>(i, lengths); }
LAMINA i64 items_of(const i64* lengths) { return lengths[0] * lengths[1] * lengths[2]; }
LAMINA i64 offset_of(const i64* at, const i64* steps) { return at[0] * steps[0] + at[1] * steps[1] + at[2] * steps[2]; }

struct Range {
  i64 begin, end;
};
// Those items of a window along one axis that are inside.
LAMINA Range range_of(const Windows& w, int axis, i64 window) {
  i64 n = w.lengths[axis], d = w.dilation[axis];
  if (ADAPTIVE) return Range{window * n / w.counts[axis], ((window + 1) * n + w.counts[axis] - 1) / w.counts[axis]};
  i64 begin = window * w.stride[axis] - w.padding[axis], end = begin + (w.kernel[axis] - 1) * d + 1;
  return Range{begin < 0 ? begin + (-begin + d - 1) / d * d : begin, end < n ? end : n};
}
