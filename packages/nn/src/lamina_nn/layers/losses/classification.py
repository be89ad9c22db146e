"""Losses between scores or probabilities of classes and the classes wanted, as modules."""

from __future__ import annotations

import math
from typing import Any

from lamina_flatarray import ShapeError
from lamina_tensor import Tensor

from ... import functional as F
from ..linear import Linear
from .loss import Loss, WeightedLoss

__all__ = [
    "BCELoss", "BCEWithLogitsLoss", "CTCLoss", "CrossEntropyLoss", "LinearCrossEntropyLoss",
    "MultiLabelSoftMarginLoss", "NLLLoss", "NLLLoss2d", "SoftMarginLoss",
]  # fmt: skip


class BCELoss(WeightedLoss):
    """Cross entropy between a probability and a target probability; `weight` per item."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two of one shape to a scalar (or to that shape, for reduction "none")."""
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(Loss):
    """Cross entropy between a probability, given by its logit, and a target probability.

    Args:
        weight: per item.
        size_average, reduce, reduction: as of every loss.
        pos_weight: of the positive class.
    """

    weight: Tensor | None
    pos_weight: Tensor | None

    def __init__(
        self, weight: Tensor | None = None, size_average: bool | None = None, reduce: bool | None = None,
        reduction: str = "mean", pos_weight: Tensor | None = None,
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two of one shape to a scalar (or to that shape, for reduction "none")."""
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )


class NLLLoss(WeightedLoss):
    """Negated log-probability of the target class; `weight` per class."""

    def __init__(
        self, weight: Tensor | None = None, size_average: bool | None = None, ignore_index: int = -100,
        reduce: bool | None = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Log-probabilities (N, C, ...) and classes (N, ...) to a scalar."""
        return F.nll_loss(input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction)


class NLLLoss2d(NLLLoss):
    """`NLLLoss` by its old name for images."""


class CrossEntropyLoss(WeightedLoss):
    """Cross entropy between logits and classes or probabilities; `weight` per class."""

    def __init__(
        self, weight: Tensor | None = None, size_average: bool | None = None, ignore_index: int = -100,
        reduce: bool | None = None, reduction: str = "mean", label_smoothing: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Logits (N, C, ...) and classes (N, ...) to a scalar."""
        return F.cross_entropy(
            input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )  # fmt: skip


class LinearCrossEntropyLoss(WeightedLoss):
    """Cross entropy of the logits of a linear layer, which is a part of the loss.

    Args:
        in_features: the length of the last dim that comes in.
        num_classes: how many there are.
        out_features: further dims of the targets.
        bias: whether the layer has one.
        device, dtype: of the layer's parameters.
        reduction, weight, ignore_index, label_smoothing, options: as of `functional.linear_cross_entropy`.

    Raises:
        RuntimeError: the weight is not one number per class, or the smoothing not within [0, 1].
    """

    def __init__(
        self, in_features: int, num_classes: int, *, out_features: tuple[int, ...] = (), bias: bool = False,
        device: Any = None, dtype: Any = None, reduction: str = "mean", weight: Tensor | None = None,
        ignore_index: int | None = None, label_smoothing: float = 0.0, options: Any = None,
    ) -> None:  # fmt: skip
        if weight is not None and tuple(weight.shape) != (num_classes,):
            raise ShapeError(f"expected weight shape to be {(num_classes,)}, got {tuple(weight.shape)}")
        if not 0 <= label_smoothing <= 1:
            raise ShapeError(f"expected label_smoothing to be in range [0, 1], got {label_smoothing}")
        super().__init__(weight, reduction=reduction)
        self.num_classes, self.out_features = num_classes, out_features
        self.ignore_index, self.label_smoothing, self.options = ignore_index, label_smoothing, options
        self.linear = Linear(in_features, num_classes * math.prod(out_features), bias, device, dtype)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """(..., in_features) and targets to a scalar."""
        shape = [self.num_classes, *self.out_features]
        bias = self.linear.bias
        return F.linear_cross_entropy(
            input, self.linear.weight.reshape([*shape, -1]), target,
            linear_bias=None if bias is None else bias.reshape(shape), weight=self.weight, reduction=self.reduction,
            ignore_index=self.ignore_index, label_smoothing=self.label_smoothing, options=self.options,
        )  # fmt: skip

    def extra_repr(self) -> str:
        return (
            f"in_features={self.linear.in_features}, num_classes={self.num_classes}, out_features={self.out_features}, "
            f"bias={self.linear.bias is not None}, reduction={self.reduction}, ignore_index={self.ignore_index}, "
            f"label_smoothing={self.label_smoothing}, options={self.options}"
        )


class SoftMarginLoss(Loss):
    """log(1 + exp(-target * input)), for targets 1 and -1."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two of one shape to a scalar (or to that shape, for reduction "none")."""
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(WeightedLoss):
    """The mean over classes of binary cross entropies of logits; `weight` per class."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """(N, C) and (N, C) to a scalar."""
        return F.multilabel_soft_margin_loss(input, target, weight=self.weight, reduction=self.reduction)


class CTCLoss(Loss):
    """The negated log-likelihood of label sequences over all alignments; settings as of `functional.ctc_loss`."""

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction=reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def forward(self, log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any) -> Tensor:
        """(T, N, C), (N, S), (N,) and (N,) to a scalar."""
        return F.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )
