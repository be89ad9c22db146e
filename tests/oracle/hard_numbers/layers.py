"""Dropout of 0 and 1, masked attention, interpolation at edges, pooling and embedding of special numbers."""

from hard_numbers.compare import FLOATS, INF, NAN, Case

ROW = [1.0, -2.0, INF, NAN, -0.0, -INF]
IMAGE = [[[[1.0, 2.0, -3.0, 0.5], [NAN, 1.0, INF, 2.0], [-INF, -INF, -INF, -INF], [-0.0, 0.0, 1.0, -1.0]]]]
PLAIN = [[[[1.0, 2.0, -3.0], [0.5, 1.0, 2.0]]]]
Q = [[[[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]]]


def _attention(mask=None, **params):
    def function(t, F, x):
        m = None if mask is None else t.tensor(mask) if isinstance(mask[0][0], bool) else t.tensor(mask, dtype=x.dtype)
        return F.scaled_dot_product_attention(x, x, x, m, **params)

    return function


CASES = (
    {
        f"{name} of {p}": Case(
            lambda t, F, x, n=name, p=p: getattr(F, n)(
                x if n[-1] == "t" else x.reshape(1, 1, 6, *[1] * (int(n[-2]) - 1)), p, training=True
            ),
            (ROW,),
            FLOATS,
        )
        for name in ("dropout", "alpha_dropout", "dropout1d", "dropout2d", "dropout3d")
        for p in (0.0, 1.0)
    }
    | {f"dropout of {p} refused": Case(lambda t, F, x, p=p: F.dropout(x, p), (ROW,)) for p in (-0.1, 1.1, NAN)}
    | {
        "dropout in evaluation": Case(lambda t, F, x: F.dropout(x, 1.0, training=False), (ROW,)),
        "attention": Case(_attention(), (Q,), FLOATS, ulps=4, slope_ulps=32),
        "attention with a row masked by bools": Case(
            _attention([[True, False, True], [False, False, False], [True, True, True]]),
            (Q,),
            FLOATS,
            ulps=4,
            slope_ulps=32,
        ),
        "attention with a row masked by infinities": Case(
            _attention([[0.0, -INF, 0.0], [-INF] * 3, [0.0] * 3]), (Q,), ulps=4, slope_ulps=32
        ),
        "attention with an infinite and a NaN bias": Case(
            _attention([[0.0, INF, 0.0], [NAN, 0.0, 0.0], [0.0] * 3]), (Q,), ulps=4, slope_ulps=32
        ),
        "causal attention": Case(_attention(is_causal=True), (Q,), ulps=4, slope_ulps=32),
        "attention of no scale": Case(_attention(scale=0.0), (Q,), ulps=4, slope_ulps=32),
        "attention that drops all": Case(_attention(dropout_p=1.0), (Q,), ulps=4, slope_ulps=32),
        "attention of huge scores": Case(
            lambda t, F, x: F.scaled_dot_product_attention(x * 1e4, x * 1e4, x), (Q,), ulps=4, slope_ulps=64
        ),
        "attention of NaN": Case(
            lambda t, F, x: F.scaled_dot_product_attention(x, x, x), ([[[[1.0, NAN], [0.0, 1.0]]]],), ulps=4
        ),
        "MultiheadAttention with all keys masked": Case(
            lambda t, F, x: _heads(t, x), ([[[1.0, 0.0], [0.0, 2.0]]],), "float32", ulps=8, slope_ulps=64
        ),
        "max_pool2d": Case(lambda t, F, x: F.max_pool2d(x, 2), (IMAGE,), FLOATS, zeros=False),
        "max_pool2d with indices": Case(
            lambda t, F, x: F.max_pool2d(x, 2, return_indices=True), (IMAGE,), FLOATS, zeros=False
        ),
        "max_pool2d padded": Case(lambda t, F, x: F.max_pool2d(x, 3, 1, 1), (IMAGE,), FLOATS, zeros=False),
        "max_pool1d": Case(lambda t, F, x: F.max_pool1d(x[0], 2, 1), (IMAGE,), zeros=False),
        "max_pool3d": Case(
            lambda t, F, x: F.max_pool3d(x[None], (1, 2, 2), return_indices=True), (IMAGE,), zeros=False
        ),
        "adaptive_max_pool2d": Case(
            lambda t, F, x: F.adaptive_max_pool2d(x, (2, 3), return_indices=True), (IMAGE,), zeros=False
        ),
        "avg_pool2d": Case(
            lambda t, F, x: [F.avg_pool2d(x, 2), F.avg_pool2d(x, 3, 1, 1, count_include_pad=False)],
            (IMAGE,),
            FLOATS,
            ulps=1,
            slope_ulps=2,
        ),
        "adaptive_avg_pool2d": Case(lambda t, F, x: F.adaptive_avg_pool2d(x, (3, 2)), (IMAGE,), ulps=1, slope_ulps=2),
        "lp_pool2d": Case(lambda t, F, x: [F.lp_pool2d(x, 2, 2), F.lp_pool2d(x, 1, 2)], (IMAGE,), ulps=2, slope_ulps=8),
        "lp_pool2d of zeros": Case(lambda t, F, x: F.lp_pool2d(x * 0, 2, 2), (PLAIN,)),
        "conv2d": Case(lambda t, F, x: F.conv2d(x, t.ones(1, 1, 2, 2, dtype=x.dtype)), (IMAGE,), ulps=1, slope_ulps=2),
        "conv2d padded": Case(
            lambda t, F, x: F.conv2d(x, t.ones(1, 1, 3, 3, dtype=x.dtype), padding=1), (IMAGE,), ulps=1, slope_ulps=2
        ),
        "conv_transpose2d": Case(
            lambda t, F, x: F.conv_transpose2d(x, t.ones(1, 1, 2, 2, dtype=x.dtype), stride=2),
            (IMAGE,),
            ulps=1,
            slope_ulps=2,
        ),
        "conv1d": Case(
            lambda t, F, x: F.conv1d(x[0, 0, :, None], t.tensor([[[0.0]]], dtype=x.dtype)),
            (IMAGE,),
            ulps=1,
            slope_ulps=2,
        ),
        "linear": Case(
            lambda t, F, x: F.linear(x, t.zeros(2, 4, dtype=x.dtype), t.zeros(2, dtype=x.dtype)), (IMAGE,), FLOATS
        ),
        "embedding": Case(
            lambda t, F, x: F.embedding(t.tensor([0, 1, 1, 2]), x, padding_idx=1),
            ([[NAN, 1.0], [INF, 2.0], [-0.0, 0.0]],),
            FLOATS,
        ),
        "embedding with a largest norm": Case(
            lambda t, F, x: F.embedding(t.tensor([0, 1]), x.detach().clone(), max_norm=1.0),
            ([[0.0, 0.0], [3.0, 4.0]],),
            ulps=2,
        ),
        "embedding_bag of nothing": Case(
            lambda t, F, x: [
                F.embedding_bag(t.tensor([0, 1]), x, t.tensor([0, 2]), mode=m) for m in ("sum", "mean", "max")
            ],
            ([[1.0, -1.0], [2.0, 3.0]],),
        ),
        "grid_sample": Case(
            lambda t, F, x, g: [
                F.grid_sample(x, g, m, p, align_corners=a)
                for m in ("bilinear", "nearest")
                for p in ("zeros", "border", "reflection")
                for a in (True, False)
            ],
            (PLAIN, [[[[-1.0, -1.0], [1.0, 1.0], [2.0, 0.0], [0.0, -5.0]]]]),
            ulps=4,
            slope_ulps=32,
        ),
        "grid_sample outside of all": Case(
            lambda t, F, x, g: F.grid_sample(x, g, align_corners=False),
            (PLAIN, [[[[INF, 0.0], [NAN, 0.0], [1e30, 0.0], [-INF, 0.0]]]]),
            ulps=4,
            slopes=False,
        ),
        "pixel_shuffle and unfold": Case(lambda t, F, x: [F.pixel_unshuffle(x, 2), F.unfold(x, 2)], (IMAGE,), FLOATS),
        "pad": Case(
            lambda t, F, x: [F.pad(x, (1, 1), m) for m in ("constant", "reflect", "replicate", "circular")],
            (IMAGE,),
            FLOATS,
        ),
        "upsampled NaN": Case(lambda t, F, x: F.interpolate(x, scale_factor=2, mode="nearest"), (IMAGE,), FLOATS),
        "GRU of infinities": Case(lambda t, F, x: _recurrence(t, x, "GRU"), ([[[INF, 0.0]], [[NAN, 1.0]]],), "float32"),
        "LSTM of infinities": Case(
            lambda t, F, x: _recurrence(t, x, "LSTM"), ([[[INF, 0.0]], [[1.0, 1.0]]],), "float32", ulps=8, slope_ulps=64
        ),
    }
)
for mode in ("nearest", "nearest-exact", "bilinear", "bicubic", "area"):
    for size in ((1, 1), (4, 6), (3, 5), (1, 7), (2, 3), (7, 2)):
        corners = (None,) if mode in ("nearest", "nearest-exact", "area") else (False, True)
        CASES[f"interpolate {mode} to {size}"] = Case(
            lambda t, F, x, m=mode, s=size, cs=corners: [F.interpolate(x, s, mode=m, align_corners=c) for c in cs],
            (PLAIN,),
            ulps=32,
            slope_ulps=32,
            least=1,
        )
    CASES[f"interpolate {mode} of special numbers"] = Case(
        lambda t, F, x, m=mode: F.interpolate(x, (2, 2), mode=m), (IMAGE,), ulps=16, slope_ulps=32, least=1
    )


def _heads(t, x):
    layer = t.nn.MultiheadAttention(2, 1, batch_first=True)
    for p in layer.parameters():
        p.data = t.full(tuple(p.shape), 0.5, dtype=x.dtype)
    return layer(x, x, x, key_padding_mask=t.tensor([[True, True]]), need_weights=False)[0]


def _recurrence(t, x, name):
    layer = getattr(t.nn, name)(2, 1)
    for p in layer.parameters():
        p.data = t.full(tuple(p.shape), 0.5, dtype=x.dtype)
    return layer(x)[0]


DIFFERS = {"attention to NaN": ["attention of NaN"]}
