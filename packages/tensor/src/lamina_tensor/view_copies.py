"""Copies of what views show: a generated file, see `generate/view_copies.py`.

Each is the view, made dense in memory of its own; gradients flow back through it. Few programs call them, so this file is loaded when
one of them is first used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lamina_flatarray import ArgumentTypeError, DType, IndexOutOfRange, UsageError

from .devices.memory_formats import contiguous_format
from .dispatch.destinations import placed
from .dispatch.out import written
from .dispatch.torch_function import torch_function
from .functions.complex_parts import view_as_complex, view_as_real

if TYPE_CHECKING:
    from .tensor_class import Tensor

__all__ = [
    "alias_copy",
    "as_strided_copy",
    "detach_copy",
    "diagonal_copy",
    "expand_copy",
    "permute_copy",
    "select_copy",
    "slice_copy",
    "split_copy",
    "split_with_sizes_copy",
    "squeeze_copy",
    "t_copy",
    "transpose_copy",
    "unbind_copy",
    "unfold_copy",
    "unsqueeze_copy",
    "view_as_complex_copy",
    "view_as_real_copy",
    "view_copy",
]


def _copied(op: str, input: Tensor, view: Tensor, out: Tensor | None) -> Tensor:
    """A dense copy of a view of `input`, or `out` with the view's items."""
    return view.clone(memory_format=contiguous_format) if out is None else placed(op, out, view, (input,), row_major=True)


def _all_copied(op: str, views: Sequence[Tensor], out: Sequence[Tensor] | None) -> Any:
    """Dense copies of views; None if their items are written to the tensors of `out`."""
    if out is not None:
        if len(out) != len(views):
            raise UsageError(f"{op}(): expected {len(views)} tensors in out, but got {len(out)}")
        for place, view in zip(out, views, strict=True):
            written(op, place, view, row_major=True)
        return None
    return tuple(view.clone(memory_format=contiguous_format) for view in views)


def _sliced(input: Tensor, dim: int, start: int | None, end: int | None, step: int) -> Tensor:
    if not -max(input.ndim, 1) <= dim < max(input.ndim, 1):
        raise IndexOutOfRange(f"slice_copy(): Dimension out of range (got {dim} for a tensor of {input.ndim} dims)")
    if step <= 0:
        raise UsageError(f"slice_copy(): slice step must be positive, got {step}")
    return input[(slice(None),) * (dim % input.ndim) + (slice(start, end, step),)]


def _squeezed(input: Tensor, dim: int | Sequence[int] | None) -> Tensor:
    return input.squeeze() if dim is None else input.squeeze(dim if isinstance(dim, int) else tuple(dim))


def _viewed(input: Tensor, size: Sequence[int] | DType | None, dtype: DType | None) -> Tensor:
    if (size is None) == (dtype is None):
        raise ArgumentTypeError("view_copy(): takes a shape or a dtype, one of them")
    kind = size if dtype is None else dtype
    return input.view(kind if isinstance(kind, DType) else tuple(kind))  # type: ignore[arg-type]


@torch_function
def alias_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Copy a tensor.

    Args:
        input: the tensor.
        out: a tensor to write the result to; it is returned.

    Returns:
        A dense tensor in memory of its own, or `out`.

    Raises:
        DTypeError: `out` has another dtype.

    >>> torch.alias_copy(torch.tensor([1, 2]))
    tensor([1, 2])
    """
    return _copied("alias_copy", input, input, out)


@torch_function
def as_strided_copy(
    input: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Copy items of a tensor's memory, at any lengths and strides.

    Args:
        input: the tensor.
        size: the copy's shape.
        stride: how many items apart neighbours along each dim are.
        storage_offset: where the first item is; None for where the tensor begins.
        out: a tensor to write the result to; it is returned.

    Returns:
        A dense tensor in memory of its own, or `out`.

    Raises:
        DTypeError: `out` has another dtype.
        ShapeError: they reach beyond the tensor's memory.

    >>> torch.as_strided_copy(torch.arange(4), (2, 2), (1, 2))
    tensor([[0, 2],
            [1, 3]])
    """
    return _copied("as_strided_copy", input, input.as_strided(size, stride, storage_offset), out)


