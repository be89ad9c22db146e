// Softmax of lines, or its logarithm where what is included before defines LOGARITHM as 1.
template <int TEAM>
LAMINA void lines(In* out, const In* x, const Walk<2>& outer, const Walk<2>& inner) {
  for (i64 line = first_line<TEAM>(); line < outer.size; line += line_stride<TEAM>()) {
    Place<2> place = place_of(outer, line);
    Two seen = powers_of<TEAM>(x + place.at[1], inner, 1);
    W share = LOGARITHM ? log(seen.b) : 1 / seen.b;
    each_item<TEAM>(
        0, inner.size, [&](Index i) { return x[place.at[1] + item_of(inner, i).at[1]]; },
        [&](Index i, In item) {
          W less = widened(item) - seen.a;
          out[place.at[0] + item_of(inner, i).at[0]] = Cast<In>::of(LOGARITHM ? less - share : exp(less) * share);
        });
  }
}
