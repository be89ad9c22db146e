"""Native convolution and pooling against sums written tap by tap in NumPy, on layouts and sizes that take each of their ways."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_convolutions import Shape, by_hand, windows
from native_operands import BACKEND, empty, numpy_view, operand, run

from lamina_backend_cpp import get_num_threads, set_num_threads
from lamina_testkit import error_bounds

CASES = [
    # x, weight, stride, padding, dilation, groups
    ((2, 3, 40), (5, 3, 3), (1,), (1,), (1,), 1),
    ((3, 5, 9, 11), (7, 5, 3, 3), (1, 1), (1, 1), (1, 1), 1),
    ((2, 4, 12, 10), (6, 2, 3, 4), (2, 3), (2, 1), (1, 1), 2),
    ((2, 3, 11, 19), (8, 3, 3, 2), (1, 1), (0, 2), (2, 3), 1),
    ((2, 6, 17, 28), (6, 1, 3, 3), (1, 1), (1, 1), (1, 1), 6),  # depthwise
    ((2, 6, 17, 29), (12, 1, 3, 3), (2, 2), (1, 1), (1, 1), 6),
    ((2, 3, 9, 13), (9, 1, 5, 3), (2, 1), (3, 4), (2, 3), 3),
    ((2, 3, 12, 30), (6, 1, 5, 5), (1, 1), (2, 2), (1, 1), 3),
    ((2, 3, 14, 17), (3, 1, 7, 7), (1, 1), (3, 3), (1, 1), 3),
    ((2, 3, 7, 7), (3, 1, 3, 3), (1, 1), (1, 1), (1, 1), 3),  # rows shorter than a vector
    ((2, 3, 19, 40), (3, 1, 3, 3), (2, 2), (1, 1), (1, 1), 3),  # of rows 2 apart, those in between are read once for all
    ((2, 3, 23, 23), (3, 1, 5, 5), (2, 2), (2, 2), (1, 1), 3),
    ((1, 2, 17, 37), (4, 1, 7, 7), (2, 2), (3, 3), (1, 1), 2),
    ((2, 3, 19, 40), (3, 1, 2, 4), (2, 3), (1, 2), (1, 2), 3),
    ((2, 3, 19, 40), (3, 1, 3, 4), (3, 2), (1, 0), (2, 3), 3),
    ((2, 3, 40), (3, 1, 5), (2,), (2,), (1,), 3),
    ((2, 2, 3, 5), (2, 1, 3, 5), (1, 1), (2, 6), (1, 1), 2),  # rows shorter than a vector
    ((3, 6, 14, 14), (16, 6, 5, 5), (1, 1), (2, 2), (1, 1), 1),  # rows shorter than a panel
    ((2, 6, 8, 8), (4, 6, 1, 1), (1, 1), (0, 0), (1, 1), 1),  # matrix products where they lie
    ((2, 6, 9, 8), (4, 6, 1, 1), (2, 2), (0, 0), (1, 1), 1),  # inputs that no window sees
    ((3, 40, 4, 4), (10, 40, 4, 4), (1, 1), (0, 0), (1, 1), 1),  # one window
    ((2, 3, 32, 32), (9, 3, 8, 8), (8, 8), (0, 0), (1, 1), 1),  # windows side by side
    ((2, 3, 21, 21), (4, 3, 5, 5), (7, 6), (1, 1), (1, 1), 1),  # and apart
    ((2, 70, 7, 7), (260, 70, 2, 2), (1, 1), (1, 1), (1, 1), 1),  # several blocks of rows and taps
    ((1, 4, 60, 70), (9, 4, 3, 3), (1, 1), (1, 1), (1, 1), 1),  # and of windows
    ((70, 1, 6, 5), (9, 1, 2, 2), (1, 1), (0, 0), (1, 1), 1),  # several images in a block
    ((2, 2, 5, 6, 7), (4, 2, 2, 3, 3), (1, 2, 1), (1, 0, 2), (2, 1, 1), 1),
    ((2, 48, 33, 14), (50, 48, 6, 3), (2, 1), (2, 1), (1, 1), 1),  # each phase of the transpose has 3 taps a side
    ((2, 48, 14, 33), (50, 48, 3, 6), (1, 2), (1, 2), (1, 1), 1),
    ((2, 8, 6, 6), (3, 8, 3, 3), (1, 1), (4, 4), (1, 1), 1),  # more zeros around than the kernel reaches
    ((0, 2, 6, 6), (3, 2, 3, 3), (1, 1), (0, 0), (1, 1), 1),
    ((2, 0, 6, 6), (3, 0, 3, 3), (1, 1), (0, 0), (1, 1), 1),
    ((2, 3, 6, 32), (16, 3, 3, 3), (1, 1), (1, 1), (1, 1), 1),  # as many filters as windows side by side, or fewer
    ((3, 2, 9, 21), (11, 2, 3, 2), (1, 1), (1, 1), (1, 1), 1),
    ((9, 5, 5, 61), (6, 5, 3, 5), (1, 1), (0, 2), (1, 1), 1),
    ((2, 3, 64), (7, 3, 3), (1,), (2,), (2,), 1),
]  # fmt: skip
LAYOUTS = {
    "compact": lambda a: a,
    "transposed": lambda a: np.ascontiguousarray(a.T).T,
    "channels last": lambda a: np.moveaxis(np.ascontiguousarray(np.moveaxis(a, 1, -1)), -1, 1),
    "sliced": lambda a: np.repeat(a, 2, -1)[..., ::2],
    "reversed": lambda a: np.ascontiguousarray(a[:, :, ::-1])[:, :, ::-1],
}


def room(shape: Shape, dtype: str, layout: str) -> Any:
    if layout == "compact" or 0 in shape:
        return empty(shape, dtype)
    made = operand(LAYOUTS[layout](np.full(shape, 7.0, dtype)))
    return made


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_convolution(case: Any, layout: str, dtype: str) -> None:
    shape, filters, stride, padding, dilation, groups = case
    rng = np.random.default_rng(0)
    x, weight, bias = (rng.standard_normal(s).astype(dtype) for s in (shape, filters, filters[:1]))
    y = by_hand(x.astype(float), weight.astype(float), None, stride, padding, dilation, groups)[0]
    g = rng.standard_normal(y.shape).astype(dtype)
    taken = stride, padding, dilation, groups
    y, to_x, to_weight = by_hand(x.astype(float), weight.astype(float), g.astype(float), *taken)
    y_size, to_x_size, to_weight_size = by_hand(*(np.abs(a).astype(float) for a in (x, weight, g)), *taken)
    settings = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    lay = LAYOUTS[layout]

    def near(found: Any, wanted: Any, size: Any) -> None:
        error_bounds.assert_within(found, wanted, error_bounds.products_of_noise(dtype) * size)

    found = run("convolution", room(y.shape, dtype, layout), operand(lay(x)), operand(lay(weight)), operand(bias[::-1]), **settings)
    added = bias[::-1].reshape(-1, *[1] * len(stride))
    near(found, y + added, y_size + np.abs(added))
    found = run("convolution", room(y.shape, dtype, layout), operand(lay(x)), operand(lay(weight)), None, **settings)
    near(found, y, y_size)
    to_bias = rng.standard_normal(shape[1]).astype(dtype)
    for given, more in ((None, 0), (operand(to_bias[::-1]), to_bias[::-1].reshape(-1, *[1] * len(stride)))):
        found = run("convolution_input_gradient", room(x.shape, dtype, layout), operand(lay(g)), operand(lay(weight)), given,
                    lengths=shape[2:], **settings)  # fmt: skip
        near(found, to_x + more, to_x_size + np.abs(more))
    found = run("convolution_weight_gradient", room(weight.shape, dtype, layout), operand(lay(g)), operand(lay(x)),
                lengths=filters[2:], **settings)  # fmt: skip
    near(found, to_weight, to_weight_size)


@pytest.mark.parametrize("case", [CASES[1], *CASES[4:9], *CASES[11:13], CASES[14], CASES[18], *CASES[20:23]], ids=str)
def test_threads_change_no_bit(case: Any) -> None:
    shape, filters, stride, padding, dilation, groups = case
    shape = (max(shape[0], 8), *shape[1:2], *[n + 20 for n in shape[2:]])
    rng = np.random.default_rng(0)
    x, weight = (rng.standard_normal(s).astype("float32") for s in (shape, filters))
    axes = zip(shape[2:], filters[2:], stride, padding, dilation, strict=True)
    y = (shape[0], filters[0], *[(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in axes])
    g = rng.standard_normal(y).astype("float32")
    settings = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    before, found = get_num_threads(), []
    try:
        for threads in (1, 2, 8):
            set_num_threads(threads)
            outs = [empty(s, "float32") for s in (y, shape, filters)]
            found.append([
                run("convolution", outs[0], operand(x), operand(weight), None, **settings),
                run("convolution_input_gradient", outs[1], operand(g), operand(weight), None, lengths=shape[2:], **settings),
                run("convolution_weight_gradient", outs[2], operand(g), operand(x), lengths=filters[2:], **settings),
            ])  # fmt: skip
    finally:
        set_num_threads(before)
    for other in found[1:]:
        for a, b in zip(found[0], other, strict=True):
            assert np.array_equal(a, b)


def test_a_broadcast_gradient() -> None:
    """What a sum hands back: one number, everywhere."""
    rng = np.random.default_rng(0)
    x, weight = (rng.standard_normal(s).astype("float32") for s in ((2, 3, 9, 12), (3, 1, 3, 3)))
    settings = {"stride": (2, 1), "padding": (1, 1), "dilation": (1, 1), "groups": 3}
    g = np.broadcast_to(np.float32(2), (2, 3, 5, 12))
    _, to_x, to_weight = by_hand(x.astype(float), weight.astype(float), g.astype(float), *[settings[n] for n in settings])
    found = run("convolution_input_gradient", empty(x.shape, "float32"), operand(g), operand(weight), None, lengths=(9, 12), **settings)
    np.testing.assert_allclose(found, to_x, rtol=1e-4, atol=1e-4)
    found = run("convolution_weight_gradient", empty(weight.shape, "float32"), operand(g), operand(x), lengths=(3, 3), **settings)
    np.testing.assert_allclose(found, to_weight, rtol=1e-4, atol=1e-4)


def test_no_neighbour_spoils_a_window() -> None:
    """What lies beside a row, or behind the end of x, is read with it but never part of a sum."""
    for length, channels, groups in itertools.product((5, 8, 9, 14, 31, 33), (1, 4), (1, 4)):
        if channels % groups:
            continue
        x = np.ones((2, channels, 6, length), "float32")
        x[:, :, 3, length // 2] = np.nan
        weight = np.ones((4, channels // groups, 3, 3), "float32")
        settings = {"stride": (1, 1), "padding": (1, 1), "dilation": (1, 1), "groups": groups}
        found = run("convolution", empty((2, 4, 6, length), "float32"), operand(x), operand(weight), None, **settings)
        where = np.zeros((6, length), bool)
        where[2:5, length // 2 - 1 : length // 2 + 2] = True
        assert (np.isnan(found) == where).all()
        g = np.ones((2, 4, 6, length), "float32")
        g[:, :, 3, length // 2] = np.inf
        x = np.ones((2, channels, 6, length), "float32")
        found = run("convolution_weight_gradient", empty(weight.shape, "float32"), operand(g), operand(x), lengths=(3, 3), **settings)
        assert np.isinf(found).all()


POOLS = [
    # x, kernel, stride, padding, dilation
    ((2, 3, 40), (2,), (2,), (0,), (1,)),
    ((2, 3, 300), (5,), (1,), (2,), (1,)),
    ((2, 3, 9, 11), (3, 3), (2, 2), (1, 1), (1, 1)),
    ((2, 3, 13, 20), (2, 3), (1, 3), (1, 1), (3, 2)),
    ((2, 3, 7, 7), (7, 7), (1, 1), (0, 0), (1, 1)),
    ((2, 3, 7, 30), (2, 20), (2, 5), (1, 10), (1, 1)),
    ((2, 3, 5, 6, 7), (2, 3, 2), (1, 2, 4), (1, 0, 1), (1, 1, 1)),
    ((2, 2, 9, 70), (2, 11), (2, 2), (1, 5), (1, 1)),
    ((2, 2, 9, 70), (3, 3), (3, 3), (0, 0), (1, 1)),
    ((2, 2, 10, 10), (2, 2), (2, 2), (0, 0), (1, 1)),
    ((2, 2, 5, 40), (5, 40), (1, 1), (0, 0), (1, 1)),
    ((2, 2, 5, 40), (2, 39), (1, 1), (0, 0), (1, 1)),
    ((0, 3, 8), (2,), (2,), (0,), (1,)),
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("case", POOLS, ids=str)
def test_pools(case: Any, layout: str, dtype: str) -> None:
    shape, kernel, stride, padding, dilation = case
    x = np.random.default_rng(0).integers(-3, 4, shape).astype(dtype)  # with ties
    x[x == 3] = np.nan
    lay = LAYOUTS[layout]
    seen = windows(x, kernel, stride, padding, dilation, -np.inf)
    stack = np.stack(list(seen.values()))
    indices = np.arange(np.prod(shape[2:])).reshape(1, 1, *shape[2:]).astype(float)
    places = np.broadcast_to(np.stack(list(windows(indices, kernel, stride, padding, dilation).values())), stack.shape)
    best = np.argmax(stack, 0)[None]
    values, positions = room(stack.shape[1:], dtype, layout), room(stack.shape[1:], "int64", layout)
    settings = {"kernel": kernel, "stride": stride, "padding": padding, "ceil": False}
    BACKEND.kernel("max_pool")((values, positions), operand(lay(x)), dilation=dilation, **settings)
    np.testing.assert_array_equal(numpy_view(values), np.take_along_axis(stack, best, 0)[0])
    np.testing.assert_array_equal(numpy_view(positions), np.take_along_axis(places, best, 0)[0])

    g = np.arange(stack[0].size, dtype=dtype).reshape(stack.shape[1:])
    expected = np.zeros((*shape[:2], int(np.prod(shape[2:]))))
    n, c = np.indices(stack.shape[1:])[:2]
    np.add.at(expected, (n, c, numpy_view(positions)), g)
    found = run("max_pool_gradient", room(shape, dtype, layout), operand(lay(g)), positions, lengths=shape[2:])
    np.testing.assert_array_equal(found, expected.reshape(shape))

    if max(dilation) > 1:
        return
    x = np.nan_to_num(x, nan=3.0)
    ones = np.stack(list(windows(np.ones(shape), kernel, stride, padding, dilation).values()))
    sums = np.stack(list(windows(x.astype(float), kernel, stride, padding, dilation).values())).sum(0)
    for count_padding, divisor in ((True, None), (False, None), (True, 5)):
        parts = divisor or (np.prod(kernel) if count_padding else ones.sum(0))
        options = {**settings, "count_padding": count_padding, "divisor": divisor}
        found = run("average_pool", room(stack.shape[1:], dtype, layout), operand(lay(x)), **options)
        np.testing.assert_allclose(found, sums / parts, rtol=1e-5, atol=1e-6)
        spread = np.zeros((*shape[:2], *[n + 2 * p for n, p in zip(shape[2:], padding, strict=True)]))
        for tap in seen:
            at = [slice(t, t + (c - 1) * s + 1, s) for t, c, s in zip(tap, stack.shape[3:], stride, strict=True)]
            spread[(..., *at)] += g / parts
        inner = tuple(slice(p, p + k) for p, k in zip(padding, shape[2:], strict=True))
        found = run("average_pool_gradient", room(shape, dtype, layout), operand(lay(g)), lengths=shape[2:], **options)
        np.testing.assert_allclose(found, spread[(..., *inner)], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kernel", [(2, 2), (1, 3), (9, 20), (4, 1)], ids=str)
def test_windows_without_a_greatest_item(kernel: Shape) -> None:
    """Where all items are -inf, the first one is taken, as PyTorch has it; in front of one that is less bad, nothing is."""
    x = np.full((1, 1, 9, 40), -np.inf, "float32")
    x[0, 0, 4, 30:] = -1e38
    shape = (1, 1, *[(n - k) // k + 1 for n, k in zip(x.shape[2:], kernel, strict=True)])
    values, positions = empty(shape, "float32"), empty(shape, "int64")
    settings = {"kernel": kernel, "stride": kernel, "padding": (0, 0), "dilation": (1, 1), "ceil": False}
    BACKEND.kernel("max_pool")((values, positions), operand(x), **settings)
    for _, _, h, w in np.ndindex(*shape):
        box = x[0, 0, h * kernel[0] : (h + 1) * kernel[0], w * kernel[1] : (w + 1) * kernel[1]]
        y, z = np.unravel_index(box.argmax(), box.shape)
        assert numpy_view(values)[0, 0, h, w] == box.max()
        assert numpy_view(positions)[0, 0, h, w] == (h * kernel[0] + y) * 40 + w * kernel[1] + z


def test_windows_over_one_item() -> None:
    """A broadcast input, whose items are no strides apart."""
    x = np.broadcast_to(np.arange(2, dtype="float32").reshape(1, 2, 1, 1), (1, 2, 6, 40))
    settings = {"kernel": (2, 2), "stride": (2, 2), "padding": (1, 1), "ceil": False}
    values, positions = empty((1, 2, 4, 21), "float32"), empty((1, 2, 4, 21), "int64")
    BACKEND.kernel("max_pool")((values, positions), operand(x), dilation=(1, 1), **settings)
    assert (numpy_view(values) == [[[[0]], [[1]]]]).all()
    found = run("average_pool", empty((1, 2, 4, 21), "float32"), operand(x), count_padding=False, divisor=None, **settings)
    assert (found == [[[[0]], [[1]]]]).all()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("shape", "counts"), [((2, 3, 40), (7,)), ((2, 3, 9, 11), (4, 20)), ((2, 2, 5, 6, 7), (2, 4, 3)), ((2, 3, 6, 6), (0, 2))], ids=str
)
def test_uneven_bins(shape: Shape, counts: Shape, layout: str) -> None:
    x = np.random.default_rng(0).integers(-3, 4, shape).astype("float32")  # with ties
    x[x == 3] = np.nan
    values, positions = room((*shape[:2], *counts), "float32", layout), room((*shape[:2], *counts), "int64", layout)
    BACKEND.kernel("adaptive_max_pool")((values, positions), operand(LAYOUTS[layout](x)), counts=counts)
    places = np.arange(np.prod(shape[2:])).reshape(shape[2:])
    for index in np.ndindex(*counts):
        box = tuple(slice(i * n // c, -(-(i + 1) * n // c)) for i, n, c in zip(index, shape[2:], counts, strict=True))
        seen, where = x[(..., *box)].reshape(*shape[:2], -1), places[box].reshape(-1)
        best = np.argmax(seen, -1)
        np.testing.assert_array_equal(numpy_view(values)[(..., *index)], np.take_along_axis(seen, best[..., None], -1)[..., 0])
        np.testing.assert_array_equal(numpy_view(positions)[(..., *index)], where[best])
    with pytest.raises(ValueError, match="bins of an axis"):
        BACKEND.kernel("adaptive_max_pool")((values, positions), operand(x), counts=(*counts[:-1], counts[-1] + 1))


def test_bad_arguments() -> None:
    x, weight, out = (empty(s, "float32") for s in ((1, 2, 5, 5), (4, 2, 3, 3), (1, 4, 3, 3)))
    good = {"stride": (1, 1), "padding": (0, 0), "dilation": (1, 1), "groups": 1}
    run("convolution", out, x, weight, None, **good)
    for wrong in ({"stride": (0, 1)}, {"padding": (-1, 0)}, {"dilation": (0, 1)}, {"groups": 0}, {"groups": 3}, {"padding": (1, 0)},
                  {"dilation": (2**40, 1)}):  # fmt: skip
        with pytest.raises(ValueError, match="convolution"):
            run("convolution", out, x, weight, None, **{**good, **wrong})
    for wrong in ({"stride": 1}, {"stride": (1,)}, {"stride": ("a", "b")}, {"groups": None}):
        with pytest.raises(TypeError):
            run("convolution", out, x, weight, None, **{**good, **wrong})
    with pytest.raises(TypeError, match=r"missing|wants 4"):
        run("convolution", out, x, weight, None, stride=(1, 1))
    with pytest.raises(TypeError, match="one dtype"):
        run("convolution", out, x, empty((4, 2, 3, 3), "float64"), None, **good)
    with pytest.raises(ValueError, match="do not fit"):
        run("convolution", out, x, weight, empty((3,), "float32"), **good)
    with pytest.raises(ValueError, match="lengths"):
        run("convolution_input_gradient", x, out, weight, None, lengths=(5, 6), **good)
    far = {**good, "padding": (2**30, 2**30), "dilation": (2**30, 2**30), "groups": 1}
    with pytest.raises(MemoryError):
        run("convolution", empty((1, 4, 5, 5), "float32"), x, weight, None, **far)
    pool = {"kernel": (2, 2), "stride": (2, 2), "padding": (0, 0), "ceil": False}
    with pytest.raises(ValueError, match="windows"):
        run("average_pool", empty((1, 2, 3, 2), "float32"), x, count_padding=True, divisor=None, **pool)
    with pytest.raises(TypeError, match="int64"):
        run("max_pool_gradient", x, out, out, lengths=(5, 5))
