"""Normalisation, as `torch.batch_norm` and its kin: weights come before running statistics."""

from __future__ import annotations

from collections.abc import Sequence

from lamina_tensor import Tensor
from lamina_tensor.dispatch.torch_function import torch_function

from .. import functional as F


@torch_function
def batch_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    training: bool, momentum: float, eps: float, cudnn_enabled: bool,
) -> Tensor:  # fmt: skip
    """Normalise each channel over the batch: (x - mean) / sqrt(variance + eps) * weight + bias.

    Args:
        input: (N, C, ...).
        weight, bias: of each channel, (C,); None for ones and zeros.
        running_mean, running_var: (C,), or None.
        training: whether the batch's own statistics are used, and the running ones moved towards them.
        momentum: the weight of the batch in the running statistics.
        eps: added to the variance.
        cudnn_enabled: without effect.

    Returns:
        A tensor of the input's shape.

    >>> x = torch.tensor([[1.0], [3.0]])
    >>> torch.batch_norm(x, None, None, None, None, True, 0.1, 1e-5, False)
    tensor([[-1.0000],
            [ 1.0000]])
    """
    return F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


@torch_function
def instance_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    use_input_stats: bool, momentum: float, eps: float, cudnn_enabled: bool,
) -> Tensor:  # fmt: skip
    """Normalise each channel of each instance over its spatial dims.

    Args:
        input: (N, C, *spatial).
        weight, bias: of each channel, (C,); None for ones and zeros.
        running_mean, running_var: (C,), or None.
        use_input_stats: whether the input's own statistics are used rather than the running ones.
        momentum: the weight of the input in the running statistics.
        eps: added to the variance.
        cudnn_enabled: without effect.

    Returns:
        A tensor of the input's shape.

    >>> x = torch.tensor([[[1.0, 3.0]]])
    >>> torch.instance_norm(x, None, None, None, None, True, 0.1, 1e-5, False)
    tensor([[[-1.0000,  1.0000]]])
    """
    return F.instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


@torch_function
def layer_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, bias: Tensor | None = None,
    eps: float = 1e-5, cudnn_enable: bool = True,
) -> Tensor:  # fmt: skip
    """Normalise over the last dims: (x - mean) / sqrt(variance + eps) * weight + bias.

    Args:
        input: (..., *normalized_shape).
        normalized_shape: the lengths of these dims.
        weight, bias: of this shape; None for ones and zeros.
        eps: added to the variance.
        cudnn_enable: without effect.

    Returns:
        A tensor of the input's shape.

    >>> torch.layer_norm(torch.tensor([1.0, 3.0]), [2])
    tensor([-1.0000,  1.0000])
    """
    return F.layer_norm(input, normalized_shape, weight, bias, eps)


@torch_function
def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Tensor:  # fmt: skip
    """Normalise each instance over groups of channels.

    Args:
        input: (N, C, ...).
        num_groups: the number of groups, which divides C.
        weight, bias: of each channel, (C,); None for ones and zeros.
        eps: added to the variance.
        cudnn_enabled: without effect.

    Returns:
        A tensor of the input's shape.

    >>> torch.group_norm(torch.tensor([[1.0, 3.0]]), 1)
    tensor([[-1.0000,  1.0000]])
    """
    return F.group_norm(input, num_groups, weight, bias, eps)
