"""What a call on tensors would run, and how a tensor lies in memory, as texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lamina_flatarray import OpNotImplemented
from lamina_ndarray import NDArray

from ... import functions, tensor_fields
from ...autograd.modes import no_grad
from ...tensor_fields import AnyTensor, tensor_of

if TYPE_CHECKING:
    from lamina_ndarray.explaining.layouts import Text

__all__ = ["explain"]


def explain(op: str | Callable[..., Any], *args: Any, **params: Any) -> Text:
    """What `op(*args, **params)` would do on tensors, without gradients: see `lamina_ndarray.explain`.

    Args:
        op: PyTorch's name of a function, or any function of tensors.
        args, params: what it would be given.

    Returns:
        A text that prints the kernels it would run, and the shape, strides and memory of the result.

    Raises:
        OpNotImplemented: there is no function of this name.
        LaminaError: what the call itself would raise.

    >>> torch.explain("add", torch.ones(2), 1)
    add(float32(2,), 1) -> float32(2,)
    ...
      the result: shape (2,), strides (1,), 8 bytes of new memory
    """
    from lamina_ndarray.explaining.calls import explained
    from lamina_ndarray.explaining.planning import planned

    name, function = (op, _found(op)) if isinstance(op, str) else (getattr(op, "__name__", "the function"), op)
    with no_grad():
        plan = planned(function, args, params, _replaced)
    return explained(name, args, params, plan, lambda x: x.array if isinstance(x, AnyTensor) else None)


def _found(name: str) -> Callable[..., Any]:
    function = getattr(functions, name, None) or getattr(tensor_fields.tensor_class, name, None)
    if not callable(function):
        raise OpNotImplemented(f"explain: there is no function {name!r}")
    return function  # type: ignore[no-any-return]


def _replaced(value: Any, stand_in: Callable[[NDArray, str], NDArray]) -> Any:
    if isinstance(value, AnyTensor):
        return tensor_of(stand_in(value.array, ""))
    if isinstance(value, (list, tuple)) and any(isinstance(v, AnyTensor) for v in value):
        return type(value)([_replaced(v, lambda x, part, i=i: stand_in(x, f"[{i}]{part}")) for i, v in enumerate(value)])  # type: ignore[misc]
    return value
