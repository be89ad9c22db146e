"""Choices among n things: a random permutation, and draws from a table of probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import DTypeError, RandomError, ShapeError
from .blocks import SIGNIFICAND, check, is_floating, to_unit, uniform_dtype
from .fills import exponential
from .generator import Generator
from .philox import Philox

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["multinomial", "permutation"]

_WIDE: Final = (2**32 - 1) // 20
"""From this size on PyTorch's randperm takes two words per element instead of one."""


def permutation(out: npt.NDArray[Any], generator: Generator) -> None:
    """Fill with a random permutation of 0 ... n - 1, as `randperm(n)` does: Fisher-Yates from the front.

    With Philox: the elements in the (stable) order of their 64-bit draws.

    Args:
        out: any real dtype that can tell n values apart.

    Raises:
        RandomError: the dtype cannot hold n - 1 exactly.

    >>> out = np.empty(4, np.int64)
    >>> permutation(out, Generator().manual_seed(0))
    >>> out.tolist()
    [0, 1, 3, 2]
    """
    check("permutation", out)
    n = out.size
    if is_floating(out.dtype):
        limit = 2 ** SIGNIFICAND[out.dtype.name]
    else:
        limit = 1 if out.dtype.kind == "b" else int(np.iinfo(out.dtype).max)
    if n - 1 > limit:
        raise RandomError(f"permutation: {n} elements in {out.dtype}; it wants at most {limit + 1}")
    if n == 0:
        return
    with generator.lock:
        source = generator.source
        if isinstance(source, Philox):
            out[...] = np.argsort(source.draws64(n), kind="stable")
            return
        draws = source.draws32(n - 1) if n < _WIDE else source.draws64(n - 1)
    draws %= np.arange(n, 1, -1).astype(draws.dtype)
    partners = np.arange(n, dtype=np.int64)
    partners[:-1] += draws.astype(np.int64)
    out[...] = _exchanges(partners)


