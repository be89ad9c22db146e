// The ends of the real types, and items with where they were.
template <class T> LAMINA T lowest(T) { return T(-1) < T(0) ? T(T(1) << (8 * sizeof(T) - 1)) : T(0); }
template <class T> LAMINA T highest(T) { return T(~lowest(T())); }
LAMINA float lowest(float) { return -infinity(0.0f); }
LAMINA double lowest(double) { return -infinity(0.0); }
LAMINA float highest(float) { return infinity(0.0f); }
LAMINA double highest(double) { return infinity(0.0); }

template <class T> LAMINA T greater(T a, T b) { return a != a || a > b ? a : b; }
template <class T> LAMINA T smaller(T a, T b) { return a != a || a < b ? a : b; }

template <class T>
struct Found {
  T item;
  i64 index;  // -1 where there is none yet
};
// The better of two, NaN the best, and of equals the first.
template <class T, bool GREATEST>
LAMINA Found<T> better(Found<T> a, Found<T> b) {
  if (a.index < 0 || b.index < 0) return a.index < 0 ? b : a;
  bool a_missing = a.item != a.item, b_missing = b.item != b.item;
  bool equal = (a_missing && b_missing) || a.item == b.item;
  bool ahead = equal ? a.index < b.index : a_missing || (!b_missing && (GREATEST ? a.item > b.item : a.item < b.item));
  return ahead ? a : b;
}
template <class T> LAMINA Found<T> found(T item, i64 index) { Found<T> made; made.item = item; made.index = index; return made; }
