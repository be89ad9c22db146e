"""Settings of optimizers: refused where they are out of range, and read as numbers where they are tensors of one item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import lamina_ndarray as nd
from lamina_flatarray import ArgumentValueError, DType, UsageError, get_default_dtype
from lamina_tensor import Tensor, is_grad_enabled

__all__ = [
    "check_adam", "check_betas", "check_fused", "check_lr", "check_not_negative", "held", "number", "scalar_dtype",
]  # fmt: skip


def check_lr(lr: Any, message: str = "Invalid learning rate: {}") -> None:
    """Refuse a learning rate that is negative, or a tensor of several.

    Raises:
        ValueError: it is.
    """
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ArgumentValueError("Tensor lr must be 1-element")
    if not lr >= 0.0:
        raise ArgumentValueError(message.format(lr))


def check_not_negative(settings: Mapping[str, Any], message: str = "Invalid {} value: {}") -> None:
    """Refuse settings, given by how messages call them, that are negative.

    Raises:
        ValueError: one is.
    """
    for name, value in settings.items():
        if not value >= 0.0:
            raise ArgumentValueError(message.format(name, value))


def check_betas(betas: Any) -> None:
    """Refuse a pair of which one is outside of [0, 1).

    Raises:
        ValueError: one is.
    """
    for i, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ArgumentValueError(f"Invalid beta parameter at index {i}: {beta}")


def check_adam(lr: Any, betas: Any, eps: Any, weight_decay: Any) -> None:
    """Refuse what no kind of Adam takes.

    Raises:
        ValueError: a setting is out of its range.
    """
    check_lr(lr)
    check_not_negative({"epsilon": eps})
    check_betas(betas)
    check_not_negative({"weight_decay": weight_decay})


def check_fused(fused: bool | None, foreach: bool | None, differentiable: bool) -> None:
    """Refuse `fused` together with what contradicts it in PyTorch.

    Raises:
        RuntimeError: it is.
    """
    if fused and differentiable:
        raise UsageError("`fused` does not support `differentiable`")
    if fused and foreach:
        raise UsageError("`fused` and `foreach` cannot be `True` together.")


def number(setting: Any) -> Any:
    """A setting as a Python number; a tensor stays one, without dims, where the step is recorded and it wants a gradient."""
    if not isinstance(setting, Tensor):
        return setting
    if setting.requires_grad and is_grad_enabled():
        return setting.reshape(())
    return setting.item()


def held(state: Tensor) -> Tensor:
    """State as a recorded op may save it: a copy, for the next step overwrites the state itself."""
    return state.clone() if is_grad_enabled() else state


def scalar_dtype() -> DType:
    """The dtype of what an optimizer counts: float64 where that is the default, else float32."""
    return nd.float64 if get_default_dtype() is nd.float64 else nd.float32
