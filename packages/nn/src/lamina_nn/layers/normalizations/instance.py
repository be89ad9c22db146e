"""Instance normalisation: each channel of each sample by itself."""

from __future__ import annotations

import warnings
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from ... import functional as F
from ...functional.checking import check_tensor
from .running_statistics import _NormBase

__all__ = ["InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"]


class _InstanceNorm(_NormBase):
    __doc__ = _NormBase.__doc__

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = False,
        track_running_stats: bool = False, device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input: Tensor) -> Tensor:
        """Normalise each channel of each instance.

        Args:
            input: (N, C, ...) or (C, ...) with the class's number of dims.

        Returns:
            A tensor of the input's shape.

        Raises:
            ArgumentValueError: the input has another number of dims; or of channels, where `affine` is set.
        """
        self._check_input_dim(input)
        if not isinstance(input, Tensor):
            check_tensor(type(self).__name__, input)
        single = input.ndim == self._dims[0]
        dim = 0 if single else 1
        if input.shape[dim] != self.num_features:
            if self.affine:
                raise ArgumentValueError(
                    f"expected input's size at dim={dim} to match num_features ({self.num_features}), but got: "
                    f"{input.shape[dim]}."
                )
            warnings.warn(
                f"input's size at dim={dim} does not match num_features. You can silence this warning by not passing in "
                "num_features, which is not used because affine=False",
                stacklevel=2,
            )
        output = F.instance_norm(
            lt.unsqueeze(input, 0) if single else input, self.running_mean, self.running_var, self.weight, self.bias,
            self.training or not self.track_running_stats, 0.0 if self.momentum is None else self.momentum, self.eps,
        )  # fmt: skip
        return lt.squeeze(output, 0) if single else output


class InstanceNorm1d(_InstanceNorm):
    """Normalise each channel of each instance over its spatial dims: (x - mean) / sqrt(variance + eps) * weight + bias
    (Ulyanov et al. 2016).

    Args:
        num_features: the number of channels C.
        eps: added to the variance.
        momentum: the weight of a new batch in the running statistics.
        affine: whether the result is scaled by a weight and shifted by a bias per channel.
        track_running_stats: whether running statistics are kept, which evaluation mode uses.
        device, dtype: of parameters and statistics.
        bias: whether there is a bias, where `affine` is set.

    Shape:
        (N, C, L) or (C, L); the output has the input's.

    >>> torch.nn.InstanceNorm1d(1, eps=0.0)(torch.tensor([1.0, 3.0]).reshape(1, 1, 2)).flatten()
    tensor([-1.,  1.])
    """

    _dims = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    """Normalise each channel of each instance over its spatial dims: (x - mean) / sqrt(variance + eps) * weight + bias
    (Ulyanov et al. 2016).

    Args:
        num_features: the number of channels C.
        eps: added to the variance.
        momentum: the weight of a new batch in the running statistics.
        affine: whether the result is scaled by a weight and shifted by a bias per channel.
        track_running_stats: whether running statistics are kept, which evaluation mode uses.
        device, dtype: of parameters and statistics.
        bias: whether there is a bias, where `affine` is set.

    Shape:
        (N, C, H, W) or (C, H, W); the output has the input's.

    >>> torch.nn.InstanceNorm2d(1, eps=0.0)(torch.tensor([1.0, 3.0]).reshape(1, 1, 1, 2)).flatten()
    tensor([-1.,  1.])
    """

    _dims = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    """Normalise each channel of each instance over its spatial dims: (x - mean) / sqrt(variance + eps) * weight + bias
    (Ulyanov et al. 2016).

    Args:
        num_features: the number of channels C.
        eps: added to the variance.
        momentum: the weight of a new batch in the running statistics.
        affine: whether the result is scaled by a weight and shifted by a bias per channel.
        track_running_stats: whether running statistics are kept, which evaluation mode uses.
        device, dtype: of parameters and statistics.
        bias: whether there is a bias, where `affine` is set.

    Shape:
        (N, C, D, H, W) or (C, D, H, W); the output has the input's.

    >>> torch.nn.InstanceNorm3d(1, eps=0.0)(torch.tensor([1.0, 3.0]).reshape(1, 1, 1, 1, 2)).flatten()
    tensor([-1.,  1.])
    """

    _dims = (4, 5)
