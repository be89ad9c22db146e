"""Tensor's operators, attributes and methods: each one names the function that does the work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import AutogradError, Device, DType, dlpack
from lamina_flatarray.ops import OPS
from lamina_ndarray import conversion
from lamina_ndarray.operators import IN_PLACE_DUNDERS, OPERATORS, REFLECTED_DUNDERS

from . import array_functions as af
from . import engine, functions
from .modes import mode
from .node import Node
from .printing import text
from .recording import in_place
from .tensor import Tensor, tensor_of

__all__ = ["Size"]


class Size(tuple[int, ...]):
    """A shape: a tuple that prints as PyTorch's and knows its number of items."""

    __slots__ = ()

    def numel(self) -> int:
        """The product of the lengths."""
        n = 1
        for length in self:
            n *= length
        return n

    def __repr__(self) -> str:
        return f"lamina.Size({list(self)})"


# -- operators ----------------------------------------------------------------------------------------------------------


def _reflected(function: Callable[..., Tensor]) -> Callable[[Tensor, Any], Tensor]:
    return lambda self, other: function(other, self)


_IN_PLACE = {row.name: in_place(row.name) for row in OPS.values() if row.family == "map" and row.name not in ("where", "polygamma")}

for _dunder, _op in OPERATORS.items():
    setattr(Tensor, _dunder, af.FUNCTIONS[_op])
for _dunder, _op in REFLECTED_DUNDERS.items():
    setattr(Tensor, _dunder, _reflected(af.FUNCTIONS[_op]))
for _dunder, _op in IN_PLACE_DUNDERS.items():
    if _op in _IN_PLACE:
        setattr(Tensor, _dunder, _IN_PLACE[_op])


# -- what a tensor is ---------------------------------------------------------------------------------------------------


def _get_data(self: Tensor) -> Tensor:
    return tensor_of(self.array)


def _set_data(self: Tensor, value: Tensor) -> None:
    self.array = value.array


def _get_grad(self: Tensor) -> Tensor | None:
    return self._grad


def _set_grad(self: Tensor, value: Tensor | None) -> None:
    if value is not None and value.shape != self.shape:
        raise AutogradError(f"assigned grad has data of a different size: {value.shape} for {self.shape}")
    self._grad = value


