"""Batch normalisation: each channel over all samples of a batch, or by running statistics."""

from __future__ import annotations

from lamina_tensor import Tensor

from ... import functional as F
from .running_statistics import _NormBase

__all__ = ["BatchNorm1d", "BatchNorm2d", "BatchNorm3d"]


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
