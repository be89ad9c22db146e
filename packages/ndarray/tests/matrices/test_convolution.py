"""Convolution, pooling and resampling of arrays against sums written out item by item."""

from itertools import product

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, ShapeError, count_ops
from lamina_flatarray.backends.kernel_table import origin
from lamina_ndarray.batching import enter, leave, opened
from lamina_ndarray.layers.resampling.weighting import transposed_weights

RNG = np.random.default_rng(1)
ONES = {1: (1,), 2: (1, 1), 3: (1, 1, 1)}


def array(values):
    return nd.asarray(values, dtype=nd.float64)


def windows_by_hand(x, kernel, stride, padding, dilation):
    rank = len(kernel)
    wide = np.pad(x, [(0, 0), (0, 0), *[(p, p) for p in padding]])
    counts = [
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, s, p, d in zip(x.shape[2:], kernel, stride, padding, dilation, strict=True)
    ]
    found = np.zeros((*x.shape[:2], *kernel, *counts))
    for at in product(*map(range, (*kernel, *counts))):
        place = [w * s + k * d for k, w, s, d in zip(at[:rank], at[rank:], stride, dilation, strict=True)]
        found[(slice(None), slice(None), *at)] = wide[(slice(None), slice(None), *place)]
    return found


CASES = [
    ((2, 3, 9), (3,), (1,), (0,), (1,)), ((2, 3, 9), (4,), (3,), (2,), (2,)), ((1, 2, 11), (2,), (4,), (1,), (6,)),
    ((2, 2, 6, 7), (2, 3), (1, 2), (1, 1), (2, 1)), ((1, 1, 5, 4, 6), (2, 1, 3), (2, 1, 3), (0, 1, 2), (1, 3, 2)),
    ((1, 2, 8, 8), (2, 2), (4, 4), (0, 0), (1, 1)), ((1, 2, 9, 9), (3, 3), (6, 4), (1, 1), (4, 4)),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "kernel", "stride", "padding", "dilation"), CASES)
def test_windows_and_their_transpose(shape, kernel, stride, padding, dilation):
    x = RNG.normal(size=shape)
    expected = windows_by_hand(x, kernel, stride, padding, dilation)
    observed = nd.sliding_windows(array(x), kernel, stride, padding, dilation)
    assert np.array_equal(np.asarray(observed), expected)
    w = RNG.normal(size=expected.shape)
    back = nd.overlap_add(array(w), shape[2:], stride, padding, dilation)
    assert back.shape == shape
    seen = windows_by_hand(np.arange(x.size).reshape(shape) + 1, kernel, stride, padding, dilation).astype(int)
    added = np.bincount(seen.reshape(-1), w.reshape(-1), x.size + 1)[1:]  # 0 is the padding
    assert np.allclose(np.asarray(back), added.reshape(shape))


