"""Muon: steps of matrices made orthogonal, by a polynomial iterated in bfloat16."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, UsageError
from lamina_tensor import Tensor

from .memory.running_means import take_in
from .memory.settings import check_lr, check_not_negative, number
from .optimizer import Optimizer

__all__ = ["Muon"]


class Muon(Optimizer):
    """Muon: the running mean of gradients with its singular values brought near to one (Jordan 2024). For matrices: other
    parameters want an optimizer of their own, such as AdamW.

    Args:
        params: tensors of two dims, pairs of name and tensor, or groups with settings of their own.
        lr: the length of a step; a number, or a tensor of one item.
        weight_decay: by how much the parameter shrinks, per unit of `lr`.
        momentum: how much of the running mean is kept.
        nesterov: whether the mean is taken one step ahead.
        ns_coefficients: the polynomial's, of the first, third and fifth power.
        eps: the least norm that is divided by.
        ns_steps: how often the polynomial is applied.
        adjust_lr_fn: how the step depends on the shape: "original", which None stands for, or "match_rms_adamw"
            (Liu et al. 2025).

    Raises:
        ValueError: a setting is out of its range, or a parameter has not two dims.

    >>> weight = torch.tensor([[3.0, 0.0], [0.0, 1.0]], requires_grad=True)
    >>> optimizer = torch.optim.Muon([weight], lr=0.1)
    >>> weight.square().sum().backward()
    >>> optimizer.step()
    >>> weight
    tensor([[2.8950, 0.0000],
            [0.0000, 0.8767]], requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.7750, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        check_lr(lr, "Learning rate should be >= 0 but is: {}")
        check_not_negative({"momentum": momentum, "weight decay": weight_decay}, "{} should be >= 0 but is: {}")
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ArgumentValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        super().__init__(
            params,
            {
                "lr": lr, "weight_decay": weight_decay, "momentum": momentum, "nesterov": nesterov,
                "ns_coefficients": ns_coefficients, "eps": eps, "ns_steps": ns_steps, "adjust_lr_fn": adjust_lr_fn,
            },
        )  # fmt: skip
        for group in self.param_groups:
            for p in group["params"]:
                if p.ndim != 2:
                    raise ArgumentValueError(f"Muon only supports 2D parameters whereas we found a parameter with size: {p.size()}")

    def _start(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        return {"momentum_buffer": lt.zeros_like(p)}

    def _step_group(self, group: dict[str, Any], params: list[Tensor]) -> None:
        if any(p.dtype.is_complex for p in params):
            raise UsageError("Muon does not support complex parameters")
        super()._step_group(group, params)

    def _update(self, p: Tensor, gradient: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        mean = state["momentum_buffer"]
        take_in(mean, gradient, group["momentum"])
        change = gradient + (mean - gradient) * group["momentum"] if group["nesterov"] else mean
        change = orthogonalized(change, group["ns_coefficients"], group["ns_steps"], group["eps"])
        lr = number(group["lr"])
        p.mul_(1 - lr * group["weight_decay"])
        p.sub_(change.to(p.dtype) * (lr * _ratio(group["adjust_lr_fn"], *p.shape)))


def orthogonalized(
    x: Tensor, coefficients: tuple[float, float, float], steps: int, eps: float
) -> Tensor:
    """A matrix with the singular vectors of `x` and singular values near to one, in float32.

    Every product is rounded to bfloat16, as where the iteration runs in that dtype and sums are kept in float32.

    Raises:
        ValueError: there are 100 steps or more, `x` has not two dims, or there are not three coefficients.
    """
    if steps >= 100:
        raise ArgumentValueError("Number of steps must be less than 100 for computational efficiency")
    if x.ndim != 2:
        raise ArgumentValueError("Input tensor gradient must be a 2D matrix")
    if len(coefficients) != 3:
        raise ArgumentValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = coefficients
    tall = x.shape[0] > x.shape[1]
    z = _rounded(x.T if tall else x)
    z = _rounded(z / _rounded(z.norm()).clamp(min=eps))
    for _ in range(steps):
        gram = _rounded(z @ z.T)
        z = _rounded(a * z + _rounded(b * gram + c * (gram @ gram)) @ z)
    return z.T if tall else z


def _rounded(x: Tensor) -> Tensor:
    return x.bfloat16().float()


def _ratio(adjust: str | None, rows: int, columns: int) -> float:
    if adjust == "match_rms_adamw":
        return 0.2 * math.sqrt(max(rows, columns))
    return math.sqrt(max(1, rows / columns))
