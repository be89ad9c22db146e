"""Convolution by 3 by 3 in tiles of 4 by 4, each item within what the arithmetic of the transforms can lose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_convolutions import Shape, by_hand
from native_operands import empty, operand, run

from lamina_backend_cpp import get_num_threads, set_num_threads
from lamina_testkit import error_bounds

# What the sizes of items are multiplied by: the transforms of a tile, of a filter and of the sums, in sizes.
TILE = np.array([[1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]])
FILTER = np.array([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, 0.5, 0.5], [0, 0, 1]])
SUMS = np.array([[1, 1, 1, 0], [0, 1, 1, 1]])

CASES = [
    # x, weight, padding, groups
    ((3, 64, 12, 14), (48, 64, 3, 3), 1, 1),
    ((4, 48, 13, 11), (50, 48, 3, 3), 0, 1),  # a last row and column of tiles that reach over
    ((2, 96, 16, 9), (100, 48, 3, 3), 2, 2),
    ((1, 40, 7, 600), (40, 40, 3, 3), 1, 1),  # rows of tiles in parts
    ((9, 300, 8, 8), (48, 300, 3, 3), 1, 1),  # channels, images and strips in several blocks
]
FEW = ((2, 12, 12, 14), (12, 12, 3, 3), 1, 1)


def tiles(x: Any, padding: int) -> Any:
    """All tiles of 4 by 4, two apart: (n, channels, rows, columns, 4, 4); zeros behind the last results."""
    rows, columns = ((n + 2 * padding - 1) // 2 for n in x.shape[2:])
    wide = np.zeros((*x.shape[:2], 2 * rows + 2, 2 * columns + 2))
    wide[:, :, padding : padding + x.shape[2], padding : padding + x.shape[3]] = x
    return np.lib.stride_tricks.sliding_window_view(wide, (4, 4), (2, 3))[:, :, ::2, ::2]


def sizes(x: Any, weight: Any, padding: int, groups: int) -> Any:
    """Sums of the sizes of the terms that a result is made of."""
    seen = TILE @ tiles(np.abs(x), padding) @ TILE.T
    filters = FILTER @ np.abs(weight) @ FILTER.T
    seen = seen.reshape(x.shape[0], groups, -1, *seen.shape[2:])
    filters = filters.reshape(groups, -1, *filters.shape[1:])
    sums = SUMS @ np.einsum("ngchwij,gocij->ngohwij", seen, filters, optimize=True) @ SUMS.T
    n, _, _, rows, columns = sums.shape[:5]
    lengths = (size + 2 * padding - 2 for size in x.shape[2:])
    whole = sums.swapaxes(-2, -3).reshape(n, weight.shape[0], 2 * rows, 2 * columns)
    return whole[(..., *map(slice, lengths))]


def sizes_of_weights(x: Any, g: Any, padding: int, groups: int) -> Any:
    seen = TILE @ tiles(np.abs(x), padding) @ TILE.T
    even = np.zeros((*g.shape[:2], 2 * seen.shape[2], 2 * seen.shape[3]))
    even[:, :, : g.shape[2], : g.shape[3]] = np.abs(g)
    pairs = even.reshape(*g.shape[:2], seen.shape[2], 2, seen.shape[3], 2).swapaxes(3, 4)
    spread = SUMS.T @ pairs @ SUMS
    seen, spread = (a.reshape(a.shape[0], groups, -1, *a.shape[2:]) for a in (seen, spread))
    sums = np.einsum("ngchwij,ngohwij->gocij", seen, spread, optimize=True)
    return (FILTER.T @ sums @ FILTER).reshape(g.shape[1], -1, 3, 3)


def settings(padding: int, groups: int) -> dict[str, Any]:
    return {"stride": (1, 1), "padding": (padding, padding), "dilation": (1, 1), "groups": groups}


def all_three(x: Any, weight: Any, bias: Any, g: Any, padding: int, groups: int) -> list[Any]:
    taken = settings(padding, groups)
    y, to_x, to_weight = (empty(a.shape, "float32") for a in (g, x, weight))
    given = None if bias is None else operand(bias)
    return [
        run("convolution", y, operand(x), operand(weight), given, **taken),
        run("convolution_input_gradient", to_x, operand(g), operand(weight), None, lengths=x.shape[2:], **taken),
        run("convolution_weight_gradient", to_weight, operand(g), operand(x), lengths=(3, 3), **taken),
    ]


def drawn(shape: Shape, filters: Shape, padding: int) -> list[Any]:
    rng = np.random.default_rng(0)
    y = (shape[0], filters[0], *[n + 2 * padding - 2 for n in shape[2:]])
    return [rng.standard_normal(s).astype("float32") for s in (shape, filters, filters[:1], y)]


@pytest.mark.parametrize("layout", [lambda a: a, lambda a: np.ascontiguousarray(a.T).T, lambda a: np.repeat(a, 2, -1)[..., ::2]])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_within_bounds(case: Any, layout: Any) -> None:
    shape, filters, padding, groups = case
    x, weight, bias, g = drawn(shape, filters, padding)
    exact = by_hand(*(a.astype(float) for a in (x, weight, g)), (1, 1), (padding, padding), (1, 1), groups)
    turned = weight[:, :, ::-1, ::-1].reshape(groups, -1, *filters[1:]).swapaxes(1, 2).reshape(shape[1], -1, 3, 3)
    bounds = sizes(x, weight, padding, groups), sizes(g, turned, 2 - padding, groups), sizes_of_weights(x, g, padding, groups)
    found = all_three(layout(x), layout(weight), bias, layout(g), padding, groups)
    added = bias[:, None, None]
    for ours, right, bound in zip(found, (exact[0] + added, *exact[1:]), (bounds[0] + np.abs(added), *bounds[1:]), strict=True):
        error_bounds.assert_within(ours, right, error_bounds.products_of_noise("float32") * bound)


def test_where_it_saves_work() -> None:
    """An item that a filter's zeros meet is rounded with its neighbours in a tile, and only there."""
    for case, tiled in ((CASES[0], True), (FEW, False)):
        shape, filters, padding, groups = case
        x, weight, _, g = drawn(shape, filters, padding)
        weight[:] = 0
        weight[:, 0, 1, 1] = 1
        x[...] = np.where(np.arange(shape[3]) % 2, 1, 2.0**25)
        y = all_three(x, weight, None, g, padding, groups)[0]
        assert np.array_equal(y, np.broadcast_to(x[:, :1], y.shape)) == (not tiled)


