// The greatest item of each window, NaN above all and of equals the first; and where it is.
extern "C" __global__ void max_pool(In* out, i64* positions, const In* x, Walk<3> planes, Windows w) {
  i64 all = planes.size * items_of(w.counts);
  for (i64 i = first(); i < all; i += stride()) {
    Spot spot = spot_of(i, all, w.counts);
    Place<3> plane = place_of(planes, spot.plane);
    Range z = range_of(w, 0, spot.at[0]), y = range_of(w, 1, spot.at[1]), u = range_of(w, 2, spot.at[2]);
    i64 where = (z.begin * w.lengths[1] + y.begin) * w.lengths[2] + u.begin;
    W best = lowest(W());
    for (i64 a = z.begin; a < z.end; a += w.dilation[0])
      for (i64 b = y.begin; b < y.end; b += w.dilation[1])
        for (i64 c = u.begin; c < u.end; c += w.dilation[2]) {
          W item = widened(x[plane.at[2] + a * w.x_steps[0] + b * w.x_steps[1] + c * w.x_steps[2]]);
          if (item > best || (item != item && best == best)) best = item, where = (a * w.lengths[1] + b) * w.lengths[2] + c;
        }
    out[plane.at[0] + offset_of(spot.at, w.out_steps)] = Cast<In>::of(best);
    positions[plane.at[1] + offset_of(spot.at, w.position_steps)] = where;
  }
}
