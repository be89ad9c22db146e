"""Extremes, orders, medians and quantiles with NaN, infinities, both zeros and ties."""

from hard_numbers.compare import FLOATS, INF, INTEGERS, NAN, Case

ROWS = [
    [0.0, -0.0, 0.0, -0.0],
    [-0.0, 0.0, -0.0, 0.0],
    [NAN, 1.0, NAN, 0.0],
    [1.0, NAN, 2.0, 2.0],
    [INF, -INF, INF, 0.0],
    [2.0, 2.0, 1.0, 1.0],
    [-INF, -INF, NAN, INF],
    [NAN] * 4,
    [-INF] * 4,
    [INF] * 4,
    [3.0, 1.0, 2.0, 1.0],
]
LONG = [[float(i * 7 % 10) for i in range(100)] + [x] + [-0.0, 0.0] * 20 for x in (NAN, INF, -INF, -1.0)]
WHOLE = [[0, 1, 1, 0], [2, 2, 2, 2], [127, 0, 127, 1]]

CASES = {}
for name, function in {
    "max": lambda t, x, d: t.max(x, d),
    "min": lambda t, x, d: t.min(x, d),
    "amax": lambda t, x, d: t.amax(x, d),
    "amin": lambda t, x, d: t.amin(x, d),
    "aminmax": lambda t, x, d: t.aminmax(x, dim=d),
    "argmax": lambda t, x, d: t.argmax(x, d),
    "argmin": lambda t, x, d: t.argmin(x, d),
    "median": lambda t, x, d: t.median(x, d),
    "nanmedian": lambda t, x, d: t.nanmedian(x, d)[0],
    "mode": lambda t, x, d: t.mode(x, d)[0],
    "sort": lambda t, x, d: t.sort(x, dim=d, stable=True),
    "sort descending": lambda t, x, d: t.sort(x, dim=d, descending=True, stable=True),
    "argsort": lambda t, x, d: t.argsort(x, dim=d, stable=True),
    "topk": lambda t, x, d: t.topk(x, 2, d)[0],
    "topk smallest": lambda t, x, d: t.topk(x, 2, d, largest=False)[0],
    "kthvalue": lambda t, x, d: t.kthvalue(x, 2, d)[0],
    "cummax": lambda t, x, d: t.cummax(x, d),
    "cummin": lambda t, x, d: t.cummin(x, d),
    "msort": lambda t, x, d: t.msort(x),
    "any": lambda t, x, d: t.any(x, d),
    "all": lambda t, x, d: t.all(x, d),
    "count_nonzero": lambda t, x, d: t.count_nonzero(x, d),
}.items():
    alike = {
        "slopes": not name.startswith(("topk", "kth", "mode", "nanmedian")),
        "zeros": name not in ("kthvalue", "amax", "amin", "aminmax"),
        "ulps": 0,
        "slope_ulps": 1,
    }
    CASES |= {
        name: Case(lambda t, F, x, f=function: f(t, x, -1), (ROWS,), FLOATS, **alike),
        f"{name} of columns": Case(lambda t, F, x, f=function: f(t, x, 0), (list(zip(*ROWS, strict=True)),), **alike),
        f"{name} of long rows": Case(lambda t, F, x, f=function: f(t, x, -1), (LONG,), FLOATS, **alike),
        f"{name} of integers": Case(lambda t, F, x, f=function: f(t, x, -1), (WHOLE,), INTEGERS),
    }
for name in [
    "max",
    "min",
    "argmax",
    "argmin",
    "median",
    "nanmedian",
    "amax",
    "amin",
    "aminmax",
    "unique",
    "unique_consecutive",
]:
    CASES[f"{name} of all"] = Case(
        lambda t, F, x, n=name: [getattr(t, n)(r) for r in x.reshape(11, 4)], (ROWS,), FLOATS, zeros=False
    )
    CASES[f"{name} of nothing"] = Case(lambda t, F, x, n=name: getattr(t, n)(x[:0]), (ROWS[0],))
for how in ["linear", "lower", "higher", "midpoint", "nearest"]:
    for name in ["quantile", "nanquantile"]:
        CASES[f"{name} {how}"] = Case(
            lambda t, F, x, n=name, h=how: getattr(t, n)(
                x, t.tensor([0.0, 0.25, 0.5, 0.75, 1.0], dtype=x.dtype), -1, interpolation=h
            ),
            (ROWS,),
            ulps=1,
            slope_ulps=4,
        )
