"""A linear layer or convolution and the batch normalisation behind it as one layer, for evaluation."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ShapeError
from lamina_tensor import Tensor
from lamina_tensor.dispatch import array_functions as af

from .parameter import Parameter

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]


def _fused(
    weight: Tensor, bias: Tensor | None, mean: Tensor, variance: Tensor, eps: float, scale: Tensor | None,
    shift: Tensor | None, dim: int,
) -> tuple[Parameter, Parameter]:  # fmt: skip
    """Weight, whose outputs lie along a dim, and bias of both layers."""
    kinds = weight.dtype, weight.dtype if bias is None else bias.dtype
    wanted = weight.requires_grad, bias is not None and bias.requires_grad
    factor = af.rsqrt(variance + eps) * (1 if scale is None else scale)
    fused = weight * factor.reshape([-1 if d == dim else 1 for d in range(weight.ndim)])
    moved = ((lt.zeros_like(mean) if bias is None else bias) - mean) * factor + (0 if shift is None else shift)
    parts = zip((fused, moved), kinds, wanted, strict=True)
    made = [Parameter(part.detach().to(kind), want) for part, kind, want in parts]
    return made[0], made[1]


def fuse_conv_bn_weights(
    conv_w: Tensor, conv_b: Tensor | None, bn_rm: Tensor, bn_rv: Tensor, bn_eps: float, bn_w: Tensor | None,
    bn_b: Tensor | None, transpose: bool = False,
) -> tuple[Parameter, Parameter]:  # fmt: skip
    """Weight and bias of a convolution and the batch normalisation behind it.

    Args:
        conv_w, conv_b: the convolution's.
        bn_rm, bn_rv: running mean and variance.
        bn_eps: added to the variance.
        bn_w, bn_b: the normalisation's.
        transpose: whether the convolution is a transposed one.
    """
    return _fused(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, int(transpose))


def fuse_linear_bn_weights(
    linear_w: Tensor, linear_b: Tensor | None, bn_rm: Tensor, bn_rv: Tensor, bn_eps: float, bn_w: Tensor, bn_b: Tensor
) -> tuple[Parameter, Parameter]:
    """Weight and bias of a linear layer and the batch normalisation behind it; arguments as of `fuse_conv_bn_weights`."""
    return _fused(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, 0)


def _fuse(layer: Any, bn: Any, dim: int) -> Any:
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
    made = deepcopy(layer)
    made.weight, made.bias = _fused(
        made.weight, made.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, dim
    )
    return made


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """A convolution that does what it and the batch normalisation behind it do in evaluation.

    Raises:
        AssertionError: one of both is in training, or there are no running statistics.
    """
    return _fuse(conv, bn, int(transpose))


def fuse_linear_bn_eval(linear: Any, bn: Any) -> Any:
    """A linear layer that does what it and the batch normalisation behind it do in evaluation.

    Raises:
        AssertionError: one of both is in training, or there are no running statistics.
        ShapeError: the numbers of features differ.
    """
    if bn.num_features not in (linear.out_features, 1):
        raise ShapeError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
            f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}"
        )
    return _fuse(linear, bn, 0)
