"""Adam, with weight decay inside or outside of the gradient."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import lamina_ndarray as nd
from lamina_tensor import Tensor, tensor

from .optimizer import Optimizer

__all__ = ["Adam", "AdamW"]


class Adam(Optimizer):
    """Steps by the running mean of gradients over the root of that of their squares (Kingma & Ba 2015).

    Args:
        params: tensors, or groups with settings of their own.
        lr: the length of a step.
        betas: how much of the two running means is kept.
        eps: added to the root, so that it is not zero.
        weight_decay: how much of the parameter is added to its gradient.
        amsgrad: whether the greatest mean of squares so far is used (Reddi et al. 2018).
        maximize: steps along the gradient instead.

    Raises:
        ValueError: a setting is out of its range.
    """

    decoupled = False

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        for name, value in {"learning rate": lr, "epsilon value": eps, "weight_decay value": weight_decay}.items():
            if value < 0:
                raise ValueError(f"Invalid {name}: {value}")
        for i, beta in enumerate(betas):
            if not 0 <= beta < 1:
                raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
        super().__init__(
            params,
            {
                "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad,
                "maximize": maximize,
            },
        )  # fmt: skip

    def _step_group(self, group: dict[str, Any], params: list[Tensor]) -> None:
        by_step: dict[int, list[Tensor]] = {}
        for p in params:
            state = self.state[p]
            if not state:
                state["step"] = tensor(0.0)
                names = ("exp_avg", "exp_avg_sq", *(("max_exp_avg_sq",) if group["amsgrad"] else ()))
                state.update({name: Tensor(nd.zeros_like(p.array)) for name in names})
            state["step"] += 1
            by_step.setdefault(int(state["step"].item()), []).append(p)
        for step, alike in by_step.items():
            self._step_alike(group, alike, step)

    def _step_alike(self, group: dict[str, Any], params: list[Tensor], step: int) -> None:
        arrays = [p.array for p in params]
        for array in arrays:
            array.flat.version += 1
        states = [self.state[p] for p in params]
        arrays[0].flat.kernels["adam_step"](
            arrays,
            *[p._grad.array for p in params],  # type: ignore[union-attr]
            firsts=[s["exp_avg"].array for s in states],
            seconds=[s["exp_avg_sq"].array for s in states],
            maxima=[s["max_exp_avg_sq"].array for s in states] if group["amsgrad"] else None,
            lr=group["lr"],
            beta1=group["betas"][0],
            beta2=group["betas"][1],
            eps=group["eps"],
            weight_decay=group["weight_decay"],
            decoupled=self.decoupled,
            maximize=group["maximize"],
            step=step,
        )


class AdamW(Adam):
    """Adam whose weight decay shrinks the parameter itself (Loshchilov & Hutter 2019)."""

    decoupled = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)
