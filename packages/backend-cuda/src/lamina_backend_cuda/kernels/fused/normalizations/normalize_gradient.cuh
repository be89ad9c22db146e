// The gradient of `normalize` in its input. Mean and deviation are read where they are GIVEN, and found and written where not.
template <int TEAM>
LAMINA void lines(
    In* out, W* means, W* rstds, const In* gradient, const In* x, const In* weight, const Walk<6>& outer, const Walk<6>& inner, W eps,
    int given) {
  for (i64 line = first_line<TEAM>(); line < outer.size; line += line_stride<TEAM>()) {
    Place<6> place = place_of(outer, line);
    Scale scale;
    if (given) {
      scale.mean = CENTRED ? means[place.at[1]] : W(0);
      scale.rstd = rstds[place.at[2]];
    } else {
      scale = scale_of<TEAM>(x + place.at[4], inner, 4, eps);
      if (!member<TEAM>()) {
        if (CENTRED) means[place.at[1]] = scale.mean;
        rstds[place.at[2]] = scale.rstd;
      }
    }
    auto read = [&](Index i) {
      Place<6> at = item_of(inner, i);
      return Both{gradient[place.at[3] + at.at[3]], x[place.at[4] + at.at[4]]};
    };
    auto slope_of = [&](Index i, Both item) {  // and the normalised item
      W slope = widened(item.a);
      if (weight) slope *= widened(weight[place.at[5] + item_of(inner, i).at[5]]);
      return two(slope, (widened(item.b) - scale.mean) * scale.rstd);
    };
    Two sums = two(0, 0);  // of slopes, and of slopes times the normalised items
    each_item<TEAM>(0, inner.size, read, [&](Index i, Both item) {
      Two own = slope_of(i, item);
      sums = two(sums.a + own.a, sums.b + own.a * own.b);
    });
    sums = together<TEAM>(sums, Sum());
    W mean = CENTRED ? sums.a / (W)inner.size : W(0), along = sums.b / (W)inner.size;
    each_item<TEAM>(0, inner.size, read, [&](Index i, Both item) {
      Two own = slope_of(i, item);
      out[place.at[0] + item_of(inner, i).at[0]] = Cast<In>::of(scale.rstd * (own.a - own.b * along - mean));
    });
  }
}
