"""Gradients of reductions and scans. Ties of `max` and `min` share the gradient equally, as PyTorch's amax and amin."""

from __future__ import annotations

from math import prod as product
from typing import Any

from lamina_ndarray import NDArray, int64

from ..autograd.rules import not_differentiable, rule
from ..dispatch.dispatched import dispatched, dispatched_of_list, fused_or_formula

broadcast_to, reshape, equal, total = (dispatched(n) for n in ("broadcast_to", "reshape", "equal", "sum"))
products_of_others = fused_or_formula("products_of_others")
cumsum, cumprod, flip, exp, conj, astype = (dispatched(n) for n in ("cumsum", "cumprod", "flip", "exp", "conj", "astype"))
permute, ones_like = (dispatched(n) for n in ("permute", "ones_like"))
where, logical_and, logical_or, not_equal = (dispatched(n) for n in ("where", "logical_and", "logical_or", "not_equal"))
concat = dispatched_of_list("concat")

not_differentiable("any", "all", "argmax", "argmin", "count_nonzero")

Axes = tuple[int, ...]


def kept(g: Any, shape: tuple[int, ...], axes: Axes) -> Any:
    """`g` with the reduced axes put back, of length 1."""
    return reshape(g, tuple(1 if i in axes else n for i, n in enumerate(shape)))


def spread(g: Any, shape: tuple[int, ...], axes: Axes) -> Any:
    """`g` repeated along the axes that were reduced."""
    return g if g.shape == shape else broadcast_to(kept(g, shape, axes), shape)


def _count(shape: tuple[int, ...], axes: Axes) -> int:
    return product(shape[i] for i in axes)


rule("sum", x=lambda g, x_shape, axes: spread(g, x_shape, axes))
rule("mean", x=lambda g, x_shape, axes: spread(g / _count(x_shape, axes), x_shape, axes))


def _present(g: Any, x: Any, axes: Axes) -> Any:
    return where(not_equal(x, x), 0.0, spread(g, x.shape, axes))


rule("nansum", x=_present)
rule("nanmean", x=lambda g, x, axes: _present(kept(g, x.shape, axes) / total(astype(equal(x, x), g.dtype), axes, True), x, axes))


def _extreme(g: Any, x: Any, y: Any, axes: Axes) -> Any:
    hit = equal(x, kept(y, x.shape, axes))
    ones = astype(hit, y.dtype)
    return kept(g, x.shape, axes) * (ones / total(ones, axes, True))


rule("max", x=_extreme, node_name="AmaxBackward0")
rule("min", x=_extreme, node_name="AminBackward0")


def _var(g: Any, x: Any, axes: Axes, correction: float) -> Any:
    n = _count(x.shape, axes)
    distance = x - total(x, axes, True) / n
    return kept(g, x.shape, axes) * distance * (2 / (n - correction) if n > correction else float("nan"))


rule("var", x=_var)


def _two_norm(g: Any, x: Any, y: Any, axes: Axes) -> Any:
    """0 where the norm is: there it has no slope. Items go by the norm first: with 16 bits the inverse of a small one is infinite."""
    none = equal(y, 0)
    return x / kept(where(none, 1.0, y), x.shape, axes) * kept(where(none, 0.0, g), x.shape, axes)


rule("two_norm", x=_two_norm)
rule("std", inputs="variance", variance=lambda g, y: where(equal(y, 0), 0.0, g / where(equal(y, 0), 1.0, y * 2)))


def _middle(g: Any, x: Any, y: Any) -> Any:
    """Ties share the gradient of the median of all; so do NaN."""
    hit = logical_or(equal(x, y), logical_and(not_equal(x, x), not_equal(y, y)))
    ones = astype(hit, y.dtype)
    return g * (ones / total(ones, None, True))


rule("median_of_all", inputs="x", x=_middle, node_name="MedianBackward0")
rule("logsumexp", x=lambda g, x, y, axes: kept(g, x.shape, axes) * exp(conj(x - kept(y, x.shape, axes))))


