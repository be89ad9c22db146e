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
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_Dropout):
    """Zero items at random in training, each with probability p, and multiply the others by 1 / (1 - p) (Hinton et al.
    2012).

    Args:
        p: the probability of being zeroed, in [0, 1].
        inplace: whether the input is overwritten in training.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.Dropout(0.5).eval()(torch.tensor([1.0, 2.0]))
    tensor([1., 2.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Zero items at random in training.

        Args:
            input: a tensor of any shape.

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_Dropout):
    """Zero whole channels of sequences at random in training, and multiply the others by 1 / (1 - p).

    Args:
        p: the probability of being zeroed, in [0, 1].
        inplace: whether the input is overwritten in training.

    Shape:
        (N, C, L) or (C, L); the output has the input's.

    >>> torch.nn.Dropout1d(1.0)(torch.ones(1, 2, 3))
    tensor([[[0., 0., 0.],
             [0., 0., 0.]]])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Zero channels at random in training.

        Args:
            input: (N, C, L) or (C, L).

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_Dropout):
    """Zero whole channels of images at random in training, and multiply the others by 1 / (1 - p) (Tompson et al.
    2015).

    Args:
        p: the probability of being zeroed, in [0, 1].
        inplace: whether the input is overwritten in training.

    Shape:
        (N, C, H, W); the output has the input's.

    >>> torch.nn.Dropout2d(1.0)(torch.ones(1, 2, 1, 3)).flatten()
    tensor([0., 0., 0., 0., 0., 0.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Zero channels at random in training.

        Args:
            input: (N, C, H, W).

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_Dropout):
    """Zero whole channels of volumes at random in training, and multiply the others by 1 / (1 - p).

    Args:
        p: the probability of being zeroed, in [0, 1].
        inplace: whether the input is overwritten in training.

    Shape:
        (N, C, D, H, W) or (C, D, H, W); the output has the input's.

    >>> torch.nn.Dropout3d(1.0)(torch.ones(1, 2, 1, 1, 3)).flatten()
    tensor([0., 0., 0., 0., 0., 0.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Zero channels at random in training.

        Args:
            input: (N, C, D, H, W) or (C, D, H, W).

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_Dropout):
    """Set items to the negative limit of `SELU` at random in training, then scale and shift all to keep mean and
    variance (Klambauer et al. 2017).

    Args:
        p: the probability of being dropped, in [0, 1].
        inplace: whether the input is overwritten in training.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.AlphaDropout(0.5).eval()(torch.tensor([1.0, 2.0]))
    tensor([1., 2.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Drop items at random in training.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.alpha_dropout(input, self.p, self.training, self.inplace)


class FeatureAlphaDropout(_Dropout):
    """Apply `AlphaDropout` to whole channels.

    Args:
        p: the probability of being dropped, in [0, 1].
        inplace: whether the input is overwritten in training.

    Shape:
        (N, C, ...); the output has the input's.

    >>> torch.nn.FeatureAlphaDropout(0.5).eval()(torch.ones(1, 2, 2))
    tensor([[[1., 1.],
             [1., 1.]]])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Drop channels at random in training.

        Args:
            input: (N, C, ...).

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.feature_alpha_dropout(input, self.p, self.training, self.inplace)
