"""Losses as modules."""

from __future__ import annotations

from lamina_tensor import Tensor

from .. import functional as F
from ..module import Module

__all__ = ["BCEWithLogitsLoss", "CrossEntropyLoss", "L1Loss", "MSELoss", "NLLLoss"]


class _Loss(Module):
    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction = reduction


class MSELoss(_Loss):
    """Squared difference."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two of one shape to a scalar (or to that shape, for reduction "none")."""
        return F.mse_loss(input, target, self.reduction)


class L1Loss(_Loss):
    """Absolute difference."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two of one shape to a scalar (or to that shape, for reduction "none")."""
        return F.l1_loss(input, target, self.reduction)


class BCEWithLogitsLoss(_Loss):
    """Cross entropy between a probability, given by its logit, and a target probability."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two of one shape to a scalar (or to that shape, for reduction "none")."""
        return F.binary_cross_entropy_with_logits(input, target, self.reduction)


class NLLLoss(_Loss):
    """Negated log-probability of the target class."""

    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.register_buffer("weight", weight)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Log-probabilities (N, C, ...) and classes (N, ...) to a scalar."""
        return F.nll_loss(input, target, self.weight, self.ignore_index, self.reduction)


class CrossEntropyLoss(_Loss):
    """Cross entropy between logits and classes or probabilities."""

    def __init__(
        self,
        weight: Tensor | None = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(reduction)
        self.register_buffer("weight", weight)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Logits (N, C, ...) and classes (N, ...) to a scalar."""
        return F.cross_entropy(input, target, self.weight, self.ignore_index, self.reduction, self.label_smoothing)
