"""Methods that overwrite a tensor, or change how it lies, as functions; and `fill`, which overwrites a copy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ..devices.memory_formats import memory_format as MemoryFormat
    from ..tensor_class import Tensor
    from ..tensor_fields import Number

__all__ = [
    "addmv_", "as_strided_", "conj_physical_", "detach_", "fill", "fill_", "index_put_", "logit_", "resize_as_", "zero_",
]  # fmt: skip


@torch_function
def fill(input: Tensor, value: Tensor | Number) -> Tensor:
    """Return a tensor like another, with one value throughout.

    Args:
        input: what tells shape, dtype, device and order in memory.
        value: a number, or a tensor without dims, to which gradients flow.

    Returns:
        The new tensor.

    Raises:
        ShapeError: the value has dims.

    >>> torch.fill(torch.zeros(2), 3)
    tensor([3., 3.])
    """
    return input.clone().fill_(value)


@torch_function
def fill_(input: Tensor, value: Tensor | Number) -> Tensor:
    """Fill a tensor with one value, in place; see `Tensor.fill_`.

    Args:
        input: the tensor.
        value: a number, or a tensor without dims.

    Returns:
        The tensor itself.

    Raises:
        ShapeError: the value has dims.

    >>> torch.fill_(torch.zeros(2), 3)
    tensor([3., 3.])
    """
    return input.fill_(value)


@torch_function
def zero_(input: Tensor) -> Tensor:
    """Fill a tensor with zeros, in place; see `Tensor.zero_`.

    Args:
        input: the tensor.

    Returns:
        The tensor itself.

    >>> torch.zero_(torch.ones(2))
    tensor([0., 0.])
    """
    return input.zero_()


@torch_function
def index_put_(
    input: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool = False
) -> Tensor:
    """Write values to the positions that index tensors name, in place; see `Tensor.index_put_`.

    Args:
        input: the tensor.
        indices: one index tensor for each dim, from the first on; None for a whole dim.
        values: what is written, broadcast to the positions.
        accumulate: whether values are added to what is there.

    Returns:
        The tensor itself.

    Raises:
        IndexOutOfRange: a position is outside.
        ShapeError: the values do not broadcast to the positions.

    >>> torch.index_put_(torch.zeros(3), (torch.tensor([0, 2]),), torch.tensor([1.0, 5.0]))
    tensor([1., 0., 5.])
    """
    return input.index_put_(indices, values, accumulate)


@torch_function
def detach_(input: Tensor) -> Tensor:
    """Cut a tensor off from what computed it, in place; see `Tensor.detach_`.

    Args:
        input: the tensor.

    Returns:
        The tensor itself.

    Raises:
        AutogradError: it is a view.

    >>> torch.detach_(torch.ones(2, requires_grad=True) * 2).requires_grad
    False
    """
    return input.detach_()


@torch_function
def as_strided_(
    input: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> Tensor:
    """Have a tensor read its memory by another shape and other strides, in place; see `Tensor.as_strided_`.

    Args:
        input: the tensor.
        size: the shape.
        stride: the steps in memory, in items.
        storage_offset: where the first item lies; None for where it does.

    Returns:
        The tensor itself.

    Raises:
        ShapeError: the memory is too short, or the lengths of the arguments differ.

    >>> torch.as_strided_(torch.arange(4), (2, 2), (1, 2))
    tensor([[0, 2],
            [1, 3]])
    """
    return input.as_strided_(size, stride, storage_offset)


@torch_function
def resize_as_(input: Tensor, the_template: Tensor, *, memory_format: MemoryFormat | None = None) -> Tensor:
    """Give a tensor the shape of another, in place; see `Tensor.resize_as_`.

    Args:
        input: the tensor.
        the_template: the tensor of that shape.
        memory_format: the order of the dims in memory; None for row-major.

    Returns:
        The tensor itself, whose first items stay.

    Raises:
        AutogradError: the tensor requires gradients.

    >>> torch.resize_as_(torch.arange(4), torch.zeros(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    return input.resize_as_(the_template, memory_format=memory_format)


@torch_function
def logit_(input: Tensor, eps: float | None = None) -> Tensor:
    """Compute the logarithm of the odds, in place; see `logit`.

    Args:
        input: probabilities.
        eps: how far they are held off 0 and 1; None for NaN outside of 0 to 1.

    Returns:
        The tensor itself.

    Raises:
        DTypeError: the tensor holds integers.

    >>> torch.logit_(torch.tensor([0.5]))
    tensor([0.])
    """
    return input.logit_(eps)


@torch_function
def conj_physical_(input: Tensor) -> Tensor:
    """Conjugate a tensor, in place; see `conj_physical`.

    Args:
        input: the tensor.

    Returns:
        The tensor itself.

    >>> torch.conj_physical_(torch.tensor([1 + 2j]))
    tensor([1.-2.j])
    """
    return input.conj_physical_()


@torch_function
def addmv_(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """Add the product of a matrix and a vector to a vector, in place; see `addmv`.

    Args:
        input: the vector.
        mat: the matrix.
        vec: what it is multiplied by.
        beta: a factor of the vector.
        alpha: a factor of the product.

    Returns:
        The tensor itself.

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.addmv_(torch.ones(2), torch.eye(2), torch.ones(2))
    tensor([2., 2.])
    """
    return input.addmv_(mat, vec, beta=beta, alpha=alpha)
