"""Autocast in the `forward` and `backward` of an `autograd.Function`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, TypeVar, overload

import lamina_ndarray as nd
from lamina_flatarray import DType
from lamina_flatarray.dtypes import dtype_of

from ..tensor_fields import AnyTensor
from .autocasting import autocast, get_autocast_dtype, is_autocast_enabled

__all__ = ["custom_bwd", "custom_fwd"]

F = TypeVar("F", bound=Callable[..., Any])


@overload
def custom_fwd(fwd: F, *, device_type: str, cast_inputs: DType | None = None) -> F: ...
@overload
def custom_fwd(fwd: None = None, *, device_type: str, cast_inputs: DType | None = None) -> Callable[[F], F]: ...
def custom_fwd(fwd: Any = None, *, device_type: str, cast_inputs: DType | None = None) -> Any:
    """Decorate `forward` of an `autograd.Function` that is called under autocast.

    Args:
        fwd: the function; None for a decorator.
        device_type: the device type of the tensors, such as "cpu".
        cast_inputs: the dtype that floating-point tensors but float64 ones are cast to where autocast is on, which is off
            within then; None to run in the autocast of the caller.

    Returns:
        The function, or the decorator.

    >>> class Double(torch.autograd.Function):
    ...     @staticmethod
    ...     @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    ...     def forward(ctx, x):
    ...         return 2 * x
    ...     @staticmethod
    ...     @torch.amp.custom_bwd(device_type="cpu")
    ...     def backward(ctx, g):
    ...         return 2 * g
    >>> with torch.autocast("cpu"):
    ...     Double.apply(torch.ones(1, dtype=torch.bfloat16)).dtype
    lamina.float32
    """
    if fwd is None:
        return partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)
    target = None if cast_inputs is None else dtype_of(cast_inputs)

    @wraps(fwd)
    def within(*args: Any, **params: Any) -> Any:
        ctx, on = args[0], is_autocast_enabled(device_type)
        ctx._dtype = get_autocast_dtype(device_type)
        ctx._fwd_used_autocast = on and target is None
        if not on or target is None:
            return fwd(*args, **params)
        with autocast(device_type, enabled=False):
            return fwd(*_converted(args, device_type, target), **_converted(params, device_type, target))

    return within


@overload
def custom_bwd(bwd: F, *, device_type: str) -> F: ...
@overload
def custom_bwd(bwd: None = None, *, device_type: str) -> Callable[[F], F]: ...
def custom_bwd(bwd: Any = None, *, device_type: str) -> Any:
    """Decorate `backward` of an `autograd.Function` whose `forward` has `custom_fwd`, to run in the same autocast.

    Args:
        bwd: the function; None for a decorator.
        device_type: the device type of the tensors, such as "cpu".

    Returns:
        The function, or the decorator.

    >>> class Double(torch.autograd.Function):
    ...     @staticmethod
    ...     @torch.amp.custom_fwd(device_type="cpu")
    ...     def forward(ctx, x):
    ...         return 2 * x
    ...     @staticmethod
    ...     @torch.amp.custom_bwd(device_type="cpu")
    ...     def backward(ctx, g):
    ...         print(torch.is_autocast_enabled("cpu"))
    ...         return 2 * g
    >>> x = torch.ones(1, requires_grad=True)
    >>> with torch.autocast("cpu"):
    ...     y = Double.apply(x)
    >>> y.backward()
    True
    """
    if bwd is None:
        return partial(custom_bwd, device_type=device_type)

    @wraps(bwd)
    def within(*args: Any, **params: Any) -> Any:
        with autocast(device_type, enabled=args[0]._fwd_used_autocast, dtype=args[0]._dtype):
            return bwd(*args, **params)

    return within


def _converted(value: Any, device_type: str, dtype: DType) -> Any:
    if isinstance(value, AnyTensor):
        own = value.array.dtype
        there = value.array.device.type == device_type and own.is_floating_point and own is not nd.float64
        return value.to(dtype) if there else value
    if isinstance(value, dict):
        return {k: _converted(v, device_type, dtype) for k, v in value.items()}
    return type(value)([_converted(v, device_type, dtype) for v in value]) if isinstance(value, (list, tuple)) else value
