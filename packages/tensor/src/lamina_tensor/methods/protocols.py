"""What Python and other libraries ask of a tensor: its truth, its number, its items one after another, its text, its memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lamina_flatarray import AutogradError, dlpack
from lamina_ndarray.creation import conversion
from lamina_ndarray.creation.conversion import item, tolist

from .. import functions
from ..dispatch import array_functions as af
from ..functions import creation
from ..tensor_fields import TensorFields
from .printing import text

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["METHODS"]


def _contains(self: Tensor, item: Any) -> bool:
    if not isinstance(item, (TensorFields, bool, int, float, complex)):
        raise AutogradError(
            f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(item).__name__}"
        )
    return bool(functions.any(self == item))


def _reversed(self: Tensor) -> Tensor:
    return functions.flip(self, (0,)) if self.array.layout.ndim else self


def _delete(self: Tensor, index: Any) -> None:
    raise TypeError("Tensor does not support deleting items")


def _iterate(self: Tensor) -> Iterator[Tensor]:
    if not self.array.layout.ndim:
        raise TypeError("iteration over a 0-d tensor")
    return iter(functions.unbind(self))


def _item(self: Tensor) -> Any:
    return item(self.array)


METHODS: Final[dict[str, Any]] = {
    "__array_namespace__": lambda self, *, api_version=None: af,
    "__array__": lambda self, dtype=None, copy=None: np.array(self.numpy(), dtype=dtype, copy=copy),
    "__bool__": lambda self: bool(self.array),
    "__complex__": lambda self: complex(self.array),
    "__array_priority__": 1000,
    "__array_wrap__": lambda self, array, *context: creation.tensor(array),
    "__contains__": _contains,
    "__delitem__": _delete,
    "__dlpack__": lambda self, **arguments: conversion.exported_dlpack(functions.detach(self).array, **arguments),
    "__dlpack_device__": lambda self: dlpack.device(self.array.flat),
    "__float__": lambda self: float(item(self.array)),
    "__format__": lambda self, spec: object.__format__(self, spec) if self.ndim else format(_item(self), spec),
    "__hash__": object.__hash__,
    "__index__": lambda self: self.array.__index__(),
    "__int__": lambda self: int(self.array),
    "__iter__": _iterate,
    "__len__": lambda self: len(self.array),
    "__long__": lambda self: int(self.array),
    "__nonzero__": lambda self: bool(self.array),
    "__repr__": text,
    "__reversed__": _reversed,
    "item": _item,
    "tolist": lambda self: tolist(self.array),
}
