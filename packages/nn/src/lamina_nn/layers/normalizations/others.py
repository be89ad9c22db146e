"""Layers that normalise each instance by itself: over its last dims, over groups of channels, or over neighbouring ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, ShapeError
from lamina_tensor import Tensor

from ... import functional as F
from ... import init
from ...functional.spatial_dims import numbers_of
from ...module import Module
from ...parameter import Parameter

__all__ = ["GroupNorm", "LayerNorm", "LocalResponseNorm", "RMSNorm"]


class _Scaling(Module):
    """A normalisation with an optional weight, which begins with ones, and bias, with zeros."""

    weight: Parameter
    bias: Parameter

    def _set_parameters(self, shape: Any, weight: bool, bias: bool | None, device: Any, dtype: Any) -> None:
        for name, is_present in (("weight", weight), ("bias", bias)):
            if is_present is not None:
                parameter = Parameter(lt.empty(shape, device=device, dtype=dtype)) if is_present else None
                self.register_parameter(name, parameter)

    def reset_parameters(self) -> None:
        """Set the weight to 1 and the bias to 0.

        >>> norm = torch.nn.LayerNorm(2)
        >>> norm.reset_parameters()
        >>> norm.weight.detach(), norm.bias.detach()
        (tensor([1., 1.]), tensor([0., 0.]))
        """
        for name, fill in (("weight", init.ones_), ("bias", init.zeros_)):
            parameter = self._parameters.get(name)
            if parameter is not None:
                fill(parameter)


class LayerNorm(_Scaling):
    """Normalise over the last dims: (x - mean) / sqrt(variance + eps) * weight + bias (Ba et al. 2016).

    Args:
        normalized_shape: the lengths of these dims, or the length of the last.
        eps: added to the variance.
        elementwise_affine: whether the result is scaled by a weight and shifted by a bias of this shape.
        bias: whether there is a bias.
        device, dtype: of the parameters.

    Shape:
        (..., *normalized_shape); the output has the input's.

    >>> torch.nn.LayerNorm(2, eps=0.0)(torch.tensor([1.0, 3.0])).detach()
    tensor([-1.,  1.])
    """

    def __init__(
        self, normalized_shape: int | Sequence[int], eps: float = 1e-5, elementwise_affine: bool = True,
        bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.normalized_shape = numbers_of(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self._set_parameters(self.normalized_shape, elementwise_affine, elementwise_affine and bias, device, dtype)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        """Normalise over the last dims.

        Args:
            input: (..., *normalized_shape).

        Returns:
            A tensor of the input's shape.
        """
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )


class RMSNorm(_Scaling):
    """Divide by the root of the mean square over the last dims: x / sqrt(mean(x ** 2) + eps) * weight (Zhang & Sennrich
    2019).

    Args:
        normalized_shape: the lengths of these dims, or the length of the last.
        eps: added to the mean square; by default the dtype's epsilon.
        elementwise_affine: whether the result is scaled by a weight of this shape.
        device, dtype: of the weight.

    Shape:
        (..., *normalized_shape); the output has the input's.

    >>> torch.nn.RMSNorm(2)(torch.tensor([3.0, 3.0])).detach()
    tensor([1., 1.])
    """

    def __init__(
        self, normalized_shape: int | Sequence[int], eps: float | None = None, elementwise_affine: bool = True,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.normalized_shape = numbers_of(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self._set_parameters(self.normalized_shape, elementwise_affine, None, device, dtype)
        self.reset_parameters()

    def forward(self, x: Tensor) -> Tensor:
        """Divide by the root of the mean square.

        Args:
            x: (..., *normalized_shape).

        Returns:
            A tensor of the input's shape.
        """
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(_Scaling):
    """Normalise each instance over groups of channels: (x - mean) / sqrt(variance + eps) * weight + bias (Wu & He
    2018).

    Args:
        num_groups: the number of groups.
        num_channels: the number of channels C.
        eps: added to the variance.
        affine: whether the result is scaled by a weight and shifted by a bias per channel.
        device, dtype: of the parameters.
        bias: whether there is a bias.

    Shape:
        (N, C, ...); the output has the input's.

    Raises:
        ShapeError: num_groups does not divide num_channels.
        ArgumentValueError: there are no groups.

    >>> torch.nn.GroupNorm(1, 2, eps=0.0)(torch.tensor([[1.0, 3.0]])).detach()
    tensor([[-1.,  1.]])
    """

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True, device: Any = None,
        dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        if num_groups < 1:
            raise ArgumentValueError(f"GroupNorm: num_groups must be greater than 0, got {num_groups}")
        if num_channels % num_groups:
            raise ShapeError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self._set_parameters((num_channels,), affine, affine and bias, device, dtype)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        """Normalise over groups of channels.

        Args:
            input: (N, C, ...).

        Returns:
            A tensor of the input's shape.
        """
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, bias={self.bias is not None}"
        )


class LocalResponseNorm(Module):
    """Divide by (k + alpha * mean of squares over `size` neighbouring channels) ** beta (Krizhevsky et al. 2012).

    Args:
        size: the number of channels that are averaged over.
        alpha: the factor of the mean.
        beta: the exponent.
        k: what is added to the mean.

    Shape:
        (N, C, ...); the output has the input's.

    >>> torch.nn.LocalResponseNorm(1, alpha=1.0, beta=1.0)(torch.tensor([[[1.0], [3.0]]])).flatten()
    tensor([0.5000, 0.3000])
    """

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Tensor) -> Tensor:
        """Divide by the response of neighbouring channels.

        Args:
            input: (N, C, ...).

        Returns:
            A tensor of the input's shape.
        """
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
