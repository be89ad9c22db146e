"""Functions of two numbers at special ones: the tables of C99's annex F for pow, atan2, hypot, fmod, and Python's signs of remainders."""

from hard_numbers.compare import FLOATS, INF, NAN, WIDE, Case

POINTS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, INF, -INF, NAN]
PAIRS = ([a for a in POINTS for _ in POINTS], [b for _ in POINTS for b in POINTS])
HUGE = ([1e38, 3e38, 1e-38, 1e-45, 1e20, -1e38, 1e-30, 0.0], [1e38, 4.0, 1e-38, 1e-45, 1e-20, 1e38, 1e30, 1e-45])
REMAINDERS = (
    [5.0, -5.0, 5.0, -5.0, 0.0, -0.0, 6.0, -6.0, 0.1, 1e20, 1e-20, -1e-20, 7.5],
    [3.0, 3.0, -3.0, -3.0, 3.0, 3.0, 3.0, -3.0, 0.1, 3.0, 1.0, 1.0, -2.5],
)

CASES = {}
for name in [
    "pow",
    "atan2",
    "hypot",
    "fmod",
    "remainder",
    "copysign",
    "logaddexp",
    "logaddexp2",
    "xlogy",
    "floor_divide",
    "true_divide",
    "mul",
    "add",
    "sub",
    "fmax",
    "fmin",
    "ldexp",
    "float_power",
]:
    function = lambda t, F, x, y, n=name: getattr(t, n)(x, y)
    CASES[name] = Case(
        function,
        PAIRS,
        FLOATS,
        ulps=2,
        zeros=name[:2] != "fm" and "log" not in name,
        least=1 if "log" in name else 0,
        slope_ulps=8,
        slopes=name != "floor_divide",
    )
    CASES[f"{name} of huge and tiny"] = Case(function, HUGE, WIDE, ulps=2, slope_ulps=8, slopes=name != "floor_divide")
    if name in ("fmod", "remainder", "floor_divide"):
        CASES[f"signs of {name}"] = Case(function, REMAINDERS, FLOATS, slopes=name != "floor_divide")
CASES |= {
    f"x ** {p}": Case(lambda t, F, x, p=p: x**p, (POINTS,), FLOATS, ulps=1, slope_ulps=4)
    for p in (0, 1, 2, 3, 0.5, -0.5, -1, -2, 1.5, INF, -INF, NAN, 0.0, -0.0)
}
CASES |= {
    f"{b} ** x": Case(lambda t, F, x, b=b: b**x, (POINTS,), FLOATS, ulps=1, slope_ulps=4)
    for b in (0, 1, -1, 2, 0.5, -0.0, INF, -INF, NAN)
}
CASES |= {
    "special.xlog1py": Case(lambda t, F, x, y: t.special.xlog1py(x, y), PAIRS, ulps=2, slope_ulps=8),
    "zeta": Case(lambda t, F, x: [t.special.zeta(x, 2.0), t.special.zeta(2.0, x)], (POINTS,), ulps=8, slopes=False),
    "ldexp and frexp": Case(
        lambda t, F, x: [t.frexp(x)[0], t.frexp(x)[1]], ([0.0, -0.0, 1.0, -3.0, 1e-45, 3e38],), slopes=False
    ),
    "frexp of infinities": Case(lambda t, F, x: t.frexp(x)[0], ([INF, -INF, NAN],), slopes=False),
    "ldexp beyond": Case(
        lambda t, F, x: [t.ldexp(x, t.tensor(e)) for e in (200, -200, 1)], ([1.0, 1e-45, -0.0, INF],), slopes=False
    ),
    "lerp": Case(
        lambda t, F, x, y: [t.lerp(x, y, w) for w in (0.0, 0.3, 0.5, 0.7, 1.0)],
        ([INF, 1.0, NAN, -0.0, 1e38, 0.1], [1.0, INF, 1.0, 0.0, -3e38, 0.1]),
        ulps=1,
        slope_ulps=2,
    ),
    "addcdiv": Case(lambda t, F, x, y: t.addcdiv(x, x, y, value=0.0), PAIRS, slopes=False),
    "addcmul": Case(lambda t, F, x, y: t.addcmul(x, x, y, value=0.0), PAIRS, slopes=False),
    "div rounded": Case(lambda t, F, x, y: [t.div(x, y, rounding_mode=m) for m in ("floor", "trunc")], PAIRS, FLOATS),
    "operators": Case(
        lambda t, F, x, y: [x % y, x // y, x % 2, x // 2, 2 % x, 2 // x, x % -INF, x // INF], PAIRS, slopes=False
    ),
    "igamma": Case(
        lambda t, F, x, y: [t.special.gammainc(x, y), t.special.gammaincc(x, y)],
        ([0.0, 1.0, INF, 1.0, NAN, 0.0, -1.0], [0.0, INF, 1.0, 0.0, 1.0, 1.0, 1.0]),
        slopes=False,
        ulps=2,
    ),
    "polygamma": Case(lambda t, F, x: t.polygamma(1, x), ([1.0, INF, NAN, 0.5],), ulps=8, slope_ulps=64),
    "mvlgamma": Case(lambda t, F, x: t.mvlgamma(x, 2), ([1.0, INF, 2.0],), ulps=8, slope_ulps=64),
    "gradients of roots": Case(
        lambda t, F, x: [t.sqrt(x), t.rsqrt(x), t.abs(x), x.pow(0.5), t.norm(x[:2]), (x * x).sqrt()],
        ([0.0, -0.0, 4.0],),
    ),
    "trigonometry of large numbers": Case(
        lambda t, F, x: [t.sin(x), t.cos(x), t.tan(x)], ([1e5, 1e10, 1e22, 1e38, -1e30, INF],), ulps=4, slopes=False
    ),
    "exponentials at their limits": Case(
        lambda t, F, x: [
            t.exp(x),
            t.expm1(x),
            t.exp2(x),
            t.sinh(x),
            t.cosh(x),
            t.tanh(x),
            t.sigmoid(x),
            F.softplus(x),
            t.erf(x),
            t.erfc(x),
        ],
        (
            [
                88.7,
                88.8,
                89.5,
                -87.3,
                -103.9,
                -104.5,
                127.99,
                128.0,
                -149.0,
                -151.0,
                709.7,
                709.9,
                -745.0,
                -746.0,
                1e-10,
                20.1,
            ],
        ),
        ulps=4,
        slopes=False,
    ),
    "logarithms near 1 and of tiny": Case(
        lambda t, F, x: [t.log(x), t.log2(x), t.log10(x), t.log1p(x - 1)],
        ([1.0, 1.0000001, 0.9999999, 1e-45, 3e38, 2.0],),
        ulps=2,
        slopes=False,
    ),
}
DIFFERS = {
    "x ** 0.5 is a root": ["x ** 0.5: float16", "x ** -0.5: float16", "x ** 1.5: float16"],
    "limits of special functions": ["zeta", "polygamma"],
    "hyperbolic functions near overflow": ["exponentials at their limits: float64"],
}
