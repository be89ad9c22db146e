// Lines less their mean, over their deviation, times a weight, plus a bias.
template <int TEAM>
LAMINA void lines(
    In* out, W* means, W* rstds, const In* x, const In* weight, const In* bias, const Walk<6>& outer, const Walk<6>& inner, W eps) {
  for (i64 line = first_line<TEAM>(); line < outer.size; line += line_stride<TEAM>()) {
    Place<6> place = place_of(outer, line);
    Scale scale = scale_of<TEAM>(x + place.at[3], inner, 3, eps);
    if (!member<TEAM>()) {
      if (means) means[place.at[1]] = scale.mean;
      rstds[place.at[2]] = scale.rstd;
    }
    auto read = [&](Index i) { return x[place.at[3] + item_of(inner, i).at[3]]; };
    each_item<TEAM>(0, inner.size, read, [&](Index i, In item) {
      Place<6> at = item_of(inner, i);
      W made = (widened(item) - scale.mean) * scale.rstd;
      if (weight) made *= widened(weight[place.at[4] + at.at[4]]);
      if (bias) made += widened(bias[place.at[5] + at.at[5]]);
      out[place.at[0] + at.at[0]] = Cast<In>::of(made);
    });
  }
}
