"""Pruning methods: items or whole slices, at random, by size, or by a mask."""

from __future__ import annotations

from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError, ArgumentValueError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from .method import BasePruningMethod

__all__ = ["CustomFromMask", "Identity", "L1Unstructured", "LnStructured", "RandomStructured", "RandomUnstructured"]


def _count(amount: float, size: int) -> int:
    """How many of `size` are pruned, for a share or a number of them.

    Raises:
        TypeError: it is no number.
        ValueError: it is out of range.
    """
    if isinstance(amount, bool) or not isinstance(amount, (int, float)):
        raise ArgumentTypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if amount < 0 or (isinstance(amount, float) and amount > 1):
        raise ArgumentValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")
    if isinstance(amount, float):
        return round(amount * size)
    if amount > size:
        raise ArgumentValueError(f"amount={amount} should be smaller than the number of parameters to prune={size}")
    return amount


class Identity(BasePruningMethod):
    """Prune nothing.

    >>> torch.nn.utils.prune.Identity().prune(torch.tensor([1.0, -3.0]))
    tensor([ 1., -3.])
    """

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """Return the mask so far.

        Args:
            t: without effect.
            default_mask: the mask so far.

        Returns:
            The same mask.
        """
        return default_mask


class CustomFromMask(BasePruningMethod):
    """Prune the items where a mask is 0.

    Args:
        mask: the mask, of the parameter's shape.

    >>> torch.nn.utils.prune.CustomFromMask(torch.tensor([0, 1])).prune(torch.tensor([1.0, -3.0]))
    tensor([ 0., -3.])
    """

    PRUNING_TYPE = "global"

    def __init__(self, mask: Tensor) -> None:
        self.mask = mask

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """Multiply the mask so far by the method's own.

        Args:
            t: without effect.
            default_mask: the mask so far.

        Returns:
            The new mask.
        """
        return default_mask * self.mask.to(default_mask.dtype)


class _ByAmount(BasePruningMethod):
    def __init__(self, amount: float) -> None:
        _count(amount, 2**62)
        self.amount = amount

    def _places(self, t: Tensor, count: int) -> Tensor:
        """Which of `t`'s items, counted as one row, are pruned."""
        raise NotImplementedError(f"{type(self).__name__} does not say which items it prunes")

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """Zeros at as many items as are to be pruned."""
        count = _count(self.amount, t.numel())
        mask = default_mask.clone().reshape([-1])
        if count:
            mask[self._places(t, count)] = 0
        return mask.reshape(default_mask.shape)


class RandomUnstructured(_ByAmount):
    """Prune items at random.

    Args:
        amount: the number of items (int), or a fraction of them (float).

    Raises:
        ArgumentTypeError: amount is not a number.
        ArgumentValueError: amount is negative, or a fraction above 1.

    >>> torch.nn.utils.prune.RandomUnstructured(2).prune(torch.ones(3)).sum()
    tensor(1.)
    """

    def _places(self, t: Tensor, count: int) -> Tensor:
        return lt.topk(lt.rand_like(t).reshape([-1]), count).indices


class L1Unstructured(_ByAmount):
    """Prune the items with the smallest absolute values.

    Args:
        amount: the number of items (int), or a fraction of them (float).

    Raises:
        ArgumentTypeError: amount is not a number.
        ArgumentValueError: amount is negative, or a fraction above 1.

    >>> torch.nn.utils.prune.L1Unstructured(1).prune(torch.tensor([1.0, -3.0, 2.0]))
    tensor([ 0., -3.,  2.])
    """

    def _places(self, t: Tensor, count: int) -> Tensor:
        return lt.topk(af.abs(t).reshape([-1]), count, largest=False).indices


class _Slices(BasePruningMethod):
    PRUNING_TYPE = "structured"

    def __init__(self, amount: float, dim: int = -1) -> None:
        _count(amount, 2**62)
        self.amount, self.dim = amount, dim

    def _kept(self, t: Tensor, pruned: int) -> Tensor:
        """Which slices of `t` stay, by their numbers."""
        raise NotImplementedError(f"{type(self).__name__} does not say which slices it keeps")

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """Zeros at as many slices along the dim as are to be pruned."""
        length = t.shape[self.dim]
        pruned = _count(self.amount, length)
        if not pruned:
            return default_mask
        mask = lt.zeros(length, dtype=default_mask.dtype, device=t.device)
        mask[self._kept(t, pruned)] = 1
        return default_mask * mask.reshape([length if d == self.dim % t.ndim else 1 for d in range(t.ndim)])


class RandomStructured(_Slices):
    """Prune slices at random.

    Args:
        amount: the number of slices (int), or a fraction of them (float).
        dim: the dim of the slices.

    Raises:
        ArgumentTypeError: amount is not a number.
        ArgumentValueError: amount is negative, or a fraction above 1.

    >>> torch.nn.utils.prune.RandomStructured(1, dim=0).prune(torch.ones(2, 3)).sum()
    tensor(3.)
    """

    def _kept(self, t: Tensor, pruned: int) -> Tensor:
        scores = lt.rand(t.shape[self.dim])
        return lt.topk(scores, t.shape[self.dim] - pruned).indices


class LnStructured(_Slices):
    """Prune the slices with the smallest n-norm.

    Args:
        amount: the number of slices (int), or a fraction of them (float).
        n: the order of the norm.
        dim: the dim of the slices.

    Raises:
        ArgumentTypeError: amount is not a number.
        ArgumentValueError: amount is negative, or a fraction above 1.

    >>> torch.nn.utils.prune.LnStructured(1, n=2, dim=0).prune(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[0., 0.],
            [3., 4.]])
    """

    def __init__(self, amount: float, n: Any, dim: int = -1) -> None:
        super().__init__(amount, dim)
        self.n = n

    def _kept(self, t: Tensor, pruned: int) -> Tensor:
        lengths = lt.norm(t, self.n, [d for d in range(t.ndim) if d != self.dim % t.ndim])
        return lt.topk(lengths, t.shape[self.dim] - pruned, largest=True).indices
