"""Einstein summation: products of any number of arrays, summed over the labels of axes that the result does not have."""

from __future__ import annotations

import math
from typing import Any

from .contraction_order import contraction_order
from .einsum_equation import Label, labelled, parsed
from .namespace import composite, namespace

__all__ = ["einsum"]

Labels = tuple[Label, ...]


@composite
def einsum(*arguments: Any) -> Any:
    """Products of arrays by the labels of their axes: `einsum("ij,jk->ik", a, b)` is `a @ b`.

    Args:
        arguments: an equation, then the arrays (or a list of them); or each array followed by the list of its axes'
            labels, whole numbers below 52, and at last perhaps the list of the result's.

    An equation has one letter (of either case) per axis, a comma between arrays, and the result's labels after `->`.
    Axes with the same letter have the same length, or 1. A letter that comes twice for one array reads its diagonal;
    letters that the result lacks are summed over. `...` stands for the axes in the middle, which broadcast. Without
    `->` the result has the broadcast axes, and then the letters that come once, capitals first.

    The order of pairwise products is the cheapest for up to 8 arrays, and a greedy one for more
    (`contraction_order`); a product is a matrix product of permuted views, with no copy where strides allow it.

    Raises:
        ShapeError: the equation is malformed, does not suit the arrays' axes, or lengths differ.
    """
    equation, arrays = labelled(arguments)
    xp = namespace(*arrays)
    terms, result, sizes = parsed(equation, tuple(tuple(x.shape) for x in arrays))
    operands = [_unrepeated(xp, x, labels, sizes) for x, labels in zip(arrays, terms, strict=True)]
    order = contraction_order([labels for _, labels in operands], result, sizes)
    for i, j in order:
        a, b = operands[i], operands[j]
        operands = [pair for k, pair in enumerate(operands) if k not in (i, j)]
        kept = set(result).union(*(labels for _, labels in operands))
        left = _summed(xp, *a, kept | set(b[1]), a[0].dtype)
        right = _summed(xp, *b, kept | set(a[1]), b[0].dtype)
        operands.append(_product(xp, left, right, kept, sizes))
    x, labels = operands[0]
    if set(labels) - set(result):
        x, labels = _summed(xp, x, labels, set(result), None)
    if labels == result:
        return x
    return xp.permute(x, tuple(labels.index(label) for label in result))


def _unrepeated(xp: Any, x: Any, labels: Labels, sizes: dict[Label, int]) -> tuple[Any, Labels]:
    """The diagonal over axes with the same label; and without axes of length 1 that broadcast to another length."""
    for label in dict.fromkeys(labels):
        axes = [i for i, other in enumerate(labels) if other == label]
        if len(axes) > 1:
            rest = [i for i in range(len(labels)) if i not in axes]
            n = x.shape[axes[0]]
            step = sum(n**k for k in range(len(axes)))  # from one item of the diagonal to the next, of all as one axis
            x = xp.permute(x, (*axes, *rest))
            x = xp.reshape(x, (n ** len(axes), *x.shape[len(axes) :]))[::step]
            labels = (label, *(labels[i] for i in rest))
    own = tuple(x.shape)
    kept = [i for i, label in enumerate(labels) if own[i] == sizes[label]]
    if len(kept) < len(own):
        x = xp.reshape(x, tuple(own[i] for i in kept))
    return x, tuple(labels[i] for i in kept)


def _summed(xp: Any, x: Any, labels: Labels, kept: set[Label], dtype: Any) -> tuple[Any, Labels]:
    """Summed over the labels that nobody else has."""
    gone = tuple(i for i, label in enumerate(labels) if label not in kept)
    if not gone:
        return x, labels
    return xp.sum(x, gone, dtype=dtype), tuple(label for label in labels if label in kept)


def _product(
    xp: Any, left: tuple[Any, Labels], right: tuple[Any, Labels], kept: set[Label], sizes: dict[Label, int]
) -> tuple[Any, Labels]:
    """Two arrays as one matrix product: labels of both that stay are leading axes, those that go are the inner one."""
    (a, first), (b, second) = left, right
    stack = tuple(label for label in first if label in second and label in kept)
    rows = tuple(label for label in first if label not in second)
    columns = tuple(label for label in second if label not in first)
    greater = first if math.prod(a.shape) >= math.prod(b.shape) else second  # the one not to copy
    inner = tuple(label for label in greater if label in first and label in second and label not in kept)
    labels = (*stack, *rows, *columns)
    if inner:
        x = _arranged(xp, a, first, (stack, rows, inner), sizes)
        y = _arranged(xp, b, second, (stack, inner, columns), sizes)
        return xp.reshape(xp.matmul(x, y), tuple(sizes[label] for label in labels)), labels
    x = xp.permute(a, tuple(first.index(label) for label in (*stack, *rows)))
    y = xp.permute(b, tuple(second.index(label) for label in (*stack, *columns)))
    shape = tuple(sizes[label] for label in (*stack, *rows))
    return xp.reshape(x, shape + (1,) * len(columns)) * xp.reshape(
        y, (*shape[: len(stack)], *(1,) * len(rows), *(sizes[label] for label in columns))
    ), labels


def _arranged(
    xp: Any, x: Any, labels: Labels, groups: tuple[Labels, Labels, Labels], sizes: dict[Label, int]
) -> Any:
    """The axes in the order of three groups; those of the last two groups as one axis each."""
    stack, rows, columns = groups
    order = tuple(labels.index(label) for group in groups for label in group)
    if order != tuple(range(len(order))):
        x = xp.permute(x, order)
    shape = (
        *(sizes[label] for label in stack),
        math.prod(sizes[label] for label in rows),
        math.prod(sizes[label] for label in columns),
    )
    return x if tuple(x.shape) == shape else xp.reshape(x, shape)
