// Numbers evenly apart, rounded after the product and after the sum.
LAMINA double apart(double start, double step, i64 i) { return __dadd_rn(start, __dmul_rn((double)i, step)); }
LAMINA c128 apart(c128 start, c128 step, i64 i) { return c128(apart(start.re, step.re, i), apart(start.im, step.im, i)); }
LAMINA u64 apart(u64 start, u64 step, i64 i) { return start + step * (u64)i; }

extern "C" __global__ void arange(Out* out, Walk<1> walk, Number start, Number step, i64 before) {
  for (i64 i = first(); i < walk.size; i += stride()) out[place_of(walk, i).at[0]] = Cast<Out>::of(apart(start, step, before + i));
}
