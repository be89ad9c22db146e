"""Losses between numbers and the numbers wanted, and between distributions, as modules."""

from __future__ import annotations

from lamina_flatarray import ArgumentTypeError
from lamina_tensor import Tensor

from ... import functional as F
from .loss import Loss

__all__ = ["GaussianNLLLoss", "HuberLoss", "KLDivLoss", "L1Loss", "MSELoss", "PoissonNLLLoss", "SmoothL1Loss"]


class L1Loss(Loss):
    """Absolute difference."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two of one shape to a scalar (or to that shape, for reduction "none")."""
        return F.l1_loss(input, target, reduction=self.reduction)


class MSELoss(Loss):
    """Squared difference."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two of one shape to a scalar (or to that shape, for reduction "none")."""
        return F.mse_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(Loss):
    """The absolute difference less beta / 2, and below beta, its square over 2 beta."""

    def __init__(
        self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean", beta: float = 1.0
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two of one shape to a scalar (or to that shape, for reduction "none")."""
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(Loss):
    """Half of the squared difference, and beyond delta, delta times the absolute difference less delta / 2.

    Raises:
        TypeError: delta is no number.
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        if not isinstance(delta, (float, int)):
            raise ArgumentTypeError(f"delta must be a float or int, got: {type(delta)}")
        super().__init__(reduction=reduction)
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two of one shape to a scalar (or to that shape, for reduction "none")."""
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class PoissonNLLLoss(Loss):
    """The negated logarithm of Poisson's probability of a count; settings as of `functional.poisson_nll_loss`."""

    def __init__(
        self, log_input: bool = True, full: bool = False, size_average: bool | None = None, eps: float = 1e-8,
        reduce: bool | None = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        """Two of one shape to a scalar (or to that shape, for reduction "none")."""
        return F.poisson_nll_loss(
            log_input, target, log_input=self.log_input, full=self.full, eps=self.eps, reduction=self.reduction
        )


class GaussianNLLLoss(Loss):
    """The negated logarithm of a normal density; settings as of `functional.gaussian_nll_loss`."""

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction=reduction)
        self.full, self.eps = full, eps

    def forward(self, input: Tensor, target: Tensor, var: Tensor | float) -> Tensor:
        """Means, targets and variances to a scalar (or to their shape, for reduction "none")."""
        return F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


class KLDivLoss(Loss):
    """Kullback and Leibler's divergence of log-probabilities from a target; reduction may be "batchmean", too."""

    def __init__(
        self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
        log_target: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two of one shape to a scalar (or to that shape, for reduction "none")."""
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)