@torch_function
def detach_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Copy a tensor, apart from the graph: no gradient flows back.

    Args:
        input: the tensor.
        out: a tensor to write the result to; it is returned.

    Returns:
        A dense tensor in memory of its own, or `out`.

    Raises:
        DTypeError: `out` has another dtype.

    >>> torch.detach_copy(torch.tensor([1, 2]))
    tensor([1, 2])
    """
    return _copied("detach_copy", input, input.detach(), out)


@torch_function
def diagonal_copy(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1, *, out: Tensor | None = None) -> Tensor:
    """Copy a diagonal of two dims, as the last dim.

    Args:
        input: the tensor.
        offset: which diagonal: above the main one if positive.
        dim1, dim2: the two dims.
        out: a tensor to write the result to; it is returned.

    Returns:
        A dense tensor in memory of its own, or `out`.

    Raises:
        DTypeError: `out` has another dtype.
        IndexOutOfRange: the dim does not exist.

    >>> torch.diagonal_copy(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    return _copied("diagonal_copy", input, input.diagonal(offset, dim1, dim2), out)


@torch_function
def expand_copy(input: Tensor, size: Sequence[int], *, implicit: bool = False, out: Tensor | None = None) -> Tensor:
    """Copy a tensor repeated along dims of length 1, to a larger shape.

    Args:
        input: the tensor.
        size: the shape; -1 keeps a dim's length.
        implicit: accepted and ignored, as in PyTorch.
        out: a tensor to write the result to; it is returned.

    Returns:
        A dense tensor in memory of its own, or `out`.

    Raises:
        DTypeError: `out` has another dtype.
        ShapeError: the tensor does not expand to the shape.

    >>> torch.expand_copy(torch.tensor([[1], [2]]), (2, 2))
    tensor([[1, 1],
            [2, 2]])
    """
    return _copied("expand_copy", input, input.expand(tuple(size)), out)


@torch_function
def permute_copy(input: Tensor, dims: Sequence[int], *, out: Tensor | None = None) -> Tensor:
    """Copy a tensor with its dims in another order.

    Args:
        input: the tensor.
        dims: the dims in the new order.
        out: a tensor to write the result to; it is returned.

    Returns:
        A dense tensor in memory of its own, or `out`.

    Raises:
        DTypeError: `out` has another dtype.
        ShapeError: these are not all dims, each once.
        IndexOutOfRange: a dim does not exist.

    >>> torch.permute_copy(torch.tensor([[1, 2], [3, 4]]), (1, 0))
    tensor([[1, 3],
            [2, 4]])
    """
    return _copied("permute_copy", input, input.permute(tuple(dims)), out)


@torch_function
def select_copy(input: Tensor, dim: int, index: int, *, out: Tensor | None = None) -> Tensor:
    """Copy one index of a dim, without that dim.

    Args:
        input: the tensor.
        dim: the dim.
        index: the index; a negative one counts from the end.
        out: a tensor to write the result to; it is returned.

    Returns:
        A dense tensor in memory of its own, or `out`.

    Raises:
        DTypeError: `out` has another dtype.
        IndexOutOfRange: the dim or the index does not exist.

    >>> torch.select_copy(torch.tensor([[1, 2], [3, 4]]), 0, 1)
    tensor([3, 4])
    """
    return _copied("select_copy", input, input.select(dim, index), out)


@torch_function
def slice_copy(
    input: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1, *, out: Tensor | None = None
) -> Tensor:
    """Copy a slice of a dim.

    Args:
        input: the tensor.
        dim: the dim.
        start, end: where the slice begins and ends; negative ones count from the end.
        step: how many indices apart the items are.
        out: a tensor to write the result to; it is returned.

    Returns:
        A dense tensor in memory of its own, or `out`.

    Raises:
        DTypeError: `out` has another dtype.
        IndexOutOfRange: the dim does not exist.
        UsageError: the step is not positive.

    >>> torch.slice_copy(torch.arange(5), 0, 1, 4, 2)
    tensor([1, 3])
    """
    return _copied("slice_copy", input, _sliced(input, dim, start, end, step), out)


@torch_function
def split_copy(input: Tensor, split_size: int, dim: int = 0, *, out: Sequence[Tensor] | None = None) -> Any:
    """Copy the parts of a dim.

    Args:
        input: the tensor.
        split_size: the length of each part; the last may be shorter.
        dim: the dim.
        out: the tensors to write the results to.

    Returns:
        A tuple of dense tensors in memory of their own; None with `out`.

    Raises:
        DTypeError: `out` has another dtype.
        IndexOutOfRange: the dim does not exist.
        ShapeError: the length is negative.

    >>> torch.split_copy(torch.arange(3), 2)
    (tensor([0, 1]), tensor([2]))
    """
    return _all_copied("split_copy", input.split(split_size, dim), out)


@torch_function
def split_with_sizes_copy(
    input: Tensor, split_sizes: Sequence[int], dim: int = 0, *, out: Sequence[Tensor] | None = None
) -> Any:
    """Copy parts of a dim.

    Args:
        input: the tensor.
        split_sizes: the length of each part.
        dim: the dim.
        out: the tensors to write the results to.

    Returns:
        A tuple of dense tensors in memory of their own; None with `out`.

    Raises:
        DTypeError: `out` has another dtype.
        IndexOutOfRange: the dim does not exist.
        ShapeError: the lengths do not add up to the dim's.

    >>> torch.split_with_sizes_copy(torch.arange(3), [1, 2])
    (tensor([0]), tensor([1, 2]))
    """
    return _all_copied("split_with_sizes_copy", input.split_with_sizes(list(split_sizes), dim), out)


@torch_function
def squeeze_copy(input: Tensor, dim: int | Sequence[int] | None = None, *, out: Tensor | None = None) -> Tensor:
    """Copy a tensor without its dims of length 1.

    Args:
        input: the tensor.
        dim: the dims to look at; None for all.
        out: a tensor to write the result to; it is returned.

    Returns:
        A dense tensor in memory of its own, or `out`.

    Raises:
        DTypeError: `out` has another dtype.
        IndexOutOfRange: the dim does not exist.

    >>> torch.squeeze_copy(torch.tensor([[1, 2]]))
    tensor([1, 2])
    """
    return _copied("squeeze_copy", input, _squeezed(input, dim), out)


@torch_function
def t_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Copy the transpose of a matrix; a vector is copied as it is.

    Args:
        input: the tensor.
        out: a tensor to write the result to; it is returned.

    Returns:
        A dense tensor in memory of its own, or `out`.

    Raises:
        DTypeError: `out` has another dtype.
        ShapeError: the tensor has more than 2 dims.

    >>> torch.t_copy(torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 3],
            [2, 4]])
    """
    return _copied("t_copy", input, input.t(), out)


@torch_function
def transpose_copy(input: Tensor, dim0: int, dim1: int, *, out: Tensor | None = None) -> Tensor:
    """Copy a tensor with two dims exchanged.

    Args:
        input: the tensor.
        dim0, dim1: the dims.
        out: a tensor to write the result to; it is returned.

    Returns:
        A dense tensor in memory of its own, or `out`.

    Raises:
        DTypeError: `out` has another dtype.
        IndexOutOfRange: the dim does not exist.

    >>> torch.transpose_copy(torch.tensor([[1, 2], [3, 4]]), 0, 1)
    tensor([[1, 3],
            [2, 4]])
    """
    return _copied("transpose_copy", input, input.transpose(dim0, dim1), out)


@torch_function
def unbind_copy(input: Tensor, dim: int = 0, *, out: Sequence[Tensor] | None = None) -> Any:
    """Copy the slices along a dim, without that dim.

    Args:
        input: the tensor.
        dim: the dim.
        out: the tensors to write the results to.

    Returns:
        A tuple of dense tensors in memory of their own; None with `out`.

    Raises:
        DTypeError: `out` has another dtype.
        IndexOutOfRange: the dim does not exist.

    >>> torch.unbind_copy(torch.tensor([[1, 2], [3, 4]]))
    (tensor([1, 2]), tensor([3, 4]))
    """
    return _all_copied("unbind_copy", input.unbind(dim), out)


@torch_function
def unfold_copy(input: Tensor, dimension: int, size: int, step: int, *, out: Tensor | None = None) -> Tensor:
    """Copy the windows along a dim, with their items as a last dim.

    Args:
        input: the tensor.
        dimension: the dim.
        size: the length of a window.
        step: how far apart windows begin.
        out: a tensor to write the result to; it is returned.

    Returns:
        A dense tensor in memory of its own, or `out`.

    Raises:
        DTypeError: `out` has another dtype.
        IndexOutOfRange: the dim does not exist.
        ShapeError: a window is longer than the dim, or the step is not positive.

    >>> torch.unfold_copy(torch.arange(4), 0, 2, 1)
    tensor([[0, 1],
            [1, 2],
            [2, 3]])
    """
    return _copied("unfold_copy", input, input.unfold(dimension, size, step), out)


@torch_function
def unsqueeze_copy(input: Tensor, dim: int, *, out: Tensor | None = None) -> Tensor:
    """Copy a tensor with a further dim of length 1.

    Args:
        input: the tensor.
        dim: where the new dim comes.
        out: a tensor to write the result to; it is returned.

    Returns:
        A dense tensor in memory of its own, or `out`.

    Raises:
        DTypeError: `out` has another dtype.
        IndexOutOfRange: the dim does not exist.

    >>> torch.unsqueeze_copy(torch.tensor([1, 2]), 0)
    tensor([[1, 2]])
    """
    return _copied("unsqueeze_copy", input, input.unsqueeze(dim), out)


@torch_function
def view_as_complex_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Copy real and imaginary parts, along a last dim of length 2, as complex numbers.

    Args:
        input: the tensor.
        out: a tensor to write the result to; it is returned.

    Returns:
        A dense tensor in memory of its own, or `out`.

    Raises:
        DTypeError: the items are not floating-point.
        ShapeError: the last dim has another length than 2.

    >>> torch.view_as_complex_copy(torch.tensor([1.0, 2.0]))
    tensor(1.+2.j)
    """
    return _copied("view_as_complex_copy", input, view_as_complex(input), out)


