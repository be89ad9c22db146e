// The items' types: 16-bit floats that are computed in float, complex numbers, and casts between all of them.
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
#define LAMINA __device__ __forceinline__

struct Half { u16 bits; };   // IEEE 754's binary16
struct Brain { u16 bits; };  // the upper half of a float

template <class T>
struct alignas(2 * sizeof(T)) Complex {
  T re, im;
  LAMINA Complex() {}
  LAMINA Complex(T r, T i = 0) : re(r), im(i) {}
};
typedef Complex<float> c64;
typedef Complex<double> c128;

LAMINA float infinity(float) { return __int_as_float(0x7f800000); }
LAMINA double infinity(double) { return __longlong_as_double(0x7ff0000000000000ll); }
LAMINA float missing(float) { return __int_as_float(0x7fc00000); }
LAMINA double missing(double) { return __longlong_as_double(0x7ff8000000000000ll); }

LAMINA float widened(Half x) {
#ifdef __CUDA_ARCH__
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(x.bits));
  return wide;
#else
  int sign = (x.bits & 0x8000) << 16, exponent = x.bits >> 10 & 31, rest = x.bits & 1023;
  if (exponent == 31) return __int_as_float(sign | 0x7f800000 | rest << 13);
  if (!exponent) return (sign ? -1.0f : 1.0f) * rest * 5.9604644775390625e-8f;
  return __int_as_float(sign | (exponent + 112) << 23 | rest << 13);
#endif
}
LAMINA float widened(Brain x) { return __int_as_float(x.bits << 16); }

LAMINA Half half_of(float x) {
#ifdef __CUDA_ARCH__
  Half made;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(made.bits) : "f"(x));
  return made;
#else
  u32 bits = __float_as_int(x), sign = bits >> 16 & 0x8000;
  bits &= 0x7fffffff;
  if (bits > 0x7f800000) return Half{(u16)(sign | 0x7e00)};
  if (bits >= 0x477ff000) return Half{(u16)(sign | 0x7c00)};
  if (bits < 0x38800000) return Half{(u16)(sign | (u32)rintf(__int_as_float(bits) * 16777216.0f))};
  return Half{(u16)(sign | (bits + 0xfff + (bits >> 13 & 1) - 0x38000000) >> 13)};
#endif
}
LAMINA Brain brain_of(float x) {
  u32 bits = __float_as_int(x);
  if ((bits & 0x7fffffff) > 0x7f800000) return Brain{(u16)(bits >> 16 | 0x40)};
  return Brain{(u16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}
// A float that rounds to 16 bits as the double does: rounded to odd, so that no tie is made (Boldo and Melquiond, 2008).
LAMINA float to_odd(double x) {
  float near = (float)x;
  if ((double)near == x || near - near != 0) return near;
  int bits = __float_as_int(near);
  if (fabs((double)near) > fabs(x)) --bits;
  return __int_as_float(bits | 1);
}

// Item<T>: what an item is computed in.
template <class T> struct Item { typedef T Wide; };
template <> struct Item<Half> { typedef float Wide; };
template <> struct Item<Brain> { typedef float Wide; };
template <class T> LAMINA T widened(T x) { return x; }

template <class T> struct Part { typedef T Real; enum { complex = 0 }; };
template <class T> struct Part<Complex<T> > { typedef T Real; enum { complex = 1 }; };

// Cast<To>::of(x): as NumPy casts. From complex to real the imaginary part is dropped; floats lose their fraction.
template <class T> LAMINA T real_of(T x) { return x; }
template <class T> LAMINA T real_of(Complex<T> x) { return x.re; }
LAMINA float real_of(Half x) { return widened(x); }
LAMINA float real_of(Brain x) { return widened(x); }
template <class T> LAMINA bool truth(T x) { return x != 0; }
template <class T> LAMINA bool truth(Complex<T> x) { return x.re != 0 || x.im != 0; }
LAMINA bool truth(Half x) { return (x.bits & 0x7fff) != 0; }
LAMINA bool truth(Brain x) { return (x.bits & 0x7fff) != 0; }

template <class From> struct IsFloat { enum { yes = 0 }; };
template <> struct IsFloat<float> { enum { yes = 1 }; };
template <> struct IsFloat<double> { enum { yes = 1 }; };
// Through 64 bits, so that negative numbers wrap where the narrow type has no sign.
template <class To, class From> LAMINA To whole(From x) {
  if (IsFloat<From>::yes) return (To)(sizeof(To) == 8 && (To)-1 > 0 && (double)x >= 9.2233720368547758e18 ? (i64)(u64)(double)x : (i64)x);
  return (To)x;
}
template <class To> struct Cast {
  template <class From> static LAMINA To of(From x) { return whole<To>(real_of(x)); }
};
template <> struct Cast<bool> {
  template <class From> static LAMINA bool of(From x) { return truth(x); }
};
template <> struct Cast<float> {
  template <class From> static LAMINA float of(From x) { return (float)real_of(x); }
};
template <> struct Cast<double> {
  template <class From> static LAMINA double of(From x) { return (double)real_of(x); }
};
template <> struct Cast<Half> {
  template <class From> static LAMINA Half of(From x) { return half_of((float)real_of(x)); }
  static LAMINA Half of(double x) { return half_of(to_odd(x)); }
  static LAMINA Half of(c128 x) { return half_of(to_odd(x.re)); }
  static LAMINA Half of(Half x) { return x; }
};
template <> struct Cast<Brain> {
  template <class From> static LAMINA Brain of(From x) { return brain_of((float)real_of(x)); }
  static LAMINA Brain of(double x) { return brain_of(to_odd(x)); }
  static LAMINA Brain of(c128 x) { return brain_of(to_odd(x.re)); }
  static LAMINA Brain of(Brain x) { return x; }
};
template <class T> struct Cast<Complex<T> > {
  template <class From> static LAMINA Complex<T> of(From x) { return Complex<T>((T)real_of(x), 0); }
  template <class U> static LAMINA Complex<T> of(Complex<U> x) { return Complex<T>((T)x.re, (T)x.im); }
};
