// The negated log-softmax of target classes. Losses go to `losses`, or with their weights to `kept`, to be joined.
template <int TEAM>
LAMINA void lines(
    In* losses, double* logs, const In* x, const i64* target, const In* weight, Two* kept, u64* wrong, const Walk<5>& outer,
    const Walk<5>& inner, i64 ignored, W smoothing, i64 weight_step) {
  for (i64 line = first_line<TEAM>(); line < outer.size; line += line_stride<TEAM>()) {
    Place<5> place = place_of(outer, line);
    i64 wanted = target[place.at[3]];
    Target own = target_of(wanted, ignored, inner.size, weight, weight_step);
    if (own.place < 0 && wanted != ignored && !member<TEAM>()) note_outside(wrong, wanted, inner.size);
    Two seen = powers_of<TEAM>(x + place.at[2], inner, 2);
    double log_of_sum = (double)log(seen.b) + (double)seen.a;
    W spread = 0;
    if (smoothing != 0) {
      auto read = [&](Index i) {
        Place<5> at = item_of(inner, i);
        W apart = (W)log_of_sum - widened(x[place.at[2] + at.at[2]]);
        return weight ? apart * widened(weight[at.at[4]]) : apart;
      };
      each_item<TEAM>(0, inner.size, read, [&](Index, W apart) { spread += apart; });
      spread = together<TEAM>(spread, Sum());
    }
    if (member<TEAM>()) continue;
    W loss = 0;
    if (own.place >= 0) {
      loss = (W)(log_of_sum - (double)widened(x[place.at[2] + own.place * inner.strides[2][0]])) * own.factor;
      if (smoothing != 0) loss = loss * (1 - smoothing) + spread * (smoothing / (W)inner.size);
    }
    logs[place.at[1]] = log_of_sum;
    if (kept) kept[line] = two(loss, own.factor);
    else losses[place.at[0]] = Cast<In>::of(loss);
  }
}
