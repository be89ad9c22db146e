// Numbers of a distribution, of the words that `philox` gives.

// The type that numbers are drawn in: double for double, else float.
template <class T> struct Drawn { typedef float Type; };
template <> struct Drawn<double> { typedef double Type; };
typedef Drawn<Out>::Type W;

// What rounds to the end that is excluded becomes the first one.
LAMINA Out uniform(Words w, W width, W low, W top, W bottom, int ends) {
  Out made = Cast<Out>::of(fma(unit_of(w, W()), width, low));
  return ends && widened(made) == top ? Cast<Out>::of(bottom) : made;
}
// G. E. P. Box and M. E. Muller, A note on the generation of random normal deviates (1958).
LAMINA double standard(double first, double second) { return sqrt(-2.0 * log1p(-first)) * cos(6.283185307179586 * second); }
LAMINA double standard_of(Words w, float) { return standard(unit(w.of[0]), unit(w.of[1])); }
LAMINA double standard_of(Words w, double) { return standard(unit(w.both()), unit((u64)w.of[2] << 32 | w.of[3])); }
LAMINA Out normal(Words w, double std, double mean) { return Cast<Out>::of((W)fma(standard_of(w, W()), std, mean)); }
LAMINA Out bernoulli(Words w, double probability) { return Cast<Out>::of(unit(w.both()) < probability); }
LAMINA Out integers(Words w, u64 width, u64 low, int wide) {
  u64 drawn = wide ? w.both() : (u64)w.of[0];
  return Cast<Out>::of((width ? drawn % width : drawn) + low);
}

extern "C" __global__ void drawn(Out* out, Walk<1> walk, i64 before, u64 seed, u64 offset, PARAMETERS) {
  for (i64 i = first(); i < walk.size; i += stride())
    out[place_of(walk, i).at[0]] = FUNCTION(words_of((u64)(before + i), seed, offset), NAMES);
}
