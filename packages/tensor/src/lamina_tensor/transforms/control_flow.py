"""Branches and loops as functions of functions: programs run eagerly, so they are Python's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamina_flatarray import AutogradError

from ..tensor_fields import TensorFields

__all__ = ["cond", "while_loop"]


def _decided(name: str, condition: Any) -> bool:
    if isinstance(condition, TensorFields) and condition.numel() != 1:
        raise AutogradError(f"{name}: one truth value wanted, not a tensor of shape {tuple(condition.shape)}")
    return bool(condition)


def cond(pred: Any, true_fn: Callable[..., Any], false_fn: Callable[..., Any], operands: Any = ()) -> Any:
    """What one of two functions makes of the operands, as `pred` says.

    Raises:
        AutogradError: `pred` is not one value.
    """
    return (true_fn if _decided("cond", pred) else false_fn)(*operands)


def while_loop(cond_fn: Callable[..., Any], body_fn: Callable[..., Any], carried_inputs: Any) -> Any:
    """A function applied again and again to its own results, while another one holds of them.

    Raises:
        AutogradError: what `cond_fn` gives is not one value.
    """
    state = tuple(carried_inputs)
    while _decided("while_loop", cond_fn(*state)):
        made = body_fn(*state)
        state = tuple(made) if isinstance(made, (tuple, list)) else (made,)
    return state
