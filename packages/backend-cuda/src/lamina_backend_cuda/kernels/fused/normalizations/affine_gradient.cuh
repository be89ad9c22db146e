// The gradients of a normalisation in weight and bias: sums of the gradient, times the normalised items and alone, over all that
// shares an item of them. Each is divided into parts, whose sums `join_parts` adds up in their order. VARIANCES, which what is
// included before defines, is 1 where it is variances that are given, and not 1 / deviation.
template <int TEAM>
LAMINA void lines(
    In* of_weight, In* of_bias, const In* gradient, const In* x, const W* means, const W* scales, Two* kept, const Walk<6>& outer,
    const Walk<6>& inner, W eps, i64 parts) {
  i64 length = (inner.size + parts - 1) / parts;
  for (i64 team = first_line<TEAM>(); team < outer.size * parts; team += line_stride<TEAM>()) {
    Place<6> place = place_of(outer, team % outer.size);
    i64 begin = team / outer.size * length, end = begin + length < inner.size ? begin + length : inner.size;
    auto read = [&](Index i) {
      Place<6> at = item_of(inner, i);
      return Both{gradient[place.at[2] + at.at[2]], x[place.at[3] + at.at[3]]};
    };
    Two sums = two(0, 0);
    each_item<TEAM>(begin, end, read, [&](Index i, Both item) {
      Place<6> at = item_of(inner, i);
      W slope = widened(item.a), scale = scales[place.at[5] + at.at[5]];
      W mean = means ? means[place.at[4] + at.at[4]] : W(0);
      if (VARIANCES) scale = W(1) / sqrt(scale + eps);
      sums = Sum()(sums, two(slope * ((widened(item.b) - mean) * scale), slope));
    });
    sums = together<TEAM>(sums, Sum());
    if (member<TEAM>()) continue;
    kept[team] = sums;
    if (parts == 1) {
      of_weight[place.at[0]] = Cast<In>::of(sums.a);
      if (of_bias) of_bias[place.at[1]] = Cast<In>::of(sums.b);
    }
  }
}

extern "C" __global__ void join_parts(In* of_weight, In* of_bias, Two* kept, Walk<2> outer, i64 parts) {
  for (i64 line = first(); line < outer.size; line += stride()) {
    Two sums = kept[line];
    for (i64 part = 1; part < parts; ++part) sums = Sum()(sums, kept[part * outer.size + line]);
    Place<2> place = place_of(outer, line);
    kept[line] = sums;
    of_weight[place.at[0]] = Cast<In>::of(sums.a);
    if (of_bias) of_bias[place.at[1]] = Cast<In>::of(sums.b);
  }
}
