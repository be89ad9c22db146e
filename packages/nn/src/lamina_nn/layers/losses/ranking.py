"""Losses that want scores or distances apart by a margin, as modules."""

from __future__ import annotations

from collections.abc import Callable

from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from ... import functional as F
from .distance import PairwiseDistance
from .loss import Loss, WeightedLoss

__all__ = [
    "CosineEmbeddingLoss", "HingeEmbeddingLoss", "MarginRankingLoss", "MultiLabelMarginLoss", "MultiMarginLoss",
    "TripletMarginLoss", "TripletMarginWithDistanceLoss",
]  # fmt: skip


class _MarginLoss(Loss):
    def __init__(
        self, margin: float = 0.0, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin


class MarginRankingLoss(_MarginLoss):
    """Average max(0, -target * (input1 - input2) + margin), for targets 1, where input1 should rank higher, and -1.

    Args:
        margin: the difference that is wanted.
        size_average, reduce: deprecated; `reduction` takes their place.
        reduction: "mean", "sum" or "none".

    Shape:
        Inputs and target of one shape; a scalar, or with reduction "none" that shape.

    >>> torch.nn.MarginRankingLoss()(torch.tensor([1.0]), torch.tensor([3.0]), torch.tensor([1.0]))
    tensor(2.)
    """

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """Compute the loss.

        Args:
            input1, input2: scores of one shape.
            target: 1 or -1, of this shape.

        Returns:
            A scalar; with reduction "none" a tensor of that shape.
        """
        return F.margin_ranking_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class CosineEmbeddingLoss(_MarginLoss):
    """Average 1 - cos(input1, input2) where the target is 1, and max(0, cos(input1, input2) - margin) where it is -1.

    Args:
        margin: the cosine that unlike vectors may have.
        size_average, reduce: deprecated; `reduction` takes their place.
        reduction: "mean", "sum" or "none".

    Shape:
        (N, D), (N, D) and (N,), or (D,), (D,) and (); a scalar, or with reduction "none" the target's shape.

    >>> loss = torch.nn.CosineEmbeddingLoss()
    >>> loss(torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]]), torch.tensor([1.0]))
    tensor(1.)
    """

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """Compute the loss.

        Args:
            input1, input2: (N, D), or (D,).
            target: 1 or -1, (N,), or ().

        Returns:
            A scalar; with reduction "none" a tensor of the target's shape.
        """
        return F.cosine_embedding_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class HingeEmbeddingLoss(_MarginLoss):
    """Average the input, a distance, where the target is 1, and max(0, margin - input) where it is -1.

    Args:
        margin: the distance that unlike pairs should have.
        size_average, reduce: deprecated; `reduction` takes their place.
        reduction: "mean", "sum" or "none".

    Shape:
        Input and target of one shape; a scalar, or with reduction "none" that shape.

    >>> torch.nn.HingeEmbeddingLoss()(torch.tensor([0.5, 0.25]), torch.tensor([1.0, -1.0]))
    tensor(0.6250)
    """

    def __init__(
        self, margin: float = 1.0, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
    ) -> None:
        super().__init__(margin, size_average, reduce, reduction)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Compute the loss.

        Args:
            input: distances of any shape.
            target: 1 or -1, of the same shape.

        Returns:
            A scalar; with reduction "none" a tensor of that shape.
        """
        return F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)


class MultiLabelMarginLoss(Loss):
    """Sum max(0, 1 - (input[target class] - input[other class])) / C over target classes and others, and average over
    the batch.

    Args:
        size_average, reduce: deprecated; `reduction` takes their place.
        reduction: "mean", "sum" or "none".

    Shape:
        (N, C) and (N, C), or (C,) and (C,); a scalar, or with reduction "none" (N,) or ().

    >>> scores = torch.tensor([0.1, 0.2, 0.4, 0.8])
    >>> torch.nn.MultiLabelMarginLoss()(scores, torch.tensor([3, 0, -1, 1]))
    tensor(0.8500)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Compute the loss.

        Args:
            input: scores, (N, C), or (C,).
            target: of the same shape, int64: the target classes of each row, then -1; what follows is not read.

        Returns:
            A scalar; with reduction "none" (N,), or ().
        """
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiMarginLoss(WeightedLoss):
    """Sum max(0, margin - input[target] + input[other class]) ** p / C over the other classes, and average over the
    batch.

    Args:
        p: the exponent: 1 or 2.
        margin: the difference that is wanted.
        weight: the weight of each target class, (C,).
        size_average, reduce: deprecated; `reduction` takes their place.
        reduction: "mean", "sum" or "none".

    Shape:
        (N, C) and (N,), or (C,) and (); a scalar, or with reduction "none" the target's shape.

    Raises:
        ArgumentValueError: p is neither 1 nor 2, or weight is not 1-D.

    >>> torch.nn.MultiMarginLoss()(torch.tensor([[0.5, 0.5]]), torch.tensor([0]))
    tensor(0.5000)
    """

    def __init__(
        self, p: float = 1, margin: float = 1.0, weight: Tensor | None = None, size_average: bool | None = None,
        reduce: bool | None = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise ArgumentValueError("only p == 1 and p == 2 supported")
        if weight is not None and weight.ndim != 1:
            raise ArgumentValueError(f"MultiMarginLoss: expected weight to be None or 1D tensor, got {weight.ndim}D instead")
        self.p, self.margin = p, margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Compute the loss.

        Args:
            input: scores, (N, C), or (C,).
            target: classes, (N,), or (): int64.

        Returns:
            A scalar; with reduction "none" a tensor of the target's shape.
        """
        return F.multi_margin_loss(
            input, target, p=self.p, margin=self.margin, weight=self.weight, reduction=self.reduction
        )


class TripletMarginLoss(Loss):
    """Average max(0, d(anchor, positive) - d(anchor, negative) + margin), d being the p-norm of the difference (Balntas
    et al. 2016).

    Args:
        margin: the difference of distances that is wanted; positive.
        p: the exponent of the norm.
        eps: added to each difference of items.
        swap: whether d(positive, negative) is used where it is less than d(anchor, negative).
        size_average, reduce: deprecated; `reduction` takes their place.
        reduction: "mean", "sum" or "none".

    Shape:
        Three of (N, D) or (D,); a scalar, or with reduction "none" (N,) or ().

    Raises:
        ArgumentValueError: margin is not positive.

    >>> anchor, positive, negative = torch.zeros(1, 2), torch.tensor([[3.0, 4.0]]), torch.tensor([[0.0, 2.0]])
    >>> torch.nn.TripletMarginLoss(eps=0.0)(anchor, positive, negative)
    tensor(4.)
    """

    def __init__(
        self, margin: float = 1.0, p: float = 2.0, eps: float = 1e-6, swap: bool = False,
        size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        if margin <= 0:
            raise ArgumentValueError(f"TripletMarginLoss: expected margin to be greater than 0, got {margin} instead")
        self.margin, self.p, self.eps, self.swap = margin, p, eps, swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """Compute the loss.

        Args:
            anchor, positive, negative: vectors, (N, D), or (D,).

        Returns:
            A scalar; with reduction "none" (N,), or ().
        """
        return F.triplet_margin_loss(
            anchor, positive, negative, margin=self.margin, p=self.p, eps=self.eps, swap=self.swap, reduction=self.reduction
        )


class TripletMarginWithDistanceLoss(Loss):
    """Average max(0, d(anchor, positive) - d(anchor, negative) + margin) for any distance d.

    Args:
        distance_function: d, called with two tensors; by default `PairwiseDistance()`.
        margin: the difference of distances that is wanted; positive.
        swap: whether d(positive, negative) is used where it is less than d(anchor, negative).
        reduction: "mean", "sum" or "none".

    Shape:
        Three of (N, D); a scalar, or with reduction "none" what the distance returns.

    Raises:
        ArgumentValueError: margin is not positive.

    >>> loss = torch.nn.TripletMarginWithDistanceLoss(distance_function=lambda x, y: (x - y).abs().sum(-1))
    >>> loss(torch.zeros(1, 2), torch.tensor([[3.0, 4.0]]), torch.tensor([[0.0, 2.0]]))
    tensor(6.)
    """

    def __init__(
        self, *, distance_function: Callable[[Tensor, Tensor], Tensor] | None = None, margin: float = 1.0,
        swap: bool = False, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(reduction=reduction)
        if margin <= 0:
            raise ArgumentValueError(
                f"TripletMarginWithDistanceLoss: expected margin to be greater than 0, got {margin} instead"
            )
        self.distance_function = PairwiseDistance() if distance_function is None else distance_function
        self.margin, self.swap = margin, swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """Compute the loss.

        Args:
            anchor, positive, negative: (N, D), or what the distance takes.

        Returns:
            A scalar; with reduction "none" what the distance returns.
        """
        return F.triplet_margin_with_distance_loss(
            anchor, positive, negative, distance_function=self.distance_function, margin=self.margin, swap=self.swap,
            reduction=self.reduction,
        )  # fmt: skip
