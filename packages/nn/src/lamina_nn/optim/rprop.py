"""Rprop: steps whose length depends on whether the gradient keeps its sign, and not on its size."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from .memory.counters import counter
from .memory.kernel_groups import KernelOptimizer
from .memory.settings import check_lr, held, number

__all__ = ["Rprop"]


class Rprop(KernelOptimizer):
    """Rprop: every item has a step length of its own, which grows while its gradient keeps its sign and shrinks when it turns
    (Riedmiller & Braun 1993).

    Args:
        params: tensors, pairs of name and tensor, or groups with settings of their own.
        lr: the first step length; a number, or a tensor of one item.
        etas: by what lengths shrink and grow.
        step_sizes: the shortest and the longest step.
        capturable: places counts beside the parameter.
        foreach: accepted as in PyTorch; it changes nothing.
        maximize: steps along the gradient instead.
        differentiable: whether the step is recorded, so that gradients flow through it.

    Raises:
        ValueError: a setting is out of its range.

    >>> weight = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.Rprop([weight], lr=0.1)
    >>> weight.square().sum().backward()
    >>> optimizer.step()
    >>> weight
    tensor([ 0.9000, -1.9000], requires_grad=True)
    """

    _op = "rprop_step"

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ArgumentValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(
            params,
            {
                "lr": lr, "etas": etas, "step_sizes": step_sizes, "foreach": foreach, "maximize": maximize,
                "differentiable": differentiable, "capturable": capturable,
            },
        )  # fmt: skip

    def _start(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        lr = float(number(group["lr"]))
        return {
            "step": counter(0, p, group), "prev": lt.zeros_like(p),
            "step_size": lt.full_like(p, complex(lr, lr) if p.dtype.is_complex else lr),
        }  # fmt: skip

    def _lists(self, group: dict[str, Any]) -> dict[str, str | None]:
        return {"previous": "prev", "step_sizes": "step_size"}

    def _seen(self, params: list[Tensor], counts: list[Any], group: dict[str, Any]) -> list[None]:
        """The count changes nothing."""
        return [None] * len(params)

    def _settings(self, group: dict[str, Any], seen: Any) -> dict[str, Any]:
        (shrink, grow), (shortest, longest) = group["etas"], group["step_sizes"]
        return {"shrink": shrink, "grow": grow, "shortest": shortest, "longest": longest}

    def _update(self, p: Tensor, gradient: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        state["step"] += 1
        before, length = state["prev"], state["step_size"]
        (shrink, grow), (shortest, longest) = group["etas"], group["step_sizes"]
        agreement = gradient * held(before)
        turned = agreement < 0
        kept = lt.where(agreement == 0, 1.0, agreement)  # NaN stays
        factor = kept.masked_fill(agreement > 0, grow).masked_fill(turned, shrink)
        length.mul_(factor).clamp_(shortest, longest)
        g = gradient.masked_fill(turned, 0)  # no step back; the next one counts as neither kept nor turned
        p.sub_(g.sign() * held(length))
        before.copy_(g)
