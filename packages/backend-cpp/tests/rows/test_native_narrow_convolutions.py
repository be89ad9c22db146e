"""Convolutions of bfloat16 in all shapes and layouts: added up in float32, and rounded once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_convolutions import Shape, by_hand
from native_operands import assert_rounded_once, empty, operand, run

from lamina_backend_cpp import get_num_threads, set_num_threads

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
TILES = 4  # binary digits that tiles of 4 by 4 may lose

CASES = [
    # x, weight, stride, padding, dilation, groups
    ((3, 64, 12, 14), (48, 64, 3, 3), (1, 1), (1, 1), (1, 1), 1),
    ((2, 32, 13, 11), (32, 16, 3, 2), (2, 3), (2, 0), (1, 2), 2),  # steps, and taps beyond both edges
    ((5, 16, 9), (24, 16, 4), (3,), (1,), (2,), 1),
    ((2, 8, 5, 6, 7), (16, 8, 2, 3, 2), (1, 2, 1), (0, 1, 1), (1, 1, 2), 1),
    ((9, 160, 7, 7), (200, 160, 3, 3), (1, 1), (1, 1), (1, 1), 1),  # several images side by side, and taps in parts
    ((2, 16, 200, 300), (16, 16, 1, 1), (1, 1), (0, 0), (1, 1), 1),  # rows of windows in parts
    ((2, 20, 8, 1), (12, 20, 5, 1), (2, 2), (2, 0), (1, 1), 1),
    ((1, 69, 19, 58), (16, 69, 1, 19), (1, 1), (0, 0), (1, 1), 1),  # parts of 10 and 9 rows: margins are just too much for one
    ((1, 33, 1, 1), (17, 33, 1, 1), (1, 1), (0, 0), (1, 1), 1),
]
LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "dense": lambda a: a,
    "turned": lambda a: np.ascontiguousarray(a.T).T,
    "apart": lambda a: np.repeat(a, 2, -1)[..., ::2],
}


def drawn(case: Any) -> tuple[Any, Any, Any, Any]:
    """x, weight, bias and a gradient."""
    shape, filters, stride, padding, dilation, _ = case
    rng = np.random.default_rng(0)
    lengths = zip(shape[2:], filters[2:], stride, padding, dilation, strict=True)
    y = (shape[0], filters[0], *[(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in lengths])
    return tuple(rng.standard_normal(s).astype(BFLOAT16) for s in (shape, filters, filters[:1], y))  # type: ignore[return-value]


def all_three(case: Any, x: Any, weight: Any, bias: Any, g: Any, layout: Callable[[Any], Any] = lambda a: a) -> list[Any]:
    *_, stride, padding, dilation, groups = case
    taken = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    x_, weight_, g_, bias_ = (operand(layout(a)) for a in (x, weight, g, bias))
    y, to_x, to_weight = (empty(a.shape, BFLOAT16) for a in (g, x, weight))
    return [
        run("convolution", y, x_, weight_, bias_, **taken).copy(),
        run("convolution_input_gradient", to_x, g_, weight_, None, lengths=x.shape[2:], **taken).copy(),
        run("convolution_weight_gradient", to_weight, g_, x_, lengths=weight.shape[2:], **taken).copy(),
    ]


def exact(case: Any, x: Any, weight: Any, bias: Any, g: Any) -> list[Any]:
    *_, stride, padding, dilation, groups = case
    y, to_x, to_weight = by_hand(x, weight, g, stride, padding, dilation, groups)
    return [y + bias.reshape(-1, *[1] * (x.ndim - 2)), to_x, to_weight]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_narrow_convolutions(case: Any, layout: str) -> None:
    given = drawn(case)
    wide = [a.astype("float64") for a in given]
    right, sizes = exact(case, *wide), exact(case, *map(np.abs, wide))
    for ours, wanted, size in zip(all_three(case, *given, LAYOUTS[layout]), right, sizes, strict=True):
        assert_rounded_once(ours, wanted, size, TILES)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_threads_change_no_bit(case: Any) -> None:
    given, before, found = drawn(case), get_num_threads(), []
    try:
        for threads in (1, 2, 8):
            set_num_threads(threads)
            found.append(all_three(case, *given))
    finally:
        set_num_threads(before)
    for other in found[1:]:
        for one, first in zip(other, found[0], strict=True):
            np.testing.assert_array_equal(one.astype("float32"), first.astype("float32"))


def test_what_is_not_finite_stays_where_it_is() -> None:
    """Zeros around images, and behind taps and windows, meet none of it."""
    case: tuple[Shape, Shape, Shape, Shape, Shape, int] = ((3, 17, 5, 6), (16, 17, 3, 3), (1, 1), (1, 1), (1, 1), 1)
    x, weight, bias, g = (np.ones_like(a) for a in drawn(case))
    x[1, 16, 4, 5] = np.inf
    y, to_x, to_weight = (a.astype("float32") for a in all_three(case, x, weight, bias, g))
    seen = np.zeros(y.shape, bool)
    seen[1, :, 3:, 4:] = True
    assert np.isposinf(y[seen]).all()
    assert np.isfinite(y[~seen]).all()
    assert np.isfinite(to_x).all()
    assert np.isfinite(to_weight[:, :16]).all()
    assert np.isposinf(to_weight[:, 16, 1:, 1:]).all()
