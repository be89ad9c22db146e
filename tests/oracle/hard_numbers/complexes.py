"""Complex numbers with infinite, NaN and zero parts."""

from hard_numbers.compare import INF, NAN, Case

C = "complex64 complex128"
PARTS = [0.0, -0.0, 1.0, -2.0, INF, -INF, NAN]
X = [complex(a, b) for a in PARTS for b in PARTS]
FINITE = [complex(a, b) for a in PARTS[:4] for b in PARTS[:4]]

CASES = {}
for name in [
    "abs",
    "angle",
    "neg",
    "sgn",
    "conj_physical",
    "real",
    "imag",
    "exp",
    "log",
    "sqrt",
    "square",
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "reciprocal",
    "log2",
    "log10",
    "log1p",
    "expm1",
    "rsqrt",
    "asin",
    "acos",
    "atan",
    "asinh",
    "acosh",
    "atanh",
    "isnan",
    "isinf",
    "isfinite",
    "exp2",
    "sigmoid",
    "nan_to_num",
]:
    CASES[f"{name} of finite"] = Case(
        lambda t, F, x, n=name: getattr(t, n)(x), (FINITE,), C, ulps=8, slope_ulps=32, zeros=False, least=1
    )
    CASES[f"{name} of infinite"] = Case(
        lambda t, F, x, n=name: getattr(t, n)(x), (X,), C, ulps=8, slopes=False, zeros=False, least=1
    )
for name in ["add", "sub", "mul", "div", "pow", "eq", "ne"]:
    CASES[f"{name} of infinite"] = Case(
        lambda t, F, x, n=name: getattr(t, n)(x[:, None], x), (X,), C, ulps=16, slopes=False, zeros=False
    )
    CASES[f"{name} of finite"] = Case(
        lambda t, F, x, n=name: getattr(t, n)(x[:, None], x), (FINITE,), C, ulps=16, slope_ulps=64, zeros=False
    )
CASES |= {
    "abs of huge and tiny": Case(
        lambda t, F, x: [t.abs(x), t.angle(x)], ([3e37 + 4e37j, 3e-38 + 4e-38j, 1e-45 + 0j],), C, ulps=2, slopes=False
    ),
    "div of huge and tiny": Case(
        lambda t, F, x: [(x / x).real, 1 / x], ([3e30 + 4e30j, 3e-30 + 4e-30j],), C, ulps=4, slopes=False
    ),
    "sums": Case(
        lambda t, F, x: [x.sum(), x.mean(), x.prod(), x.cumsum(0), x.var()],
        (FINITE,),
        C,
        ulps=8,
        slopes=False,
        zeros=False,
        least=1,
    ),
    "pow to numbers": Case(
        lambda t, F, x: [x**0, x**1, x**2, x**0.5, x**-1, x**3], (FINITE,), C, ulps=16, slopes=False, zeros=False
    ),
    "polar": Case(lambda t, F, x: t.polar(x, x), ([0.0, -0.0, 1.0, -1.0],), "float32 float64", ulps=2),
    "polar of infinities": Case(
        lambda t, F, x: t.polar(x, t.ones_like(x)), ([INF, -INF, NAN],), "float32 float64", slopes=False
    ),
    "norm": Case(
        lambda t, F, x: [t.linalg.vector_norm(x, p) for p in (1, 2, INF, 0)], ([0j, 3 + 4j],), C, ulps=2, slope_ulps=8
    ),
    "norm of zeros": Case(lambda t, F, x: [t.linalg.vector_norm(x, p) for p in (1, 2, INF)], ([0j, 0j],), C),
    "fft of infinities": Case(lambda t, F, x: t.fft.fft(t.nan_to_num(x)), (FINITE,), C, ulps=64, slopes=False),
}
DIFFERS = {
    "complex functions of infinite and NaN parts": [
        f"{name} of infinite" for name in ("sgn", "log1p", "expm1", "add", "sub", "pow")
    ],
    "complex 0 to the power of 0": ["pow of finite"],
    "complex reciprocals of 0": ["pow to numbers"],
    "slopes of complex functions at their poles and cuts": [
        "asin of finite",
        "acos of finite",
        "asinh of finite",
        "acosh of finite",
        "div of finite",
        "polar",
    ],
}
