"""Stochastic gradient descent, with momentum."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import lamina_ndarray as nd
from lamina_tensor import Tensor

from .optimizer import Optimizer

__all__ = ["SGD"]


class SGD(Optimizer):
    """Steps against the gradient, or against a running sum of gradients (Sutskever et al. 2013).

    Args:
        params: tensors, or groups with settings of their own.
        lr: the length of a step per unit of gradient.
        momentum: how much of the running sum is kept.
        dampening: how much of a new gradient is left out of it.
        weight_decay: how much of the parameter is added to its gradient.
        nesterov: whether the gradient is taken one step ahead.
        maximize: steps along the gradient instead.

    Raises:
        ValueError: a setting is out of its range.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        for name, value in {
            "learning rate": lr,
            "momentum value": momentum,
            "weight_decay value": weight_decay,
        }.items():
            if value < 0:
                raise ValueError(f"Invalid {name}: {value}")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(
            params,
            {
                "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
                "nesterov": nesterov, "maximize": maximize,
            },
        )  # fmt: skip

    def _step_group(self, group: dict[str, Any], params: list[Tensor]) -> None:
        momentum = group["momentum"]
        new = [p for p in params if "momentum_buffer" not in self.state[p]] if momentum else []
        if new and len(new) != len(params):  # parameters that had no gradient before begin a sum of their own
            self._step_group(group, new)
            params = [p for p in params if not any(p is q for q in new)]
            new = []
        for p in new:
            self.state[p]["momentum_buffer"] = Tensor(nd.empty_like(p.array))
        arrays = [p.array for p in params]
        for array in arrays:
            array.flat.version += 1
        arrays[0].flat.kernels["sgd_step"](
            arrays,
            *[p._grad.array for p in params],  # type: ignore[union-attr]
            buffers=[self.state[p]["momentum_buffer"].array for p in params] if momentum else None,
            lr=group["lr"],
            momentum=momentum,
            dampening=group["dampening"],
            weight_decay=group["weight_decay"],
            nesterov=group["nesterov"],
            maximize=group["maximize"],
            first=bool(new),
        )
