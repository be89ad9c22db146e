"""The parts of complex tensors: read as views, conjugated, and as pairs of real numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dispatch.out import written
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["conj", "conj_physical", "imag", "real", "resolve_conj", "resolve_neg", "view_as_complex", "view_as_real"]


@torch_function
def real(input: Tensor) -> Tensor:
    """Return the real parts.

    Args:
        input: the tensor.

    Returns:
        A view; the tensor itself where it is real.

    >>> torch.real(torch.tensor([1 + 2j]))
    tensor([1.])
    """
    return af.real(input)


@torch_function
def imag(input: Tensor) -> Tensor:
    """Return the imaginary parts.

    Args:
        input: a complex tensor.

    Returns:
        A view.

    Raises:
        DTypeError: the tensor is real.

    >>> torch.imag(torch.tensor([1 + 2j]))
    tensor([2.])
    """
    return af.imag(input)


@torch_function
def conj(input: Tensor) -> Tensor:
    """Conjugate the items.

    Args:
        input: the tensor.

    Returns:
        A copy; the tensor itself where it is real.

    >>> torch.conj(torch.tensor([1 + 2j]))
    tensor([1.-2.j])
    """
    return af.conj(input)


@torch_function
def conj_physical(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Conjugate the items: here the same as `conj`, which PyTorch puts off.

    Args:
        input: the tensor.
        out: where to write the result.

    Returns:
        A copy, or `out`; the tensor itself where it is real.

    >>> torch.conj_physical(torch.tensor([1 + 2j]))
    tensor([1.-2.j])
    """
    result = af.conj(input)
    return result if out is None else written("conj_physical", out, result)


@torch_function
def resolve_conj(input: Tensor) -> Tensor:
    """Return the tensor itself: conjugation is never put off here.

    Args:
        input: the tensor.

    Returns:
        The tensor.

    >>> torch.resolve_conj(torch.tensor([1 + 2j]).conj())
    tensor([1.-2.j])
    """
    return input


@torch_function
def resolve_neg(input: Tensor) -> Tensor:
    """Return the tensor itself: negation is never put off here.

    Args:
        input: the tensor.

    Returns:
        The tensor.

    >>> torch.resolve_neg(torch.tensor([1 + 2j]).conj().imag)
    tensor([-2.])
    """
    return input


@torch_function
def view_as_real(input: Tensor) -> Tensor:
    """Read complex numbers as pairs of real ones.

    Args:
        input: a complex tensor.

    Returns:
        A view with the real and the imaginary part as a last dim of length 2.

    Raises:
        DTypeError: the tensor is real.

    >>> torch.view_as_real(torch.tensor([1 + 2j]))
    tensor([[1., 2.]])
    """
    return af.view_as_real(input)


@torch_function(autocast="float32")
def view_as_complex(input: Tensor) -> Tensor:
    """Read pairs of real numbers as complex ones.

    Args:
        input: a floating-point tensor whose last dim has length 2.

    Returns:
        A complex view without that dim.

    Raises:
        DTypeError: the items are not floating-point numbers.
        ShapeError: the last dim has another length, or its pairs do not lie together in memory.

    >>> torch.view_as_complex(torch.tensor([[1.0, 2.0]]))
    tensor([1.+2.j])
    """
    return af.view_as_complex(input)
