// Sums of exponentials in one pass: the greatest item so far, and the sum of exponentials less it, which shrinks as the former
// grows (M. Milakov and N. Gimelshein, Online normalizer calculation for softmax, 2018): for several items at once.
LAMINA Two powers() { return two(-infinity(W()), 0); }

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
  for (Index i = member<TEAM>(), end = inner.size; i < end; i += AT_ONCE * TEAM) {
    W items[AT_ONCE], top = seen.a;
#pragma unroll
    for (int j = 0; j < AT_ONCE; ++j)
      items[j] = i + j * TEAM < end ? widened(x[item_of(inner, i + j * TEAM).at[operand]]) : -infinity(W());
#pragma unroll
    for (int j = 0; j < AT_ONCE; ++j) top = items[j] > top ? items[j] : top;
    W less = top == -infinity(W()) ? W(0) : top, sum = seen.b * exp(seen.a - less);
#pragma unroll
    for (int j = 0; j < AT_ONCE; ++j) sum += exp(items[j] - less);
    seen = two(top, sum);
  }
  seen = together<TEAM>(seen, Powers());
  seen.b += seen.a - seen.a;
  return seen;
}
