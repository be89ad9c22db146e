// The sum of each window over how many items count; and the transpose of that, for each item the windows that it is in.
LAMINA W counted(const Windows& w, const i64* at, int with_padding, i64 divisor) {
  if (divisor) return (W)divisor;
  W count = 1;
  for (int axis = 0; axis < 3; ++axis) {
    i64 begin = at[axis] * w.stride[axis] - w.padding[axis], n = w.lengths[axis] + (with_padding ? w.padding[axis] : 0);
    i64 end = begin + w.kernel[axis] < n ? begin + w.kernel[axis] : n;
    count *= (W)(end - (with_padding || begin > 0 ? begin : 0));
  }
  return count;
}

extern "C" __global__ void average_pool(In* out, const In* x, Walk<2> planes, Windows w, int with_padding, i64 divisor) {
  i64 all = planes.size * items_of(w.counts);
  for (i64 i = first(); i < all; i += stride()) {
    Spot spot = spot_of(i, all, w.counts);
    Place<2> plane = place_of(planes, spot.plane);
    Range z = range_of(w, 0, spot.at[0]), y = range_of(w, 1, spot.at[1]), u = range_of(w, 2, spot.at[2]);
    W sum = 0;
    for (i64 a = z.begin; a < z.end; ++a)
      for (i64 b = y.begin; b < y.end; ++b)
        for (i64 c = u.begin; c < u.end; ++c)
          sum += widened(x[plane.at[1] + a * w.x_steps[0] + b * w.x_steps[1] + c * w.x_steps[2]]);
    out[plane.at[0] + offset_of(spot.at, w.out_steps)] = Cast<In>::of(sum / counted(w, spot.at, with_padding, divisor));
  }
}

// The windows that an item is in along one axis.
LAMINA Range windows_of(const Windows& w, int axis, i64 item) {
  i64 low = item + w.padding[axis] - w.kernel[axis] + 1, last = (item + w.padding[axis]) / w.stride[axis];
  i64 begin = low <= 0 ? 0 : (low + w.stride[axis] - 1) / w.stride[axis];
  return Range{begin, last + 1 < w.counts[axis] ? last + 1 : w.counts[axis]};
}

extern "C" __global__ void average_pool_gradient(
    In* out, const In* gradient, Walk<2> planes, Windows w, int with_padding, i64 divisor) {
  i64 all = planes.size * items_of(w.lengths);
  for (i64 i = first(); i < all; i += stride()) {
    Spot spot = spot_of(i, all, w.lengths);
    Place<2> plane = place_of(planes, spot.plane);
    Range z = windows_of(w, 0, spot.at[0]), y = windows_of(w, 1, spot.at[1]), u = windows_of(w, 2, spot.at[2]);
    W sum = 0;
    for (i64 a = z.begin; a < z.end; ++a)
      for (i64 b = y.begin; b < y.end; ++b)
        for (i64 c = u.begin; c < u.end; ++c) {
          i64 at[3] = {a, b, c};
          sum += widened(gradient[plane.at[1] + offset_of(at, w.x_steps)]) / counted(w, at, with_padding, divisor);
        }
    out[plane.at[0] + offset_of(spot.at, w.out_steps)] = Cast<In>::of(sum);
  }
}
