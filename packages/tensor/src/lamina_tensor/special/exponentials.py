"""The logistic sigmoid, and products with logarithms as in entropies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dispatch.elementwise import binary, elementwise, unary
from ..dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ..tensor_class import Tensor
    from ..tensor_fields import Number

__all__ = [
    "entr",
    "expit",
    "xlog1py",
]


_SIGMOID = elementwise("sigmoid", 1)


@torch_function(op=_SIGMOID)
def expit(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the logistic function 1 / (1 + exp(-x)); `torch.sigmoid`.

    Args:
        input: a tensor of any shape.
        out: where to write the result.

    Returns:
        Numbers from 0 to 1 for real ones, floating-point or complex, of `input`'s shape.

    >>> torch.special.expit(torch.tensor([-1.5, 0.0, 2.0]))
    tensor([0.1824, 0.5000, 0.8808])
    """
    return unary(_SIGMOID, input, out)


_ENTR = elementwise("entr", 1)


@torch_function
def entr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the terms of the entropy: `-input * log(input)`.

    Args:
        input: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The terms, of `input`'s shape: 0 at 0, -inf below.

    Raises:
        DTypeError: `input` is complex.

    >>> torch.special.entr(torch.tensor([0.0, 0.5, 1.0]))
    tensor([0.0000, 0.3466, -0.0000])
    """
    return unary(_ENTR, input, out)


_XLOG1PY = elementwise("xlog1py", 2)


@torch_function(strict=True)
def xlog1py(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Compute `input * log1p(other)`, which is 0 where `input` is 0.

    Args:
        input: a tensor or a number.
        other: a tensor or a number; the shapes broadcast.
        out: where to write the result.

    Returns:
        The products, of the broadcast shape.

    Raises:
        ShapeError: the shapes do not broadcast.
        DTypeError: an operand is complex.

    >>> torch.special.xlog1py(torch.tensor([0.0, 2.0]), torch.tensor([-1.0, 1.0]))
    tensor([0.0000, 1.3863])
    """
    return binary(_XLOG1PY, input, other, out)
