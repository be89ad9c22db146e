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
    """Average the cross entropy of probabilities: -(target * log(input) + (1 - target) * log(1 - input)).

    Logarithms are at least -100.

    Args:
        weight: the weight of each item; its shape broadcasts to the input's.
        size_average, reduce: deprecated; `reduction` takes their place.
        reduction: "mean", "sum" or "none".

    Shape:
        Input and target of one shape; a scalar, or with reduction "none" that shape.

    >>> torch.nn.BCELoss()(torch.tensor([0.5, 0.5]), torch.tensor([1.0, 0.0]))
    tensor(0.6931)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Compute the cross entropy.

        Args:
            input: probabilities of any shape, in [0, 1].
            target: probabilities of the same shape.

        Returns:
            A scalar; with reduction "none" a tensor of that shape.
        """
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(Loss):
    """Average the cross entropy of logits x: -(pos_weight * target * log(sigmoid(x)) + (1 - target) * log(1 -
    sigmoid(x))).

    It is computed without overflow, unlike a sigmoid followed by `BCELoss`.

    Args:
        weight: the weight of each item; its shape broadcasts to the input's.
        size_average, reduce: deprecated; `reduction` takes their place.
        reduction: "mean", "sum" or "none".
        pos_weight: the weight of the positive class; its shape broadcasts to the input's.

    Shape:
        Input and target of one shape; a scalar, or with reduction "none" that shape.

    >>> torch.nn.BCEWithLogitsLoss()(torch.tensor([0.0, 0.0]), torch.tensor([1.0, 0.0]))
    tensor(0.6931)
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
        """Compute the cross entropy.

        Args:
            input: logits of any shape.
            target: probabilities of the same shape.

        Returns:
            A scalar; with reduction "none" a tensor of that shape.
        """
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )


class NLLLoss(WeightedLoss):
    """Average the negative log-probability of the target class: -weight[target] * input[target], divided by the sum of
    the weights.

    Args:
        weight: the weight of each class, (C,).
        size_average, reduce: deprecated; `reduction` takes their place.
        ignore_index: a target that does not count.
        reduction: "mean", "sum" or "none".

    Shape:
        (N, C, ...) and (N, ...), or (C,) and (); a scalar, or with reduction "none" the target's shape.

    >>> torch.nn.NLLLoss()(torch.tensor([[-1.0, -2.0], [-3.0, -4.0]]), torch.tensor([0, 1]))
    tensor(2.5000)
    """

    def __init__(
        self, weight: Tensor | None = None, size_average: bool | None = None, ignore_index: int = -100,
        reduce: bool | None = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Compute the negative log-probability.

        Args:
            input: log-probabilities, (N, C, ...), or (C,).
            target: classes, (N, ...), or (): int64.

        Returns:
            A scalar; with reduction "none" a tensor of the target's shape.
        """
        return F.nll_loss(input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction)


class NLLLoss2d(NLLLoss):
    """Compute `NLLLoss` by its deprecated name for images.

    Args:
        weight: the weight of each class, (C,).
        size_average, reduce: deprecated; `reduction` takes their place.
        ignore_index: a target that does not count.
        reduction: "mean", "sum" or "none".

    Shape:
        (N, C, H, W) and (N, H, W); a scalar, or with reduction "none" the target's shape.

    >>> torch.nn.NLLLoss2d()(torch.full((1, 2, 1, 1), -1.0), torch.tensor([[[1]]]))
    tensor(1.)
    """


