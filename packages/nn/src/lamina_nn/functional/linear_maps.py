"""Linear and bilinear maps of the last dim."""

from __future__ import annotations

import lamina_tensor as lt
from lamina_flatarray import ShapeError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.array_functions import linear

__all__ = ["bilinear", "linear"]


def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x1 @ weight[k] @ x2 for every output feature k, plus a bias.

    Args:
        input1: (..., in1).
        input2: (..., in2), with the same leading dims.
        weight: (out, in1, in2).
        bias: (out,).

    Raises:
        RuntimeError: the shapes do not fit.
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
    made = lt.squeeze(halves.reshape([*lead, out, in2]) @ lt.unsqueeze(input2, -1), -1)
    return made if bias is None else made + bias
