"""What all losses have as modules: a reduction, and where there is one, a weight."""

from __future__ import annotations

from lamina_tensor import Tensor

from ...functional.losses.reduction import legacy_reduction
from ...module import Module

__all__ = ["Loss", "WeightedLoss"]


class Loss(Module):
    """Reduce the losses of items to one, or return them as they are.

    Args:
        size_average, reduce: deprecated; `reduction` takes their place.
        reduction: "mean", "sum" or "none".

    >>> class CubicLoss(Loss):
    ...     def forward(self, input, target):
    ...         losses = (input - target).abs() ** 3
    ...         return losses.mean() if self.reduction == "mean" else losses
    >>> CubicLoss()(torch.tensor([1.0, 2.0]), torch.tensor([0.0, 0.0]))
    tensor(4.5000)
    >>> CubicLoss(reduction="none")(torch.tensor([1.0, 2.0]), torch.tensor([0.0, 0.0]))
    tensor([1., 8.])
    """

    checks_operands = True

    def __init__(self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean") -> None:
        super().__init__()
        legacy = size_average is not None or reduce is not None
        self.reduction = legacy_reduction(size_average, reduce) if legacy else reduction


class WeightedLoss(Loss):
    """Reduce the losses of items, each multiplied by a weight.

    Args:
        weight: a buffer of the module: one number for each class, or each item.
        size_average, reduce: deprecated; `reduction` takes their place.
        reduction: "mean", "sum" or "none".

    >>> loss = torch.nn.NLLLoss(weight=torch.tensor([1.0, 3.0]))
    >>> isinstance(loss, WeightedLoss)
    True
    >>> [name for name, _ in loss.named_buffers()]
    ['weight']
    """

    weight: Tensor | None

    def __init__(
        self, weight: Tensor | None = None, size_average: bool | None = None, reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
