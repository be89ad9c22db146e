"""Sums, means, products, variances and running ones."""

from hard_numbers.compare import FLOATS, INF, INTEGERS, NAN, Case

ROWS = [
    [0.0, -0.0, 0.0],
    [-0.0, -0.0, -0.0],
    [INF, 1.0, -INF],
    [INF, INF, 1.0],
    [NAN, 1.0, 2.0],
    [NAN] * 3,
    [1.0, 0.0, 2.0],
    [0.0, 3.0, 0.0],
    [-INF, 0.0, 1.0],
    [5.0] * 3,
    [0.0] * 3,
]
NOTHING = [[]]
EXTREMES = {
    "uint8": [[255, 1, 2], [255, 255, 255]],
    "int8": [[127, 1, 2], [-128, -128, -1]],
    "int16": [[32767, 1, 2], [-32768, -1, -1]],
    "int32": [[2**31 - 1, 1, 2], [-(2**31), -1, -1]],
    "int64": [[2**63 - 1, 1, 2], [-(2**63), -1, -1]],
}

CASES = {}
for name, function in {
    "sum": lambda t, x, d: t.sum(x, d),
    "mean": lambda t, x, d: t.mean(x, d),
    "prod": lambda t, x, d: t.prod(x, d),
    "nansum": lambda t, x, d: t.nansum(x, d),
    "nanmean": lambda t, x, d: t.nanmean(x, d),
    "var": lambda t, x, d: t.var(x, d),
    "std": lambda t, x, d: t.std(x, d),
    "var of the population": lambda t, x, d: t.var(x, d, correction=0),
    "var_mean": lambda t, x, d: t.var_mean(x, d),
    "std_mean": lambda t, x, d: t.std_mean(x, d),
    "cumsum": lambda t, x, d: t.cumsum(x, d),
    "cumprod": lambda t, x, d: t.cumprod(x, d),
    "diff": lambda t, x, d: t.diff(x, dim=d),
    "trapezoid": lambda t, x, d: t.trapezoid(x, dim=d),
    "more corrections than items": lambda t, x, d: t.var(x, d, correction=5),
}.items():
    CASES |= {
        name: Case(lambda t, F, x, f=function: f(t, x, -1), (ROWS,), FLOATS, ulps=2, slope_ulps=4),
        f"{name} of columns": Case(
            lambda t, F, x, f=function: f(t, x, 0), (list(zip(*ROWS, strict=True)),), ulps=2, slope_ulps=4
        ),
        f"{name} of one item": Case(lambda t, F, x, f=function: f(t, x, -1), ([[3.0], [NAN], [INF], [-0.0]],), FLOATS),
        f"{name} of nothing": Case(lambda t, F, x, f=function: f(t, x, -1), (NOTHING,), slopes=name != "trapezoid"),
    }
for name in ["sum", "prod", "cumsum", "cumprod"]:
    for dtype, rows in EXTREMES.items():
        CASES[f"{name} of extremes of {dtype}"] = Case(
            lambda t, F, x, n=name: [getattr(t, n)(x, 1), getattr(t, n)(x, 1, dtype=x.dtype)], (rows,), dtype
        )
for name in ["sum", "prod", "mean", "var", "std", "nansum"]:
    CASES[f"{name} of all"] = Case(
        lambda t, F, x, n=name: [getattr(t, n)(r) for r in x.reshape(-1, 3)], (ROWS,), FLOATS, ulps=2, slope_ulps=4
    )
