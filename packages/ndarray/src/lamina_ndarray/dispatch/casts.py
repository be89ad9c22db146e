"""An array in the dtype, and on the device, that a kernel wants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from lamina_flatarray.backends.kernel_table import KernelTable

from ..array_fields import ArrayFields, array_of, empty_of

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["cast"]


@overload
def cast(x: NDArray, kernels: KernelTable) -> NDArray: ...
@overload
def cast(x: Any, kernels: KernelTable) -> Any: ...
def cast(x: Any, kernels: KernelTable) -> Any:
    """An array in the dtype and on the device of a table: itself if there already. A number stays a number."""
    if not isinstance(x, ArrayFields) or x.flat.kernels is kernels:
        return x
    if x.flat.kernels.backend is not kernels.backend:
        if x.device is not kernels.device:
            x = array_of(cast(x, x.flat.kernels.sibling(x.dtype)).flat.to(kernels.device), x.layout)
        elif x.dtype is kernels.dtype:
            return x  # another backend's array on the same memory
        else:
            kernels = x.flat.kernels.sibling(kernels.dtype)
    result = empty_of(kernels, x.layout.result)
    (kernels if kernels.dtype.stored_only else x.flat.kernels)["copy"](result, x)  # the side that knows such a dtype
    return result
