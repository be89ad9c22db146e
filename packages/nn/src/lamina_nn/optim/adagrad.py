"""Adagrad: gradients over the root of the sum of their squares."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import UsageError
from lamina_tensor import Tensor

from .memory.counters import count, counted, counter
from .memory.kernel_groups import KernelOptimizer
from .memory.settings import check_fused, check_lr, check_not_negative, held, number

__all__ = ["Adagrad"]


class Adagrad(KernelOptimizer):
    """Adagrad: the gradient over the root of the sum of all its squares (Duchi et al. 2011).

    Args:
        params: tensors, pairs of name and tensor, or groups with settings of their own.
        lr: the length of a step; a number, or a tensor of one item.
        lr_decay: how fast steps become shorter.
        weight_decay: how much of the parameter is added to its gradient.
        initial_accumulator_value: the sum of squares at first.
        eps: added to the root, so that it is not zero.
        maximize: steps along the gradient instead.
        differentiable: whether the step is recorded, so that gradients flow through it.
        fused: places counts beside the parameter.
        foreach: accepted as in PyTorch; it changes nothing.

    Raises:
        ValueError: a setting is out of its range.
        RuntimeError: `fused` is given with `foreach` or `differentiable`.

    >>> weight = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.Adagrad([weight], lr=0.1)
    >>> weight.square().sum().backward()
    >>> optimizer.step()
    >>> weight
    tensor([ 0.9000, -1.9000], requires_grad=True)
    """

    _op = "adagrad_step"

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_lr(lr)
        check_not_negative({
            "lr_decay": lr_decay, "weight_decay": weight_decay, "initial_accumulator_value": initial_accumulator_value,
            "epsilon": eps,
        })  # fmt: skip
        super().__init__(
            params,
            {
                "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
                "initial_accumulator_value": initial_accumulator_value, "foreach": foreach, "maximize": maximize,
                "differentiable": differentiable, "fused": fused,
            },
        )  # fmt: skip
        check_fused(fused, foreach, differentiable)
        for group in self.param_groups:
            for p in group["params"]:
                self._state_of(p, group)

    def _start(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        first = self.defaults["initial_accumulator_value"]
        return {
            "step": counter(0, p, group), "sum": lt.full_like(p, complex(first, first) if p.dtype.is_complex else first),
        }  # fmt: skip

    def share_memory(self) -> None:
        """Move the sums into memory that processes share, for steps in several at once."""
        for state in self.state.values():
            state["sum"].share_memory_()

    def _lists(self, group: dict[str, Any]) -> dict[str, str | None]:
        return {"sums": "sum"}

    def _settings(self, group: dict[str, Any], seen: Any) -> dict[str, Any]:
        return {
            "lr": number(group["lr"]) / (1 + (seen - 1) * group["lr_decay"]), "eps": group["eps"],
            "weight_decay": number(group["weight_decay"]),
        }  # fmt: skip

    def _step_sparse(self, group: dict[str, Any], params: list[Tensor]) -> None:
        """Only the rows that the gradients have."""
        if group["weight_decay"] != 0:
            raise UsageError("weight_decay option is not compatible with sparse gradients")
        for p in params:
            state: dict[str, Any] = self._state_of(p, group)
            count(state["step"])
            lr = number(group["lr"]) / (1 + (counted(state["step"]) - 1) * group["lr_decay"])
            g: Any = (-p._grad if group["maximize"] else p._grad).coalesce()  # type: ignore[operator, union-attr]
            state["sum"].add_(g.like(g.entries * g.entries))
            deviation = state["sum"].sparse_mask(g).entries.sqrt() + group["eps"]
            p.add_(g.like(g.entries / deviation), alpha=-lr)

    def _update(self, p: Tensor, gradient: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        count(state["step"])
        lr = number(group["lr"]) / (1 + (counted(state["step"]) - 1) * group["lr_decay"])
        g = gradient + held(p) * group["weight_decay"] if group["weight_decay"] else gradient
        total = state["sum"]
        total.add_(g * g)
        p.sub_(g / (held(total).sqrt() + group["eps"]) * lr)
