"""Adamax: Adam with the greatest gradient so far, slowly forgotten, in the place of the root of mean squares."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import lamina_tensor as lt
from lamina_tensor import Tensor

from .memory.counters import count, counted, counter
from .memory.kernel_groups import KernelOptimizer
from .memory.running_means import take_in
from .memory.settings import check_adam, held, number

__all__ = ["Adamax"]


class Adamax(KernelOptimizer):
    """Adamax: the running mean of gradients over their running maximum (Kingma & Ba 2015, section 7).

    Args:
        params: tensors, pairs of name and tensor, or groups with settings of their own.
        lr: the length of a step; a number, or a tensor of one item.
        betas: how much of the mean and of the maximum is kept.
        eps: added to the size of a gradient, so that the maximum is not zero.
        weight_decay: how much of the parameter is added to its gradient.
        maximize: steps along the gradient instead.
        differentiable: whether the step is recorded, so that gradients flow through it.
        capturable: places counts beside the parameter.
        foreach: accepted as in PyTorch; it changes nothing.

    Raises:
        ValueError: a setting is out of its range.

    >>> weight = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.Adamax([weight], lr=0.1)
    >>> weight.square().sum().backward()
    >>> optimizer.step()
    >>> weight
    tensor([ 0.9000, -1.9000], requires_grad=True)
    """

    _op = "adamax_step"
    _counted = "step"

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_adam(lr, betas, eps, weight_decay)
        super().__init__(
            params,
            {
                "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "foreach": foreach,
                "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
            },
        )  # fmt: skip

    def _start(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        return {"step": counter(0, p, group), "exp_avg": lt.zeros_like(p), "exp_inf": lt.zeros_like(p)}

    def _lists(self, group: dict[str, Any]) -> dict[str, str | None]:
        return {"firsts": "exp_avg", "greatest": "exp_inf"}

    def _settings(self, group: dict[str, Any], seen: Any) -> dict[str, Any]:
        beta1, beta2 = map(number, group["betas"])
        return {
            "lr": number(group["lr"]), "beta1": beta1, "beta2": beta2, "eps": group["eps"],
            "weight_decay": number(group["weight_decay"]), "step": seen,
        }  # fmt: skip

    def _update(self, p: Tensor, gradient: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        count(state["step"])
        beta1, beta2 = group["betas"]
        mean, greatest = state["exp_avg"], state["exp_inf"]
        g = gradient + held(p) * group["weight_decay"] if group["weight_decay"] else gradient
        take_in(mean, g, beta1)
        greatest.copy_((held(greatest) * beta2).maximum(g.abs() + group["eps"]))
        p.sub_(held(mean) / held(greatest) * (number(group["lr"]) / (1 - beta1 ** counted(state["step"]))))
