"""SparseAdam: Adam on the rows that sparse gradients have."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, ClassVar

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, UsageError
from lamina_tensor import Tensor

from .memory.settings import check_betas, check_lr, number
from .optimizer import Optimizer

__all__ = ["SparseAdam"]


class SparseAdam(Optimizer):
    """Adam for sparse gradients: rows without a gradient, and what is remembered of them, stay as they are.

    Args:
        params: tensors, pairs of name and tensor, or groups with settings of their own.
        lr: the length of a step; a number, or a tensor of one item.
        betas: how much of the means of gradients and of their squares is kept.
        eps: added to the root, so that it is not zero.
        maximize: steps along the gradient instead.

    Raises:
        ValueError: a setting is out of its range, or a parameter is sparse or complex.

    >>> weight = torch.tensor([[1.0], [2.0]], requires_grad=True)
    >>> optimizer = torch.optim.SparseAdam([weight], lr=0.5)
    >>> torch.nn.functional.embedding(torch.tensor([1]), weight, sparse=True).sum().backward()
    >>> optimizer.step()
    >>> weight
    tensor([[1.0000],
            [1.5000]], requires_grad=True)
    """

    _scalars: ClassVar[tuple[str, ...]] = ()  # steps are counted in Python's numbers: float32 is too coarse for the powers of beta

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
        sparse = [[i, j] for i, g in enumerate(self.param_groups) for j, p in enumerate(g["params"]) if p.is_sparse]
        if sparse:
            raise ArgumentValueError(f"Sparse params at indices {sparse}: SparseAdam requires dense parameter tensors")
        places = [
            [i, j] for i, g in enumerate(self.param_groups) for j, p in enumerate(g["params"]) if p.dtype.is_complex
        ]
        if places:
            raise ArgumentValueError(f"Complex params at indices {places}: SparseAdam does not support complex parameters")

    def _step_group(self, group: dict[str, Any], params: list[Tensor]) -> None:
        """Refuse dense gradients.

        Raises:
            RuntimeError: always.
        """
        raise UsageError("SparseAdam does not support dense gradients, please consider Adam instead")

    def _step_mixed(self, group: dict[str, Any], params: list[Tensor]) -> None:
        """Refuse a dense gradient before any parameter is changed."""
        if not all(p._grad.is_sparse for p in params):  # type: ignore[union-attr]
            self._step_group(group, params)
        self._step_sparse(group, params)

    def _start(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        return {"step": 0, "exp_avg": lt.zeros_like(p), "exp_avg_sq": lt.zeros_like(p)}

    def _step_sparse(self, group: dict[str, Any], params: list[Tensor]) -> None:
        """Adam's formula on the rows that the gradients have."""
        beta1, beta2 = group["betas"]
        for p in params:
            state = self._state_of(p, group)
            state["step"] = int(state["step"]) + 1  # a tensor in files of older versions
            g: Any = p._grad.coalesce()  # type: ignore[union-attr]
            gradient = -g.entries if group["maximize"] else g.entries
            mean, square = (state[name].sparse_mask(g).entries for name in ("exp_avg", "exp_avg_sq"))
            mean_change = (gradient - mean) * (1 - beta1)
            square_change = (gradient * gradient - square) * (1 - beta2)
            state["exp_avg"].add_(g.like(mean_change))
            state["exp_avg_sq"].add_(g.like(square_change))
            denominator = (square + square_change).sqrt() + group["eps"]
            length = number(group["lr"]) * math.sqrt(1 - beta2 ** state["step"]) / (1 - beta1 ** state["step"])
            p.add_(g.like((mean + mean_change) / denominator), alpha=-length)
