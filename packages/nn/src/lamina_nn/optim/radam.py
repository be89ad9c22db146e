"""RAdam: Adam that leaves the mean of squares alone until enough gradients were seen for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import lamina_tensor as lt
from lamina_tensor import Tensor

from .memory.counters import count, counted, counter
from .memory.kernel_groups import KernelOptimizer
from .memory.running_means import take_in, take_in_square
from .memory.settings import check_adam, held, number

__all__ = ["RAdam"]


class RAdam(KernelOptimizer):
    """RAdam: Adam whose adaptive step is rectified by how well its variance is known (Liu et al. 2020).

    Args:
        params: tensors, pairs of name and tensor, or groups with settings of their own.
        lr: the length of a step; a number, or a tensor of one item.
        betas: how much of the means of gradients and of their squares is kept.
        eps: added to the root, so that it is not zero.
        weight_decay: how much of the parameter is added to its gradient.
        decoupled_weight_decay: whether decay shrinks the parameter itself, as AdamW's.
        maximize: steps along the gradient instead.
        capturable: places counts beside the parameter.
        differentiable: whether the step is recorded, so that gradients flow through it.
        foreach: accepted as in PyTorch; it changes nothing.

    Raises:
        ValueError: a setting is out of its range.

    >>> weight = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.RAdam([weight], lr=0.1)
    >>> weight.square().sum().backward()
    >>> optimizer.step()
    >>> weight
    tensor([ 0.8000, -1.6000], requires_grad=True)
    """

    _op = "radam_step"
    _counted = "step"

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_adam(lr, betas, eps, weight_decay)
        super().__init__(
            params,
            {
                "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
                "foreach": foreach, "capturable": capturable, "decoupled_weight_decay": decoupled_weight_decay,
                "differentiable": differentiable,
            },
        )  # fmt: skip

    def _start(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        return {"step": counter(0, p, group), "exp_avg": lt.zeros_like(p), "exp_avg_sq": lt.zeros_like(p)}

    def _lists(self, group: dict[str, Any]) -> dict[str, str | None]:
        return {"firsts": "exp_avg", "seconds": "exp_avg_sq"}

    def _settings(self, group: dict[str, Any], seen: Any) -> dict[str, Any]:
        beta1, beta2 = map(number, group["betas"])
        return {
            "lr": number(group["lr"]), "beta1": beta1, "beta2": beta2, "eps": group["eps"],
            "weight_decay": number(group["weight_decay"]), "decoupled": group["decoupled_weight_decay"], "step": seen,
        }  # fmt: skip

    def _update(self, p: Tensor, gradient: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        count(state["step"])
        step, lr, decay = counted(state["step"]), number(group["lr"]), group["weight_decay"]
        beta1, beta2 = group["betas"]
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        g = gradient
        if decay and group["decoupled_weight_decay"]:
            p.mul_(1 - lr * decay)
        elif decay:
            g = g + held(p) * decay
        take_in(mean, g, beta1)
        take_in_square(square, g, beta2)
        change = held(mean) * (lr / (1 - beta1**step))
        correction = 1 - beta2**step
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * step * beta2**step / correction  # over how many steps the squares are averaged
        if length > 5:
            part = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
            change = change * (correction * part) ** 0.5 / (held(square).sqrt() + group["eps"])
        p.sub_(change)
