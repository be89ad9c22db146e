"""An array in the dtype that a kernel wants, and the crossing from one device to another where that is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from lamina_flatarray import DeviceError
from lamina_flatarray.backends.kernel_table import KernelTable

from ..array_fields import ArrayFields, array_of, empty_of

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["cast", "moved"]


@overload
def cast(x: NDArray, kernels: KernelTable) -> NDArray: ...
@overload
def cast(x: Any, kernels: KernelTable) -> Any: ...
def cast(x: Any, kernels: KernelTable) -> Any:
    """An array in the dtype of a table, on its device: itself if it is so already. A number stays a number.

    Raises:
        DeviceError: it lives on another device, and is not an array without axes on the host, which may join any.
    """
    if not isinstance(x, ArrayFields) or x.flat.kernels is kernels:
        return x
    if x.flat.kernels.device is not kernels.device:
        if x.layout.ndim or x.device.type != "cpu":
            raise DeviceError(
                f"expected all tensors to be on the same device, but got {x.dtype.name}{tuple(x.layout.shape)} on {x.device} for "
                f"{kernels.device}; move it with .to({str(kernels.device)!r})"
            )
        return moved(x, kernels)
    if x.flat.kernels.backend is not kernels.backend:
        if x.dtype is kernels.dtype:
            return x  # another backend's array on the same memory
        kernels = x.flat.kernels.sibling(kernels.dtype)
    result = empty_of(kernels, x.layout.like)
    (kernels if kernels.dtype.stored_only else x.flat.kernels)["copy"](result, x)  # the side that knows such a dtype
    return result


def moved(x: ArrayFields, kernels: KernelTable) -> NDArray:
    """An array in the dtype and on the device of a table, wherever it lives."""
    if x.flat.kernels.device is not kernels.device:
        x = array_of(x.flat.to(kernels.device), x.layout)
    result: NDArray = cast(x, kernels)
    return result
