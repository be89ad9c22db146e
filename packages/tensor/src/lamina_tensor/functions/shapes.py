"""Other shapes of the same items: views, and the joining and splitting of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_flatarray import DType, ShapeError
from lamina_ndarray.array_fields import view_of

from ..autograd.recording import recorded
from ..autograd.rules import RULES
from ..dispatch import array_functions as af
from ..dispatch.remembered_views import remembered
from ..dispatch.spelling import renamed, spelled
from ..methods.memory_order import clone
from ..methods.reinterpreting import view_dtype
from ..methods.sizes import Size
from ..tensor_fields import tensor_of, viewed
from . import joining

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = [
    "adjoint",
    "as_strided",
    "broadcast_shapes",
    "broadcast_to",
    "cat",
    "chunk",
    "clone",
    "column_stack",
    "detach",
    "diagonal",
    "dsplit",
    "dstack",
    "expand",
    "expand_as",
    "flatten",
    "flip",
    "fliplr",
    "flipud",
    "hsplit",
    "hstack",
    "matrix_adjoint",
    "meshgrid",
    "movedim",
    "narrow",
    "narrow_copy",
    "permute",
    "ravel",
    "repeat",
    "repeat_interleave",
    "reshape",
    "reshape_as",
    "resolve_conj",
    "resolve_neg",
    "roll",
    "rot90",
    "row_stack",
    "select",
    "sizes",
    "split",
    "split_with_sizes",
    "squeeze",
    "stack",
    "sum_to_size",
    "t",
    "tensor_split",
    "tile",
    "transpose",
    "unbind",
    "unflatten",
    "unfold",
    "unsafe_chunk",
    "unsafe_split",
    "unsafe_split_with_sizes",
    "unsqueeze",
    "view",
    "view_as",
    "vsplit",
    "vstack",
]

# What differs from ours in the names of arguments only; as methods, too.
(adjoint, chunk, diagonal, dsplit, fliplr, flipud, hsplit, narrow, ravel, repeat_interleave, resolve_conj, resolve_neg,
 roll, rot90, select, split_with_sizes, tensor_split, unbind, unflatten, unsafe_chunk, unsafe_split,
 unsafe_split_with_sizes, vsplit) = (
    spelled(getattr(af, name)) for name in (
        "adjoint", "chunk", "diagonal", "dsplit", "fliplr", "flipud", "hsplit", "narrow", "ravel",
        "repeat_interleave", "resolve_conj", "resolve_neg", "roll", "rot90", "select", "split_with_sizes",
        "tensor_split", "unbind", "unflatten", "unsafe_chunk", "unsafe_split", "unsafe_split_with_sizes",
        "vsplit",
    )
)  # fmt: skip
movedim = spelled(af.moveaxis)
(chunk, diagonal, dsplit, hsplit, movedim, narrow, ravel, select, split_with_sizes, tensor_split, unbind, unflatten, unsafe_chunk,
 unsafe_split, unsafe_split_with_sizes, vsplit) = map(
    remembered,
    (chunk, diagonal, dsplit, hsplit, movedim, narrow, ravel, select, split_with_sizes, tensor_split, unbind, unflatten, unsafe_chunk,
     unsafe_split, unsafe_split_with_sizes, vsplit),
)  # fmt: skip
cat, stack = renamed(joining.concat, axis="dim"), renamed(joining.stack, axis="dim")
cat.__name__ = cat.__qualname__ = "cat"
hstack, vstack, dstack = joining.hstack, joining.vstack, joining.dstack
column_stack, row_stack = joining.column_stack, joining.row_stack

RESHAPED_IN_PLACE = ("as_strided", "movedim", "squeeze", "t", "transpose", "unsqueeze")
"""Views that a tensor can turn into itself."""


def sizes(shape: tuple[Any, ...]) -> tuple[int, ...]:
    """`(2, 3)` or `((2, 3),)`: lengths given one by one, or as one sequence."""
    return tuple(shape[0]) if len(shape) == 1 and not hasattr(shape[0], "__index__") else shape


def view(input: Tensor, *shape: Any, dtype: Any = None) -> Tensor:
    """Another shape over the same memory; or, with a dtype, the same bytes read as items of it.

    Raises:
        ShapeError: the strides do not allow it.
        TypeError: there are both a shape and a dtype.
    """
    if dtype is not None or (shape and isinstance(shape[0], DType)):
        if len(shape) + (dtype is not None) > 1:
            raise TypeError("view() takes a shape or a dtype, not both")
        return view_dtype(input, shape[0] if shape else dtype)
    lengths = shape if shape and shape[0].__class__ is int else sizes(shape)
    if not input.requires_grad:
        layout = input.array.layout.reshape(lengths)
        if layout is not None:
            return viewed(input, layout)
    return recorded(RULES["reshape"], nd.view(input.array, lengths), (input,), input)


def reshape(input: Tensor, *shape: Any) -> Tensor:
    """Another shape: a view where strides allow it, else a copy."""
    return af.reshape(input, shape if shape and shape[0].__class__ is int else sizes(shape))


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


def matrix_adjoint(input: Tensor) -> Tensor:
    """What `.H` is: a matrix transposed and conjugated.

    Raises:
        ShapeError: there is another number of dims than 0 or 2.
    """
    if input.array.layout.ndim not in (0, 2):
        raise ShapeError(f"tensor.H is only supported on matrices (2-D tensors). Got {input.array.layout.ndim}-D tensor.")
    return adjoint(input)  # type: ignore[no-any-return]


def expand(input: Tensor, *shape: Any) -> Tensor:
    """Repeated, by strides of 0, to a larger shape; -1 keeps a length."""
    return af.broadcast_to(input, sizes(shape))


def broadcast_to(input: Tensor, size: Sequence[int]) -> Tensor:
    """As `expand`, with the lengths as one sequence."""
    return af.broadcast_to(input, tuple(size))


@remembered
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The dims from `start_dim` to `end_dim` as one; the tensor itself where that is one dim."""
    array = nd.flatten(input.array, start_dim, end_dim)
    return input if array is input.array else af.reshape(input, array.layout.shape)


