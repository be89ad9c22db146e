"""Linear and bilinear maps of the last dim."""

from __future__ import annotations

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_flatarray import ShapeError
from lamina_tensor import Tensor
from lamina_tensor.autograd.recording import recorded
from lamina_tensor.autograd.rules import RULES
from lamina_tensor.dispatch.torch_function import torch_function

from .checking import check_tensor

__all__ = ["bilinear", "linear"]


@torch_function(autocast="lower")
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Map the last dim linearly: input @ weight.T + bias.

    Args:
        input: (..., in_features).
        weight: (out_features, in_features), or (in_features,).
        bias: (out_features,), or None; () for a weight of one dim.

    Returns:
        (..., out_features), or (...,) for a weight of one dim.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ.

    >>> torch.nn.functional.linear(torch.tensor([1.0, 2.0]), torch.tensor([[3.0, 4.0], [1.0, 0.0]]), torch.tensor([0.5, 0.0]))
    tensor([11.5000,  1.0000])
    """
    if not (isinstance(input, Tensor) and isinstance(weight, Tensor)):
        check_tensor("linear", input, weight)
    product = nd.linear(input.array, weight.array, None if bias is None else bias.array)
    return recorded(RULES["linear"], product, (input, weight, bias))


@torch_function
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Map two inputs bilinearly: x1 @ weight[k] @ x2 + bias[k] for every output feature k.

    Args:
        input1: (..., in1).
        input2: (..., in2), with the same leading dims.
        weight: (out, in1, in2).
        bias: (out,).

    Returns:
        (..., out).

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.nn.functional.bilinear(torch.tensor([1.0, 2.0]), torch.tensor([3.0]), torch.ones(1, 2, 1))
    tensor([9.])
    """
    if input1.ndim != input2.ndim or tuple(input1.shape[:-1]) != tuple(input2.shape[:-1]):
        raise ShapeError(
            f"bilinear(): input batch dimensions do not match: got {tuple(input1.shape)} and {tuple(input2.shape)}"
        )
    if weight.ndim != 3 or (input1.shape[-1], input2.shape[-1]) != tuple(weight.shape[1:]):
        raise ShapeError(
            f"bilinear(): weight {tuple(weight.shape)} does not fit inputs of sizes {input1.shape[-1]} and {input2.shape[-1]}"
        )
    if bias is not None and tuple(bias.shape) != (weight.shape[0],):
        raise ShapeError(f"bilinear(): bias size does not match weight size: got {tuple(bias.shape)} and {weight.shape[0]}")
    out, in1, in2 = weight.shape
    lead = list(input1.shape[:-1])
    halves = input1 @ lt.permute(weight, (1, 0, 2)).reshape([in1, out * in2])
    result = lt.squeeze(halves.reshape([*lead, out, in2]) @ lt.unsqueeze(input2, -1), -1)
    return result if bias is None else result + bias
