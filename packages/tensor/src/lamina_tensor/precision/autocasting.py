"""Mixed precision in PyTorch's spelling: regions in which matrix products run in a lower precision, and what asks about them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar, overload

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, ArgumentValueError, BackendError, DType, UsageError
from lamina_flatarray.backends import registry
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.modes import AUTOCAST, region, switch

from .casts import Settings, settings

__all__ = [
    "autocast", "autocast_decrement_nesting", "autocast_increment_nesting", "clear_autocast_cache",
    "get_autocast_cpu_dtype", "get_autocast_dtype", "get_autocast_gpu_dtype", "is_autocast_cache_enabled",
    "is_autocast_cpu_enabled", "is_autocast_enabled", "set_autocast_cache_enabled", "set_autocast_cpu_dtype",
    "set_autocast_cpu_enabled", "set_autocast_dtype", "set_autocast_enabled", "set_autocast_gpu_dtype",
]  # fmt: skip

F = TypeVar("F", bound=Callable[..., Any])

_LOWER_DTYPES: Final = (nd.bfloat16, nd.float16)


def is_autocast_available(device_type: str) -> bool:
    """Whether an installed backend serves the device type.

    Args:
        device_type: such as "cpu" or "cuda".

    Returns:
        A bool.

    >>> torch.amp.is_autocast_available("cpu")
    True
    """
    try:
        registry.backend_for(device_type)
    except BackendError:
        return False
    return True


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """Whether autocast is on for a device type, in this thread.

    Args:
        device_type: such as "cpu" or "cuda".

    Returns:
        A bool; False outside of `torch.autocast`.

    >>> with torch.autocast("cpu"):
    ...     torch.is_autocast_enabled("cpu")
    True
    """
    return device_type in settings.get().on


@overload
def set_autocast_enabled(enabled: bool, /) -> None: ...
@overload
def set_autocast_enabled(*, enabled: bool) -> None: ...
@overload
def set_autocast_enabled(device_type: str, enabled: bool) -> None: ...
def set_autocast_enabled(device_type: Any = None, enabled: Any = None) -> None:
    """Switch autocast on or off for a device type, in this thread, until the region of `torch.autocast` around the call ends.

    Args:
        device_type: such as "cpu". A truth value alone is for "cuda".
        enabled: whether it is on; alone, for "cuda".

    Raises:
        ArgumentTypeError: it is not said whether.

    >>> torch.set_autocast_enabled("cpu", False)
    """
    if enabled is None:
        device_type, enabled = None, device_type
    if enabled is None:
        raise ArgumentTypeError("set_autocast_enabled() missing 1 required positional argument: 'enabled'")
    now = settings.get()
    on = now.turned("cuda" if device_type is None else str(device_type), bool(enabled))
    settings.set(now._replace(on=on, kept=now.kept if now.on else {}))
    switch(AUTOCAST, bool(on))


def get_autocast_dtype(device_type: str) -> DType:
    """The dtype of lower precision for a device type: bfloat16 on the CPU, float16 elsewhere, unless it was set.

    Args:
        device_type: such as "cpu" or "cuda".

    Returns:
        A dtype.

    >>> torch.get_autocast_dtype("cpu")
    lamina.bfloat16
    """
    return settings.get().dtype(device_type)


def set_autocast_dtype(device_type: str, dtype: DType) -> None:
    """Set the dtype of lower precision for a device type, in this thread, until the region of `torch.autocast` around the call ends.

    Args:
        device_type: such as "cpu" or "cuda".
        dtype: bfloat16 or float16.

    Raises:
        DTypeError: there is no such dtype.

    >>> torch.set_autocast_dtype("cpu", torch.bfloat16)
    """
    now = settings.get()
    settings.set(now._replace(dtypes={**now.dtypes, device_type: dtype_of(dtype)}))


def is_autocast_cache_enabled() -> bool:
    """Whether casts of weights are kept until the outermost region ends.

    Returns:
        A bool; True unless it was switched off.

    >>> torch.is_autocast_cache_enabled()
    True
    """
    return settings.get().caching


def set_autocast_cache_enabled(enabled: bool) -> None:
    """Set whether casts of weights are kept until the outermost region ends, in this thread.

    Args:
        enabled: whether they are.

    >>> torch.set_autocast_cache_enabled(True)
    """
    settings.set(settings.get()._replace(caching=enabled))


def clear_autocast_cache() -> None:
    """Forget the casts of weights.

    >>> torch.clear_autocast_cache()
    """
    settings.get().kept.clear()


def autocast_increment_nesting() -> int:
    """Count one more region of autocast that is entered.

    Returns:
        How many are entered.

    >>> before = torch.autocast_increment_nesting()
    >>> torch.autocast_decrement_nesting() == before - 1
    True
    """
    nesting = settings.get().nesting + 1
    settings.set(settings.get()._replace(nesting=nesting))
    return nesting


def autocast_decrement_nesting() -> int:
    """Count one region of autocast less.

    Returns:
        How many are entered.

    >>> before = torch.autocast_increment_nesting()
    >>> torch.autocast_decrement_nesting() == before - 1
    True
    """
    nesting = settings.get().nesting - 1
    settings.set(settings.get()._replace(nesting=nesting))
    return nesting


def is_autocast_cpu_enabled() -> bool:
    """Whether autocast is on for the CPU, in this thread.

    Returns:
        A bool.

    >>> torch.is_autocast_cpu_enabled()
    False
    """
    return is_autocast_enabled("cpu")


def set_autocast_cpu_enabled(enabled: bool) -> None:
    """Switch autocast on or off for the CPU, in this thread.

    Args:
        enabled: whether it is on.

    >>> torch.set_autocast_cpu_enabled(False)
    """
    set_autocast_enabled("cpu", enabled)


def get_autocast_cpu_dtype() -> DType:
    """The dtype of lower precision on the CPU.

    Returns:
        A dtype, bfloat16 unless it was set.

    >>> torch.get_autocast_cpu_dtype()
    lamina.bfloat16
    """
    return settings.get().dtype("cpu")


def set_autocast_cpu_dtype(dtype: DType) -> None:
    """Set the dtype of lower precision on the CPU, in this thread.

    Args:
        dtype: bfloat16 or float16.

    >>> torch.set_autocast_cpu_dtype(torch.bfloat16)
    """
    set_autocast_dtype("cpu", dtype)


def get_autocast_gpu_dtype() -> DType:
    """The dtype of lower precision on devices of type "cuda".

    Returns:
        A dtype, float16 unless it was set.

    >>> torch.get_autocast_gpu_dtype()
    lamina.float16
    """
    return settings.get().dtype("cuda")


def set_autocast_gpu_dtype(dtype: DType) -> None:
    """Set the dtype of lower precision on devices of type "cuda", in this thread.

    Args:
        dtype: bfloat16 or float16.

    >>> torch.set_autocast_gpu_dtype(torch.float16)
    """
    set_autocast_dtype("cuda", dtype)


class autocast(region):
    """Run matrix products in a lower precision, and losses, factorizations and Fourier transforms in float32.

    It is on in this thread: as a context manager within a block, as a decorator within calls of a function. PyTorch's lists
    for the CPU say which ops are cast, here for every device type.

    Args:
        device_type: the device type of the tensors that are cast, such as "cpu".
        dtype: the lower precision, bfloat16 or float16; `get_autocast_dtype(device_type)` for None.
        enabled: False switches it off within.
        cache_enabled: whether casts of weights are kept until the outermost region ends; as it is for None.

    Raises:
        ArgumentValueError: the device type is no string.
        UsageError: it is the name of no device type.

    >>> x = torch.ones(2, 2)
    >>> with torch.autocast("cpu"):
    ...     (x @ x).dtype
    lamina.bfloat16
    """

    def __init__(
        self, device_type: str, dtype: DType | None = None, enabled: bool = True, cache_enabled: bool | None = None
    ) -> None:
        if not isinstance(device_type, str):
            raise ArgumentValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        if not device_type.isidentifier():
            raise UsageError(f"User specified an unsupported autocast device_type {device_type!r}")
        super().__init__(AUTOCAST, settings)
        self.device = device_type
        self.fast_dtype = settings.get().dtype(device_type) if dtype is None else dtype_of(dtype)
        self._cache_enabled = settings.get().caching if cache_enabled is None else cache_enabled
        self._enabled = enabled
        if enabled and self.fast_dtype not in _LOWER_DTYPES:
            warnings.warn(
                f"In {device_type.upper()} autocast, but the target dtype is not supported. Disabling autocast.\n"
                f"{device_type.upper()} Autocast only supports dtype of "
                f"{', '.join(repr(d) for d in _LOWER_DTYPES)} currently.",
                stacklevel=2,
            )
            self._enabled = False

    def _entered(self, outer: Settings) -> tuple[int, Settings]:
        on = outer.turned(self.device, self._enabled)
        dtypes = {**outer.dtypes, self.device: self.fast_dtype}
        kept = outer.kept if outer.nesting else {}
        return AUTOCAST if on else 0, Settings(on, dtypes, outer.nesting + 1, self._cache_enabled, kept)

    def __call__(self, func: F) -> F:
        @wraps(func)
        def within(*args: Any, **kwargs: Any) -> Any:
            with self:
                return func(*args, **kwargs)

        return within  # type: ignore[return-value]
