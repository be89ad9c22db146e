"""Layers with a weight and a bias per channel, and running statistics."""

from __future__ import annotations

from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from ... import init
from ...functional.checking import check_tensor
from ...module import Module
from ...parameter import Parameter

__all__: list[str] = []


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
