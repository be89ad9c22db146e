"""Averaged gradient descent: steps that become shorter, and the average of where they led."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, ClassVar

import lamina_tensor as lt
from lamina_tensor import Tensor

from .memory.counters import count, counted, counter, set_to
from .memory.kernel_groups import KernelOptimizer
from .memory.settings import check_lr, check_not_negative, held, number

__all__ = ["ASGD"]


class ASGD(KernelOptimizer):
    """Averaged SGD: steps against the gradient, ever shorter, and the average of the parameter in its state (`ax`;
    Polyak & Juditsky 1992).

    Args:
        params: tensors, pairs of name and tensor, or groups with settings of their own.
        lr: the length of the first step per unit of gradient; a number, or a tensor of one item.
        lambd: by how much the parameter shrinks, per unit of step length.
        alpha: the power by which steps become shorter.
        t0: after how many steps averaging begins.
        weight_decay: how much of the parameter is added to its gradient.
        maximize: steps along the gradient instead.
        differentiable: whether the step is recorded, so that gradients flow through it.
        capturable: places counts beside the parameter.
        foreach: accepted as in PyTorch; it changes nothing.

    Raises:
        ValueError: a setting is out of its range.

    >>> weight = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.ASGD([weight], lr=0.1)
    >>> weight.square().sum().backward()
    >>> optimizer.step()
    >>> weight
    tensor([ 0.8000, -1.6000], requires_grad=True)
    """

    _op = "asgd_step"
    _scalars: ClassVar[tuple[str, ...]] = ("step", "eta", "mu")

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_lr(lr)
        check_not_negative({"weight_decay": weight_decay})
        super().__init__(
            params,
            {
                "lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay, "foreach": foreach,
                "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
            },
        )  # fmt: skip

    def _start(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        return {
            "step": counter(0, p, group), "eta": counter(group["lr"], p, group), "mu": counter(1, p, group),
            "ax": lt.zeros_like(p),
        }  # fmt: skip

    def _lists(self, group: dict[str, Any]) -> dict[str, str | None]:
        return {"averages": "ax"}

    def _seen(self, params: list[Tensor], counts: list[Any], group: dict[str, Any]) -> list[Hashable]:
        states = [self.state[p] for p in params]
        seen: list[Hashable] = [(counted(state["eta"]), counted(state["mu"])) for state in states]
        for state, step in zip(states, counts, strict=True):
            _shorten(state, step, group)
        return seen

    def _settings(self, group: dict[str, Any], seen: Any) -> dict[str, Any]:
        length, share = seen
        return {"length": length, "share": share, "lambd": group["lambd"], "weight_decay": number(group["weight_decay"])}

    def _update(self, p: Tensor, gradient: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        count(state["step"])
        length, share, average = counted(state["eta"]), counted(state["mu"]), state["ax"]
        g = gradient + held(p) * group["weight_decay"] if group["weight_decay"] else gradient
        p.mul_(1 - group["lambd"] * length).sub_(g * length)
        if share == 1:
            average.copy_(p)
        else:
            average.add_((held(p) - held(average)) * share)
        _shorten(state, counted(state["step"]), group)


def _shorten(state: dict[str, Any], step: Any, group: dict[str, Any]) -> None:
    """Set the length of the next step, and its share in the average."""
    lr = number(group["lr"])
    set_to(state["eta"], lr / (1 + group["lambd"] * lr * step) ** group["alpha"])
    set_to(state["mu"], 1 / max(1, step - group["t0"]))
