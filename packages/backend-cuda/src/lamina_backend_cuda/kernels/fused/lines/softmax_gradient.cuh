// The gradient of softmax, or of its logarithm where what is included before defines LOGARITHM as 1, from its result.
template <int TEAM>
LAMINA void lines(In* out, const In* gradient, const In* result, const Walk<3>& outer, const Walk<3>& inner) {
  for (i64 line = first_line<TEAM>(); line < outer.size; line += line_stride<TEAM>()) {
    Place<3> place = place_of(outer, line);
    auto read = [&](Index i) {  // the gradient and the result
      Place<3> at = item_of(inner, i);
      return Both{gradient[place.at[1] + at.at[1]], result[place.at[2] + at.at[2]]};
    };
    W sum = 0;
    each_item<TEAM>(
        0, inner.size, read, [&](Index, Both item) { sum += LOGARITHM ? widened(item.a) : widened(item.a) * widened(item.b); });
    sum = together<TEAM>(sum, Sum());
    each_item<TEAM>(0, inner.size, read, [&](Index i, Both item) {
      W slope = widened(item.a), made = widened(item.b);
      out[place.at[0] + item_of(inner, i).at[0]] = Cast<In>::of(LOGARITHM ? slope - exp(made) * sum : made * (slope - sum));
    });
  }
}
