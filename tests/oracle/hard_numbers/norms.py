"""Norms, distances and what divides by them, of zeros, infinities, NaN and numbers whose squares overflow."""

from hard_numbers.compare import FLOATS, INF, NAN, WIDE, Case

ROWS = [
    [0.0, 0.0, 0.0],
    [-0.0, -0.0, -0.0],
    [3.0, -4.0, 0.0],
    [INF, 1.0, 0.0],
    [-INF, NAN, 1.0],
    [NAN, 0.0, 1.0],
    [INF, -INF, 2.0],
    [2.0, -2.0, 2.0],
    [-0.0, 0.0, 1.0],
]
HUGE, TINY = [[1e30, 1.0, -1e30], [2e38, 2e38, 2e38]], [[1e-30, -1e-30, 1e-42], [1e-42, 0.0, 1e-45]]
ORDERS = {"0": 0, "0.5": 0.5, "1": 1, "2": 2, "3": 3, "inf": INF, "-inf": -INF, "-1": -1}
PAIR = (
    ROWS,
    [
        [0.0, 0.0, 0.0],
        [1.0, 2.0, 3.0],
        [3.0, -4.0, 0.0],
        [INF, 1.0, 0.0],
        [1.0] * 3,
        [NAN] * 3,
        [INF, INF, 2.0],
        [0.0] * 3,
        [0.0] * 3,
    ],
)

CASES = {}
for text, p in ORDERS.items():
    CASES |= {
        f"vector_norm {text}": Case(lambda t, F, x, p=p: t.linalg.vector_norm(x, p, -1), (ROWS,), ulps=2, slope_ulps=8),
        f"norm {text}": Case(lambda t, F, x, p=p: t.norm(x, p, -1), (ROWS,), ulps=2, slope_ulps=8),
        f"norm {text} of all": Case(
            lambda t, F, x, p=p: [t.norm(r, p) for r in x.reshape(-1, 3)], (ROWS,), ulps=2, slope_ulps=8
        ),
        f"normalize {text}": Case(lambda t, F, x, p=p: F.normalize(x, p), (ROWS,), ulps=4, slope_ulps=16),
        f"renorm {text}": Case(
            lambda t, F, x, p=p: t.renorm(x, p, 0, 1.0), (ROWS[:3] + ROWS[7:],), ulps=4, slope_ulps=16
        ),
    }
    if p >= 0:
        CASES |= {
            f"cdist {text}": Case(lambda t, F, x, y, p=p: t.cdist(x, y, p), PAIR, ulps=4, slope_ulps=16),
            f"pairwise_distance {text}": Case(
                lambda t, F, x, y, p=p: F.pairwise_distance(x, y, p), PAIR, ulps=16, slope_ulps=64
            ),
            f"dist {text}": Case(
                lambda t, F, x, y, p=p: [t.dist(a, b, p) for a, b in zip(x, y, strict=True)], PAIR, ulps=4, slope_ulps=16
            ),
            f"pdist {text}": Case(lambda t, F, x, p=p: F.pdist(x, p), (ROWS,), ulps=4, slope_ulps=16),
        }