def _exclusive_product(x: Any, axis: int) -> Any:
    """Per item along an axis, the product of those before it."""
    lead = (slice(None),) * axis
    first = ones_like(x[(*lead, slice(0, 1))])
    return concat([first, cumprod(x, axis)[(*lead, slice(None, -1))]], axis)


def _prod(g: Any, x: Any, axes: Axes) -> Any:
    """Per item the product of all others."""
    if not x.ndim:
        return g
    if 0 in x.shape:
        return kept(g, x.shape, axes) / x  # of no items, but with their history in gradients of every order
    if len(axes) == 1:
        return kept(g, x.shape, axes) * conj(products_of_others(x, axis=axes[0]))
    rest = tuple(i for i in range(len(x.shape)) if i not in axes)
    order = (*rest, *axes)
    moved = permute(x, order)
    others = products_of_others(reshape(moved, (*moved.shape[: len(rest)], -1)), axis=len(rest))
    back = permute(reshape(others, moved.shape), sorted(range(len(order)), key=order.__getitem__))
    return kept(g, x.shape, axes) * conj(back)


rule("prod", x=_prod)
not_differentiable("products_of_others")  # recorded as what it is composed of


def _logcumsumexp(g: Any, x: Any, y: Any, axis: int) -> Any:
    """Per item i, exp(x[i] - y[i]) times the sum over k >= i of exp(y[i] - y[k]) g[k], in which nothing overflows: sums of
    1, 2, 4, ... items, the second half of each brought to the place of the first."""
    if not x.ndim:
        return g * exp(conj(x - y))
    lead, n, step = (slice(None),) * axis, x.shape[axis], 1
    while step < n:
        here, there = (*lead, slice(None, -step)), (*lead, slice(step, None))
        gap = where(equal(y[here], y[there]), 0, y[here] - y[there])  # infinite ones may be equal
        g = concat([g[here] + g[there] * exp(conj(gap)), g[(*lead, slice(-step, None))]], axis)
        step *= 2
    return g * exp(conj(x - y))


rule("logcumsumexp", x=_logcumsumexp)
rule("cumsum", x=lambda g, axis: _sums_from_here(g, axis))


def _sums_from_here(x: Any, axis: int) -> Any:
    """Per item along an axis, the sum of it and of those after it."""
    return flip(cumsum(flip(x, axis), axis), axis)


def _cumprod_recorded(g: Any, x: Any, axis: int) -> Any:
    """Item i's is the product of those before it, times the sum over k >= i of g[k] times the product of the items after i up to k:
    a polynomial, whose own gradients are right at zeros, too. The sums go over 1, 2, 4, ... items."""
    lead, n, step = (slice(None),) * axis, x.shape[axis], 1
    sums, between = g, conj(x[(*lead, slice(1, None))])  # between[i]: the product of the `step` items after i
    while step < n:
        here, there = (*lead, slice(None, n - step)), (*lead, slice(step, None))
        sums = concat([sums[here] + between * sums[there], sums[(*lead, slice(n - step, None))]], axis)
        between = between[(*lead, slice(None, max(n - 2 * step, 0)))] * between[(*lead, slice(step, None))]
        step *= 2
    return conj(_exclusive_product(x, axis)) * sums


def _cumprod(g: Any, x: Any, y: Any, axis: int) -> Any:
    """Up to the first 0 the products are divided by the item; at it they are formed without it; behind it nothing changes them."""
    if not x.ndim or x.shape[axis] == 1 or 0 in x.shape:
        return g
    if not isinstance(g, NDArray) or not isinstance(x, NDArray):
        return _cumprod_recorded(g, x, axis)
    zero = equal(x, 0)
    zeros_so_far = cumsum(astype(zero, int64), axis)
    first = logical_and(zero, equal(zeros_so_far, 1))
    without_first = cumprod(where(first, 1, x), axis)
    before = _sums_from_here(g * conj(y), axis) / conj(where(zero, 1, x))
    at_first = _sums_from_here(g * conj(without_first), axis)
    return where(equal(zeros_so_far, 0), before, where(first, at_first, 0))


rule("cumprod", x=_cumprod)