def _require_grad(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Ask for gradients, or stop asking; only of a leaf, and of floating or complex items."""
    if self.node is not None and not requires_grad:
        raise AutogradError("you can only change requires_grad flags of leaf variables. Use .detach() instead")
    if requires_grad and not self.array.dtype.is_inexact:
        raise AutogradError("only Tensors of floating point dtype can require gradients")
    self.requires_grad = requires_grad
    return self


def _size(self: Tensor, dim: int | None = None) -> Any:
    return self.shape if dim is None else self.array.layout.shape[dim]


def _stride(self: Tensor, dim: int | None = None) -> Any:
    return self.array.layout.strides if dim is None else self.array.layout.strides[dim]


def _backward(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Add to every leaf's `grad` the gradient of this tensor; see `lamina_tensor.backward`."""
    engine.backward(self, gradient, retain_graph, create_graph, inputs)


class RemovableHandle:
    """Takes a hook away again."""

    def __init__(self, hooks: Any, key: int) -> None:
        self._hooks, self._key = hooks, key

    def remove(self) -> None:
        """Take the hook away; a second time does nothing."""
        self._hooks.pop(self._key, None)


def _register_hook(self: Tensor, hook: Callable[[Tensor], Tensor | None]) -> RemovableHandle:
    """Call `hook` with this tensor's gradient in every backward pass; what it returns replaces the gradient.

    Raises:
        AutogradError: the tensor does not require gradients.
    """
    if not self.requires_grad:
        raise AutogradError("cannot register a hook on a tensor that doesn't require gradient")
    if self.hooks is None:
        self.hooks = {}
        if self.node is not None:
            self.node.hooks = self.hooks
    key = len(self.hooks) + max(self.hooks, default=0)
    self.hooks[key] = hook
    return RemovableHandle(self.hooks, key)


def _retain_grad(self: Tensor) -> None:
    """Keep this result's gradient in `grad`, as if it were a leaf."""
    if self.node is None:
        return

    def keep(g: Tensor) -> None:
        self._grad = g if self._grad is None else self._grad + g

    _register_hook(self, keep)


def _grad_fn(self: Tensor) -> Node | None:
    return self.node


# -- conversions --------------------------------------------------------------------------------------------------------


def _numpy(self: Tensor, *, force: bool = False) -> np.ndarray[Any, Any]:
    """A NumPy array over the same memory.

    Raises:
        AutogradError: gradients are recorded; `detach()` first, or `force=True`.
        DeviceError: the memory is not on the host.
    """
    if self.requires_grad and mode.recording and not force:
        raise AutogradError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    return conversion.numpy(conversion.to_device(self.array, "cpu") if force else self.array)


def _to(self: Tensor, *args: Any, device: Any = None, dtype: Any = None, copy: bool = False, **_: Any) -> Tensor:
    """In another dtype, on another device, or both; itself if nothing changes."""
    for arg in args:
        if isinstance(arg, Tensor):
            device, dtype = arg.device, arg.dtype
        elif isinstance(arg, DType):
            dtype = arg
        elif isinstance(arg, (str, Device)):
            device = arg
    made = self if dtype is None else af.astype(self, dtype)
    made = af.to_device(made, device)
    return af.copy(made) if copy and made is self else made


def _item(self: Tensor) -> Any:
    return conversion.item(self.array)


def _iterate(self: Tensor) -> Iterator[Tensor]:
    if not self.array.layout.ndim:
        raise TypeError("iteration over a 0-d tensor")
    return iter(functions.unbind(self))


def _setitem(self: Tensor, index: Any, value: Any) -> None:
    from .assignment import setitem

    setitem(self, index, value)


def _filled(self: Tensor, value: Any) -> Tensor:
    """Every item set to a value, in place."""
    from .assignment import setitem

    setitem(self, ..., value)
    return self


def _drawn(fill: Callable[..., Any]) -> Callable[..., Tensor]:
    def method(self: Tensor, *args: Any, **params: Any) -> Tensor:
        from .assignment import check_leaf

        check_leaf(fill.__name__, self)
        fill(self.array, *args, **params)
        return self

    method.__name__, method.__doc__ = fill.__name__, fill.__doc__
    return method


def _new(make: Callable[..., Any], *leading: Any) -> Callable[..., Tensor]:
    def method(self: Tensor, *size: Any, dtype: Any = None, device: Any = None) -> Tensor:
        made = make(functions.sizes(size), *leading, dtype=dtype or self.dtype, device=device or self.device)
        return tensor_of(made)

    return method


def _new_full(self: Tensor, size: Any, value: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    return tensor_of(nd.full(tuple(size), value, dtype=dtype or self.dtype, device=device or self.device))


def _cast(dtype: DType) -> Callable[[Tensor], Tensor]:
    return lambda self: af.astype(self, dtype)


def _deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """A leaf copied with its memory; a result of recorded ops cannot be."""
    if self.node is not None:
        raise AutogradError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment."
        )
    made = type(self).__new__(type(self))
    Tensor.__init__(made, nd.copy(self.array), self.requires_grad)
    made.__dict__.update(self.__dict__)
    if self._grad is not None:
        made._grad = tensor_of(nd.copy(self._grad.array))
    memo[id(self)] = made
    return made


def _cpu(self: Tensor) -> Tensor:
    """On the host."""
    return _to(self, device="cpu")


_PROPERTIES: dict[str, property] = {
    "T": property(lambda self: functions.permute(self, *range(self.array.layout.ndim)[::-1])),
    "data": property(_get_data, _set_data, doc="The same items, apart from the graph; assigning swaps the items."),
    "device": property(lambda self: self.array.flat.kernels.device),
    "dtype": property(lambda self: self.array.flat.dtype),
    "grad": property(_get_grad, _set_grad, doc="What backward passes have added up here; None before the first."),
    "grad_fn": property(_grad_fn, doc="The node of the op that made it; None for a leaf."),
    "is_leaf": property(lambda self: self.node is None),
    "itemsize": property(lambda self: self.array.itemsize),
    "mT": property(lambda self: functions.transpose(self, -2, -1)),
    "nbytes": property(lambda self: self.array.nbytes),
    "ndim": property(lambda self: self.array.layout.ndim),
    "shape": property(lambda self: Size(self.array.layout.shape)),
}

_METHODS: dict[str, Any] = {
    "__array_namespace__": lambda self, *, api_version=None: af,
    "__array__": lambda self, dtype=None, copy=None: np.array(_numpy(self), dtype=dtype, copy=copy),
    "__bool__": lambda self: bool(self.array),
    "__complex__": lambda self: complex(self.array),
    "__contains__": lambda self, item: bool(functions.any(self == item)),
    "__deepcopy__": _deepcopy,
    "__dlpack__": lambda self, **arguments: conversion.exported_dlpack(functions.detach(self).array, **arguments),
    "__dlpack_device__": lambda self: dlpack.device(self.array.flat),
    "__float__": lambda self: float(self.array),
    "__format__": lambda self, spec: format(_item(self), spec) if spec and not self.ndim else str(self),
    "__getitem__": af.getitem,
    "__hash__": object.__hash__,
    "__index__": lambda self: self.array.__index__(),
    "__int__": lambda self: int(self.array),
    "__iter__": _iterate,
    "__len__": lambda self: len(self.array),
    "__pos__": lambda self: self,
    "__repr__": text,
    "__setitem__": _setitem,
    "backward": _backward,
    "bool": _cast(nd.bool),
    "byte": _cast(nd.uint8),
    "bfloat16": _cast(nd.bfloat16),
    "contiguous": af.contiguous,
    "copy_": lambda self, source: _filled(self, source),
    "cpu": _cpu,
    "data_ptr": lambda self: conversion.numpy(self.array).__array_interface__["data"][0],
    "dim": lambda self: self.array.layout.ndim,
    "double": _cast(nd.float64),
    "element_size": lambda self: self.array.itemsize,
    "expand_as": lambda self, other: functions.expand(self, other.shape),
    "fill_": _filled,
    "float": _cast(nd.float32),
    "half": _cast(nd.float16),
    "int": _cast(nd.int32),
    "is_complex": lambda self: self.dtype.is_complex,
    "is_contiguous": lambda self: self.array.layout.contiguous,
    "is_floating_point": lambda self: self.dtype.is_floating_point,
    "item": _item,
    "long": _cast(nd.int64),
    "new_empty": _new(nd.empty),
    "new_full": _new_full,
    "new_ones": _new(nd.ones),
    "new_zeros": _new(nd.zeros),
    "numpy": _numpy,
    "register_hook": _register_hook,
    "requires_grad_": _require_grad,
    "retain_grad": _retain_grad,
    "size": _size,
    "storage_offset": lambda self: self.array.layout.offset,
    "stride": _stride,
    "to": _to,
    "tolist": lambda self: conversion.tolist(self.array),
    "type_as": lambda self, other: af.astype(self, other.dtype),
    "view_as": lambda self, other: functions.view(self, other.shape),
    "zero_": lambda self: _filled(self, 0),
    "bernoulli_": _drawn(nd.bernoulli_),
    "normal_": _drawn(nd.normal_),
    "random_": _drawn(nd.random_integers_),
    "uniform_": _drawn(nd.uniform_),
}

for _name, _property in _PROPERTIES.items():
    setattr(Tensor, _name, _property)
for _row in OPS.values():  # every op by its own and by PyTorch's name, with its in-place twin
    if _row.name in af.FUNCTIONS:
        setattr(Tensor, _row.name, af.FUNCTIONS[_row.name])
        setattr(Tensor, _row.spelling, af.FUNCTIONS[_row.name])
    if _row.name in _IN_PLACE:
        setattr(Tensor, f"{_row.name}_", _IN_PLACE[_row.name])
        setattr(Tensor, f"{_row.spelling}_", _IN_PLACE[_row.name])
for _name in functions.__all__:
    if _name not in ("cat", "stack", "is_tensor"):
        setattr(Tensor, _name, getattr(functions, _name))
for _name, _method in _METHODS.items():
    setattr(Tensor, _name, _method)


def _where(self: Tensor, condition: Tensor, other: Any) -> Tensor:
    made: Tensor = functions.where(condition, self, other)
    return made


Tensor.where = _where  # type: ignore[attr-defined]  # as a method, the tensor itself is the first choice
Tensor.masked_fill_ = lambda self, mask, value: _filled(self, functions.masked_fill(self, mask, value))  # type: ignore[attr-defined]


def _polygamma(self: Tensor, n: int) -> Tensor:
    return functions.polygamma(n, self)


Tensor.polygamma = _polygamma  # type: ignore[attr-defined]  # as a method, the order comes second
Tensor.polygamma_ = lambda self, n: _filled(self, _polygamma(self, n))  # type: ignore[attr-defined]