CASES |= {
    "norm of huge items": Case(
        lambda t, F, x: [t.linalg.vector_norm(x, p, -1) for p in (1, 2, 3, INF)], (HUGE,), ulps=4, slope_ulps=64
    ),
    "norm of tiny items": Case(
        lambda t, F, x: [t.linalg.vector_norm(x, p, -1) for p in (1, 2, INF)], (TINY,), ulps=4, slopes=False
    ),
    "normalize huge and tiny items": Case(lambda t, F, x: F.normalize(x), (HUGE + TINY,), ulps=4, slope_ulps=16),
    "cosine_similarity": Case(lambda t, F, x, y: F.cosine_similarity(x, y, -1), PAIR, ulps=4, slope_ulps=16),
    "cosine_similarity of huge and tiny items": Case(
        lambda t, F, x: F.cosine_similarity(x, x, -1), (HUGE + TINY,), ulps=4, slope_ulps=16
    ),
    "norms of 16 bits that overflow": Case(
        lambda t, F, x: [t.linalg.vector_norm(x, p, -1) for p in (1, 2, INF, 0)],
        ([[6e4, 6e4], [300.0, 300.0], [1e-4, 1e-4]],),
        "float16 bfloat16",
        ulps=1,
    ),
    "norm of nothing": Case(lambda t, F, x: [t.linalg.vector_norm(x[:0], p) for p in (0, 1, 2, 3)], (ROWS,)),
    "infinite norm of nothing": Case(lambda t, F, x: t.linalg.vector_norm(x[:0], INF), (ROWS,)),
    "matrix_norm": Case(
        lambda t, F, x: [t.linalg.matrix_norm(x, p) for p in ("fro", 1, -1, INF, -INF)],
        (ROWS[:3],),
        ulps=2,
        slope_ulps=8,
    ),
    "matrix_norm with NaN": Case(
        lambda t, F, x: [t.linalg.matrix_norm(x, p) for p in ("fro", 1, -1, INF, -INF)], (ROWS,), ulps=2, slope_ulps=8
    ),
    "nuclear norm of zeros": Case(
        lambda t, F, x: [t.linalg.matrix_norm(x, p) for p in ("nuc", 2, -2)], ([[0.0, 0.0], [0.0, 0.0]],)
    ),
    "clip_grad_norm_ of zeros": Case(lambda t, F, x: _clipped(t, x, [0.0, 0.0]), ([1.0, 1.0],)),
    "clip_grad_norm_ of infinities": Case(lambda t, F, x: _clipped(t, x, [INF, 1.0]), ([1.0, 1.0],)),
    "clip_grad_norm_ of NaN": Case(lambda t, F, x: _clipped(t, x, [NAN, 1.0]), ([1.0, 1.0],)),
    "clip_grad_norm_ of huge items": Case(lambda t, F, x: _clipped(t, x, [1e30, 1.0]), ([1.0, 1.0],), ulps=2),
    "clip_grad_norm_ that must be finite": Case(
        lambda t, F, x: _clipped(t, x, [INF, 1.0], error_if_nonfinite=True), ([1.0, 1.0],)
    ),
    "clip_grad_value_": Case(lambda t, F, x: _clipped_values(t, x, [INF, -NAN, -INF, -0.0]), ([1.0] * 4,)),
    "triplet_margin_loss of equals": Case(
        lambda t, F, x: F.triplet_margin_loss(x, x, x), (ROWS[:3],), ulps=4, slope_ulps=16
    ),
    "cosine_embedding_loss of zeros": Case(
        lambda t, F, x, y: F.cosine_embedding_loss(x, y, t.tensor([1.0, -1.0, 1.0])),
        (ROWS[:3], ROWS[2:5]),
        "float32",
        ulps=8,
        slope_ulps=64,
    ),
    "local_response_norm": Case(lambda t, F, x: F.local_response_norm(x[None], 2), (ROWS,), ulps=4, slope_ulps=16),
}
for name, shape in (
    ("layer_norm", (3,)),
    ("rms_norm", (3,)),
    ("group_norm", 1),
    ("instance_norm", None),
    ("batch_norm", None),
):

    def function(t, F, x, name=name, shape=shape):
        if name == "batch_norm":
            return F.batch_norm(x, None, None, training=True)
        if name == "group_norm":
            return F.group_norm(x, shape)
        return getattr(F, name)(x[None]) if shape is None else getattr(F, name)(x, shape)

    columns = name == "batch_norm"
    for kind, rows in {
        "hard rows": ROWS[:9],
        "constants": [[7.0] * 3, [1e4] * 3, [0.1] * 3],
        "large means": [[1e6, 1e6 + 1, 1e6 + 2], [4096.0, 4097.0, 4099.0]],
        "huge items": HUGE,
        "tiny items": TINY,
    }.items():
        given = list(zip(*rows, strict=True)) if columns else rows
        tiny = kind in ("huge items", "tiny items")
        CASES[f"{name} of {kind}"] = (
            Case(  # gradients are sums of what is 316 times as large; batch_norm is given a mean of its own dtype
                function,
                (given,),
                WIDE if tiny else FLOATS,
                ulps={"large means": 4096, "constants": 32}.get(kind, 8),
                slope_ulps=1024,
                zeros=False,
                least=1e-30 if kind == "tiny items" else 1,
                slopes=kind != "large means",
            )
        )
