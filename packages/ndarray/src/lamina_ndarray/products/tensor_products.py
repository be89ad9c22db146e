"""Products of arrays with any number of axes: sums over chosen axes, all pairs of items or of blocks, all choices."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from lamina_flatarray import DTypeError, ShapeError, UsageError

from ..creation.array_likes import asarray
from ..dispatch.namespace import Array, generic, namespace
from ..layouts.broadcast import normalize_axis

__all__ = ["bilinear", "cartesian_prod", "combinations", "kron", "tensordot"]


def _contracted(a: Array, b: Array, axes: Any) -> tuple[list[int], list[int]]:
    """The axes to sum over, of both."""
    if hasattr(axes, "tolist"):
        axes = axes.tolist()
    if isinstance(axes, int):
        if axes < 0 or axes > min(a.ndim, b.ndim):
            raise ShapeError(f"tensordot: axes = {axes} given for shapes {tuple(a.shape)} and {tuple(b.shape)}")
        return list(range(a.ndim - axes, a.ndim)), list(range(axes))
    if not hasattr(axes, "__len__") or len(axes) != 2:
        raise UsageError(f"tensordot: {axes!r} given for the axes; it wants their number, or two lists of them")
    first, second = ([part] if isinstance(part, int) else list(part) for part in axes)
    if len(first) != len(second):
        raise UsageError(f"tensordot: both dimension lists should have same length, but got {first} and {second}")
    result = [normalize_axis(i, a.ndim, "tensordot") for i in first], [
        normalize_axis(i, b.ndim, "tensordot") for i in second
    ]
    for x, dims in zip((a, b), result, strict=True):
        if len(set(dims)) != len(dims):
            raise UsageError(f"tensordot: axes {dims} of shape {tuple(x.shape)} given; each may come once")
    return result


@generic
def tensordot(a: Array, b: Array, axes: int | Sequence[Any] = 2) -> Array:
    """Sum products of two arrays over chosen axes of both.

    Args:
        a: of any shape.
        b: of any shape.
        axes: how many of a's last and b's first axes, or two lists of axes that belong together. An axis of length 1
            goes with any length.

    Returns:
        An array with a's other axes, then b's, in the common dtype.

    Raises:
        ShapeError: lengths differ, or there are fewer axes than asked for.
        UsageError: the lists differ in length, or an axis comes twice.
        IndexOutOfRange: an axis does not exist.

    >>> nd.tensordot(nd.ones((2, 3, 4)), nd.ones((4, 3, 5)), axes=([1, 2], [1, 0])).shape
    (2, 5)
    """
    xp = namespace(a, b)
    first, second = _contracted(a, b, axes)
    for i, j in zip(first, second, strict=True):
        if a.shape[i] == b.shape[j]:
            continue
        if b.shape[j] == 1:
            a = xp.sum(a, i, True, dtype=a.dtype)
        elif a.shape[i] == 1:
            b = xp.sum(b, j, True, dtype=b.dtype)
        else:
            raise ShapeError(
                f"tensordot: contracted dimensions need to match, but axis {i} of {tuple(a.shape)} and axis {j} of "
                f"{tuple(b.shape)} differ"
            )
    rows = [i for i in range(a.ndim) if i not in first]
    columns = [j for j in range(b.ndim) if j not in second]
    outside = (*(a.shape[i] for i in rows), *(b.shape[j] for j in columns))
    inside = math.prod(a.shape[i] for i in first)
    left = xp.reshape(xp.permute(a, (*rows, *first)), (math.prod(a.shape[i] for i in rows), inside))
    right = xp.reshape(xp.permute(b, (*second, *columns)), (inside, math.prod(b.shape[j] for j in columns)))
    return xp.reshape(xp.matmul(left, right), outside)


@generic
def kron(input: Array, other: Array) -> Array:
    """Compute the Kronecker product: each item of one array times the whole other, as blocks.

    Args:
        input: an array, which gives the arrangement of the blocks.
        other: an array, the block. The array with fewer axes gets new ones in front.

    Returns:
        An array whose lengths are the products of both arrays' lengths, in the common dtype.

    >>> nd.kron(nd.asarray([[1, 2]]), nd.asarray([[1, 1], [0, 1]]))
    NDArray([[1, 1, 2, 2],
             [0, 1, 0, 2]])
    """
    xp = namespace(input, other)
    ndim = max(input.ndim, other.ndim)
    a = xp.reshape(input, (1,) * (ndim - input.ndim) + tuple(input.shape))
    b = xp.reshape(other, (1,) * (ndim - other.ndim) + tuple(other.shape))
    outside = [length for n in a.shape for length in (n, 1)]
    inside = [length for n in b.shape for length in (1, n)]
    product = xp.reshape(a, outside) * xp.reshape(b, inside)
    return xp.reshape(product, tuple(n * m for n, m in zip(a.shape, b.shape, strict=True)))


@generic
def cartesian_prod(*tensors: Array) -> Array:
    """Compute the Cartesian product of vectors: all choices of an item of each, one a row.

    Args:
        tensors: vectors of one dtype.

    Returns:
        An array of shape `(product of the lengths, number of vectors)`; a single vector is returned itself.

    Raises:
        UsageError: there are no vectors.
        ShapeError: an array is no vector.
        DTypeError: their dtypes differ.

    >>> nd.cartesian_prod(nd.asarray([1, 2]), nd.asarray([5, 6]))
    NDArray([[1, 5],
             [1, 6],
             [2, 5],
             [2, 6]])
    """
    if not tensors:
        raise UsageError("cartesian_prod: no tensors given; it wants at least one")
    for x in tensors:
        if x.ndim != 1:
            raise ShapeError(f"cartesian_prod: Expect a 1D vector, but got shape {tuple(x.shape)}")
        if x.dtype is not tensors[0].dtype:
            raise DTypeError(f"cartesian_prod: {x.dtype.name} after {tensors[0].dtype.name} given; it wants one dtype")
    if len(tensors) == 1:
        return tensors[0]
    xp = namespace(*tensors)
    lengths = tuple(x.shape[0] for x in tensors)
    columns = []
    for i, x in enumerate(tensors):
        spread = xp.reshape(x, (*(1,) * i, -1, *(1,) * (len(tensors) - i - 1)))
        columns.append(xp.reshape(xp.broadcast_to(spread, lengths), (math.prod(lengths), 1)))
    return xp.concat(columns, 1)


@generic
def combinations(input: Array, r: int = 2, with_replacement: bool = False) -> Array:
    """List all choices of r items of a vector in its order, one a row.

    Args:
        input: `(n,)`.
        r: how many items to choose.
        with_replacement: whether an item may come several times.

    Returns:
        An array of shape `(number of choices, r)`; of shape `(0,)` where r is 0.

    Raises:
        ShapeError: input is no vector, or there are more choices than memory has room for.
        UsageError: r is negative.

    >>> nd.combinations(nd.asarray([1, 2, 3]))
    NDArray([[1, 2],
             [1, 3],
             [2, 3]])
    """
    if input.ndim != 1:
        raise ShapeError(f"combinations: Expect a 1D vector, but got shape {tuple(input.shape)}")
    if r < 0:
        raise UsageError(f"combinations: Expect a non-negative number, but got {r}")
    xp = namespace(input)
    if r == 0:
        return input[:0]
    n = input.shape[0]
    if r == 2:  # the usual one: the places of a triangle
        pairs = xp.triu_indices(n, n, 0 if with_replacement else 1, device=input.device)
        return xp.stack([input[pairs[0]], input[pairs[1]]], -1)
    of = n + r - 1 if with_replacement and n else n
    few = min(r, of - r)
    if few < 0:
        return xp.reshape(input[:0], (0, r))
    if few >= 32 or (few and math.comb(of, few) * r >= 2**31):  # of 64 items, 32 can be chosen in 2 * 10**18 ways
        raise ShapeError(f"combinations: {r} of {n} items: more choices than memory has room for")
    choices = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    places = np.fromiter(itertools.chain.from_iterable(choices(range(n), r)), np.int64)
    return xp.reshape(xp.index_select(input, 0, asarray(places, device=input.device)), (len(places) // r, r))


@generic
def bilinear(input1: Array, input2: Array, weight: Array, bias: Array | None = None) -> Array:
    """Apply a bilinear map: `input1 @ weight[k] @ input2 + bias[k]` for each k.

    Args:
        input1: `(..., i)`.
        input2: `(..., j)`, with the same leading axes.
        weight: `(k, i, j)`.
        bias: `(k,)`, or None for none.

    Returns:
        An array of shape `(..., k)`.

    Raises:
        ShapeError: the leading axes differ, or the last lengths are not weight's.

    >>> weight = nd.asarray([[[1.0, 0.0], [0.0, 1.0]]])
    >>> nd.bilinear(nd.asarray([1.0, 2.0]), nd.asarray([3.0, 4.0]), weight)
    NDArray([11.])
    """
    xp = namespace(input1)
    lead = tuple(input1.shape[:-1])
    k, i, j = weight.shape if weight.ndim == 3 else (0, 0, 0)
    if lead != tuple(input2.shape[:-1]) or input1.shape[-1:] != (i,) or input2.shape[-1:] != (j,) or weight.ndim != 3:
        raise ShapeError(
            f"bilinear: inputs {tuple(input1.shape)} and {tuple(input2.shape)} with weight {tuple(weight.shape)} given; "
            "it wants (..., i), (..., j) and (k, i, j)"
        )
    turned = xp.matmul(xp.reshape(input1, (-1, i)), xp.reshape(xp.permute(weight, (1, 0, 2)), (i, k * j)))
    column = xp.unsqueeze(xp.reshape(input2, (-1, j)), -1)
    result = xp.reshape(xp.matmul(xp.reshape(turned, (-1, k, j)), column), (*lead, k))
    return result if bias is None else result + bias