@torch_function
def view_as_real_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Copy complex numbers as their parts, along a last dim of length 2.

    Args:
        input: the tensor.
        out: a tensor to write the result to; it is returned.

    Returns:
        A dense tensor in memory of its own, or `out`.

    Raises:
        DTypeError: the items are not complex.

    >>> torch.view_as_real_copy(torch.tensor([1 + 2j]))
    tensor([[1., 2.]])
    """
    return _copied("view_as_real_copy", input, view_as_real(input), out)


@torch_function
def view_copy(
    input: Tensor, size: Sequence[int] | DType | None = None, *, dtype: DType | None = None, out: Tensor | None = None
) -> Tensor:
    """Copy a tensor in another shape, or its bytes as items of another dtype.

    Args:
        input: the tensor.
        size: the shape, of which one length may be -1; or the dtype.
        dtype: the dtype, by name.
        out: a tensor to write the result to; it is returned.

    Returns:
        A dense tensor in memory of its own, or `out`.

    Raises:
        DTypeError: `out` has another dtype.
        ShapeError: the shape has another number of items.
        TypeError: neither a shape nor a dtype is given.

    >>> torch.view_copy(torch.tensor([1, 2, 3, 4]), (2, 2))
    tensor([[1, 2],
            [3, 4]])
    """
    return _copied("view_copy", input, _viewed(input, size, dtype), out)
