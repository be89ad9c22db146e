"""SyncBatchNorm: batch normalisation over the batches of all processes."""

from __future__ import annotations

from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from ...functional.checking import check_tensor
from ...module import Module
from .batch import _BatchNorm

__all__ = ["SyncBatchNorm"]


class SyncBatchNorm(_BatchNorm):
    """Normalise each channel over the batches of all processes of a group, which may have batches of different sizes.

    Sums are added up in the order of ranks. Without a process group, it is over the batch of this process.

    Args:
        num_features: the number of channels C.
        eps: added to the variance.
        momentum: the weight of a new batch in the running statistics; None for their plain average.
        affine: whether the result is scaled by a weight and shifted by a bias per channel.
        track_running_stats: whether running statistics are kept, which evaluation mode uses.
        process_group: the processes; by default all.
        device, dtype: of parameters and statistics.
        bias: whether there is a bias, where `affine` is set.

    Shape:
        (N, C, ...); the output has the input's.

    >>> torch.nn.SyncBatchNorm(1)(torch.tensor([[1.0], [3.0]])).detach().flatten()
    tensor([-1.0000,  1.0000])
    """

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, process_group: Any = None, device: Any = None, dtype: Any = None, *,
        bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def _check_input_dim(self, input: Tensor) -> None:
        if not isinstance(input, Tensor):
            check_tensor(type(self).__name__, input)
        if input.ndim < 2:
            raise ArgumentValueError(f"expected at least 2D input (got {input.ndim}D input)")

    def forward(self, input: Tensor) -> Tensor:
        """Normalise each channel.

        Args:
            input: (N, C, ...).

        Returns:
            A tensor of the input's shape.

        Raises:
            ArgumentValueError: the input has less than 2 dims, or all processes together have one value per channel.
            RankLost: a process was killed, is stopped or does not come.
        """
        from ...process_groups.process_group import (  # who has no group of processes does without them
            GroupMember,
            group,
        )

        members = group.WORLD if self.process_group is None else self.process_group
        by_itself = members is None or members is GroupMember.NON_GROUP_MEMBER or members.size() == 1
        if by_itself or not (self.training or (self.running_mean is None and self.running_var is None)):
            return super().forward(input)
        self._check_input_dim(input)
        return self._over_all(input, members)

    def _over_all(self, input: Tensor, members: Any) -> Tensor:
        from .sums_over_processes import summed

        x = input.float() if input.dtype.itemsize < 4 else input
        dims, channels = [0, *range(2, x.ndim)], x.shape[1]
        shape = (1, channels) + (1,) * (x.ndim - 2)
        count = lt.full((1,), x.numel() // channels if channels else 0, dtype=x.dtype, device=x.device)
        sums = summed(lt.cat([x.sum(dims), count]), members)
        total = float(sums[channels].item())
        if total <= 1:
            raise ArgumentValueError(f"SyncBatchNorm: Expected more than 1 value per channel when training, got {int(total)} in all")
        mean = sums[:channels] / total
        centred = x - mean.reshape(shape)
        variance = summed((centred * centred).sum(dims), members) / total
        factor = self._counted()
        if self.training and self.track_running_stats:
            with lt.no_grad():
                self.running_mean.lerp_(mean.to(self.running_mean.dtype), factor)
                self.running_var.lerp_((variance * (total / (total - 1))).to(self.running_var.dtype), factor)
        result = centred * lt.rsqrt(variance + self.eps).reshape(shape)
        if self.weight is not None:
            result = result * self.weight.reshape(shape)
        if self.bias is not None:
            result = result + self.bias.reshape(shape)
        return result.to(input.dtype)

    @classmethod
    def convert_sync_batchnorm(cls, module: Module, process_group: Any = None) -> Module:
        """Replace every batch normalisation in a module by a `SyncBatchNorm` with the same parameters and statistics.

        Args:
            module: the module; its submodules are replaced in place.
            process_group: of the new modules.

        Returns:
            The module itself, or the new one if it is a batch normalisation.

        >>> model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
        >>> type(torch.nn.SyncBatchNorm.convert_sync_batchnorm(model)[1]).__name__
        'SyncBatchNorm'
        """
        result = module
        if isinstance(module, _BatchNorm) and not isinstance(module, cls):
            result = cls(
                module.num_features, module.eps, module.momentum, module.affine, module.track_running_stats, process_group
            )
            for name in ("weight", "bias", "running_mean", "running_var", "num_batches_tracked"):
                setattr(result, name, getattr(module, name))
            result.training = module.training
        for name, child in module.named_children():
            result.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return result
