"""Losses between numbers and the numbers wanted, and between distributions, as modules."""

from __future__ import annotations

from lamina_flatarray import ArgumentTypeError
from lamina_tensor import Tensor

from ... import functional as F
from .loss import Loss

__all__ = ["GaussianNLLLoss", "HuberLoss", "KLDivLoss", "L1Loss", "MSELoss", "PoissonNLLLoss", "SmoothL1Loss"]


class L1Loss(Loss):
    """Average the absolute difference: abs(input - target).

    Args:
        size_average, reduce: deprecated; `reduction` takes their place.
        reduction: "mean", "sum" or "none".

    Shape:
        Input and target of one shape; a scalar, or with reduction "none" that shape.

    >>> torch.nn.L1Loss()(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(1.)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Compute the absolute difference.

        Args:
            input: predictions of any shape.
            target: the targets, of the same shape.

        Returns:
            A scalar; with reduction "none" a tensor of that shape.
        """
        return F.l1_loss(input, target, reduction=self.reduction)


class MSELoss(Loss):
    """Average the squared difference: (input - target) ** 2.

    Args:
        size_average, reduce: deprecated; `reduction` takes their place.
        reduction: "mean", "sum" or "none".

    Shape:
        Input and target of one shape; a scalar, or with reduction "none" that shape.

    >>> torch.nn.MSELoss()(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(2.)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Compute the squared difference.

        Args:
            input: predictions of any shape.
            target: the targets, of the same shape.

        Returns:
            A scalar; with reduction "none" a tensor of that shape.
        """
        return F.mse_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(Loss):
    """Average d ** 2 / (2 * beta) where d = abs(input - target) is less than beta, else d - beta / 2 (Girshick 2015).

    Args:
        size_average, reduce: deprecated; `reduction` takes their place.
        reduction: "mean", "sum" or "none".
        beta: the difference where the loss turns from quadratic to linear; not negative.

    Shape:
        Input and target of one shape; a scalar, or with reduction "none" that shape.

    >>> torch.nn.SmoothL1Loss()(torch.tensor([1.0, 2.0]), torch.tensor([2.0, 4.0]))
    tensor(1.)
    """

    def __init__(
        self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean", beta: float = 1.0
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Compute the loss.

        Args:
            input: predictions of any shape.
            target: the targets, of the same shape.

        Returns:
            A scalar; with reduction "none" a tensor of that shape.
        """
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(Loss):
    """Average d ** 2 / 2 where d = abs(input - target) is at most delta, else delta * (d - delta / 2) (Huber 1964).

    Args:
        reduction: "mean", "sum" or "none".
        delta: the difference where the loss turns from quadratic to linear; positive.

    Shape:
        Input and target of one shape; a scalar, or with reduction "none" that shape.

    Raises:
        ArgumentTypeError: delta is neither a float nor an int.

    >>> torch.nn.HuberLoss()(torch.tensor([1.0, 2.0]), torch.tensor([2.0, 4.0]))
    tensor(1.)
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        if not isinstance(delta, (float, int)):
            raise ArgumentTypeError(f"delta must be a float or int, got: {type(delta)}")
        super().__init__(reduction=reduction)
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Compute the loss.

        Args:
            input: predictions of any shape.
            target: the targets, of the same shape.

        Returns:
            A scalar; with reduction "none" a tensor of that shape.
        """
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class PoissonNLLLoss(Loss):
    """Average the negative log-likelihood of counts under Poisson distributions: exp(x) - target * x for the logarithm
    x of a rate.

    Args:
        log_input: whether inputs are logarithms of rates; otherwise the loss of a rate x is x - target * log(x + eps).
        full: whether Stirling's approximation of log(target!) is added where the target is above 1.
        size_average, reduce: deprecated; `reduction` takes their place.
        eps: keeps the logarithm finite, where `log_input` is not set.
        reduction: "mean", "sum" or "none".

    Shape:
        Input and target of one shape; a scalar, or with reduction "none" that shape.

    >>> torch.nn.PoissonNLLLoss()(torch.tensor([0.0, 0.0]), torch.tensor([1.0, 2.0]))
    tensor(1.)
    """

    def __init__(
        self, log_input: bool = True, full: bool = False, size_average: bool | None = None, eps: float = 1e-8,
        reduce: bool | None = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        """Compute the negative log-likelihood.

        Args:
            log_input: rates, or their logarithms, of any shape.
            target: the counts, of the same shape.

        Returns:
            A scalar; with reduction "none" a tensor of that shape.
        """
        return F.poisson_nll_loss(
            log_input, target, log_input=self.log_input, full=self.full, eps=self.eps, reduction=self.reduction
        )


class GaussianNLLLoss(Loss):
    """Average the negative log-likelihood under normal distributions: (log(var) + (input - target) ** 2 / var) / 2.

    Args:
        full: whether the constant log(2 * pi) / 2 is added.
        eps: the lower bound of variances.
        reduction: "mean", "sum" or "none".

    Shape:
        Input and target of one shape; a scalar, or with reduction "none" that shape.

    >>> mean, target, variance = torch.tensor([1.0]), torch.tensor([3.0]), torch.tensor([1.0])
    >>> torch.nn.GaussianNLLLoss()(mean, target, variance)
    tensor(2.)
    """

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction=reduction)
        self.full, self.eps = full, eps

    def forward(self, input: Tensor, target: Tensor, var: Tensor | float) -> Tensor:
        """Compute the negative log-likelihood.

        Args:
            input: the means, of any shape.
            target: the observations, of the same shape.
            var: the variances: of this shape, with a last dim of 1 or without it, or one number; not negative.

        Returns:
            A scalar; with reduction "none" a tensor of that shape.
        """
        return F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


class KLDivLoss(Loss):
    """Average the Kullback-Leibler divergence from log-probabilities to a target: target * (log(target) - input).

    Args:
        size_average, reduce: deprecated; `reduction` takes their place.
        reduction: "mean", "sum", "none", or "batchmean" for the sum divided by the length of the batch.
        log_target: whether targets are log-probabilities, too.

    Shape:
        Input and target of one shape; a scalar, or with reduction "none" that shape.

    >>> log_probabilities = torch.tensor([[0.5, 0.5]]).log()
    >>> torch.nn.KLDivLoss(reduction="batchmean")(log_probabilities, torch.tensor([[1.0, 0.0]]))
    tensor(0.6931)
    """

    def __init__(
        self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
        log_target: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Compute the divergence.

        Args:
            input: log-probabilities of any shape.
            target: probabilities, or with `log_target` their logarithms, of the same shape.

        Returns:
            A scalar; with reduction "none" a tensor of that shape.
        """
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)
