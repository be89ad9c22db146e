"""Negative zero: what keeps it, what makes it, and how it is shown."""

from hard_numbers.compare import FLOATS, INF, NAN, Case

X = [0.0, -0.0, 0.4, -0.4, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.5, -2.5, INF, -INF, NAN]
PAIR = ([0.0, 0.0, -0.0, -0.0, 1.0, -1.0, 0.0, -0.0], [0.0, -0.0, 0.0, -0.0, -0.0, -0.0, -2.0, -2.0])

CASES = {
    name: Case(lambda t, F, x, n=name: getattr(t, n)(x), (X,), FLOATS, ulps=1, slope_ulps=4)
    for name in [
        "abs",
        "neg",
        "negative",
        "positive",
        "sign",
        "sgn",
        "floor",
        "ceil",
        "round",
        "trunc",
        "frac",
        "sqrt",
        "square",
        "sin",
        "tan",
        "asin",
        "atan",
        "sinh",
        "tanh",
        "asinh",
        "atanh",
        "expm1",
        "log1p",
        "erf",
        "relu",
        "signbit",
        "reciprocal",
        "rsqrt",
        "nan_to_num",
        "deg2rad",
        "rad2deg",
        "erfinv",
        "clone",
        "cos",
        "exp",
        "log",
        "log2",
        "log10",
        "acos",
        "cosh",
        "acosh",
        "digamma",
        "lgamma",
        "sinc",
        "i0",
        "exp2",
        "angle",
        "isreal",
        "erfc",
    ]
}
# PyTorch has another slope at -0.0 for items that do not fill a vector, and how many do depends on the processor.
CASES["logit"] = Case(lambda t, F, x: t.logit(x), (64 * X,), FLOATS, ulps=1, slope_ulps=4)
for name in ("relu", "lgamma", "i0", "erfc"):  # to units of 1
    CASES[name] = Case(
        lambda t, F, x, n=name: getattr(t, n)(x), (X,), FLOATS, ulps=16, slope_ulps=16, least=1, zeros=name != "relu"
    )
CASES |= {
    name: Case(lambda t, F, x, n=name: getattr(F, n)(x), (X,), ulps=16, slope_ulps=16, least=1, zeros=False)
    for name in [
        "relu6",
        "leaky_relu",
        "elu",
        "selu",
        "celu",
        "silu",
        "mish",
        "softplus",
        "softsign",
        "tanhshrink",
        "hardtanh",
        "hardswish",
        "hardsigmoid",
        "softshrink",
        "hardshrink",
        "logsigmoid",
        "rrelu",
    ]
}
CASES["gelu"] = Case(lambda t, F, x: F.gelu(x), (X[:12] + X[13:],), ulps=16, slope_ulps=16, least=1, zeros=False)
CASES |= {
    name: Case(
        lambda t, F, x, y, n=name: getattr(t, n)(x, y),
        PAIR,
        FLOATS,
        ulps=1,
        slopes=name not in ("floor_divide", "nextafter"),
    )
    for name in [
        "add",
        "sub",
        "mul",
        "div",
        "fmod",
        "remainder",
        "floor_divide",
        "atan2",
        "hypot",
        "copysign",
        "pow",
        "eq",
        "nextafter",
        "xlogy",
        "true_divide",
    ]
}
del CASES["nextafter"]
CASES |= {
    "nextafter": Case(
        lambda t, F, x, y: t.nextafter(x, y),
        ([0.0, -0.0, 1.0, INF, 3.4028235e38, NAN, 0.0, -0.0], [1.0, -1.0, 2.0, 0.0, INF, 1.0, -0.0, 0.0]),
        "float32 float64",
        slopes=False,
    ),
    "round to decimals": Case(
        lambda t, F, x: [t.round(x, decimals=d) for d in (1, 2, -1)],
        ([-0.04, 0.05, 0.15, 0.25, -0.25, 2.675, 15.0, 25.0, -5.0, INF, NAN, -0.0],),
        "float32 float64",
    ),
    "items": Case(lambda t, F, x: [repr(v) for v in x.tolist()] + [repr(x[1].item())], (X,), FLOATS, slopes=False),
    "shown": Case(
        lambda t, F, x: repr(x).replace(", dtype=torch.float64", "").replace(", dtype=lamina.float64", ""),
        ([0.0, -0.0, 1.5],),
        slopes=False,
    ),
    "shown among infinities": Case(lambda t, F, x: repr(x), ([0.0, -0.0, INF, -INF, NAN],), "float32", slopes=False),
    "shown alone": Case(lambda t, F, x: repr(x), (-0.0,), "float32", slopes=False),
    "shown among small": Case(lambda t, F, x: repr(x), ([1e-10, -0.0, 1.0],), "float32", slopes=False),
    "text": Case(lambda t, F, x: [str(v) for v in (x.sum(), -x.sum())], ([0.0, 0.0],), "float32", slopes=False),
    "scaled": Case(
        lambda t, F, x: [x * 0, x * -1, 0 * x, -x, x - x, 0 - x, x + 0, x + -0.0, x / 2, x / -2, 0 / x],
        (X,),
        FLOATS,
        slopes=False,
    ),
    "sums of negative zeros": Case(
        lambda t, F, x: [x.sum(), x.mean(), x.prod(), x.max(), x.min(), x.sum(0, keepdim=True)],
        ([-0.0, -0.0],),
        FLOATS,
        slopes=False,
    ),
    "copies and views": Case(
        lambda t, F, x: [
            x.clone(),
            x[1:2],
            x.flip(0),
            t.cat([x, x]),
            t.stack([x, x]),
            x.double(),
            x.half(),
            x.roll(1),
            t.where(x == 0, x, 1),
            x.expand(2, 15).contiguous(),
        ],
        (X,),
        FLOATS,
        slopes=False,
    ),
    "masked and padded": Case(
        lambda t, F, x: [
            x.masked_fill(x == 1, -0.0),
            F.pad(x, (1, 1), value=-0.0),
            t.full((2,), -0.0),
            x.index_fill(0, t.tensor([0]), -0.0),
            x.tril() if x.ndim > 1 else x,
        ],
        (X,),
        slopes=False,
    ),
    "products and additions": Case(
        lambda t, F, x: [
            t.addcmul(x, x, x),
            t.addcdiv(x, x, t.ones_like(x)),
            t.lerp(x, x, 0.5),
            t.dot(x[:2], x[:2]),
            t.outer(x[:2], x[:2]),
            t.add(x, x, alpha=-1),
        ],
        (X,),
        slopes=False,
    ),
    "bits": Case(lambda t, F, x: x.view(t.int32), (X[:14],), "float32", slopes=False),
    "unique and equal": Case(
        lambda t, F, x: [x == 0, t.equal(x, -x), t.unique(x).numel()], ([0.0, -0.0],), FLOATS, slopes=False
    ),
    "complex": Case(
        lambda t, F, x: [
            t.conj(t.complex(x, x)).resolve_conj(),
            -t.complex(x, x),
            t.complex(x, x) * 1,
            t.complex(x, x).abs(),
            t.complex(x, x).angle(),
        ],
        ([0.0, -0.0],),
        slopes=False,
    ),
}
DIFFERS = {
    "slopes at the poles of digamma": ["digamma"],
    "slopes of activations at NaN": ["elu", "selu", "celu", "hardswish"],
    "constants in float64": ["hardsigmoid: float64"],
}
