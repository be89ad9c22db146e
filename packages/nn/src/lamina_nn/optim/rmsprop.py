"""RMSprop: gradients over the root of the running mean of their squares."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import lamina_tensor as lt
from lamina_tensor import Tensor

from .memory.counters import counter
from .memory.kernel_groups import KernelOptimizer
from .memory.running_means import take_in, take_in_square
from .memory.settings import check_lr, check_not_negative, held, number

__all__ = ["RMSprop"]


class RMSprop(KernelOptimizer):
    """RMSprop: the gradient over the root of the running mean of its squares (Hinton 2012), less the square of the mean where
    `centered` (Graves 2013).

    Args:
        params: tensors, pairs of name and tensor, or groups with settings of their own.
        lr: the length of a step; a number, or a tensor of one item.
        alpha: how much of the running means is kept.
        eps: added to the root, so that it is not zero.
        weight_decay: how much of the parameter is added to its gradient.
        momentum: how much of a running sum of steps is kept.
        centered: whether the variance of gradients takes the place of their mean square.
        capturable: places counts beside the parameter.
        foreach: accepted as in PyTorch; it changes nothing.
        maximize: steps along the gradient instead.
        differentiable: whether the step is recorded, so that gradients flow through it.

    Raises:
        ValueError: a setting is out of its range.

    >>> weight = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.RMSprop([weight], lr=0.05)
    >>> weight.square().sum().backward()
    >>> optimizer.step()
    >>> weight
    tensor([ 0.5000, -1.5000], requires_grad=True)
    """

    _op = "rmsprop_step"

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        check_not_negative({"epsilon": eps, "momentum": momentum, "weight_decay": weight_decay, "alpha": alpha})
        super().__init__(
            params,
            {
                "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
                "weight_decay": weight_decay, "capturable": capturable, "foreach": foreach, "maximize": maximize,
                "differentiable": differentiable,
            },
        )  # fmt: skip

    def _start(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        state = {"step": counter(0, p, group), "square_avg": lt.zeros_like(p)}
        if group["momentum"] > 0:
            state["momentum_buffer"] = lt.zeros_like(p)
        if group["centered"]:
            state["grad_avg"] = lt.zeros_like(p)
        return state

    def _lists(self, group: dict[str, Any]) -> dict[str, str | None]:
        return {
            "squares": "square_avg", "means": "grad_avg" if group["centered"] else None,
            "buffers": "momentum_buffer" if group["momentum"] > 0 else None,
        }  # fmt: skip

    def _seen(self, params: list[Tensor], counts: list[Any], group: dict[str, Any]) -> list[None]:
        """The count changes nothing."""
        return [None] * len(params)

    def _settings(self, group: dict[str, Any], seen: Any) -> dict[str, Any]:
        return {
            "lr": number(group["lr"]), "alpha": group["alpha"], "eps": group["eps"], "momentum": group["momentum"],
            "weight_decay": number(group["weight_decay"]),
        }  # fmt: skip

    def _update(self, p: Tensor, gradient: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        state["step"] += 1
        alpha, momentum = group["alpha"], group["momentum"]
        g = gradient + held(p) * group["weight_decay"] if group["weight_decay"] else gradient
        square = state["square_avg"]
        take_in_square(square, g, alpha)
        spread = held(square)
        if group["centered"]:
            mean = state["grad_avg"]
            take_in(mean, g, alpha)
            spread = spread - held(mean) * held(mean)
        change = g / (spread.sqrt() + group["eps"])
        if momentum > 0:
            total = state["momentum_buffer"]
            total.mul_(momentum).add_(change)
            change = held(total)
        p.sub_(change * number(group["lr"]))