def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    """Without dims of length 1."""
    return af.squeeze(input, dim)


def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """A new dim of length 1."""
    return af.unsqueeze(input, dim)


def flip(input: Tensor, *args: Any, dims: Any = None) -> Tensor:
    """Dims read backwards, in memory of its own."""
    axes = sizes(args if dims is None else (dims,))
    array = input.array
    made = nd.copy(view_of(array, array.layout.flip(axes)))
    return recorded(RULES["flip"], made, (input,), axes=axes) if input.requires_grad else tensor_of(made)


@remembered
def split(tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Views of pieces along a dim: of one size (the last may be smaller), or of the given sizes."""
    return af.split(tensor, split_size_or_sections, dim)  # type: ignore[no-any-return]


def meshgrid(*tensors: Any, indexing: str = "ij") -> tuple[Tensor, ...]:
    """Coordinates on a grid: one view per vector, of the shape of all their lengths; "xy" exchanges the first two."""
    return af.meshgrid(*tensors, indexing=indexing)  # type: ignore[no-any-return]


def broadcast_shapes(*shapes: Any) -> Size:
    """The shape to which all shapes, or lengths, broadcast.

    Raises:
        ShapeError: they do not.
    """
    return Size(nd.broadcast_shapes(*((s,) if isinstance(s, int) else tuple(s) for s in shapes)))


def tile(input: Tensor, *dims: Any) -> Tensor:
    """The whole tensor repeated along its dims; missing ones are added in front with length 1."""
    return af.tile(input, sizes(dims))  # type: ignore[no-any-return]


def repeat(input: Tensor, *repeats: Any) -> Tensor:
    """The whole tensor repeated along its dims, for each of which there must be a number.

    Raises:
        ShapeError: there are fewer numbers than dims.
    """
    times = sizes(repeats)
    if len(times) < input.array.layout.ndim:
        raise ShapeError(
            "repeat: Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor: "
            f"{times} for {tuple(input.array.layout.shape)}"
        )
    return af.tile(input, times)  # type: ignore[no-any-return]


def as_strided(input: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """Any lengths and strides within the tensor's memory: a view.

    Raises:
        ShapeError: an item would lie outside.
    """
    return af.as_strided(input, tuple(size), tuple(stride), storage_offset)  # type: ignore[no-any-return]


def unfold(input: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """All windows of a size along a dim, a step apart; their items become a last dim: a view."""
    return af.unfold(input, dimension, size, step)  # type: ignore[no-any-return]


def narrow_copy(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """Part of a dim, in memory of its own."""
    return af.copy(af.narrow(input, dim, start, length))


def sum_to_size(input: Tensor, *size: Any) -> Tensor:
    """The sum over everything that broadcasting `size` to this shape repeated.

    Raises:
        ShapeError: `size` does not broadcast to it.
    """
    shape = sizes(size)
    if nd.broadcast_shapes(shape, input.array.layout.shape, op="sum_to_size") != input.array.layout.shape:
        raise ShapeError(f"sum_to_size: size {shape} is not expandable to size {input.array.layout.shape}")
    made = af.sum_to_shape(input, shape)
    return af.astype(made, nd.int64) if made.array.dtype is nd.bool else made


def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """Repeated, by strides of 0, to the shape of another tensor."""
    return af.broadcast_to(input, tuple(other.shape))


def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    """In the shape of another tensor: a view where strides allow it, else a copy."""
    return af.reshape(input, tuple(other.shape))


def view_as(input: Tensor, other: Tensor) -> Tensor:
    """A view in the shape of another tensor."""
    return view(input, tuple(other.shape))


def detach(input: Tensor) -> Tensor:
    """The same items in the same memory, apart from the graph."""
    return tensor_of(input.array)
