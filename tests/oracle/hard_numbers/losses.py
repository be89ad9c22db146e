"""Losses with ignored targets only, with probabilities of 0 and 1, and with infinite scores."""

from hard_numbers.compare import INF, NAN, Case

SCORES = [[1.0, 2.0, 3.0], [INF, 0.0, 1.0], [-INF, 0.0, 1.0], [NAN, 0.0, 1.0], [-INF] * 3, [1e4, -1e4, 0.0]]
FINITE = [[1.0, 2.0, 3.0], [0.0, 0.0, 1.0], [1e4, -1e4, 0.0]]
REDUCTIONS = ("none", "mean", "sum")


def _each(name, targets, **params):
    """The loss in its three reductions, at targets of whole numbers."""
    return lambda t, F, x, *w: [
        getattr(F, name)(x, t.tensor(targets), *(v.detach() for v in w), reduction=r, **params) for r in REDUCTIONS
    ]


def _both(name, **params):
    return lambda t, F, x, y: [getattr(F, name)(x, y, reduction=r, **params) for r in REDUCTIONS]


EDGES = ([0.0, -0.0, 1.0, -1.0, INF, -INF, NAN, 1e30, INF, 0.5], [0.0, 0.0, 2.0, -1.0, INF, INF, 1.0, -1e30, 0.0, -0.5])
CASES = {
    "cross_entropy of hard scores": Case(
        _each("cross_entropy", [0, 1, 2, 0, 1, 0]), (SCORES,), zeros=False, ulps=4, slope_ulps=16
    ),
    "cross_entropy of ignored targets only": Case(_each("cross_entropy", [-100] * 3), (FINITE,)),
    "cross_entropy of ignored hard scores": Case(
        _each("cross_entropy", [-100, -100, 2, -100, -100, 0]), (SCORES,), zeros=False, ulps=4, slope_ulps=16
    ),
    "cross_entropy of ignored targets of another number": Case(
        _each("cross_entropy", [1, 1, 1], ignore_index=1), (FINITE,)
    ),
    "cross_entropy of weights of zero": Case(_each("cross_entropy", [0, 0, 0]), (FINITE, [0.0, 1.0, 2.0]), zeros=False),
    "cross_entropy of an infinite weight": Case(
        _each("cross_entropy", [0, 1, 2]), (FINITE, [INF, 1.0, NAN]), ulps=4, slope_ulps=16
    ),
    "cross_entropy smoothed": Case(
        _each("cross_entropy", [0, 1, -100, 0, 1, 0], label_smoothing=0.1), (SCORES,), ulps=4, slope_ulps=16
    ),
    "cross_entropy smoothed, ignored only": Case(_each("cross_entropy", [-100] * 3, label_smoothing=0.1), (FINITE,)),
    "cross_entropy of nothing": Case(
        lambda t, F, x: [F.cross_entropy(x[:0], t.zeros(0, dtype=t.int64), reduction=r) for r in REDUCTIONS], (FINITE,)
    ),
    "cross_entropy of probabilities": Case(
        _both("cross_entropy"), (SCORES[:3], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), ulps=4, slope_ulps=16
    ),
    "cross_entropy of a target outside": Case(_each("cross_entropy", [0, 1, 3]), (FINITE,)),
    "cross_entropy of a negative target": Case(_each("cross_entropy", [0, 1, -1]), (FINITE,)),
    "nll_loss": Case(_each("nll_loss", [0, -100, 2, 0, 1, 0]), (SCORES,)),
    "nll_loss of ignored targets only": Case(_each("nll_loss", [-100] * 3), (FINITE,)),
    "nll_loss of weights of zero": Case(_each("nll_loss", [0] * 3), (FINITE, [0.0, 1.0, 1.0])),
    "binary_cross_entropy": Case(
        _both("binary_cross_entropy"),
        ([0.0, 1.0, 0.0, 1.0, 0.5, 1e-45, 0.99999994], [0.0, 1.0, 1.0, 0.0, 0.5, 1.0, 0.0]),
        ulps=2,
        slope_ulps=8,
    ),
    "binary_cross_entropy_with_logits": Case(
        _both("binary_cross_entropy_with_logits"),
        ([0.0, INF, -INF, INF, 1e4, -1e4, NAN, 100.0], [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]),
        ulps=2,
        slope_ulps=8,
    ),
    "kl_div": Case(_both("kl_div"), ([0.0, -INF, -INF, -1.0, NAN], [0.0, 0.0, 1.0, 0.0, 0.0]), ulps=2, slope_ulps=8),
    "kl_div of logarithms": Case(
        _both("kl_div", log_target=True),
        ([0.0, -INF, -INF, -1.0, NAN], [0.0, -INF, 0.0, -INF, 0.0]),
        ulps=2,
        slope_ulps=8,
    ),
    "gaussian_nll_loss": Case(
        lambda t, F, x, y: F.gaussian_nll_loss(x, y, t.zeros_like(x), reduction="none"),
        ([0.0, 1.0], [0.0, 3.0]),
        ulps=2,
        slope_ulps=8,
    ),
    "poisson_nll_loss": Case(
        lambda t, F, x, y: [
            F.poisson_nll_loss(x, y, log_input=k, full=f) for k in (True, False) for f in (True, False)
        ],
        ([0.0, 1.0, 100.0], [0.0, 1.0, 3.0]),
        ulps=4,
        slope_ulps=8,
    ),
    "multi_margin_loss of ties": Case(_each("multi_margin_loss", [0, 1, 2]), (FINITE,), ulps=2, slope_ulps=4),
    "multi_margin_loss": Case(_each("multi_margin_loss", [0, 1, 2, 0, 1, 0]), (SCORES,), ulps=2, slope_ulps=4),
    "multi_margin_loss of squares": Case(_each("multi_margin_loss", [0, 1, 2, 0, 1, 0], p=2), (SCORES,), ulps=2, slope_ulps=4),
    "multilabel_margin_loss without labels": Case(
        _each("multilabel_margin_loss", [[-1, 0, 1], [0, -1, -1], [2, 1, 0]]), (FINITE,), ulps=2, slope_ulps=4
    ),
    "soft_margin_loss": Case(
        lambda t, F, x, y: F.soft_margin_loss(x, y.detach(), reduction="none"),
        ([0.0, INF, -INF, 200.0, NAN], [1.0, 1.0, 1.0, -1.0, 1.0]),
        ulps=2,
        slope_ulps=4,
    ),
    "hinge_embedding_loss": Case(_both("hinge_embedding_loss"), ([1.0, 0.0, INF, NAN], [-1.0, 1.0, -1.0, 1.0])),
    "margin_ranking_loss": Case(
        lambda t, F, x, y: F.margin_ranking_loss(x, y, t.tensor([1.0, -1.0, 1.0], dtype=x.dtype)),
        ([0.0, 0.0, INF], [0.0, 0.0, INF]),
    ),
    "ctc_loss that is infinite": Case(
        lambda t, F, x: [
            F.ctc_loss(x.log_softmax(-1), t.tensor([[1, 1]]), t.tensor([2]), t.tensor([2]), zero_infinity=z)
            for z in (False, True)
        ],
        ([[[0.1, 0.2, 0.3]], [[0.3, 0.2, 0.1]]],),
        ulps=8,
        slope_ulps=64,
    ),
    "ctc_loss of no targets": Case(
        lambda t, F, x: F.ctc_loss(
            x.log_softmax(-1), t.zeros((1, 0), dtype=t.int64), t.tensor([2]), t.tensor([0]), reduction="none"
        ),
        ([[[0.1, 0.2, 0.3]], [[0.3, 0.2, 0.1]]],),
        ulps=8,
        slope_ulps=64,
    ),
    "losses of nothing": Case(
        lambda t, F, x: [
            f(x[:0], x[:0], reduction=r)
            for f in (F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.huber_loss, F.kl_div)
            for r in ("mean", "sum")
        ],
        ([1.0],),
    ),
}
for name in ["mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"]:
    CASES[name] = Case(
        _both(name),
        EDGES,
        "float32 float64 float16 bfloat16" if name != "huber_loss" else "float32 float64",
        ulps=2,
        slope_ulps=4,
    )
CASES["smooth_l1_loss of beta 0"] = Case(_both("smooth_l1_loss", beta=0.0), EDGES)
CASES["huber_loss at its bend"] = Case(_both("huber_loss", delta=1.0), ([1.0, -1.0, 2.0], [0.0, 0.0, 0.0]))
DIFFERS = {
    "slopes of the targets of binary cross entropy": ["binary_cross_entropy"],
    "gradients of ignored rows": ["cross_entropy of ignored hard scores"],
    "losses of exponentials that overflow": ["soft_margin_loss"],
}