del CASES["instance_norm of huge items"]  # infinite or NaN, by where the squares overflow
CASES |= {
    "batch_norm in evaluation": Case(
        lambda t, F, x: F.batch_norm(x, t.zeros(3, dtype=x.dtype), t.tensor([0.0, INF, NAN], dtype=x.dtype)),
        (ROWS,),
        ulps=4,
        slope_ulps=16,
        zeros=False,
    ),
    "batch_norm's running statistics": Case(lambda t, F, x: _statistics(t, F, x), (ROWS,), ulps=4),
    "batch_norm of one item": Case(lambda t, F, x: F.batch_norm(x, None, None, training=True), ([[1.0, 2.0]],)),
    "instance_norm of one item": Case(lambda t, F, x: F.instance_norm(x), ([[[1.0], [2.0]]],)),
    "layer_norm of one item": Case(
        lambda t, F, x: F.layer_norm(x, (1,)), ([[1.0], [INF], [NAN], [-0.0]],), zeros=False
    ),
    "layer_norm without eps": Case(lambda t, F, x: F.layer_norm(x, (3,), eps=0.0), (ROWS[:3],), ulps=8, slope_ulps=16),
    "rms_norm without eps": Case(lambda t, F, x: F.rms_norm(x, (3,), eps=0.0), (ROWS[:3],), ulps=4, slope_ulps=16),
    "batch_norm with weights": Case(
        lambda t, F, x, w, b: F.batch_norm(x, None, None, w, b, True),
        ([*ROWS[:3], [1.0, INF, NAN]], [INF, 0.0, -0.0], [NAN, 1.0, 0.0]),
        ulps=4,
        slope_ulps=64,
    ),
    "layer_norm with weights": Case(
        lambda t, F, x, w, b: F.layer_norm(x, (3,), w, b),
        (ROWS, [INF, 0.0, -0.0], [NAN, 1.0, 0.0]),
        ulps=4,
        slope_ulps=64,
    ),
}


def _clipped(t, x, gradient, **params):
    p = t.nn.Parameter(x.detach().clone())
    p.grad = t.tensor(gradient, dtype=x.dtype)
    return t.nn.utils.clip_grad_norm_([p], 1.0, **params), p.grad


def _clipped_values(t, x, gradient):
    p = t.nn.Parameter(x.detach().clone())
    p.grad = t.tensor(gradient, dtype=x.dtype)
    t.nn.utils.clip_grad_value_([p], 1.0)
    return p.grad


def _statistics(t, F, x):
    mean, var = t.zeros(3, dtype=x.dtype), t.ones(3, dtype=x.dtype)
    F.batch_norm(x.detach(), mean, var, training=True)
    return mean, var


DIFFERS = {
    "NaN counts as not zero": ["cdist 0", "pdist 0"],
    "a norm of order 0 has a gradient of zeros": ["dist 0"],
    "gradients of norms of infinite and NaN vectors": [
        *(f"{name} {p}" for name in ("vector_norm", "norm", "dist") for p in (0.5, "inf")),
        "norm 0.5 of all",
        "norm inf of all",
        "normalize 0.5",
        *(f"{name} -inf" for name in ("vector_norm", "norm")),
        "norm -inf of all",
        "vector_norm -1",
        "norm -1",
        "norm -1 of all",
        "cdist 1",
        "pdist 1",
        "pairwise_distance inf",
        "layer_norm with weights",
    ],
    "normalisations far from 0": [
        *(
            f"{name} of {kind}: float64"
            for name in ("batch_norm", "instance_norm")
            for kind in ("constants", "large means")
        ),
        *(f"{name} of huge items: float64" for name in ("batch_norm", "layer_norm", "group_norm")),
    ],
    "the greatest of distances with NaN": ["cdist inf"],
}
