"""NDArray's operators and methods: each one names the function that does the work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from lamina_flatarray import ShapeError, dlpack, get_default_dtype, int64
from lamina_flatarray import bool as boolean

from . import printing
from .array import NDArray
from .creation import conversion
from .dispatch.functions import FUNCTIONS
from .dispatch.namespace import API_VERSIONS
from .indexing import selection
from .shapes import views

__all__ = ["IN_PLACE_DUNDERS", "OPERATORS", "REFLECTED_DUNDERS", "shows_dtype"]

_BINARY = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide",
    "mod": "remainder", "pow": "pow", "matmul": "matmul", "and": "bitwise_and", "or": "bitwise_or",
    "xor": "bitwise_xor", "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift",
}  # fmt: skip
_OTHERS = {
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
    "neg": "negative", "abs": "abs", "invert": "bitwise_invert",
}  # fmt: skip

OPERATORS = {f"__{name}__": op for name, op in (_BINARY | _OTHERS).items()}
"""Operator method to op name; Tensor has the same ones."""

REFLECTED_DUNDERS = {f"__r{name}__": op for name, op in _BINARY.items()}
IN_PLACE_DUNDERS = {f"__i{name}__": op for name, op in _BINARY.items()}


def _reflected(function: Any) -> Any:
    return lambda self, other: function(other, self)


def _in_place(function: Any) -> Any:
    return lambda self, other: function(self, other, out=self)


for _dunder, _op in OPERATORS.items():
    setattr(NDArray, _dunder, FUNCTIONS[_op])
for _dunder, _op in REFLECTED_DUNDERS.items():
    setattr(NDArray, _dunder, _reflected(FUNCTIONS[_op]))
for _dunder, _op in IN_PLACE_DUNDERS.items():
    setattr(NDArray, _dunder, _in_place(FUNCTIONS[_op]))


def _item(self: NDArray) -> Any:
    """The one item as a Python number; see `lamina_ndarray.creation.conversion.item`."""
    return conversion.item(self)  # looked up when called: it may have a compiled twin by then


def _tolist(self: NDArray) -> Any:
    """Nested lists of Python numbers; one number for a 0-d array."""
    return conversion.tolist(self)


def _bool(self: NDArray) -> bool:
    if self.layout.size != 1:
        raise ShapeError(
            "Boolean value of Tensor with more than one value is ambiguous"
            if self.layout.size
            else "Boolean value of Tensor with no values is ambiguous"
        )
    return bool(conversion.item(self))


def _length(self: NDArray) -> int:
    if not self.layout.ndim:
        raise TypeError("len() of a 0-d tensor")
    return self.layout.shape[0]


def _iterate(self: NDArray) -> Iterator[NDArray]:
    if not self.layout.ndim:
        raise TypeError("iteration over a 0-d tensor")
    return (selection.getitem(self, i) for i in range(self.layout.shape[0]))


def _index(self: NDArray) -> int:
    if self.dtype.is_inexact or self.layout.size != 1:
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(conversion.item(self))


def _array(self: NDArray, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
    return np.array(conversion.numpy(self), dtype=dtype, copy=copy)


def shows_dtype(x: NDArray) -> bool:
    """Whether printing names the dtype: not the default one, nor those that the items themselves show."""
    default = get_default_dtype()
    told_by_items = (default.to_complex(), int64, boolean) if x.layout.size else ()
    return x.dtype is not default and x.dtype not in told_by_items


def marks(x: NDArray) -> list[str]:
    """What printing names behind the items: a device other than the host, and a dtype that they do not show."""
    device = [f"device='{x.device}'"] if x.device.type != "cpu" else []
    return [*device, *([f"dtype={x.dtype!r}"] if shows_dtype(x) else [])]


def _repr(self: NDArray) -> str:
    return printing.text(conversion.numpy(conversion.to_device(self, "cpu")), prefix="NDArray(", suffixes=marks(self))


def _namespace(self: NDArray, *, api_version: str | None = None) -> Any:
    if api_version is not None and api_version not in API_VERSIONS:
        raise ValueError(f"__array_namespace__: version {api_version!r} asked for; there are {', '.join(API_VERSIONS)}")
    import lamina_ndarray

    return lamina_ndarray


_METHODS: dict[str, Any] = {
    "__array_namespace__": _namespace,
    "__array__": _array,
    "__bool__": _bool,
    "__buffer__": conversion.exported_buffer,
    "__complex__": lambda self: complex(conversion.item(self)),
    "__dlpack__": conversion.exported_dlpack,
    "__dlpack_device__": lambda self: dlpack.device(self.flat),
    "__float__": lambda self: float(conversion.item(self)),
    "__getitem__": selection.getitem,
    "__hash__": object.__hash__,
    "__index__": _index,
    "__int__": lambda self: int(conversion.item(self)),
    "__iter__": _iterate,
    "__len__": _length,
    "__pos__": lambda self: self,
    "__repr__": _repr,
    "__setitem__": selection.setitem,
    "T": property(lambda self: views.permute(self, range(self.layout.ndim)[::-1])),
    "mT": property(views.transpose),
    "astype": conversion.astype,
    "item": _item,
    "numpy": conversion.numpy,
    "to_device": conversion.to_device,
    "tolist": _tolist,
}
for _name, _method in _METHODS.items():
    setattr(NDArray, _name, _method)
