"""Activations of pieces, most of them straight."""

from __future__ import annotations

from lamina_flatarray import UsageError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.out import written
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function

from ..checking import check_floating
from .overwriting import written_over

__all__ = ["hardshrink", "hardsigmoid", "hardswish", "softshrink"]


@torch_function
def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """Apply the piecewise linear sigmoid: relu6(x + 3) / 6.

    Args:
        input: floating-point numbers of any shape.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.hardsigmoid(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([0.1667, 0.5000, 1.0000])
    """
    check_floating("hardsigmoid", input)
    if inplace:
        return written_over(hardsigmoid, input)
    return af.hardsigmoid(input)


@torch_function
def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """Multiply by `hardsigmoid`: x * relu6(x + 3) / 6 (Howard et al. 2019).

    Args:
        input: floating-point numbers of any shape.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.hardswish(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.3333,  0.0000,  3.0000])
    """
    check_floating("hardswish", input)
    if inplace:
        return written_over(hardswish, input)
    return af.hardswish(input)


@torch_function
def hardshrink(input: Tensor, lambd: float = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Set items in [-lambd, lambd] to 0.

    Args:
        input: floating-point numbers of any shape.
        lambd: the bound.
        out: where to write the result.

    Returns:
        A tensor of the input's shape; `out` where it is given.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.hardshrink(torch.tensor([-2.0, 0.25, 3.0]))
    tensor([-2.,  0.,  3.])
    """
    check_floating("hardshrink", input)
    result = af.hardshrink(input, lambd)
    return result if out is None else written("hardshrink", out, result)


@torch_function
def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Move items towards 0 by lambd, and those in [-lambd, lambd] to 0.

    Args:
        input: floating-point numbers of any shape.
        lambd: the distance.

    Returns:
        A tensor of the input's shape.

    Raises:
        UsageError: lambd is negative.
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.softshrink(torch.tensor([-2.0, 0.25, 3.0]))
    tensor([-1.5000,  0.0000,  2.5000])
    """
    check_floating("softshrink", input)
    if lambd < 0:
        raise UsageError(f"lambda must be greater or equal to 0, but found to be {lambd}.")
    return af.softshrink(input, lambd)
