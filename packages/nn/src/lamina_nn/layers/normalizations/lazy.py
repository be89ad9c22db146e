"""Batch and instance normalisation whose number of channels is that of the first input."""

from __future__ import annotations

from typing import Any

import lamina_tensor as lt
from lamina_tensor import Tensor

from ...lazy_parameter import UninitializedBuffer, UninitializedParameter, is_lazy
from ..convolutions.lazy import LazyModuleMixin
from .batch import BatchNorm1d, BatchNorm2d, BatchNorm3d, _BatchNorm
from .instance import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d, _InstanceNorm
from .running_statistics import _NormBase

__all__ = [
    "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d", "LazyInstanceNorm1d", "LazyInstanceNorm2d", "LazyInstanceNorm3d",
]  # fmt: skip


class _LazyNormBase(LazyModuleMixin, _NormBase):
    """A normalisation whose num_features is that of the first input."""

    def __init__(
        self, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True, track_running_stats: bool = True,
        device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(0, eps, momentum, False, False)
        self.affine, self.track_running_stats = affine, track_running_stats
        if affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
            if bias:
                self.bias = UninitializedParameter(device=device, dtype=dtype)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = lt.tensor(0, device=device)

    def reset_parameters(self) -> None:
        """As in the beginning, once there is a shape."""
        if not self.has_uninitialized_params() and self.num_features:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """Give parameters and statistics their shapes.

        Args:
            input: the first input, (N, C, ...).
        """
        if self.has_uninitialized_params():
            self.num_features = input.shape[1]
            for x in (self.weight, self.bias, self.running_mean, self.running_var):
                if is_lazy(x):
                    x.materialize((self.num_features,))
            self.reset_parameters()


class LazyBatchNorm1d(_LazyNormBase, _BatchNorm):
    """Normalise each channel over the batch, their number taken from the first input; the module then becomes a
    `BatchNorm1d`.

    Args:
        eps: added to the variance.
        momentum: the weight of a new batch in the running statistics; None for their plain average.
        affine: whether the result is scaled by a weight and shifted by a bias per channel.
        track_running_stats: whether running statistics are kept, which evaluation mode uses.
        device, dtype: of parameters and statistics.
        bias: whether there is a bias, where `affine` is set.

    Shape:
        (N, C) or (N, C, L); the output has the input's.

    >>> norm = torch.nn.LazyBatchNorm1d()
    >>> norm(torch.zeros(2, 3)).shape
    lamina.Size([2, 3])
    >>> norm.num_features
    3
    """

    cls_to_become = BatchNorm1d
    _dims = (2, 3)


class LazyBatchNorm2d(_LazyNormBase, _BatchNorm):
    """Normalise each channel over the batch, their number taken from the first input; the module then becomes a
    `BatchNorm2d`.

    Args:
        eps: added to the variance.
        momentum: the weight of a new batch in the running statistics; None for their plain average.
        affine: whether the result is scaled by a weight and shifted by a bias per channel.
        track_running_stats: whether running statistics are kept, which evaluation mode uses.
        device, dtype: of parameters and statistics.
        bias: whether there is a bias, where `affine` is set.

    Shape:
        (N, C, H, W); the output has the input's.

    >>> norm = torch.nn.LazyBatchNorm2d()
    >>> norm(torch.zeros(2, 3, 1, 1)).shape
    lamina.Size([2, 3, 1, 1])
    >>> norm.num_features
    3
    """

    cls_to_become = BatchNorm2d
    _dims = (4,)


class LazyBatchNorm3d(_LazyNormBase, _BatchNorm):
    """Normalise each channel over the batch, their number taken from the first input; the module then becomes a
    `BatchNorm3d`.

    Args:
        eps: added to the variance.
        momentum: the weight of a new batch in the running statistics; None for their plain average.
        affine: whether the result is scaled by a weight and shifted by a bias per channel.
        track_running_stats: whether running statistics are kept, which evaluation mode uses.
        device, dtype: of parameters and statistics.
        bias: whether there is a bias, where `affine` is set.

    Shape:
        (N, C, D, H, W); the output has the input's.

    >>> norm = torch.nn.LazyBatchNorm3d()
    >>> norm(torch.zeros(2, 3, 1, 1, 1)).shape
    lamina.Size([2, 3, 1, 1, 1])
    >>> norm.num_features
    3
    """

    cls_to_become = BatchNorm3d
    _dims = (5,)


class LazyInstanceNorm1d(_LazyNormBase, _InstanceNorm):
    """Normalise each channel of each instance, their number taken from the first input; the module then becomes an
    `InstanceNorm1d`.

    Args:
        eps: added to the variance.
        momentum: the weight of a new batch in the running statistics; None for their plain average.
        affine: whether the result is scaled by a weight and shifted by a bias per channel.
        track_running_stats: whether running statistics are kept, which evaluation mode uses.
        device, dtype: of parameters and statistics.
        bias: whether there is a bias, where `affine` is set.

    Shape:
        (N, C, L) or (C, L); the output has the input's.

    >>> norm = torch.nn.LazyInstanceNorm1d()
    >>> norm(torch.zeros(2, 3, 2)).shape
    lamina.Size([2, 3, 2])
    >>> norm.num_features
    3
    """

    cls_to_become = InstanceNorm1d
    _dims = (2, 3)


class LazyInstanceNorm2d(_LazyNormBase, _InstanceNorm):
    """Normalise each channel of each instance, their number taken from the first input; the module then becomes an
    `InstanceNorm2d`.

    Args:
        eps: added to the variance.
        momentum: the weight of a new batch in the running statistics; None for their plain average.
        affine: whether the result is scaled by a weight and shifted by a bias per channel.
        track_running_stats: whether running statistics are kept, which evaluation mode uses.
        device, dtype: of parameters and statistics.
        bias: whether there is a bias, where `affine` is set.

    Shape:
        (N, C, H, W) or (C, H, W); the output has the input's.

    >>> norm = torch.nn.LazyInstanceNorm2d()
    >>> norm(torch.zeros(2, 3, 1, 2)).shape
    lamina.Size([2, 3, 1, 2])
    >>> norm.num_features
    3
    """

    cls_to_become = InstanceNorm2d
    _dims = (3, 4)


class LazyInstanceNorm3d(_LazyNormBase, _InstanceNorm):
    """Normalise each channel of each instance, their number taken from the first input; the module then becomes an
    `InstanceNorm3d`.

    Args:
        eps: added to the variance.
        momentum: the weight of a new batch in the running statistics; None for their plain average.
        affine: whether the result is scaled by a weight and shifted by a bias per channel.
        track_running_stats: whether running statistics are kept, which evaluation mode uses.
        device, dtype: of parameters and statistics.
        bias: whether there is a bias, where `affine` is set.

    Shape:
        (N, C, D, H, W) or (C, D, H, W); the output has the input's.

    >>> norm = torch.nn.LazyInstanceNorm3d()
    >>> norm(torch.zeros(2, 3, 1, 1, 2)).shape
    lamina.Size([2, 3, 1, 1, 2])
    >>> norm.num_features
    3
    """

    cls_to_become = InstanceNorm3d
    _dims = (4, 5)
