"""Adadelta: steps in the units of the parameter, by the running mean of squared steps over that of squared gradients."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from .memory.counters import counter
from .memory.kernel_groups import KernelOptimizer
from .memory.running_means import take_in_square
from .memory.settings import check_lr, check_not_negative, held, number

__all__ = ["Adadelta"]


class Adadelta(KernelOptimizer):
    """Adadelta: the gradient times the ratio of the roots of two running means, of squared updates and of squared gradients
    (Zeiler 2012).

    Args:
        params: tensors, pairs of name and tensor, or groups with settings of their own.
        lr: by how much the step is scaled; a number, or a tensor of one item.
        rho: how much of the running means is kept.
        eps: added to both under their roots.
        weight_decay: how much of the parameter is added to its gradient.
        capturable: places counts beside the parameter.
        maximize: steps along the gradient instead.
        differentiable: whether the step is recorded, so that gradients flow through it.
        foreach: accepted as in PyTorch; it changes nothing.

    Raises:
        ValueError: a setting is out of its range.

    >>> weight = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.Adadelta([weight], lr=100.0)
    >>> weight.square().sum().backward()
    >>> optimizer.step()
    >>> weight
    tensor([ 0.6838, -1.6838], requires_grad=True)
    """

    _op = "adadelta_step"

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        if not 0.0 <= rho <= 1.0:
            raise ArgumentValueError(f"Invalid rho value: {rho}")
        check_not_negative({"epsilon": eps, "weight_decay": weight_decay})
        super().__init__(
            params,
            {
                "lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
                "capturable": capturable, "foreach": foreach, "differentiable": differentiable,
            },
        )  # fmt: skip

    def _start(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        return {"step": counter(0, p, group), "square_avg": lt.zeros_like(p), "acc_delta": lt.zeros_like(p)}

    def _lists(self, group: dict[str, Any]) -> dict[str, str | None]:
        return {"squares": "square_avg", "changes": "acc_delta"}

    def _seen(self, params: list[Tensor], counts: list[Any], group: dict[str, Any]) -> list[None]:
        """The count changes nothing."""
        return [None] * len(params)

    def _settings(self, group: dict[str, Any], seen: Any) -> dict[str, Any]:
        return {
            "lr": number(group["lr"]), "rho": group["rho"], "eps": group["eps"], "weight_decay": number(group["weight_decay"]),
        }  # fmt: skip

    def _update(self, p: Tensor, gradient: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        state["step"] += 1
        rho, eps = group["rho"], group["eps"]
        g = gradient + held(p) * group["weight_decay"] if group["weight_decay"] else gradient
        squares, changes = state["square_avg"], state["acc_delta"]
        take_in_square(squares, g, rho)
        change = (held(changes) + eps).sqrt() / (held(squares) + eps).sqrt() * g
        take_in_square(changes, change, rho)
        p.sub_(change * number(group["lr"]))
