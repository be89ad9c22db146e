// Functions of items that are longer than one expression; and the arithmetic of complex numbers.
#define EACH_COMPLEX template <class T> LAMINA

EACH_COMPLEX Complex<T> operator+(Complex<T> a, Complex<T> b) { return Complex<T>(a.re + b.re, a.im + b.im); }
EACH_COMPLEX Complex<T> operator-(Complex<T> a, Complex<T> b) { return Complex<T>(a.re - b.re, a.im - b.im); }
EACH_COMPLEX Complex<T> operator*(Complex<T> a, Complex<T> b) {
  return Complex<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
EACH_COMPLEX bool operator==(Complex<T> a, Complex<T> b) { return a.re == b.re && a.im == b.im; }
// R. L. Smith, Algorithm 116: Complex division, CACM 5 (1962).
EACH_COMPLEX Complex<T> operator/(Complex<T> a, Complex<T> b) {
  T re = fabs(b.re), im = fabs(b.im);
  if (re == 0 && im == 0) return Complex<T>(a.re / re, a.im / re);
  if (re >= im) {
    T share = b.im / b.re, scale = T(1) / (b.re + b.im * share);
    return Complex<T>((a.re + a.im * share) * scale, (a.im - a.re * share) * scale);
  }
  T share = b.re / b.im, scale = T(1) / (b.im + b.re * share);
  return Complex<T>((a.re * share + a.im) * scale, (a.im * share - a.re) * scale);
}

template <class T> LAMINA bool is_infinite(T a) { return a == a && !(a - a == 0); }
template <class T> LAMINA T held(T a, T low, T high) { return a < low ? low : a > high ? high : a; }
template <class T> LAMINA T logistic(T a) { return T(1) / (T(1) + exp(-a)); }
template <class T> LAMINA T soft_plus(T a) { return (a > 0 ? a : T(0)) + log1p(exp(-fabs(a))); }
template <class T> LAMINA T gelu_tanh_of(T a) { return tanh((a + a * a * a * T(0.044715)) * T(0.79788456080286536)); }
template <class T> LAMINA T gelu_tanh_slope(T a, T t) {
  return (T(1) + t) * T(0.5) + a * (T(1) - t * t) * (T(1) + a * a * T(0.134145)) * T(0.39894228040143268);
}
template <class T> LAMINA T mish_slope(T a, T t) { return t + a * logistic(a) * (T(1) - t * t); }
template <class T> LAMINA T huber_of(T size, T corner) {
  T clipped = size != size || size < corner ? size : corner;
  return (size - clipped * T(0.5)) * clipped;
}
template <class T> LAMINA T log_add_exp(T a, T b) {
  if (a == b) return a + T(0.69314718055994531);
  T apart = a - b;
  return apart > 0 ? a + log1p(exp(-apart)) : apart <= 0 ? b + log1p(exp(apart)) : apart;
}

// -- division: of integers by 0, which has no result and no fault on a device, it is 0
template <class T> LAMINA T trunc_divide(T a, T b) { return b == 0 ? T(0) : b == T(-1) && b < 0 ? T(0 - (u64)a) : T(a / b); }
template <class T> LAMINA T whole_fmod(T a, T b) { return b == 0 || (b == T(-1) && b < 0) ? T(0) : T(a % b); }
template <class T> LAMINA T floor_divide(T a, T b) {
  T rest = whole_fmod(a, b);
  return T(trunc_divide(a, b) - (rest != 0 && (rest < 0) != (b < 0)));
}
template <class T> LAMINA T remainder_of(T a, T b) {
  T rest = whole_fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? T(rest + b) : rest;
}
template <class T> LAMINA T floats_divided(T a, T b) {
  T rest = fmod(a, b), quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
  T low = floor(quotient);
  if (quotient - low > T(0.5)) low += 1;
  if (quotient == 0) low = copysign(T(0), a / b);
  return b == 0 ? a / b : low;
}
LAMINA float floor_divide(float a, float b) { return floats_divided(a, b); }
LAMINA double floor_divide(double a, double b) { return floats_divided(a, b); }
template <class T> LAMINA T float_remainder(T a, T b) {
  T rest = fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
LAMINA float remainder_of(float a, float b) { return float_remainder(a, b); }
LAMINA double remainder_of(double a, double b) { return float_remainder(a, b); }

// Integers wrap; to a negative power they are the truncated fraction.
template <class T> LAMINA T whole_power(T a, T b) {
  if (b < 0) return a == T(1) ? T(1) : a == T(-1) ? (b & 1 ? T(-1) : T(1)) : T(0);
  u64 power = 1, base = (u64)a;
  for (u64 left = (u64)b; left; left >>= 1, base *= base)
    if (left & 1) power *= base;
  return (T)power;
}
template <class T> LAMINA u64 greatest_divisor(T a, T b) {
  u64 x = a < 0 ? 0 - (u64)a : (u64)a, y = b < 0 ? 0 - (u64)b : (u64)b;
  while (y) {
    u64 rest = x % y;
    x = y;
    y = rest;
  }
  return x;
}

// -- functions of complex numbers, with the special values of C99's annex G where the imaginary part is 0 or one is infinite
EACH_COMPLEX Complex<T> exponential(Complex<T> a) {
  if (a.im == 0) return Complex<T>(exp(a.re), a.im);
  if (is_infinite(a.re) && !(a.im - a.im == 0)) return a.re < 0 ? Complex<T>(0, 0) : Complex<T>(a.re, missing(T()));
  T size = exp(a.re);
  return Complex<T>(size * cos(a.im), size * sin(a.im));
}
EACH_COMPLEX Complex<T> logarithm(Complex<T> a) { return Complex<T>(log(hypot(a.re, a.im)), atan2(a.im, a.re)); }
// To whole powers below 100 by products, as NumPy; 0 to what is no positive number is NaN.
EACH_COMPLEX Complex<T> complex_power(Complex<T> a, Complex<T> b) {
  if (b.re == 0 && b.im == 0) return Complex<T>(1, 0);
  if (a.re == 0 && a.im == 0) return b.re > 0 && b.im == 0 ? Complex<T>(0, 0) : Complex<T>(missing(T()), missing(T()));
  if (b.im != 0 || !(fabs(b.re) < 100) || b.re != trunc(b.re)) return exponential(b * logarithm(a));
  Complex<T> base = a;
  int left = (int)fabs(b.re);
  for (; !(left & 1); left >>= 1) base = base * base;
  Complex<T> power = base;
  while (left >>= 1) {
    base = base * base;
    if (left & 1) power = power * base;
  }
  return b.re < 0 ? Complex<T>(1, 0) / power : power;
}
EACH_COMPLEX Complex<T> square_root(Complex<T> a) {
  if (a.re == 0 && a.im == 0) return Complex<T>(0, a.im);
  if (is_infinite(a.im)) return Complex<T>(fabs(a.im), a.im);
  if (a.re != a.re) return Complex<T>(a.re, a.re);
  if (is_infinite(a.re)) {
    T rest = a.im - a.im;  // NaN stays
    return a.re > 0 ? Complex<T>(a.re, rest == rest ? copysign(T(0), a.im) : rest) : Complex<T>(fabs(rest), copysign(a.re, a.im));
  }
  T near = sqrt((fabs(a.re) + hypot(a.re, a.im)) / 2), far = fabs(a.im) / (2 * near);
  return a.re >= 0 ? Complex<T>(near, copysign(far, a.im)) : Complex<T>(far, copysign(near, a.im));
}
EACH_COMPLEX Complex<T> sine(Complex<T> a) {
  if (a.im == 0) return Complex<T>(sin(a.re), a.im * cos(a.re));
  return Complex<T>(sin(a.re) * cosh(a.im), cos(a.re) * sinh(a.im));
}
EACH_COMPLEX Complex<T> cosine(Complex<T> a) {
  if (a.im == 0) return Complex<T>(cos(a.re), -a.im * sin(a.re));
  return Complex<T>(cos(a.re) * cosh(a.im), -sin(a.re) * sinh(a.im));
}
// W. Kahan, Branch cuts for complex elementary functions (1987).
EACH_COMPLEX Complex<T> hyperbolic_tangent(Complex<T> a) {
  if (a.im == 0) return Complex<T>(tanh(a.re), a.im);
  if (fabs(a.re) > T(20)) return Complex<T>(copysign(T(1), a.re), copysign(T(0), sin(2 * a.im)));
  T t = tan(a.im), grown = 1 + t * t, s = sinh(a.re), c = sqrt(1 + s * s), below = 1 + grown * s * s;
  return Complex<T>(grown * c * s / below, t / below);
}
// atan(z) = -i atanh(i z). The size of its imaginary part is that of log1p above 0, where it keeps its digits.
EACH_COMPLEX Complex<T> arc_tangent(Complex<T> a) {
  T re = a.re, im = a.im, square = re * re;
  T along = T(0.5) * atan2(2 * re, (1 - im) * (1 + im) - square);
  if (im == 0) return Complex<T>(atan(re), im);
  T size = fabs(im), below = size - 1;
  return Complex<T>(along, copysign(T(0.25) * log1p(4 * size / (square + below * below)), im));
}
