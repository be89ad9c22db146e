"""Branches and loops as functions of functions: programs run eagerly, so they are Python's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from lamina_flatarray import AutogradError

from ..tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["cond", "while_loop"]

Result = TypeVar("Result")


def _decided(name: str, condition: Any) -> bool:
    if isinstance(condition, AnyTensor) and condition.numel() != 1:
        raise AutogradError(f"{name}: one truth value wanted, not a tensor of shape {tuple(condition.shape)}")
    return bool(condition)


def cond(
    pred: bool | int | float | Tensor,
    true_fn: Callable[..., Result],
    false_fn: Callable[..., Result],
    operands: Sequence[Any] = (),
) -> Result:
    """Call one of two functions.

    Args:
        pred: which: a truth value, or a tensor of one item.
        true_fn: the function for True.
        false_fn: the function for False.
        operands: the arguments.

    Returns:
        What the function returns.

    Raises:
        AutogradError: `pred` is a tensor of other than one item.

    >>> torch.cond(torch.tensor(True), torch.sin, torch.cos, (torch.tensor(0.0),))
    tensor(0.)
    """
    return (true_fn if _decided("cond", pred) else false_fn)(*operands)


def while_loop(
    cond_fn: Callable[..., bool | Tensor], body_fn: Callable[..., Any], carried_inputs: Sequence[Any]
) -> tuple[Any, ...]:
    """Call a function again and again on its own results, while a condition holds.

    Args:
        cond_fn: the condition, of the results so far.
        body_fn: the function.
        carried_inputs: the arguments of its first call.

    Returns:
        The results of the last call; the arguments where there is none.

    Raises:
        AutogradError: `cond_fn` returns a tensor of other than one item.

    >>> torch.while_loop(lambda n, x: n < 3, lambda n, x: (n + 1, x * 2), (0, torch.tensor([1.0])))
    (3, tensor([8.]))
    """
    state = tuple(carried_inputs)
    while _decided("while_loop", cond_fn(*state)):
        results = body_fn(*state)
        state = tuple(results) if isinstance(results, (tuple, list)) else (results,)
    return state
