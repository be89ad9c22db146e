"""Stochastic gradient descent, with momentum."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, UsageError
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_ndarray import NDArray
from lamina_tensor import Tensor, is_grad_enabled

from .memory.gathering import gathered, note_writes, real
from .memory.kernel_groups import arrays_beside, arrays_to_write, together
from .memory.settings import check_fused, check_lr, check_not_negative, held, number
from .optimizer import Optimizer

__all__ = ["SGD"]


class SGD(Optimizer):
    """Stochastic gradient descent, with or without momentum (Sutskever et al. 2013). One kernel call per group.

    Args:
        params: tensors, pairs of name and tensor, or groups with settings of their own.
        lr: the length of a step per unit of gradient; a number, or a tensor of one item.
        momentum: how much of the running sum is kept.
        dampening: how much of a new gradient is left out of it.
        weight_decay: how much of the parameter is added to its gradient.
        nesterov: whether the gradient is taken one step ahead.
        maximize: steps along the gradient instead.
        differentiable: whether the step is recorded, so that gradients flow through it.
        foreach, fused: accepted as in PyTorch; a step is fused here without them.

    Raises:
        ValueError: a setting is out of its range.
        RuntimeError: `fused` is given with `foreach` or `differentiable`.

    >>> weight = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.SGD([weight], lr=0.1, momentum=0.9)
    >>> weight.square().sum().backward()
    >>> optimizer.step()
    >>> weight
    tensor([ 0.8000, -1.6000], requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float | Tensor = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_lr(lr)
        check_not_negative({"momentum": momentum, "weight_decay": weight_decay})
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ArgumentValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(
            params,
            {
                "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
                "nesterov": nesterov, "maximize": maximize, "foreach": foreach, "differentiable": differentiable,
                "fused": fused,
            },
        )  # fmt: skip
        check_fused(fused, foreach, differentiable)

    def _step_group(self, group: dict[str, Any], params: list[Tensor]) -> None:
        beginners: set[int] = set()  # their running sum begins with this gradient
        if group["momentum"]:
            for p in params:
                if self.state[p].get("momentum_buffer") is None:
                    self.state[p]["momentum_buffer"] = lt.zeros_like(p)
                    beginners.add(id(p))
        if is_grad_enabled():
            for p in params:
                self._step_recorded(group, p, id(p) in beginners)
            return
        found = None if beginners else gathered(params, self.state, None, ("momentum_buffer",) if group["momentum"] else ())
        if found is not None and not found[0].dtype.is_complex:  # as almost always
            table, arrays, gradients, _, entries = found
            note_writes(arrays)
            given = self._call(table, arrays, gradients, entries[0] if entries else None, group, False)
            self._repeats.keep(self, group, "sgd_step", found, given, None)
            return
        for (first, table), alike in together(params, [id(p) in beginners for p in params]).items():
            gradients, buffers = arrays_beside("sgd_step", alike, [p._grad for p in alike]), None
            if group["momentum"]:
                buffers = arrays_beside("sgd_step", alike, [self.state[p]["momentum_buffer"] for p in alike])
            self._call(table, arrays_to_write(alike), gradients, buffers, group, first)

    def _call(
        self, table: KernelTable, arrays: list[NDArray], gradients: list[NDArray], buffers: list[NDArray] | None,
        group: dict[str, Any], first: bool,
    ) -> dict[str, Any]:  # fmt: skip
        """Step parameters; return what the kernel was given by name."""
        given = {
            "buffers": buffers, "lr": number(group["lr"]), "momentum": group["momentum"], "dampening": group["dampening"],
            "weight_decay": number(group["weight_decay"]), "nesterov": group["nesterov"], "maximize": group["maximize"], "first": first,
        }  # fmt: skip
        table["sgd_step"](arrays, *gradients, **given)
        return given

    def _step_sparse(self, group: dict[str, Any], params: list[Tensor]) -> None:
        """The rows that the gradients have, without weight decay; a running sum of sparse gradients is sparse itself."""
        if group["weight_decay"] != 0:
            raise UsageError("SGD: weight_decay option is not compatible with sparse gradients")
        for p in params:
            g: Any = -p._grad if group["maximize"] else p._grad  # type: ignore[operator]
            if group["momentum"]:
                state = self.state[p]
                if state.get("momentum_buffer") is None:
                    state["momentum_buffer"] = g.clone()
                else:
                    state["momentum_buffer"].mul_(group["momentum"]).add_(g, alpha=1 - group["dampening"])
                buffer = state["momentum_buffer"]
                g = g + buffer * group["momentum"] if group["nesterov"] else buffer
            p.add_(g, alpha=-number(group["lr"]))

    def _step_recorded(self, group: dict[str, Any], parameter: Tensor, first: bool) -> None:
        """The kernel's formula, op by op."""
        p, g = real(parameter), real(parameter.grad)
        g = -g if group["maximize"] else g
        if group["weight_decay"] != 0:
            g = g + held(p) * number(group["weight_decay"])
        if group["momentum"]:
            buffer = real(self.state[parameter]["momentum_buffer"])
            if first:
                buffer.copy_(g.detach())
            else:
                buffer.mul_(group["momentum"]).add_(g * (1 - group["dampening"]))
            g = g + held(buffer) * group["momentum"] if group["nesterov"] else held(buffer)
        p.sub_(g * number(group["lr"]))