CASES |= {
    "mean of integers": Case(lambda t, F, x: t.mean(x), ([1, 2],), INTEGERS),
    "sum of bool": Case(lambda t, F, x: [t.sum(x > 0), t.prod(x > 0), t.cumsum(x > 0, 0)], ([1, 0, 1],), "int64"),
    "sum of many bytes": Case(lambda t, F, x: t.sum(x.expand(1000, 2)), ([127, 127],), "int8 uint8"),
    "sum of 16 bits beyond their range": Case(
        lambda t, F, x: [t.sum(x), t.mean(x), x.sum(dtype=t.float32), t.var(x)],
        ([6e4, 6e4, -6e4, 100.0],),
        "float16 bfloat16",
        ulps=1,
        slopes=False,
    ),
    "sum of many ones of 16 bits": Case(
        lambda t, F, x: [t.sum(x.expand(5000)), t.mean(x.expand(5000)), t.cumsum(x.expand(3000), 0)[-1]],
        ([1.0],),
        "float16 bfloat16",
        slopes=False,
    ),
    "prod of 16 bits beyond their range": Case(
        lambda t, F, x: t.prod(x), ([6e4, 6e4, 1e-4, 1e-4],), "float16 bfloat16", ulps=1, slopes=False
    ),
    "variance of constants": Case(
        lambda t, F, x: [t.var(x, 1), t.std(x, 1)],
        ([[0.1] * 37, [1e-3] * 37],),
        FLOATS,
        ulps=4,
        least=0.1,
        slopes=False,
    ),
    "variance of large constants": Case(
        lambda t, F, x: [t.var(x, 1), t.std(x, 1)],
        ([[1e6 + 0.1] * 37],),
        "bfloat16 float32 float64",
        ulps=512,
        least=1e4,
        slopes=False,
    ),
    "variance of large means": Case(
        lambda t, F, x: [t.var(x, 1), t.std(x, 1, correction=0)],
        ([[1e6 + i for i in range(16)], [1e7 + 4 * i for i in range(16)], [-4096.0 + i / 64 for i in range(16)]],),
        ulps=2,
        slope_ulps=16,
    ),
    "mean of huge items": Case(
        lambda t, F, x: [t.mean(x), t.var(x)], ([3e38, 3e38, -3e38],), "float32", ulps=2, slopes=False
    ),
    "prod with zeros": Case(
        lambda t, F, x: t.prod(x, 1),
        ([[0.0, 2.0, 3.0], [0.0, 0.0, 3.0], [2.0, -0.0, 1.0], [0.0, INF, 1.0], [0.0, NAN, 1.0]],),
    ),
    "prod of all with zeros": Case(
        lambda t, F, x: [t.prod(r) for r in x], ([[0.0, 2.0, 3.0], [0.0, 0.0, 3.0], [0.0, INF, 1.0], [1.0, 2.0, 3.0]],)
    ),
    "cumprod with zeros": Case(
        lambda t, F, x: t.cumprod(x, 1),
        ([[2.0, 0.0, 3.0, 4.0], [0.0, 0.0, 3.0, 1.0], [2.0, -0.0, 1.0, 1.0], [1.0, 2.0, 3.0, 0.0]],),
    ),
    "cov and corrcoef": Case(
        lambda t, F, x: [t.cov(x), t.corrcoef(x)], ([[1.0, 1.0, 1.0], [1.0, 2.0, 3.0]],), ulps=2, slopes=False
    ),
    "cov of one observation": Case(lambda t, F, x: t.cov(x), ([[1.0], [2.0]],), slopes=False),
    "matmul": Case(
        lambda t, F, x, y: [x @ y, t.mv(x, y[:, 0]), t.dot(x[0], y[:, 0]), t.einsum("ij,jk->ik", x, y)],
        ([[INF, 0.0], [NAN, 1.0], [-0.0, 0.0]], [[0.0, 1.0], [1.0, -0.0]]),
        FLOATS,
    ),
    "matmul of nothing": Case(lambda t, F, x: x[:, :0] @ x[:0], ([[INF, 0.0], [NAN, 1.0]],)),
    "addmm with beta 0": Case(
        lambda t, F, x, y: [
            t.addmm(x, y, y, beta=0),
            t.addmm(x, y, y, alpha=0),
            t.baddbmm(x[None], y[None], y[None], beta=0),
        ],
        ([[NAN, INF], [1.0, 2.0]], [[1.0, 2.0], [3.0, 4.0]]),
        slopes=False,
    ),
    "matmul of 16 bits beyond their range": Case(
        lambda t, F, x, y: x @ y, ([[6e4, 6e4, -6e4]], [[2.0], [1.0], [2.0]]), "float16 bfloat16"
    ),
    "matmul of integers": Case(lambda t, F, x: x @ x, ([[127, 100], [99, 127]],), INTEGERS),
    "bmm of integers": Case(lambda t, F, x: t.bmm(x[None], x[None]), ([[127, 100], [99, 127]],), INTEGERS),
    "scatter_reduce": Case(
        lambda t, F, x: [
            t.zeros(3, dtype=x.dtype).scatter_reduce(0, t.tensor([0, 0, 1, 1, 2, 2]), x, r, include_self=s)
            for r in ("sum", "prod", "mean", "amax", "amin")
            for s in (True, False)
        ],
        ([NAN, 1.0, -0.0, -0.0, INF, -INF],),
        slopes=False,
        zeros=False,
    ),
    "index_add": Case(
        lambda t, F, x: t.index_add(t.zeros(2, dtype=x.dtype), 0, t.tensor([0, 0, 1, 1]), x),
        ([-0.0, -0.0, INF, -INF],),
        FLOATS,
    ),
    "logaddexp": Case(
        lambda t, F, x, y: [t.logaddexp(x, y), t.logaddexp2(x, y)],
        (
            [INF, -INF, -INF, NAN, 1e4, -1e4, 0.0, -0.0, 500.0, INF],
            [INF, -INF, 0.0, 1.0, 1e4, -1e4, 0.0, -0.0, -500.0, -INF],
        ),
        FLOATS,
        ulps=2,
        slope_ulps=4,
    ),
}
DIFFERS = {
    "gradients of means without items": ["nanmean", "nanmean of columns", "nanmean of one item"],
    "the mean of infinities beside their variance": [
        "var_mean",
        "var_mean of columns",
        "std_mean",
        "std_mean of columns",
    ],
    "running sums begin with the first item": ["cumsum", "cumsum of columns", "cumsum of one item"],
    "gradients of variances without a degree of freedom": [
        f"more corrections than items{of}" for of in ("", " of columns", " of one item")
    ],
    "gradients of products with infinities": ["prod of all"],
}