def test_whole_numbers_are_exact() -> None:
    rng = np.random.default_rng(0)
    shape, filters, padding, groups = CASES[0]
    x, weight, _, g = (rng.integers(-9, 10, a.shape).astype("float32") for a in drawn(shape, filters, padding))
    exact = by_hand(*(a.astype(float) for a in (x, weight, g)), (1, 1), (padding, padding), (1, 1), groups)
    for ours, right in zip(all_three(x, weight, None, g, padding, groups), exact, strict=True):
        np.testing.assert_array_equal(ours, right)


@pytest.mark.parametrize("great", [np.inf, -np.inf, np.nan, 3e38])
def test_what_is_not_finite_stays_where_it_is(great: float) -> None:
    """As sums of products have it: infinities and no NaN, in the windows that see one, and what is near the greatest float counts."""
    shape, filters, padding, groups = CASES[0]
    x, weight, _, g = (np.full(a.shape, 2.0**-8, "float32") for a in drawn(shape, filters, padding))
    x[1, 3, 5, 6] = great
    y, to_x, to_weight = all_three(x, weight, None, g, padding, groups)
    seen = np.zeros(y.shape, bool)
    seen[1, :, 4:7, 5:8] = True
    assert np.isfinite(y[~seen]).all()
    assert np.isfinite(to_x).all()
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(y[seen], great * 2.0**-8, rtol=1e-6)
        np.testing.assert_allclose(to_weight[:, 3], great * 2.0**-8, rtol=1e-6)
    assert np.isfinite(np.delete(to_weight, 3, 1)).all()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_threads_change_no_bit(case: Any) -> None:
    shape, filters, padding, groups = case
    x, weight, bias, g = drawn(shape, filters, padding)
    before, found = get_num_threads(), []
    try:
        for threads in (1, 2, 8):
            set_num_threads(threads)
            found.append(all_three(x, weight, bias, g, padding, groups))
    finally:
        set_num_threads(before)
    for other in found[1:]:
        for a, b in zip(found[0], other, strict=True):
            assert np.array_equal(a, b)
