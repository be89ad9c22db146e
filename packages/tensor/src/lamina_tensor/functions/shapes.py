"""Other shapes of the same items: views, and the joining and splitting of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamina_ndarray as nd
from lamina_flatarray import ShapeError
from lamina_ndarray.broadcast import normalize_axis

from .. import array_functions as af
from .. import joining
from ..recording import recorded
from ..rules import RULES
from ..tensor import Tensor, tensor_of

__all__ = [
    "broadcast_to",
    "cat",
    "chunk",
    "clone",
    "detach",
    "expand",
    "flatten",
    "flip",
    "movedim",
    "narrow",
    "permute",
    "reshape",
    "sizes",
    "split",
    "squeeze",
    "stack",
    "t",
    "transpose",
    "unbind",
    "unsqueeze",
    "view",
]


def sizes(shape: tuple[Any, ...]) -> tuple[int, ...]:
    """`(2, 3)` or `((2, 3),)`: lengths given one by one, or as one sequence."""
    return tuple(shape[0]) if len(shape) == 1 and not hasattr(shape[0], "__index__") else shape


def view(input: Tensor, *shape: Any) -> Tensor:
    """Another shape over the same memory.

    Raises:
        ShapeError: the strides do not allow it.
    """
    return recorded(RULES["reshape"], nd.view(input.array, sizes(shape)), (input,), input)


def reshape(input: Tensor, *shape: Any) -> Tensor:
    """Another shape: a view where strides allow it, else a copy."""
    return af.reshape(input, sizes(shape))


def permute(input: Tensor, *dims: Any) -> Tensor:
    """The dims in another order."""
    return af.permute(input, sizes(dims))


def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Two dims exchanged."""
    return af.transpose(input, dim0, dim1)


def t(input: Tensor) -> Tensor:
    """A matrix transposed; a vector as it is.

    Raises:
        ShapeError: there are more than two dims.
    """
    ndim = input.array.layout.ndim
    if ndim > 2:
        raise ShapeError(f"t() expects a tensor with <= 2 dimensions, but self is {ndim}D")
    return input if ndim < 2 else recorded(RULES["t"], nd.transpose(input.array, 0, 1), (input,), input)


def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """Dims moved to new places, the others staying in order."""
    ndim = input.array.layout.ndim
    sources = [normalize_axis(d, ndim, "movedim") for d in ([source] if isinstance(source, int) else source)]
    targets = [
        normalize_axis(d, ndim, "movedim") for d in ([destination] if isinstance(destination, int) else destination)
    ]
    rest = iter([d for d in range(ndim) if d not in sources])
    return af.permute(input, [sources[targets.index(i)] if i in targets else next(rest) for i in range(ndim)])


def expand(input: Tensor, *shape: Any) -> Tensor:
    """Repeated, by strides of 0, to a larger shape; -1 keeps a length."""
    return af.broadcast_to(input, sizes(shape))


def broadcast_to(input: Tensor, size: Sequence[int]) -> Tensor:
    """As `expand`, with the lengths as one sequence."""
    return af.broadcast_to(input, tuple(size))


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The dims from `start_dim` to `end_dim` as one."""
    return af.reshape(input, nd.flatten(input.array, start_dim, end_dim).layout.shape)


def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    """Without dims of length 1."""
    return af.squeeze(input, dim)


def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """A new dim of length 1."""
    return af.unsqueeze(input, dim)


def flip(input: Tensor, *dims: Any) -> Tensor:
    """Dims read backwards, in memory of its own."""
    return af.copy(af.flip(input, sizes(dims)))


def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """Part of a dim."""
    at = normalize_axis(dim, input.array.layout.ndim, "narrow")
    if start < 0:
        start += input.shape[at]
    if not 0 <= start <= start + length <= input.shape[at]:
        raise ShapeError(f"narrow: start ({start}) + length ({length}) exceeds dimension size ({input.shape[at]}).")
    return af.getitem(input, (*(slice(None),) * at, slice(start, start + length)))


def split(input: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Views of pieces along a dim: of one size (the last may be smaller), or of the given sizes."""
    at = normalize_axis(dim, input.array.layout.ndim, "split")
    parts = nd.split(input.array, split_size_or_sections, at)
    start, made = 0, []
    for part in parts:
        stop = start + part.layout.shape[at]
        made.append(af.getitem(input, (*(slice(None),) * at, slice(start, stop))))
        start = stop
    return tuple(made)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most this many pieces of equal size along a dim; the last may be smaller."""
    if chunks < 1:
        raise ShapeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    length = input.shape[dim]
    return split(input, -(-length // chunks) or 1, dim) if length else split(input, [0], dim)


def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The slices along a dim, without it."""
    at = normalize_axis(dim, input.array.layout.ndim, "unbind")
    return tuple(af.getitem(input, (*(slice(None),) * at, i) if at else i) for i in range(input.shape[at]))


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors one after another along a dim."""
    return joining.concat(tensors, dim)


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors of one shape along a new dim."""
    return joining.stack(tensors, dim)


def clone(input: Tensor) -> Tensor:
    """The same items in memory of their own; gradients flow back."""
    return af.copy(input)


def detach(input: Tensor) -> Tensor:
    """The same items in the same memory, apart from the graph."""
    return tensor_of(input.array)
