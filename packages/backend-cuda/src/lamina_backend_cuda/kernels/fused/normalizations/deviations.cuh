// Mean and 1 / deviation of a line. CENTRED, which what is included before defines, is 0 where it is the mean of squares that
// counts. Both are found one after the other: a sum of squares less a square would lose the digits of a small deviation.
struct Scale {
  W mean, rstd;
};
template <int TEAM, int K>
LAMINA Scale scale_of(const In* x, const Walk<K>& inner, int operand, W eps) {
  auto read = [&](Index i) { return x[item_of(inner, i).at[operand]]; };
  Scale scale;
  scale.mean = 0;
  if (CENTRED) {
    each_item<TEAM>(0, inner.size, read, [&](Index, In item) { scale.mean += widened(item); });
    scale.mean = together<TEAM>(scale.mean, Sum()) / (W)inner.size;
  }
  W squares = 0;
  each_item<TEAM>(0, inner.size, read, [&](Index, In item) {
    W apart = widened(item) - scale.mean;
    squares += apart * apart;
  });
  scale.rstd = W(1) / sqrt(together<TEAM>(squares, Sum()) / (W)inner.size + eps);
  return scale;
}
