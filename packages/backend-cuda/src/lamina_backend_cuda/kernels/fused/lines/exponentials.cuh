// Sums of exponentials in one pass: the greatest item so far, and the sum of exponentials less it, which shrinks as the former
// grows (M. Milakov and N. Gimelshein, Online normalizer calculation for softmax, 2018).
LAMINA Two powers() { return two(-infinity(W()), 0); }

LAMINA Two with(Two seen, W x) {
  if (x > seen.a) return two(x, seen.b * exp(seen.a - x) + 1);
  return two(seen.a, seen.b + (x == seen.a ? W(1) : exp(x - seen.a)));
}
struct Powers {
  LAMINA Two operator()(Two a, Two b) const {
    W top = a.a > b.a ? a.a : b.a;
    return two(top, a.b * (a.a == top ? W(1) : exp(a.a - top)) + b.b * (b.a == top ? W(1) : exp(b.a - top)));
  }
};

// Of a line of n items: NaN as the sum where one is NaN, or the greatest is infinite.
template <int TEAM, int K>
LAMINA Two powers_of(const In* x, const Walk<K>& inner, int operand) {
  Two seen = powers();
  each_item<TEAM>(
      0, inner.size, [&](i64 i) { return x[item_of(inner, i).at[operand]]; }, [&](i64, In item) { seen = with(seen, widened(item)); });
  seen = together<TEAM>(seen, Powers());
  seen.b += seen.a - seen.a;
  return seen;
}
