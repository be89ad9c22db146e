"""Running means of gradients and of their squares, which forget exponentially."""

from __future__ import annotations

from lamina_tensor import Tensor

__all__ = ["take_in", "take_in_square"]


def take_in(mean: Tensor, value: Tensor, keep: float) -> None:
    """Set `mean` to `keep` of itself and `1 - keep` of `value`, in place."""
    mean.add_((value - mean) * (1 - keep))


def take_in_square(mean: Tensor, value: Tensor, keep: float) -> None:
    """Set `mean` to `keep` of itself and `1 - keep` of the square of `value`, in place."""
    mean.mul_(keep).add_(value * value * (1 - keep))
