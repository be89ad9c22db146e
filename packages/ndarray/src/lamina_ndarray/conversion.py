"""Arrays as something else: another dtype or device, Python numbers, NumPy arrays, DLPack capsules."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamina_flatarray import ShapeError, dlpack
from lamina_flatarray import backends as registry
from lamina_flatarray.dtypes import dtype_of

from .array import NDArray
from .operands import cast

__all__ = ["astype", "exported_dlpack", "item", "numpy", "to_device", "tolist"]


def astype(x: NDArray, dtype: Any, *, copy: bool = True) -> NDArray:
    """x in another dtype; with `copy=False`, x itself if it has that dtype."""
    target = x.flat.kernels.sibling(dtype_of(dtype))
    if target is x.flat.kernels:
        from .views import copy as copied

        return copied(x) if copy else x
    return cast(x, target)


def to_device(x: NDArray, device: Any) -> NDArray:
    """x on another device; itself if it is there, or for None."""
    if device is None or registry.kernels(device, x.dtype) is x.flat.kernels:
        return x
    moved = x.flat.to(device)
    return x if moved is x.flat else NDArray(moved, x.layout)


def numpy(x: NDArray) -> np.ndarray[Any, Any]:
    """A NumPy array over the same memory.

    Raises:
        DeviceError: the memory is not on the host.
    """
    native = x.native
    if type(native) is np.ndarray:
        return native
    layout, itemsize = x.layout, x.flat.dtype.itemsize
    if not layout.size:
        return np.empty(layout.shape, x.flat.dtype.numpy)
    strides = tuple(s * itemsize for s in layout.strides)
    return np.ndarray(layout.shape, x.flat.dtype.numpy, x.flat.bytes_view(), layout.offset * itemsize, strides)


def tolist(x: NDArray) -> Any:
    """Nested lists of Python numbers; one number for a 0-d array."""
    return numpy(to_device(x, "cpu")).tolist()


def item(x: NDArray) -> Any:
    """The one item as a Python number.

    Raises:
        ShapeError: there is not exactly one.
    """
    if x.layout.size != 1:
        raise ShapeError(f"a Tensor with {x.layout.size} elements cannot be converted to Scalar")
    return numpy(x if x.flat.kernels.backend.host else to_device(x, "cpu")).item()


def exported_dlpack(x: NDArray, **arguments: Any) -> Any:
    """A DLPack capsule over the same memory."""
    return dlpack.exported(x.flat, x.layout.shape, x.layout.strides, x.layout.offset, **arguments)
