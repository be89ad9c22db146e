"""Adafactor: mean squares of a matrix's gradients kept as one row and one column."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import lamina_ndarray as nd
from lamina_flatarray import ArgumentValueError, UsageError
from lamina_tensor import Tensor

from .memory.counters import count, counted, counter
from .memory.running_means import take_in
from .memory.settings import check_lr, check_not_negative, number
from .optimizer import Optimizer

__all__ = ["Adafactor"]


class Adafactor(Optimizer):
    """Adafactor: the gradient over the root of its mean squares, of which only the means of rows and of columns are kept
    (Shazeer & Stern 2018). As in PyTorch, `lr` bounds the relative step, and `eps[0]` bounds divisors.

    Args:
        params: tensors, pairs of name and tensor, or groups with settings of their own.
        lr: the greatest relative step; a number, or a tensor of one item.
        beta2_decay: the power of the step's number by which new squares count.
        eps: the least divisor, None for the dtype's precision, and the least size that a parameter is taken to have.
        d: the greatest root mean square of a step, relative to its length.
        weight_decay: by how much the parameter shrinks, per unit of `lr`.
        foreach: accepted as in PyTorch; it changes nothing.
        maximize: steps along the gradient instead.

    Raises:
        ValueError: a setting is out of its range.

    >>> weight = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.Adafactor([weight], lr=0.1)
    >>> weight.square().sum().backward()
    >>> optimizer.step()
    >>> weight
    tensor([ 0.8419, -1.8419], requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        too_small = "{} should be >= 0 but is: {}"
        check_lr(lr, "Learning rate should be >= 0 but is: {}")
        if not beta2_decay <= 0.0:
            raise ArgumentValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        check_not_negative({"epsilon1": 0.0 if eps[0] is None else eps[0], "epsilon2": eps[1]}, too_small)
        if not d >= 1.0:
            raise ArgumentValueError(f"Clipping threshold d should be >= 1 but is: {d}")
        check_not_negative({"weight_decay": weight_decay}, too_small)
        super().__init__(
            params,
            {
                "lr": lr, "beta2_decay": beta2_decay, "eps": eps, "d": d, "weight_decay": weight_decay,
                "foreach": foreach, "maximize": maximize,
            },
        )  # fmt: skip

    def _start(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        state = {"step": counter(0, p, group)}
        if p.ndim > 1:
            *stack, rows, columns = p.shape
            state["row_var"] = p.new_zeros((*stack, rows, 1))
            state["col_var"] = p.new_zeros((*stack, 1, columns))
        else:
            state["variance"] = p.new_zeros(p.shape)
        return state

    def _step_group(self, group: dict[str, Any], params: list[Tensor]) -> None:
        if any(p.dtype.is_complex for p in params):
            raise UsageError("Adafactor does not support complex parameters")
        super()._step_group(group, params)

    def _update(self, p: Tensor, gradient: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        count(state["step"])
        step, lr = counted(state["step"]), number(group["lr"])
        least = nd.finfo(p.dtype).eps if group["eps"][0] is None else group["eps"][0]
        share = step ** group["beta2_decay"]
        length = _at_least(group["eps"][1], _root_mean_square(p)) * min(lr, step**-0.5)
        if group["weight_decay"]:
            p.mul_(1 - lr * group["weight_decay"])
        squares = gradient * gradient
        if gradient.ndim > 1:
            rows, columns = state["row_var"], state["col_var"]
            take_in(rows, squares.mean(dim=-1, keepdim=True), 1 - share)
            take_in(columns, squares.mean(dim=-2, keepdim=True), 1 - share)
            estimate = rows @ columns / rows.mean(dim=-2, keepdim=True).clamp(min=least)
        else:
            estimate = state["variance"]
            take_in(estimate, squares, 1 - share)
        change = gradient * estimate.clamp(min=least * least).rsqrt()
        p.sub_(change * (length / _at_least(1.0, _root_mean_square(change) / group["d"])))


def _root_mean_square(x: Tensor) -> Any:
    """On a device a tensor, as nobody waits to know it."""
    if not x.numel():
        return 0.0
    length = x.norm()
    return (float(length) if x.array.flat.backend.host else length) / x.numel() ** 0.5


def _at_least(least: float, x: Any) -> Any:
    return x.clamp(min=least) if isinstance(x, Tensor) else max(least, x)