CASES |= {
    "quantile outside": Case(lambda t, F, x: t.quantile(x, 1.5), (ROWS[0],)),
    "quantile of NaN": Case(lambda t, F, x: t.quantile(x, t.tensor(NAN, dtype=x.dtype)), (ROWS[5],)),
    "quantile of one item": Case(lambda t, F, x: t.quantile(x, 0.3), ([5.0],)),
    "searchsorted": Case(
        lambda t, F, x, y: [t.searchsorted(x, y, right=r) for r in (False, True)],
        ([-INF, -1.0, -0.0, 0.0, 1.0, 1.0, INF], [NAN, INF, -INF, 0.0, -0.0, 1.0, 2.0, 0.5]),
    ),
    "searchsorted among NaN": Case(
        lambda t, F, x, y: [t.searchsorted(x, y, right=r) for r in (False, True)],
        ([-1.0, 0.0, NAN, NAN], [NAN, INF, 0.0]),
    ),
    "bucketize": Case(
        lambda t, F, x, y: [t.bucketize(y, x, right=r) for r in (False, True)],
        ([-INF, 0.0, INF], [NAN, INF, -INF, 0.0, -0.0, 1.0]),
    ),
    "histc": Case(
        lambda t, F, x: [t.histc(x.detach(), 4, 0, 4), t.histc(x.detach(), 3)],
        ([0.0, 1.0, 4.0, 3.999999, -0.0, 5.0, -1.0, 2.0],),
    ),
    "histc of equals": Case(lambda t, F, x: t.histc(x.detach(), 4), ([2.0, 2.0, 2.0],)),
    "histc of NaN in a range": Case(lambda t, F, x: t.histc(x.detach(), 4, 0, 4), ([NAN, 1.0, INF, -INF],)),
    "histc of NaN": Case(lambda t, F, x: t.histc(x.detach(), 4), ([NAN, 1.0],)),
    "histc of infinity": Case(lambda t, F, x: t.histc(x.detach(), 4), ([INF, 1.0],)),
    "histc of nothing": Case(lambda t, F, x: t.histc(x[:0].detach(), 4), ([1.0],)),
    "histogram": Case(
        lambda t, F, x: t.histogram(x.detach(), 4, range=(0.0, 4.0)), ([0.0, 1.0, 4.0, 3.999999, -0.0, 5.0, -1.0, 2.0],)
    ),
    "histogram of NaN": Case(lambda t, F, x: t.histogram(x.detach(), 4, range=(0.0, 4.0)), ([NAN, 1.0, INF],)),
    "bincount": Case(lambda t, F, x: t.bincount(x, minlength=4), ([0, 2, 2],), "int64 uint8"),
    "bincount of a negative": Case(lambda t, F, x: t.bincount(x), ([0, -2],), "int64"),
    "maximum": Case(
        lambda t, F, x, y: [t.maximum(x, y), t.minimum(x, y), t.fmax(x, y), t.fmin(x, y)],
        ([0.0, -0.0, NAN, 1.0, NAN, INF, -INF, 0.0, -0.0], [-0.0, 0.0, 1.0, NAN, NAN, NAN, INF, 0.0, -0.0]),
        FLOATS,
        zeros=False,
    ),
    "isclose": Case(
        lambda t, F, x, y: [t.isclose(x, y), t.isclose(x, y, equal_nan=True)],
        ([INF, -INF, NAN, 0.0, INF, 1.0], [INF, INF, NAN, -0.0, 1.0, INF]),
        FLOATS,
    ),
    "comparisons": Case(
        lambda t, F, x, y: [x < y, x <= y, x == y, x != y, x > y, x >= y],
        ([INF, -INF, NAN, 0.0, NAN], [INF, INF, NAN, -0.0, 1.0]),
        FLOATS,
    ),
    "clamp": Case(
        lambda t, F, x: [
            t.clamp(x, -1, 1),
            t.clamp(x, 0.0),
            t.clamp(x, -0.0),
            t.clamp(x, NAN),
            t.clamp(x, 2, 1),
            t.clamp(x, max=INF),
        ],
        ([NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 2.0],),
        FLOATS,
        zeros=False,
    ),
    "clamp between tensors": Case(
        lambda t, F, x, y, z: t.clamp(x, y, z),
        ([NAN, INF, -INF, 0.0, -0.0, 1.0], [0.0, NAN, 1.0, -0.0, 0.0, 1.0], [1.0, 2.0, NAN, 0.0, -0.0, 1.0]),
    ),
    "isin": Case(lambda t, F, x: t.isin(x, t.tensor([NAN, 0.0, INF], dtype=x.dtype)), ([NAN, -0.0, INF, -INF],)),
    "logical": Case(
        lambda t, F, x: [t.logical_not(x), x.bool(), t.logical_and(x, x)], ([NAN, -0.0, 0.0, INF, 1e-45],), FLOATS
    ),
    "nonzero": Case(lambda t, F, x: t.nonzero(x), ([NAN, -0.0, 0.0, INF, 1e-45],)),
    "sign and its kin": Case(
        lambda t, F, x: [t.sign(x), t.signbit(x), t.sgn(x), t.isposinf(x), t.isneginf(x), t.isfinite(x), t.isnan(x)],
        ([NAN, -0.0, 0.0, INF, -INF, -3.0],),
        FLOATS,
    ),
    "heaviside": Case(
        lambda t, F, x, y: t.heaviside(x, y),
        ([NAN, -0.0, 0.0, INF, -INF, 0.0], [1.0, 0.5, NAN, 2.0, 2.0, -0.0]),
        FLOATS,
        slopes=False,
    ),
    "nan_to_num": Case(
        lambda t, F, x: [t.nan_to_num(x), t.nan_to_num(x, 1.0, 2.0, -3.0), t.nan_to_num(x, INF)],
        ([NAN, -0.0, INF, -INF],),
        FLOATS,
    ),
}

DIFFERS = {
    "the most frequent of NaN": ["mode", "mode of columns"],
    "gradients of the extremes of all items with NaN": ["max of all", "min of all"],
    "NaN among sorted numbers": ["searchsorted among NaN"],
}
