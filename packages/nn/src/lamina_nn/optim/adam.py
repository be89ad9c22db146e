"""Adam, with weight decay inside or outside of the gradient."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, UsageError
from lamina_tensor import Tensor

from .memory.counters import count, counted, counter
from .memory.kernel_groups import KernelOptimizer
from .memory.running_means import take_in, take_in_square
from .memory.settings import check_adam, check_fused, held, number

__all__ = ["Adam", "AdamW"]

_TENSOR_WITH_FOREACH = "{} as a Tensor is not supported for capturable=False and foreach=True"


class Adam(KernelOptimizer):
    """Adam: the running mean of gradients over the root of that of their squares (Kingma & Ba 2015). One kernel call per
    group, and a count per parameter.

    Args:
        params: tensors, pairs of name and tensor, or groups with settings of their own.
        lr: the length of a step; a number, or a tensor of one item.
        betas: how much of the two running means is kept; both numbers, or both tensors of one item.
        eps: added to the root, so that it is not zero.
        weight_decay: how much of the parameter is added to its gradient.
        amsgrad: whether the greatest mean of squares so far is used (Reddi et al. 2018).
        maximize: steps along the gradient instead.
        capturable, fused: accepted as in PyTorch; a step is fused here without them. They place counts beside the parameter.
        differentiable: whether the step is recorded, so that gradients flow through it.
        foreach: accepted as in PyTorch; it changes nothing.
        decoupled_weight_decay: whether decay shrinks the parameter itself, as AdamW's.

    Raises:
        ValueError: a setting is out of its range.
        RuntimeError: `fused` is given with `foreach` or `differentiable`.

    >>> weight = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.Adam([weight], lr=0.1)
    >>> weight.square().sum().backward()
    >>> optimizer.step()
    >>> weight
    tensor([ 0.9000, -1.9000], requires_grad=True)
    """

    _op = "adam_step"
    _counted = "step"

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        if isinstance(lr, Tensor) and foreach and not capturable:
            raise ArgumentValueError(_TENSOR_WITH_FOREACH.format("lr"))
        check_adam(lr, betas, eps, weight_decay)
        kinds = {isinstance(beta, Tensor) for beta in betas}
        if len(kinds) != 1 or not all(isinstance(beta, (float, Tensor)) for beta in betas):
            raise ArgumentValueError("betas must be either both floats or both Tensors")
        for i, beta in enumerate(betas):
            if isinstance(beta, Tensor) and foreach and not capturable:
                raise ArgumentValueError(_TENSOR_WITH_FOREACH.format(f"betas[{i}]"))
            if isinstance(beta, Tensor) and beta.numel() != 1:
                raise ArgumentValueError(f"Tensor betas[{i}] must be 1-element")
        super().__init__(
            params,
            {
                "lr": lr, "betas": tuple(b.squeeze() if isinstance(b, Tensor) else b for b in betas), "eps": eps,
                "weight_decay": weight_decay, "amsgrad": amsgrad, "maximize": maximize, "foreach": foreach,
                "capturable": capturable, "differentiable": differentiable, "fused": fused,
                "decoupled_weight_decay": decoupled_weight_decay,
            },
        )  # fmt: skip
        check_fused(fused, foreach, differentiable)

    def _start(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        if group["fused"] and not p.is_floating_point():
            raise UsageError(
                f"`fused=True` requires all the params to be floating point Tensors, but one is of {p.dtype.name}"
            )
        names = ("exp_avg", "exp_avg_sq", *(("max_exp_avg_sq",) if group["amsgrad"] else ()))
        return {"step": counter(0, p, group), **{name: lt.zeros_like(p) for name in names}}

    def _lists(self, group: dict[str, Any]) -> dict[str, str | None]:
        return {"firsts": "exp_avg", "seconds": "exp_avg_sq", "maxima": "max_exp_avg_sq" if group["amsgrad"] else None}

    def _settings(self, group: dict[str, Any], seen: Any) -> dict[str, Any]:
        beta1, beta2 = map(number, group["betas"])
        return {
            "lr": number(group["lr"]), "beta1": beta1, "beta2": beta2, "eps": group["eps"],
            "weight_decay": number(group["weight_decay"]), "decoupled": group["decoupled_weight_decay"], "step": seen,
        }  # fmt: skip

    def _update(self, p: Tensor, gradient: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
        """The kernel's formula, op by op."""
        count(state["step"])
        step = counted(state["step"])
        lr, decay = number(group["lr"]), number(group["weight_decay"])
        beta1, beta2 = map(number, group["betas"])
        g = gradient
        if group["weight_decay"] != 0:
            if group["decoupled_weight_decay"]:
                p.mul_(1 - lr * decay)
            else:
                g = g + held(p) * decay
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        take_in(mean, g, beta1)
        take_in_square(square, g, beta2)
        if group["amsgrad"]:
            greatest = state["max_exp_avg_sq"]
            greatest.copy_(held(greatest).maximum(held(square)))
            square = greatest
        root = held(square).sqrt() / (1 - beta2**step) ** 0.5 + group["eps"]
        p.sub_(held(mean) / root * (lr / (1 - beta1**step)))


class AdamW(Adam):
    """AdamW: Adam whose weight decay shrinks the parameter itself (Loshchilov & Hutter 2019).

    Args:
        params, lr, betas, eps, amsgrad, maximize, foreach, capturable, differentiable, fused: as for `Adam`.
        weight_decay: the fraction of itself, times `lr`, by which a parameter shrinks in every step.

    >>> weight = torch.tensor([1.0, -2.0], requires_grad=True)
    >>> optimizer = torch.optim.AdamW([weight], lr=0.1, weight_decay=0.5)
    >>> weight.square().sum().backward()
    >>> optimizer.step()
    >>> weight
    tensor([ 0.8500, -1.8000], requires_grad=True)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize, capturable=capturable,
            differentiable=differentiable, fused=fused, decoupled_weight_decay=True,
        )  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True  # also where an Adam's state is loaded
