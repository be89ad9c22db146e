"""A linear layer or convolution and the batch normalisation behind it as one layer, for evaluation."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ShapeError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from .parameter import Parameter

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]


def _fused(
    weight: Tensor, bias: Tensor | None, mean: Tensor, variance: Tensor, eps: float, scale: Tensor | None,
    shift: Tensor | None, dim: int,
) -> tuple[Parameter, Parameter]:  # fmt: skip
    """Weight, whose outputs lie along a dim, and bias of both layers."""
    kinds = weight.dtype, weight.dtype if bias is None else bias.dtype
    trainable = weight.requires_grad, bias is not None and bias.requires_grad
    factor = af.rsqrt(variance + eps) * (1 if scale is None else scale)
    fused = weight * factor.reshape([-1 if d == dim else 1 for d in range(weight.ndim)])
    moved = ((lt.zeros_like(mean) if bias is None else bias) - mean) * factor + (0 if shift is None else shift)
    parts = zip((fused, moved), kinds, trainable, strict=True)
    parameters = [Parameter(part.detach().to(kind), requires_grad) for part, kind, requires_grad in parts]
    return parameters[0], parameters[1]


def fuse_conv_bn_weights(
    conv_w: Tensor, conv_b: Tensor | None, bn_rm: Tensor, bn_rv: Tensor, bn_eps: float, bn_w: Tensor | None,
    bn_b: Tensor | None, transpose: bool = False,
) -> tuple[Parameter, Parameter]:  # fmt: skip
    """Merge a convolution and the batch normalisation behind it into one weight and bias.

    Args:
        conv_w, conv_b: weight and bias of the convolution; the bias may be None.
        bn_rm, bn_rv: running mean and variance.
        bn_eps: added to the variance.
        bn_w, bn_b: weight and bias of the normalisation; None for ones and zeros.
        transpose: whether the convolution is a transposed one.

    Returns:
        Two parameters: weight and bias.

    >>> mean, variance = torch.zeros(3), torch.ones(3)
    >>> weight, bias = torch.nn.utils.fuse_conv_bn_weights(torch.ones(3, 2, 1), None, mean, variance, 0.0, None, None)
    >>> weight.shape, bias.detach()
    (lamina.Size([3, 2, 1]), tensor([0., 0., 0.]))
    """
    return _fused(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, int(transpose))


def fuse_linear_bn_weights(
    linear_w: Tensor, linear_b: Tensor | None, bn_rm: Tensor, bn_rv: Tensor, bn_eps: float, bn_w: Tensor, bn_b: Tensor
) -> tuple[Parameter, Parameter]:
    """Merge a linear layer and the batch normalisation behind it into one weight and bias.

    Args:
        linear_w, linear_b: weight and bias of the linear layer; the bias may be None.
        bn_rm, bn_rv: running mean and variance.
        bn_eps: added to the variance.
        bn_w, bn_b: weight and bias of the normalisation.

    Returns:
        Two parameters: weight and bias.

    >>> ones, zeros = torch.ones(2), torch.zeros(2)
    >>> weight, bias = torch.nn.utils.fuse_linear_bn_weights(torch.ones(2, 1), None, zeros, ones, 0.0, 2 * ones, ones)
    >>> weight.detach(), bias.detach()
    (tensor([[2.],
            [2.]]), tensor([1., 1.]))
    """
    return _fused(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, 0)


def _fuse(layer: Any, bn: Any, dim: int) -> Any:
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
    result = deepcopy(layer)
    result.weight, result.bias = _fused(
        result.weight, result.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, dim
    )
    return result


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """Merge a convolution and the batch normalisation behind it into one convolution, for evaluation.

    Args:
        conv: the convolution, in evaluation mode.
        bn: the normalisation, in evaluation mode and with running statistics.
        transpose: whether the convolution is a transposed one.

    Returns:
        A copy of the convolution with the merged weight and bias.

    Raises:
        AssertionError: one of the two is in training mode, or there are no running statistics.

    >>> torch.nn.utils.fuse_conv_bn_eval(torch.nn.Conv2d(2, 3, 1).eval(), torch.nn.BatchNorm2d(3).eval())
    Conv2d(2, 3, kernel_size=(1, 1), stride=(1, 1))
    """
    return _fuse(conv, bn, int(transpose))


def fuse_linear_bn_eval(linear: Any, bn: Any) -> Any:
    """Merge a linear layer and the batch normalisation behind it into one linear layer, for evaluation.

    Args:
        linear: the linear layer, in evaluation mode.
        bn: the normalisation, in evaluation mode and with running statistics.

    Returns:
        A copy of the linear layer with the merged weight and bias.

    Raises:
        AssertionError: one of the two is in training mode, or there are no running statistics.
        ShapeError: bn.num_features is neither linear.out_features nor 1.

    >>> torch.nn.utils.fuse_linear_bn_eval(torch.nn.Linear(2, 3).eval(), torch.nn.BatchNorm1d(3).eval())
    Linear(in_features=2, out_features=3, bias=True)
    """
    if bn.num_features not in (linear.out_features, 1):
        raise ShapeError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
            f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}"
        )
    return _fuse(linear, bn, 0)
