/* Functions of complex numbers. C is the complex type and R its parts'; special values are those of C99, annex G. */
C cmul(C a, C b) { return (C)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

C cdiv(C a, C b) {  /* R. L. Smith, Algorithm 116, Comm. ACM 5 (1962): no intermediate overflow */
    if (fabs(b.x) >= fabs(b.y)) {
        if (b.x == 0 && b.y == 0) return (C)(a.x / fabs(b.x), a.y / fabs(b.x));
        const R ratio = b.y / b.x, scale = 1 / (b.x + b.y * ratio);
        return (C)((a.x + a.y * ratio) * scale, (a.y - a.x * ratio) * scale);
    }
    const R ratio = b.x / b.y, scale = 1 / (b.y + b.x * ratio);
    return (C)((a.x * ratio + a.y) * scale, (a.y * ratio - a.x) * scale);
}

C csqrt(C z) {
    if (z.x == 0 && z.y == 0) return (C)(0, z.y);
    if (isinf(z.y)) return (C)(INFINITY, z.y);
    if (isnan(z.x)) return (C)(z.x, NAN);
    if (isinf(z.x)) return z.x > 0 ? (C)(z.x, isnan(z.y) ? z.y : copysign((R)0, z.y)) : (C)(isnan(z.y) ? z.y : 0, copysign((R)INFINITY, z.y));
    const R root = sqrt((fabs(z.x) + hypot(z.x, z.y)) / 2);
    return z.x >= 0 ? (C)(root, z.y / (2 * root)) : (C)(fabs(z.y) / (2 * root), copysign(root, z.y));
}

C cexp(C z) {
    const R size = exp(z.x);
    if (z.y == 0) return (C)(size, z.y);
    if (size == 0 && !isfinite(z.y)) return (C)(0, 0);
    if (isinf(size) && isinf(z.x) && !isfinite(z.y)) return (C)(INFINITY, NAN);
    return (C)(size * cos(z.y), size * sin(z.y));
}

C clog(C z) { return (C)(log(hypot(z.x, z.y)), atan2(z.y, z.x)); }
C csin(C z) { return (C)(sin(z.x) * cosh(z.y), z.y == 0 ? z.y * cos(z.x) : cos(z.x) * sinh(z.y)); }
C ccos(C z) { return (C)(cos(z.x) * cosh(z.y), z.y == 0 ? -z.y * sin(z.x) : -sin(z.x) * sinh(z.y)); }

C catan(C z) {  /* log1p of what is above 0, where it keeps its digits */
    const R size = fabs(z.y), away = 1 - size;
    const R height = copysign(log1p(4 * size / (z.x * z.x + away * away)) / 4, z.y);
    return (C)((atan2(z.x, 1 - z.y) + atan2(z.x, 1 + z.y)) / 2, height);
}

C ctanh(C z) {  /* W. Kahan, Branch cuts for complex elementary functions, 1987 */
    if (fabs(z.x) > 20) return (C)(copysign((R)1, z.x), isfinite(z.y) ? 4 * sin(z.y) * cos(z.y) * exp(-2 * fabs(z.x)) : 0);
    const R t = tan(z.y), s = sinh(z.x), beta = 1 + t * t, rest = 1 + beta * s * s;
    if (isinf(t)) return (C)(sqrt(1 + s * s) / s, 1 / t);
    return (C)(beta * sqrt(1 + s * s) * s / rest, t / rest);
}

C cpow(C a, C b) {
    if (b.x == 0 && b.y == 0) return (C)(1, 0);
    if (a.x == 0 && a.y == 0) return b.x > 0 && b.y == 0 ? (C)(0, 0) : (C)(NAN, NAN);
    if (b.y == 0 && b.x == rint(b.x) && fabs(b.x) < 100) {  /* by repeated squaring: nearer than logarithm and power */
        C power = (C)(1, 0), square = a;
        int begun = 0;
        for (int n = (int)fabs(b.x); n; n >>= 1) {
            if (n & 1) { power = begun ? cmul(power, square) : square; begun = 1; }
            if (n > 1) square = cmul(square, square);
        }
        return b.x < 0 ? cdiv((C)(1, 0), power) : power;
    }
    return cexp(cmul(b, clog(a)));
}
