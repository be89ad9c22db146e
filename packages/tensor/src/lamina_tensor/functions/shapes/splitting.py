"""A tensor as its parts along a dim: views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lamina_ndarray.shapes.splitting import numbers_to_split_at

from ...autograd.rules import RULES
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = [
    "chunk", "dsplit", "hsplit", "split", "split_with_sizes", "tensor_split", "unbind", "unsafe_chunk", "unsafe_split",
    "unsafe_split_with_sizes", "vsplit",
]  # fmt: skip


def _parts_of_one_call(op: str, parts: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """Views that were recorded one by one, as those of an op: each has the gradient of a slice, and may be written to if the op's may."""
    for part in parts:
        if part.node is not None:
            part.node.plan = RULES[op].plan((True,))
    return parts


@torch_function
def split(tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Split a tensor along a dim into parts of given lengths.

    Args:
        tensor: the tensor.
        split_size_or_sections: the length of every part, the last of which may be shorter; or the lengths one by one.
        dim: the dim.

    Returns:
        The views.

    Raises:
        ShapeError: the lengths do not add up to that of the dim, or the one length is not positive.
        IndexOutOfRange: there is no such dim.

    >>> torch.split(torch.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    >>> torch.split(torch.arange(5), [1, 4])
    (tensor([0]), tensor([1, 2, 3, 4]))
    """
    name = "split" if isinstance(split_size_or_sections, int) else "split_with_sizes"
    return _parts_of_one_call(name, af.split(tensor, split_size_or_sections, dim))


@torch_function
def split_with_sizes(input: Tensor, split_sizes: Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Split a tensor along a dim into parts of given lengths.

    Args:
        input: the tensor.
        split_sizes: the lengths.
        dim: the dim.

    Returns:
        The views.

    Raises:
        ShapeError: the lengths do not add up to that of the dim, or one is negative.
        IndexOutOfRange: there is no such dim.

    >>> torch.split_with_sizes(torch.arange(5), [1, 4])
    (tensor([0]), tensor([1, 2, 3, 4]))
    """
    return _parts_of_one_call("split_with_sizes", af.split_with_sizes(input, split_sizes, dim))


@torch_function
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Split a tensor along a dim into a number of parts of one length.

    Args:
        input: the tensor.
        chunks: how many parts at most; where it does not divide the dim, the last part is shorter, and there may be fewer.
        dim: the dim.

    Returns:
        The views.

    Raises:
        ShapeError: `chunks` is not positive.
        IndexOutOfRange: there is no such dim.

    >>> torch.chunk(torch.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    return _parts_of_one_call("split", af.chunk(input, chunks, dim))


@torch_function
def tensor_split(
    input: Tensor,
    indices_or_sections: int | Sequence[int] | Tensor | None = None,
    dim: int = 0,
    *,
    indices: Sequence[int] | None = None,
    sections: int | None = None,
    tensor_indices_or_sections: Tensor | None = None,
) -> tuple[Tensor, ...]:
    """Split a tensor along a dim at indices, or into a number of parts.

    Args:
        input: the tensor.
        indices_or_sections: the indices at which a new part begins, as a sequence or a vector of integers; or how many parts, the
            first of which are longer by 1 where the number does not divide the dim.
        dim: the dim.
        indices, sections, tensor_indices_or_sections: other names of `indices_or_sections`, by what it is.

    Returns:
        The views.

    Raises:
        ShapeError: the number of parts is not positive, or the tensor of indices is no vector of int64.
        IndexOutOfRange: there is no such dim.

    >>> torch.tensor_split(torch.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    >>> torch.tensor_split(torch.arange(5), (1, 3))
    (tensor([0]), tensor([1, 2]), tensor([3, 4]))
    """
    parts = _named(indices_or_sections, indices, sections, tensor_indices_or_sections)
    return _split_at(input, numbers_to_split_at(parts.array) if isinstance(parts, AnyTensor) else parts, dim)


def _split_at(input: Tensor, parts: int | Sequence[int] | None, dim: int) -> tuple[Tensor, ...]:
    return af.tensor_split(input, parts, dim)


def _named(*spellings: int | Sequence[int] | Tensor | None) -> int | Sequence[int] | Tensor | None:
    """The one of several arguments that was given."""
    return next((value for value in spellings if value is not None), None)


@torch_function
def hsplit(
    input: Tensor, indices_or_sections: int | Sequence[int] | None = None, *,
    indices: Sequence[int] | None = None, sections: int | None = None,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Split a tensor along its second dim (a vector along its only one).

    Args:
        input: a tensor of at least one dim.
        indices_or_sections: the indices at which a new part begins; or how many parts of one length.
        indices, sections: other names of `indices_or_sections`, by what it is.

    Returns:
        The views.

    Raises:
        ShapeError: there are no dims, or the number of parts does not divide the dim.

    >>> torch.hsplit(torch.arange(6).reshape(2, 3), 3)
    (tensor([[0],
            [3]]), tensor([[1],
            [4]]), tensor([[2],
            [5]]))
    """
    return af.hsplit(input, _named(indices_or_sections, indices, sections))


@torch_function
def vsplit(
    input: Tensor, indices_or_sections: int | Sequence[int] | None = None, *,
    indices: Sequence[int] | None = None, sections: int | None = None,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Split a tensor along its first dim.

    Args:
        input: a tensor of at least two dims.
        indices_or_sections: the indices at which a new part begins; or how many parts of one length.
        indices, sections: other names of `indices_or_sections`, by what it is.

    Returns:
        The views.

    Raises:
        ShapeError: there are fewer than two dims, or the number of parts does not divide the dim.

    >>> torch.vsplit(torch.arange(6).reshape(3, 2), (1,))
    (tensor([[0, 1]]), tensor([[2, 3],
            [4, 5]]))
    """
    return af.vsplit(input, _named(indices_or_sections, indices, sections))


@torch_function
def dsplit(
    input: Tensor, indices_or_sections: int | Sequence[int] | None = None, *,
    indices: Sequence[int] | None = None, sections: int | None = None,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Split a tensor along its third dim.

    Args:
        input: a tensor of at least three dims.
        indices_or_sections: the indices at which a new part begins; or how many parts of one length.
        indices, sections: other names of `indices_or_sections`, by what it is.

    Returns:
        The views.

    Raises:
        ShapeError: there are fewer than three dims, or the number of parts does not divide the dim.

    >>> [part.shape for part in torch.dsplit(torch.ones(2, 2, 4), 2)]
    [lamina.Size([2, 2, 2]), lamina.Size([2, 2, 2])]
    """
    return af.dsplit(input, _named(indices_or_sections, indices, sections))


@torch_function
def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """Return the slices of a tensor along a dim, without that dim.

    Args:
        input: a tensor of at least one dim.
        dim: the dim.

    Returns:
        The views.

    Raises:
        IndexOutOfRange: there is no such dim.

    >>> torch.unbind(torch.tensor([[1, 2], [3, 4]]))
    (tensor([1, 2]), tensor([3, 4]))
    """
    return _parts_of_one_call("unbind", af.unbind(input, dim))


@torch_function
def unsafe_split(input: Tensor, split_size: int, dim: int = 0) -> tuple[Tensor, ...]:
    """As `split` into parts of one length; here all parts may be written to.

    Args:
        input: the tensor.
        split_size: the length of every part; the last may be shorter.
        dim: the dim.

    Returns:
        The views.

    Raises:
        ShapeError: the length is not positive.
        IndexOutOfRange: there is no such dim.

    >>> torch.unsafe_split(torch.arange(5), 3)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    return _parts_of_one_call("unsafe_split", af.unsafe_split(input, split_size, dim))


@torch_function
def unsafe_split_with_sizes(input: Tensor, split_sizes: Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """As `split_with_sizes`; here all parts may be written to.

    Args:
        input: the tensor.
        split_sizes: the lengths.
        dim: the dim.

    Returns:
        The views.

    Raises:
        ShapeError: the lengths do not add up to that of the dim, or one is negative.
        IndexOutOfRange: there is no such dim.

    >>> torch.unsafe_split_with_sizes(torch.arange(5), [1, 4])
    (tensor([0]), tensor([1, 2, 3, 4]))
    """
    return _parts_of_one_call("unsafe_split_with_sizes", af.unsafe_split_with_sizes(input, split_sizes, dim))


@torch_function
def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """As `chunk`; here all parts may be written to.

    Args:
        input: the tensor.
        chunks: how many parts at most.
        dim: the dim.

    Returns:
        The views.

    Raises:
        ShapeError: `chunks` is not positive.
        IndexOutOfRange: there is no such dim.

    >>> torch.unsafe_chunk(torch.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    return _parts_of_one_call("unsafe_split", af.unsafe_chunk(input, chunks, dim))
