"""Softmax and its kin of infinities and NaN."""

from hard_numbers.compare import FLOATS, INF, NAN, Case

ROWS = [
    [0.0, 1.0, 2.0, -1.0],
    [INF, 1.0, 2.0, 0.0],
    [INF, INF, 0.0, 1.0],
    [-INF, 1.0, 2.0, 0.0],
    [-INF, -INF, -INF, 0.0],
    [-INF] * 4,
    [NAN, 1.0, 2.0, 0.0],
    [NAN, INF, -INF, 0.0],
    [-0.0, 0.0, -0.0, 0.0],
    [6e4, -6e4, 6e4, 0.0],
    [INF, -INF, INF, -INF],
]
LONG = [[0.0] * 70 + [x] + [1.0] * 33 for x in (INF, -INF, NAN, 500.0)]
ONE = [[INF], [-INF], [NAN], [3.0], [-0.0]]

CASES = {}
for name in ["softmax", "log_softmax", "logsumexp", "softmin", "logcumsumexp"]:

    def function(t, F, x, name=name, dim=-1):
        return getattr(F if name == "softmin" else t, name)(x, dim)

    if name == "logcumsumexp":  # of large items so near to each other the result keeps too few digits
        ROWS = [row for row in ROWS if 6e4 not in row]
    for kind, rows in {"rows": ROWS, "long rows": LONG, "one item": ONE}.items():
        CASES[f"{name} of {kind}"] = Case(
            function, (rows,), FLOATS, ulps=32, slope_ulps=64, zeros=name != "logcumsumexp"
        )
    CASES[f"{name} of columns"] = Case(
        lambda t, F, x, f=function: f(t, F, x, dim=0),
        (list(zip(*ROWS, strict=True)),),
        ulps=4,
        slope_ulps=64,
        zeros=name != "logcumsumexp",
    )
CASES |= {
    "softmax of float16 in float32": Case(
        lambda t, F, x: t.softmax(x, -1, dtype=t.float32), (ROWS,), "float16 bfloat16", ulps=4, slope_ulps=8
    ),
    "logsumexp over two dims": Case(
        lambda t, F, x: t.logsumexp(x.reshape(-1, 2, 2), (1, 2)), (ROWS,), ulps=4, slope_ulps=8
    ),
    "logsumexp of nothing": Case(lambda t, F, x: t.logsumexp(x[:, :0], -1), (ROWS,)),
    "softmax of nothing": Case(lambda t, F, x: t.softmax(x[:, :0], -1), (ROWS,)),
    "logsumexp of no dims": Case(lambda t, F, x: [t.logsumexp(v, 0) for v in x.reshape(-1)], (ROWS[1:4],)),
    "gumbel_softmax hard of one item": Case(lambda t, F, x: F.gumbel_softmax(x, hard=True), ([[1.0]],)),
    "softmax2d": Case(lambda t, F, x: t.nn.Softmax2d()(x.reshape(1, -1, 2, 2)), (ROWS,), ulps=4, slope_ulps=64),
    "logsigmoid": Case(lambda t, F, x: F.logsigmoid(x), (ROWS,), FLOATS, ulps=2, slope_ulps=4),
    "sigmoid": Case(lambda t, F, x: t.sigmoid(x), (ROWS,), FLOATS, ulps=2, slope_ulps=4),
    "glu": Case(lambda t, F, x: F.glu(x, -1), (ROWS,), ulps=2, slope_ulps=8),
}
DIFFERS = {}
