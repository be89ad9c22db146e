// Means and sums of squared distances from them, joined in pairs: T. Chan, G. Golub and R. LeVeque, Updating formulae and a
// pairwise algorithm for computing sample variances (1979).
template <class T>
struct Moments {
  T re, im, squares;
  i64 count;
};
template <class T> LAMINA Moments<T> moments(T re, T im, i64 count) {
  Moments<T> made;
  made.re = re;
  made.im = im;
  made.squares = 0;
  made.count = count;
  return made;
}
template <class T> LAMINA Moments<T> joint(Moments<T> a, Moments<T> b) {
  if (!a.count || !b.count) return a.count ? a : b;
  T re = b.re - a.re, im = b.im - a.im, share = (T)b.count / (T)(a.count + b.count);
  Moments<T> made = moments(a.re + re * share, a.im + im * share, a.count + b.count);
  made.squares = a.squares + b.squares + (re * re + im * im) * ((T)a.count * share);
  return made;
}
// NaN where an item is infinite, as its distance from the mean is.
template <class T> LAMINA T squares_of(Moments<T> a) { return (a.re - a.re) + (a.im - a.im) + a.squares; }