def test_windows_without_padding_are_a_view():
    x = array(RNG.normal(size=(1, 2, 6, 6)))
    with count_ops() as counts:
        assert nd.sliding_windows(x, (3, 3), (2, 2), (0, 0), (1, 1)).flat.memory is x.flat.memory
    assert not counts


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize(("shape", "kernel", "stride", "padding", "dilation"), CASES)
def test_convolution(shape, kernel, stride, padding, dilation, groups):
    rank = len(kernel)
    x = RNG.normal(size=(2, 4, *shape[2:]))
    weight, bias = RNG.normal(size=(6, 4 // groups, *kernel)), RNG.normal(size=6)
    windows = windows_by_hand(x, kernel, stride, padding, dilation)
    axes = list(range(1, 2 + rank))
    parts = [
        np.tensordot(v, w, (axes, axes))
        for v, w in zip(np.split(windows, groups, 1), np.split(weight, groups, 0), strict=True)
    ]
    expected = np.moveaxis(np.concatenate(parts, -1), -1, 1) + bias.reshape(-1, *ONES[rank])
    settings = (stride, padding, dilation, groups)
    with count_ops() as counts:
        observed = nd.convolution(array(x), array(weight), array(bias), *settings)
    assert counts["matmul"] == (origin(observed.backend, "convolution", nd.float64) == "derived")
    assert np.allclose(np.asarray(observed), expected)
    g = RNG.normal(size=expected.shape)
    to_input = nd.convolution_input_gradient(array(g), array(weight), None, shape[2:], *settings)
    to_weight = nd.convolution_weight_gradient(array(g), array(x), kernel, *settings)
    without = (expected - bias.reshape(-1, *ONES[rank]))
    assert np.isclose((np.asarray(to_input) * x).sum(), (g * without).sum())
    assert np.isclose((np.asarray(to_weight) * weight).sum(), (g * without).sum())


@pytest.mark.parametrize("mapped", list(product([True, False], repeat=3))[:-1])
def test_convolution_slice_by_slice(mapped):
    """One call where the weight is the same for all slices; whatever is mapped, the numbers of each slice."""
    shapes = ((2, 4, 7, 6), (6, 2, 3, 2), (6,))
    settings = ((2, 1), (1, 0), (1, 2), 2)
    given = [array(RNG.normal(size=(3, *s) if m else s)) for s, m in zip(shapes, mapped, strict=True)]
    with opened(3) as level, count_ops() as counts:
        inside = [enter(x, 0, level) if m else x for x, m in zip(given, mapped, strict=True)]
        observed = leave(nd.convolution(*inside, *settings), 0, level)
        pooled = leave(nd.max_pool(inside[0], (3, 2), (2, 2), (1, 1), (1, 1)).indices, 0, level)
        mean = leave(nd.average_pool(inside[0], (3, 2), (2, 2), (1, 1)), 0, level)
    derived = origin(observed.backend, "convolution", nd.float64) == "derived"
    assert counts["matmul"] == (derived or any(mapped[1:]))
    for i in range(3):
        one = [x[i] if m else x for x, m in zip(given, mapped, strict=True)]
        assert np.allclose(np.asarray(observed[i]), np.asarray(nd.convolution(*one, *settings)))
        assert pooled[i].tolist() == nd.max_pool(one[0], (3, 2), (2, 2), (1, 1), (1, 1)).indices.tolist()
        assert np.allclose(np.asarray(mean[i]), np.asarray(nd.average_pool(one[0], (3, 2), (2, 2), (1, 1))))


def test_positions_lie_within_x_even_where_all_is_the_least():
    x = nd.full((1, 1, 5, 5), -np.inf, dtype=nd.float32)
    values, positions = nd.max_pool(x, (2, 2), (2, 2), (1, 1), (3, 3), True)
    assert np.isneginf(np.asarray(values)).all()
    assert np.isin(np.asarray(positions), np.arange(25)).all()


def test_nan_is_the_greatest():
    x = array(RNG.normal(size=(1, 1, 6)))
    x[0, 0, 2] = np.nan
    values, positions = nd.max_pool(x, (3,), (3,), (0,), (1,))
    assert np.isnan(np.asarray(values)).tolist() == [[[True, False]]]
    assert positions.tolist()[0][0][0] == 2


def test_the_transposed_table_is_the_transposed_matrix():
    places, weights = RNG.integers(0, 5, (7, 3)), RNG.normal(size=(7, 3))
    used = RNG.random((7, 3)) < 0.8

    def dense(count, length, places, weights, used):
        made = np.zeros((count, length))
        for row, term in np.argwhere(used):
            made[row, places[row, term]] += weights[row, term]
        return made

    table = transposed_weights(5, places, weights, used)
    assert np.allclose(dense(5, 7, *table), dense(7, 5, places, weights, used).T)
    x = RNG.normal(size=(2, 5, 3))
    x[:, 4] = np.inf  # what is not used has no say
    only = used & (places != 4)
    observed = nd.weighted_items(array(x), 1, places, weights, only)
    x[:, 4] = 0
    assert np.allclose(np.asarray(observed), np.einsum("rl,nlc->nrc", dense(7, 5, places, weights, only), x))


def test_errors_name_the_shapes():
    x, w = nd.ones((1, 3, 5)), nd.ones((2, 2, 3))
    with pytest.raises(ShapeError, match=r"convolution: .*\[2, 2, 3\].*\[1, 3, 5\] to have 2 channels, but got 3"):
        nd.convolution(x, w, None, (1,), (0,), (1,), 1)
    with pytest.raises(ShapeError, match=r"convolution: .*\(5,\). Kernel size: \(7,\)"):
        nd.convolution(x, nd.ones((2, 3, 7)), None, (1,), (0,), (1,), 1)
    with pytest.raises(DTypeError, match=r"convolution: float32.* should be the same"):
        nd.convolution(x, nd.ones((2, 3, 3), dtype=nd.float64), None, (1,), (0,), (1,), 1)
    with pytest.raises(ShapeError, match=r"convolution_input_gradient: an input of \(9,\) has \(7,\) windows"):
        nd.convolution_input_gradient(nd.ones((1, 2, 4)), w, None, (9,), (1,), (0,), (1,), 1)
    with pytest.raises(ShapeError, match="max_pool: Given input size"):
        nd.max_pool(x, (7,), (1,), (0,), (1,))
    with pytest.raises(DTypeError, match="average_pool: not defined for"):
        nd.average_pool(nd.ones((1, 1, 4), dtype=nd.int32), (2,), (2,), (0,))
    for pad in (nd.reflect_pad, nd.circular_pad):
        with pytest.raises(ShapeError, match="_pad: Padding"):
            pad(x, (6, 0))
