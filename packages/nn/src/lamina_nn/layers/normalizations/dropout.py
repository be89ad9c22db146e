"""Dropout as modules: in training, items or channels zeroed at random."""

from __future__ import annotations

from lamina_flatarray import ShapeError
from lamina_tensor import Tensor

from ... import functional as F
from ...module import Module

__all__ = ["AlphaDropout", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "FeatureAlphaDropout"]


class _Dropout(Module):
    """What all of them are made with.

    Args:
        p: the probability of an item, or channel, to be dropped.
        inplace: whether the input is overwritten.

    Raises:
        ValueError: p is not within [0, 1].
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ShapeError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_Dropout):
    """While training, each item zeroed with probability p, the others divided by 1 - p."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_Dropout):
    """While training, whole channels of (N, C, L) or (C, L) zeroed."""

    def forward(self, input: Tensor) -> Tensor:
        """Any such shape to the same."""
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_Dropout):
    """While training, whole channels of (N, C, H, W) zeroed."""

    def forward(self, input: Tensor) -> Tensor:
        """Any such shape to the same."""
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_Dropout):
    """While training, whole channels of (N, C, D, H, W) or (C, D, H, W) zeroed."""

    def forward(self, input: Tensor) -> Tensor:
        """Any such shape to the same."""
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_Dropout):
    """While training, items set to selu's lower limit, and all scaled and shifted to keep mean and variance."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.alpha_dropout(input, self.p, self.training, self.inplace)


class FeatureAlphaDropout(_Dropout):
    """`AlphaDropout` of whole channels, (N, C, ...)."""

    def forward(self, input: Tensor) -> Tensor:
        """Any such shape to the same."""
        return F.feature_alpha_dropout(input, self.p, self.training, self.inplace)
