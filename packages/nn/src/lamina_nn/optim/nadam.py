"""NAdam: Adam whose mean of gradients is taken one step ahead, by a momentum that grows."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, ClassVar

import lamina_tensor as lt
from lamina_tensor import Tensor

from .memory.counters import count, counted, counter, multiply
from .memory.kernel_groups import KernelOptimizer
from .memory.running_means import take_in, take_in_square
from .memory.settings import check_adam, check_not_negative, held, number

__all__ = ["NAdam"]


class NAdam(KernelOptimizer):
    """NAdam: Adam with Nesterov momentum (Dozat 2016).

    Args:
        params: tensors, pairs of name and tensor, or groups with settings of their own.
        lr: the length of a step; a number, or a tensor of one item.
        betas: how much of the means of gradients and of their squares is kept.
        eps: added to the root, so that it is not zero.
        weight_decay: how much of the parameter is added to its gradient.
        momentum_decay: how fast the momentum grows to `betas[0]`.
        decoupled_weight_decay: whether decay shrinks the parameter itself, as AdamW's.
        maximize: steps along the gradient instead.
        capturable: places counts beside the parameter.
        differentiable: whether the step is recorded, so that gradients flow through it.
        foreach: accepted as in PyTorch; it changes nothing.

    Raises:
        ValueError: a setting is out of its range.

    >>> weight = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.NAdam([weight], lr=0.1)
    >>> weight.square().sum().backward()
    >>> optimizer.step()
    >>> weight
    tensor([ 0.8944, -1.8944], requires_grad=True)
    """

    _op = "nadam_step"
    _scalars: ClassVar[tuple[str, ...]] = ("step", "mu_product")

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_adam(lr, betas, eps, weight_decay)
        check_not_negative({"momentum_decay": momentum_decay})
        super().__init__(
            params,
            {
                "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "momentum_decay": momentum_decay,
                "decoupled_weight_decay": decoupled_weight_decay, "maximize": maximize, "foreach": foreach,
                "capturable": capturable, "differentiable": differentiable,
            },
        )  # fmt: skip

    def _start(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        return {
            "step": counter(0, p, group), "mu_product": counter(1, p, group), "exp_avg": lt.zeros_like(p),
            "exp_avg_sq": lt.zeros_like(p),
        }  # fmt: skip

    def _lists(self, group: dict[str, Any]) -> dict[str, str | None]:
        return {"firsts": "exp_avg", "seconds": "exp_avg_sq"}

    def _seen(self, params: list[Tensor], counts: list[Any], group: dict[str, Any]) -> list[Hashable]:
        states = [self.state[p] for p in params]
        for state, step in zip(states, counts, strict=True):
            multiply(state["mu_product"], _momenta(step, group)[0])
        return [(step, counted(state["mu_product"])) for state, step in zip(states, counts, strict=True)]

    def _settings(self, group: dict[str, Any], seen: Any) -> dict[str, Any]:
        step, product = seen
        momentum, next_momentum = _momenta(step, group)
        beta1, beta2 = map(number, group["betas"])
        return {
            "lr": number(group["lr"]), "beta1": beta1, "beta2": beta2, "eps": group["eps"],
            "weight_decay": number(group["weight_decay"]), "decoupled": group["decoupled_weight_decay"],
            "momentum": momentum, "next_momentum": next_momentum, "product": product, "step": step,
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
        momentum, next_momentum = _momenta(step, group)
        multiply(state["mu_product"], momentum)
        product = counted(state["mu_product"])
        take_in(mean, g, beta1)
        take_in_square(square, g, beta2)
        root = (held(square) / (1 - beta2**step)).sqrt() + group["eps"]
        p.sub_(g / root * (lr * (1 - momentum) / (1 - product)))
        p.sub_(held(mean) / root * (lr * next_momentum / (1 - product * next_momentum)))


def _momenta(step: float, group: dict[str, Any]) -> tuple[float, float]:
    """The momentum of a step, and that of the next one."""
    beta1 = number(group["betas"][0])
    first, second = (beta1 * (1 - 0.5 * 0.96 ** (t * group["momentum_decay"])) for t in (step, step + 1))
    return first, second