def _exchanges(partners: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """What 0 ... n - 1 becomes when, for i in order, items i and partners[i] >= i are exchanged.

    Without a loop over n: place j is last written, before time t, by the last k < t with partners[k] == j,
    and gets what place k held at time k. So a chain of writers leads from each place to where its value
    began; the chains are short (about log n), and following all at once, by doubling, takes log log n rounds.
    """
    n = partners.size
    times = np.arange(n, dtype=np.int64)
    shift = np.int64(n.bit_length())
    by_place = (partners << shift) | times if n < 2**31 else None
    if by_place is not None:
        by_place.sort()
        order = by_place & ((np.int64(1) << shift) - 1)
    else:
        order = np.argsort(partners, kind="stable")
    place = partners[order]
    previous = np.full(n, -1, np.int64)  # the writer of place partners[i] before time i
    follows = place[1:] == place[:-1]
    previous[order[1:][follows]] = order[:-1][follows]
    # The writer of place i before time i; where i is its own partner, that is previous[i].
    holder = times.copy()
    last = np.append(~follows, True)
    holder[place[last]] = order[last]
    matching = np.flatnonzero((partners == times) & (previous >= 0))
    holder[matching] = previous[matching]
    while True:
        further = holder[holder]
        if np.array_equal(further, holder):
            break
        holder = further
    return np.where(previous >= 0, holder[previous], partners)


def multinomial(
    probabilities: npt.NDArray[Any], n: int, replacement: bool, generator: Generator, *, column_major: bool = False
) -> npt.NDArray[np.int64]:
    """Return n random column indices for each row, each with the probability that its weight gives it.

    It is `torch.multinomial`.

    Args:
        probabilities: (rows, categories), a floating dtype; weights, which need not sum to 1.
        n: how many draws per row.
        replacement: whether a category may be drawn again.
        generator: where the random numbers come from.
        column_major: whether numbers are drawn column after column, as for weights that lie so in PyTorch's memory. With
            replacement, several draws go row by row anyhow.

    Returns:
        int64, (rows, n). Without replacement the indices come in the order of being drawn.

    Raises:
        ShapeError: probabilities are not 2-D, or have no category.
        DTypeError: they are not floating.
        RandomError: a weight is negative or not finite, a row has no positive weight, or, without
            replacement, fewer than n of them (PyTorch's documentation asks the same; it does not check).

    >>> multinomial(np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 2.0]]), 1, False, Generator().manual_seed(0)).tolist()
    [[1], [2]]
    """
    if probabilities.ndim != 2 or probabilities.shape[1] == 0:
        raise ShapeError(
            f"multinomial: probabilities of shape {probabilities.shape}; it wants (rows, categories)"
        )
    if not is_floating(probabilities.dtype):
        raise DTypeError(
            f"multinomial: probabilities of dtype {probabilities.dtype}; it wants a floating dtype"
        )
    kind = uniform_dtype(probabilities.dtype)
    weights: npt.NDArray[Any] = probabilities.astype(kind)
    least = weights.min() if weights.size else 0
    if not (least >= 0 and (not weights.size or weights.max() < np.inf)):  # NaN is found by either
        raise RandomError("multinomial: a weight is negative, infinite or NaN; it wants finite weights >= 0")
    rows, categories = weights.shape
    fewest = int((weights > 0).sum(1).min()) if rows and least == 0 else categories
    if n < 1 or fewest < 1 or (not replacement and n > fewest):
        raise RandomError(
            f"multinomial: n = {n} {'with' if replacement else 'without'} replacement, the number of "
            f"positive weights in a row as low as {fewest}; it wants n >= 1, and a positive weight for each draw"
        )
    if replacement and n > 1:
        return _with_replacement(weights, n, generator)
    # The smallest of exponential waiting times q / p wins, the next smallest is second, ...
    waits = np.empty(weights.size, probabilities.dtype)
    exponential(waits, generator)
    with np.errstate(divide="ignore", over="ignore"):
        by_row = waits.reshape(weights.shape[::-1]).T if column_major else waits.reshape(weights.shape)
        scores = weights / by_row.astype(kind)
    scores = scores.astype(probabilities.dtype).astype(kind)
    # 0 / 0 is NaN: q was drawn as 0 for a category that cannot be drawn
    if least == 0:
        scores[weights == 0] = -1.0
    if n == 1:
        first: npt.NDArray[np.int64] = np.argmax(scores, axis=1)[:, None].astype(np.int64, copy=False)
        return first
    if rows == 0 or scores.shape[1] <= max(4 * n, _FEW):
        return np.ascontiguousarray(np.argsort(-scores, axis=1, kind="stable")[:, :n])
    return np.stack([_highest(row, n) for row in scores])


_FEW: Final = 256
"""Categories that are sorted, those of all rows at once."""


def _highest(scores: npt.NDArray[Any], n: int) -> npt.NDArray[np.int64]:
    """The places of the n highest scores, from the highest on; the first of equals comes first. Only those as high are sorted."""
    places = np.flatnonzero(scores >= np.partition(scores, scores.size - n)[scores.size - n])
    chosen: npt.NDArray[np.int64] = places[np.argsort(-scores[places], kind="stable")[:n]]
    return chosen


def _with_replacement(weights: npt.NDArray[Any], n: int, generator: Generator) -> npt.NDArray[np.int64]:
    rows = weights.shape[0]
    with generator.lock:
        uniforms = to_unit(generator.source.draws64(rows * n)).reshape(rows, n)
    cumulative = np.cumsum(weights, axis=1, dtype=weights.dtype)
    cumulative /= cumulative[:, -1:].copy()
    cumulative[:, -1] = 1
    out = np.empty((rows, n), np.int64)
    for row in range(rows):
        out[row] = np.searchsorted(cumulative[row].astype(np.float64), uniforms[row], side="left")
    return out
