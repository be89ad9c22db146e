// Mean and variance of lines, each divided into parts: the sum, then squares about the mean, of each part, joined in pairs
// (T. Chan, G. Golub and R. LeVeque, Updating formulae and a pairwise algorithm for computing sample variances, 1979).
template <int TEAM>
LAMINA void lines(W* means, W* variances, const In* x, Two* kept, const Walk<3>& outer, const Walk<3>& inner, i64 parts) {
  i64 length = (inner.size + parts - 1) / parts;
  for (i64 team = first_line<TEAM>(); team < outer.size * parts; team += line_stride<TEAM>()) {
    Place<3> place = place_of(outer, team % outer.size);
    i64 begin = team / outer.size * length, end = begin + length < inner.size ? begin + length : inner.size;
    auto read = [&](Index i) { return x[place.at[2] + item_of(inner, i).at[2]]; };
    W sum = 0, squares = 0;
    each_item<TEAM>(begin, end, read, [&](Index, In item) { sum += widened(item); });
    W mean = together<TEAM>(sum, Sum()) / (W)(end - begin);
    each_item<TEAM>(begin, end, read, [&](Index, In item) {
      W apart = widened(item) - mean;
      squares += apart * apart;
    });
    squares = together<TEAM>(squares, Sum());
    if (member<TEAM>()) continue;
    if (parts > 1) {
      kept[team] = two(mean, squares);
    } else {
      means[place.at[0]] = mean;
      variances[place.at[1]] = squares / (W)inner.size;
    }
  }
}

extern "C" __global__ void join_parts(W* means, W* variances, const Two* kept, Walk<2> outer, i64 size, i64 parts) {
  i64 length = (size + parts - 1) / parts;
  for (i64 line = first(); line < outer.size; line += stride()) {
    Two all = kept[line];
    i64 count = length;
    for (i64 part = 1; part < parts && part * length < size; ++part) {
      Two next = kept[part * outer.size + line];
      i64 more = size - part * length < length ? size - part * length : length;
      W apart = next.a - all.a, share = (W)more / (W)(count + more);
      all = two(all.a + apart * share, all.b + next.b + apart * apart * ((W)count * share));
      count += more;
    }
    Place<2> place = place_of(outer, line);
    means[place.at[0]] = all.a;
    variances[place.at[1]] = all.b / (W)size;
  }
}