class CrossEntropyLoss(WeightedLoss):
    """Average the cross entropy of logits: -sum over classes of weight * target * log_softmax(input).

    Targets are classes or probabilities. With classes, "mean" divides by the sum of the targets' weights; with
    probabilities, by the number of targets.

    Args:
        weight: the weight of each class, (C,).
        size_average, reduce: deprecated; `reduction` takes their place.
        ignore_index: a target class that does not count.
        reduction: "mean", "sum" or "none".
        label_smoothing: the share of each target, in [0, 1], that is spread evenly over all classes.

    Shape:
        (N, C, ...) and (N, ...) for classes, or of the input's shape for probabilities; without a batch (C,) and () or
        (C,). A scalar, or with reduction "none" (N, ...).

    >>> torch.nn.CrossEntropyLoss()(torch.zeros(1, 2), torch.tensor([0]))
    tensor(0.6931)
    >>> torch.nn.CrossEntropyLoss()(torch.zeros(1, 2), torch.tensor([[0.25, 0.75]]))
    tensor(0.6931)
    """

    def __init__(
        self, weight: Tensor | None = None, size_average: bool | None = None, ignore_index: int = -100,
        reduce: bool | None = None, reduction: str = "mean", label_smoothing: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Compute the cross entropy.

        Args:
            input: logits, (N, C, ...), or (C,).
            target: classes, (N, ...), int64; or probabilities of the input's shape.

        Returns:
            A scalar; with reduction "none" (N, ...).
        """
        return F.cross_entropy(
            input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )  # fmt: skip


class LinearCrossEntropyLoss(WeightedLoss):
    """Average the cross entropy of the logits of a linear layer, which is part of the loss: cross_entropy(x @ weight.T
    + bias, target).

    Args:
        in_features: the length of the last dim of the input.
        num_classes: the number of classes.
        out_features: further dims of the targets.
        bias: whether the linear layer adds a bias.
        device, dtype: of the layer's parameters.
        reduction: "mean", "sum" or "none".
        weight: the weight of each class, (num_classes,).
        ignore_index: a target class that does not count.
        label_smoothing: the share of each target, in [0, 1], that is spread evenly over all classes.
        options: see `functional.linear_cross_entropy`.

    Raises:
        RuntimeError: weight is not one number per class, or label_smoothing is not in [0, 1].

    >>> loss = torch.nn.LinearCrossEntropyLoss(3, 2)
    >>> loss(torch.zeros(1, 3), torch.tensor([0])).detach()
    tensor(0.6931)
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
        """Compute the logits and their cross entropy.

        Args:
            input: (..., in_features).
            target: classes, (..., *out_features), int64; or probabilities with the classes in front of out_features.

        Returns:
            A scalar; with reduction "none" the loss of each target.
        """
        shape = [self.num_classes, *self.out_features]
        bias = self.linear.bias
        return F.linear_cross_entropy(
            input, self.linear.weight.reshape([*shape, -1]), target,
            linear_bias=None if bias is None else bias.reshape(shape), weight=self.weight, reduction=self.reduction,
            ignore_index=self.ignore_index, label_smoothing=self.label_smoothing, options=self.options,
        )  # fmt: skip

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return (
            f"in_features={self.linear.in_features}, num_classes={self.num_classes}, out_features={self.out_features}, "
            f"bias={self.linear.bias is not None}, reduction={self.reduction}, ignore_index={self.ignore_index}, "
            f"label_smoothing={self.label_smoothing}, options={self.options}"
        )


class SoftMarginLoss(Loss):
    """Average log(1 + exp(-target * input)), for targets 1 and -1.

    Args:
        size_average, reduce: deprecated; `reduction` takes their place.
        reduction: "mean", "sum" or "none".

    Shape:
        Input and target of one shape; a scalar, or with reduction "none" that shape.

    >>> torch.nn.SoftMarginLoss()(torch.tensor([0.0, 0.0]), torch.tensor([1.0, -1.0]))
    tensor(0.6931)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Compute the loss.

        Args:
            input: scores of any shape.
            target: 1 or -1, of the same shape.

        Returns:
            A scalar; with reduction "none" a tensor of that shape.
        """
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(WeightedLoss):
    """Average the binary cross entropy of logits over the classes, then over the batch.

    Args:
        weight: the weight of each class, (C,).
        size_average, reduce: deprecated; `reduction` takes their place.
        reduction: "mean", "sum" or "none".

    Shape:
        (N, C) and (N, C); a scalar, or with reduction "none" (N,).

    >>> torch.nn.MultiLabelSoftMarginLoss()(torch.zeros(1, 3), torch.tensor([[1.0, 0.0, 1.0]]))
    tensor(0.6931)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Compute the loss.

        Args:
            input: logits, (N, C).
            target: 0 or 1, (N, C).

        Returns:
            A scalar; with reduction "none" (N,).
        """
        return F.multilabel_soft_margin_loss(input, target, weight=self.weight, reduction=self.reduction)


class CTCLoss(Loss):
    """Compute the negative log-likelihood of label sequences, summed over all alignments to the time steps (Graves et
    al. 2006).

    Args:
        blank: the class that stands for no label.
        reduction: "mean" for the mean of losses divided by target lengths, "sum" or "none".
        zero_infinity: whether infinite losses, and their gradients, are replaced by 0.

    Shape:
        (T, N, C), (N, S), (N,) and (N,); a scalar, or with reduction "none" (N,).

    >>> log_probs = torch.full((2, 1, 2), 0.5).log()
    >>> torch.nn.CTCLoss()(log_probs, torch.tensor([[1]]), (2,), (1,))
    tensor(0.2877)
    """

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction=reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def forward(self, log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any) -> Tensor:
        """Compute the negative log-likelihood.

        Args:
            log_probs: log-probabilities, (T, N, C), or (T, C).
            targets: labels, (N, S), or all of them in a row, (sum of target_lengths,).
            input_lengths: the number of time steps of each sequence, (N,): a tensor or a tuple.
            target_lengths: the number of labels of each sequence, (N,): a tensor or a tuple.

        Returns:
            A scalar; with reduction "none" (N,).
        """
        return F.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )
