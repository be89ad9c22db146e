"""Layers that normalise channels by running statistics: batch normalisation, and instance normalisation, its kin."""

from __future__ import annotations

import warnings
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from ... import functional as F
from ... import init
from ...functional.checking import check_tensor
from ...lazy_parameter import UninitializedBuffer, UninitializedParameter, is_lazy
from ...module import Module
from ...parameter import Parameter
from ..convolutions.lazy import LazyModuleMixin

__all__ = [
    "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "LazyBatchNorm1d",
    "LazyBatchNorm2d", "LazyBatchNorm3d", "LazyInstanceNorm1d", "LazyInstanceNorm2d", "LazyInstanceNorm3d",
]  # fmt: skip


class _NormBase(Module):
    """A weight and a bias per channel, and running statistics."""

    _version = 2
    _dims: tuple[int, ...] = ()
    weight: Any
    bias: Any
    running_mean: Any
    running_var: Any
    num_batches_tracked: Any

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        for name, is_present in (("weight", affine), ("bias", affine and bias)):
            parameter = Parameter(lt.empty(num_features, device=device, dtype=dtype)) if is_present else None
            self.register_parameter(name, parameter)
        tracks = track_running_stats
        self.register_buffer("running_mean", lt.zeros(num_features, device=device, dtype=dtype) if tracks else None)
        self.register_buffer("running_var", lt.ones(num_features, device=device, dtype=dtype) if tracks else None)
        self.register_buffer("num_batches_tracked", lt.tensor(0, device=device) if tracks else None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Set the running mean to 0, the running variance to 1 and the number of batches to 0."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Reset the running statistics, and set the weight to 1 and the bias to 0."""
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)

    def _check_input_dim(self, input: Tensor) -> None:
        if not isinstance(input, Tensor):
            check_tensor(type(self).__name__, input)
        if self._dims and input.ndim not in self._dims:
            expected = " or ".join(f"{n}D" for n in self._dims)
            raise ArgumentValueError(f"expected {expected} input (got {input.ndim}D input)")

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(self, state_dict: Any, prefix: str, local_metadata: Any, *others: Any) -> None:
        key = f"{prefix}num_batches_tracked"
        if (local_metadata.get("version") or 0) < 2 and self.track_running_stats and key not in state_dict:
            state_dict[key] = self.num_batches_tracked  # states of before it was counted
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *others)


class _BatchNorm(_NormBase):
    __doc__ = _NormBase.__doc__

    def forward(self, input: Tensor) -> Tensor:
        """Normalise each channel.

        Args:
            input: (N, C, ...) with the class's number of dims.

        Returns:
            A tensor of the input's shape.

        Raises:
            ArgumentValueError: the input has another number of dims.
        """
        self._check_input_dim(input)
        factor = self._counted()
        training, mean, variance = self.training, self.running_mean, self.running_var
        if training and not self.track_running_stats:
            mean = variance = None
        return F.batch_norm(
            input, mean, variance, self.weight, self.bias, training or (mean is None and variance is None), factor, self.eps,
        )  # fmt: skip

    def _counted(self) -> float:
        """Count a batch of training, and return its weight in the running statistics."""
        factor = self.momentum
        if self.training and self.track_running_stats:
            counted = self.num_batches_tracked
            if counted is not None:
                counted.add_(1)  # whole numbers, of which nothing is recorded
                if factor is None:
                    factor = 1.0 / float(counted.item())
        return 0.0 if factor is None else factor


class BatchNorm1d(_BatchNorm):
    """Normalise each channel over the batch: (x - mean) / sqrt(variance + eps) * weight + bias (Ioffe & Szegedy 2015).

    Training uses the batch's mean and biased variance, and moves the running ones towards them; evaluation uses the
    running ones.

    Args:
        num_features: the number of channels C.
        eps: added to the variance.
        momentum: the weight of a new batch in the running statistics; None for their plain average.
        affine: whether the result is scaled by a weight and shifted by a bias per channel.
        track_running_stats: whether running statistics are kept, which evaluation mode uses.
        device, dtype: of parameters and statistics.
        bias: whether there is a bias, where `affine` is set.

    Shape:
        (N, C) or (N, C, L); the output has the input's.

    >>> norm = torch.nn.BatchNorm1d(1)
    >>> norm(torch.tensor([1.0, 3.0]).reshape(2, 1)).detach().flatten()
    tensor([-1.0000,  1.0000])
    >>> norm.running_mean
    tensor([0.2000])
    """

    _dims = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalise each channel over the batch: (x - mean) / sqrt(variance + eps) * weight + bias (Ioffe & Szegedy 2015).

    Training uses the batch's mean and biased variance, and moves the running ones towards them; evaluation uses the
    running ones.

    Args:
        num_features: the number of channels C.
        eps: added to the variance.
        momentum: the weight of a new batch in the running statistics; None for their plain average.
        affine: whether the result is scaled by a weight and shifted by a bias per channel.
        track_running_stats: whether running statistics are kept, which evaluation mode uses.
        device, dtype: of parameters and statistics.
        bias: whether there is a bias, where `affine` is set.

    Shape:
        (N, C, H, W); the output has the input's.

    >>> norm = torch.nn.BatchNorm2d(1)
    >>> norm(torch.tensor([1.0, 3.0]).reshape(2, 1, 1, 1)).detach().flatten()
    tensor([-1.0000,  1.0000])
    >>> norm.running_mean
    tensor([0.2000])
    """

    _dims = (4,)


class BatchNorm3d(_BatchNorm):
    """Normalise each channel over the batch: (x - mean) / sqrt(variance + eps) * weight + bias (Ioffe & Szegedy 2015).

    Training uses the batch's mean and biased variance, and moves the running ones towards them; evaluation uses the
    running ones.

    Args:
        num_features: the number of channels C.
        eps: added to the variance.
        momentum: the weight of a new batch in the running statistics; None for their plain average.
        affine: whether the result is scaled by a weight and shifted by a bias per channel.
        track_running_stats: whether running statistics are kept, which evaluation mode uses.
        device, dtype: of parameters and statistics.
        bias: whether there is a bias, where `affine` is set.

    Shape:
        (N, C, D, H, W); the output has the input's.

    >>> norm = torch.nn.BatchNorm3d(1)
    >>> norm(torch.tensor([1.0, 3.0]).reshape(2, 1, 1, 1, 1)).detach().flatten()
    tensor([-1.0000,  1.0000])
    >>> norm.running_mean
    tensor([0.2000])
    """

    _dims = (5,)


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


# -- lazily -------------------------------------------------------------------------------------------------------------


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
