"""Mixed precision in PyTorch's spelling: regions in which matrix products run in a lower precision, and what asks about them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial, wraps
from typing import Any, Final, Self

import lamina_ndarray as nd
from lamina_flatarray import BackendError, DType
from lamina_flatarray.backends import registry
from lamina_flatarray.dtypes import dtype_of

from ..tensor_fields import TensorFields
from .casts import precision

__all__ = [
    "autocast", "autocast_decrement_nesting", "autocast_increment_nesting", "clear_autocast_cache",
    "get_autocast_cpu_dtype", "get_autocast_dtype", "get_autocast_gpu_dtype", "is_autocast_cache_enabled",
    "is_autocast_cpu_enabled", "is_autocast_enabled", "set_autocast_cache_enabled", "set_autocast_cpu_dtype",
    "set_autocast_cpu_enabled", "set_autocast_dtype", "set_autocast_enabled", "set_autocast_gpu_dtype",
]  # fmt: skip

_LOWER_DTYPES: Final = (nd.bfloat16, nd.float16)


def is_autocast_available(device_type: str) -> bool:
    """Whether some backend that is there serves the device type."""
    try:
        registry.backend_for(device_type)
    except BackendError:
        return False
    return True


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """Whether autocast is on for a device type, in this thread."""
    return device_type in precision.on


def set_autocast_enabled(device_type: str | bool, enabled: bool | None = None) -> None:
    """Switch autocast on or off for a device type (for "cuda", where only a truth value is given), in this thread."""
    name, on = ("cuda", bool(device_type)) if enabled is None else (str(device_type), enabled)
    precision.turn(name, on)


def get_autocast_dtype(device_type: str) -> DType:
    """The lower precision for a device type: bfloat16 on the CPU, float16 elsewhere, unless it was set."""
    return precision.dtype(device_type)


def set_autocast_dtype(device_type: str, dtype: Any) -> None:
    """Set the lower precision for a device type, in this thread."""
    precision.dtypes[device_type] = dtype_of(dtype)


def is_autocast_cache_enabled() -> bool:
    """Whether casts of weights are kept until the outermost region ends."""
    return precision.caching


def set_autocast_cache_enabled(enabled: bool) -> None:
    """Whether casts of weights are to be kept until the outermost region ends, in this thread."""
    precision.caching = enabled


def clear_autocast_cache() -> None:
    """Forget the casts of weights."""
    precision.kept.clear()


def autocast_increment_nesting() -> int:
    """Enter a region more; how many are entered."""
    precision.nesting += 1
    return precision.nesting


def autocast_decrement_nesting() -> int:
    """Leave a region; how many are entered."""
    precision.nesting -= 1
    return precision.nesting


def is_autocast_cpu_enabled() -> bool:
    """Whether autocast is on for the CPU, in this thread."""
    return is_autocast_enabled("cpu")


def set_autocast_cpu_enabled(enabled: bool) -> None:
    """Switch autocast on or off for the CPU, in this thread."""
    precision.turn("cpu", enabled)


def get_autocast_cpu_dtype() -> DType:
    """The lower precision on the CPU."""
    return precision.dtype("cpu")


def set_autocast_cpu_dtype(dtype: Any) -> None:
    """Set the lower precision on the CPU, in this thread."""
    set_autocast_dtype("cpu", dtype)


def get_autocast_gpu_dtype() -> DType:
    """The lower precision on devices of type "cuda"."""
    return precision.dtype("cuda")


def set_autocast_gpu_dtype(dtype: Any) -> None:
    """Set the lower precision on devices of type "cuda", in this thread."""
    set_autocast_dtype("cuda", dtype)


class autocast:
    """While it is on, in this thread, products of matrices run in a lower precision, and losses, factorizations and Fourier
    transforms in float32, whatever the dtype of what they are given: `with autocast("cpu"): ...`, or `@autocast("cpu")`.

    What is cast, and to what, is in `precision`: PyTorch's lists for the CPU, for every device type.

    Args:
        device_type: of the tensors that are cast, such as "cpu".
        dtype: the lower precision, bfloat16 or float16; by default `get_autocast_dtype(device_type)`.
        enabled: False switches it off within.
        cache_enabled: whether casts of weights are kept until the outermost region ends.

    Raises:
        ValueError: the device type is no text.
        RuntimeError: it is no device type.
    """

    def __init__(
        self, device_type: str, dtype: Any = None, enabled: bool = True, cache_enabled: bool | None = None
    ) -> None:
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        if not device_type.isidentifier():
            raise RuntimeError(f"User specified an unsupported autocast device_type {device_type!r}")
        self.device = device_type
        self.fast_dtype = precision.dtype(device_type) if dtype is None else dtype_of(dtype)
        self._cache_enabled = precision.caching if cache_enabled is None else cache_enabled
        self._enabled = enabled
        self._before: list[tuple[bool, DType, bool]] = []
        if enabled and self.fast_dtype not in _LOWER_DTYPES:
            warnings.warn(
                f"In {device_type.upper()} autocast, but the target dtype is not supported. Disabling autocast.\n"
                f"{device_type.upper()} Autocast only supports dtype of "
                f"{', '.join(repr(d) for d in _LOWER_DTYPES)} currently.",
                stacklevel=2,
            )
            self._enabled = False

    def __enter__(self) -> Self:
        self._before.append((self.device in precision.on, precision.dtype(self.device), precision.caching))
        precision.turn(self.device, self._enabled)
        precision.dtypes[self.device] = self.fast_dtype
        precision.caching = self._cache_enabled
        precision.nesting += 1
        return self

    def __exit__(self, *_: object) -> None:
        precision.nesting -= 1
        if not precision.nesting:
            precision.kept.clear()
        on, dtype, precision.caching = self._before.pop()
        precision.turn(self.device, on)
        precision.dtypes[self.device] = dtype

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def within(*args: Any, **params: Any) -> Any:
            with self:
                return function(*args, **params)

        return within


def autocast_of(device_type: str) -> type[autocast]:
    """`autocast` for one device type, as `torch.cuda.amp.autocast` is: `autocast(enabled, dtype, cache_enabled)`."""

    class autocast_there(autocast):
        def __init__(self, enabled: bool = True, dtype: Any = None, cache_enabled: bool = True) -> None:
            super().__init__(device_type, dtype, enabled, cache_enabled)

    autocast_there.__name__ = autocast_there.__qualname__ = "autocast"
    autocast_there.__doc__ = f'`autocast("{device_type}", ...)`.'
    return autocast_there


# -- inside of autograd.Function ----------------------------------------------------------------------------------------


def custom_fwd(
    fwd: Callable[..., Any] | None = None, *, device_type: str, cast_inputs: Any = None
) -> Callable[..., Any]:
    """Decorates `forward` of an `autograd.Function`: it runs in the autocast of its caller; or, with `cast_inputs`, with all
    floating tensors but float64 ones in that dtype and autocast off, where it is on outside."""
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


def custom_bwd(bwd: Callable[..., Any] | None = None, *, device_type: str) -> Callable[..., Any]:
    """Decorates `backward` of an `autograd.Function` whose `forward` has `custom_fwd`: it runs in the same autocast."""
    if bwd is None:
        return partial(custom_bwd, device_type=device_type)

    @wraps(bwd)
    def within(*args: Any, **params: Any) -> Any:
        with autocast(device_type, enabled=args[0]._fwd_used_autocast, dtype=args[0]._dtype):
            return bwd(*args, **params)

    return within


def _converted(value: Any, device_type: str, dtype: DType) -> Any:
    if isinstance(value, TensorFields):
        own = value.array.dtype
        there = value.array.device.type == device_type and own.is_floating_point and own is not nd.float64
        return value.to(dtype) if there else value
    if isinstance(value, dict):
        return {k: _converted(v, device_type, dtype) for k, v in value.items()}
    return type(value)([_converted(v, device_type, dtype) for v in value]) if isinstance(value, (list, tuple)) else value
