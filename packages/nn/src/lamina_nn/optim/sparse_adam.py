"""SparseAdam: Adam on the rows that sparse gradients have; named for PyTorch's sake, as all tensors here are dense."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lamina_flatarray import ArgumentValueError, UsageError
from lamina_tensor import Tensor

from .memory.settings import check_betas, check_lr
from .optimizer import Optimizer

__all__ = ["SparseAdam"]


class SparseAdam(Optimizer):
    """Adam for sparse gradients. Settings are checked as PyTorch's; `step` refuses, for there are no sparse gradients.

    Args:
        params: tensors, pairs of name and tensor, or groups with settings of their own.
        lr: the length of a step; a number, or a tensor of one item.
        betas: how much of the means of gradients and of their squares is kept.
        eps: added to the root, so that it is not zero.
        maximize: steps along the gradient instead.

    Raises:
        ValueError: a setting is out of its range, or a parameter is complex.

    >>> weight = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.SparseAdam([weight])
    >>> weight.sum().backward()
    >>> optimizer.step()
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.UsageError: SparseAdam does not support dense gradients, please consider Adam instead...
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        check_lr(lr)
        if not lr > 0.0:
            raise ArgumentValueError(f"Invalid learning rate: {lr}")
        if not eps > 0.0:
            raise ArgumentValueError(f"Invalid epsilon value: {eps}")
        check_betas(betas)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})
        places = [
            [i, j] for i, g in enumerate(self.param_groups) for j, p in enumerate(g["params"]) if p.dtype.is_complex
        ]
        if places:
            raise ArgumentValueError(f"Complex params at indices {places}: SparseAdam does not support complex parameters")

    def _step_group(self, group: dict[str, Any], params: list[Tensor]) -> None:
        """Refuse.

        Raises:
            RuntimeError: always.
        """
        raise UsageError("SparseAdam does not support dense gradients, please consider Adam instead")
