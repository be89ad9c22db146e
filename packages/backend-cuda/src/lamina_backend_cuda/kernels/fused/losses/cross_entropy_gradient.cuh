// The gradient of `cross_entropy` in the scores. `sums` are the weights of all targets and of all classes; `logs` may be missing.
template <int TEAM>
LAMINA void lines(
    In* out, const In* gradient, const In* x, const i64* target, const In* weight, const double* logs, const Two* sums,
    u64* wrong, const Walk<6>& outer, const Walk<6>& inner, i64 ignored, W smoothing, int mean, i64 weight_step) {
  for (i64 line = first_line<TEAM>(); line < outer.size; line += line_stride<TEAM>()) {
    Place<6> place = place_of(outer, line);
    i64 wanted = target[place.at[3]];
    Target own = target_of(wanted, ignored, inner.size, weight, weight_step);
    if (own.place < 0 && wanted != ignored && !member<TEAM>()) note_outside(wrong, wanted, inner.size);
    double log_of_sum;
    if (logs) {
      log_of_sum = logs[place.at[5]];
    } else {
      Two seen = powers_of<TEAM>(x + place.at[2], inner, 2);
      log_of_sum = (double)log(seen.b) + (double)seen.a;
    }
    W high = (W)log_of_sum, low = (W)(log_of_sum - (double)high);
    W slope = widened(gradient[place.at[1]]);
    if (mean) slope /= sums->a;
    W hard = slope * own.factor * (1 - smoothing), even = slope * (smoothing / (W)inner.size), all = hard;
    if (smoothing != 0) all += even * sums->b;
    auto read = [&](Index i) { return x[place.at[2] + item_of(inner, i).at[2]]; };
    each_item<TEAM>(0, inner.size, read, [&](Index i, In item) {
      Place<6> at = item_of(inner, i);
      W made = 0;
      if (own.place >= 0) {
        made = exp(widened(item) - high - low) * all;
        if (smoothing != 0) made -= weight ? even * widened(weight[at.at[4]]) : even;
        if (i == own.place) made -= hard;
      }
      out[place.at[0] + at.at[0]] = Cast<In>::of(made);
    });
  }
}
