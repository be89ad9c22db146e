"""Tensor's operators, attributes and methods: each one names the function that does the work."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import AutogradError, DTypeError, ShapeError, dlpack
from lamina_flatarray.ops import OPS
from lamina_ndarray import conversion
from lamina_ndarray.namespace import COMPOSITES
from lamina_ndarray.operators import IN_PLACE_DUNDERS, OPERATORS, REFLECTED_DUNDERS

from . import array_functions as af
from . import attributes, converting, creation, engine, functions, pickling, random_creation, storage, subclassing
from .aliases import ALIASES
from .attributes import retains_grad
from .in_place import check_writable, copied_into, in_place, overwritten, setitem
from .modes import mode
from .node import RETAINED, Node, RemovableHandle
from .printing import text
from .rewriting import fill_diagonal, reshaped_in_place, written_back
from .sizes import Size
from .tensor import Tensor, tensor_of
from .tensor_types import constructed
from .torch_names import found

__all__: list[str] = []


# -- operators ----------------------------------------------------------------------------------------------------------


def _reflected(function: Callable[..., Tensor]) -> Callable[[Tensor, Any], Tensor]:
    return lambda self, other: function(other, self)


_IN_PLACE = {
    row.name: in_place(row.name) if row.arity < 3 and not row.params else written_back(af.FUNCTIONS[row.name])
    for row in OPS.values()
    if row.family == "map" and row.name not in ("where", "polygamma")
}

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
    if not isinstance(value, Tensor | None):
        raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}")
    if value is not None and value.dtype is not self.dtype:
        raise AutogradError(f"assigned grad is of {value.dtype.name}, but the tensor of {self.dtype.name}")
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


def _register_hook(self: Tensor, hook: Callable[[Tensor], Tensor | None]) -> RemovableHandle:
    """Call `hook` with this tensor's gradient in every backward pass; what it returns replaces the gradient.

    Raises:
        AutogradError: the tensor does not require gradients.
    """
    if not self.requires_grad:
        raise AutogradError("cannot register a hook on a tensor that doesn't require gradient")
    owner = self.node or self
    if owner.hooks is None:
        owner.hooks = {}
    return RemovableHandle(owner.hooks, hook)


def _register_post_accumulate_hook(self: Tensor, hook: Callable[[Tensor], None]) -> RemovableHandle:
    """Call `hook` with this leaf after its gradient was added to.

    Raises:
        AutogradError: it is no leaf that requires gradients.
    """
    if not self.requires_grad or self.node is not None:
        raise AutogradError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    return RemovableHandle(self.__dict__.setdefault("post_accumulate_hooks", {}), hook)


def _retain_grad(self: Tensor) -> None:
    """Keep this result's gradient in `grad`, as if it were a leaf.

    Raises:
        AutogradError: it does not require gradients.
    """
    if not self.requires_grad:
        raise AutogradError("can't retain_grad on Tensor that has requires_grad=False")
    if self.node is None or retains_grad(self):
        return
    keeper = weakref.ref(self)  # the node must not hold what it made

    def keep(g: Tensor) -> None:
        tensor = keeper()
        if tensor is not None:
            tensor._grad = af.copy(g) if tensor._grad is None else tensor._grad + g

    self.node.hooks = {**(self.node.hooks or {}), RETAINED: keep}


def _grad_fn(self: Tensor) -> Node | None:
    return self.node


# -- conversions --------------------------------------------------------------------------------------------------------


def _item(self: Tensor) -> Any:
    return conversion.item(self.array)


def _contains(self: Tensor, item: Any) -> bool:
    if not isinstance(item, (Tensor, bool, int, float, complex)):
        raise AutogradError(
            f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(item).__name__}"
        )
    return bool(functions.any(self == item))


def _reversed(self: Tensor) -> Tensor:
    return functions.flip(self, 0) if self.array.layout.ndim else self


def _delete(self: Tensor, index: Any) -> None:
    raise TypeError("Tensor does not support deleting items")


def _copy_into(self: Tensor, other: Any, non_blocking: bool = False) -> Tensor:
    """The items of another tensor, broadcast and cast, written over the tensor's own."""
    return copied_into(self, other)


def _fill(self: Tensor, value: Any) -> Tensor:
    """One value, a number or a tensor without dims, written over all items.

    Raises:
        ShapeError: the value has dims.
    """
    if isinstance(value, Tensor) and value.array.layout.ndim:
        raise ShapeError(f"fill_ only supports 0-dimension value tensor but got tensor with {value.ndim} dimensions.")
    return copied_into(self, value)


def _divide_in_place(self: Tensor, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """`div`, written over the tensor itself."""
    op = {None: "divide", "floor": "floor_divide", "trunc": "trunc_divide"}.get(rounding_mode)
    if op is None:
        raise AutogradError(f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found {rounding_mode!r}")
    return _IN_PLACE[op](self, other)


def _absolute_in_place(self: Tensor) -> Tensor:
    """`abs`, written over the tensor itself.

    Raises:
        DTypeError: the items are complex, their absolute values are not.
    """
    if self.array.dtype.is_complex:
        raise DTypeError("abs_: In-place abs is not supported for complex tensors.")
    return _IN_PLACE["abs"](self)


_float_power = written_back(found("float_power"))


def _float_power_in_place(self: Tensor, exponent: Any) -> Tensor:
    """`float_power`, written over the tensor itself.

    Raises:
        DTypeError: it is not of float64 or complex128, in which the result is.
    """
    made = (nd.float64, nd.complex128)
    if self.array.dtype not in made or getattr(exponent, "dtype", None) is nd.complex128 is not self.array.dtype:
        raise DTypeError(f"float_power_: the base has dtype {self.array.dtype.name}, but the result is of float64 or complex128")
    return _float_power(self, exponent)


_round_to_decimals = written_back(functions.round)


def _round_in_place(self: Tensor, *, decimals: int = 0) -> Tensor:
    """`round`, written over the tensor itself."""
    return _round_to_decimals(self, decimals=decimals) if decimals else _IN_PLACE["round"](self)


def _new_of_its_kind(self: Tensor, *data: Any, device: Any = None) -> Tensor:
    """As `Tensor(...)`, in this tensor's dtype and on its device."""
    return tensor_of(constructed(data, self.array.dtype, self.array.device if device is None else device))


def _iterate(self: Tensor) -> Iterator[Tensor]:
    if not self.array.layout.ndim:
        raise TypeError("iteration over a 0-d tensor")
    return iter(functions.unbind(self))


def _drawn(fill: Callable[..., Any]) -> Callable[..., Tensor]:
    def method(self: Tensor, *args: Any, **params: Any) -> Tensor:
        check_writable(fill.__name__, self)
        fill(self.array, *args, **params)
        if self.requires_grad and mode.recording:
            overwritten(self)
        return self

    method.__name__, method.__doc__ = fill.__name__, fill.__doc__
    return method


def _new(make: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """As the function of this name, but with the tensor's own dtype and device where none are given."""

    def method(self: Tensor, *args: Any, dtype: Any = None, device: Any = None, **more: Any) -> Tensor:
        return make(*args, dtype=dtype or self.dtype, device=device or self.device, **more)

    method.__name__, method.__doc__ = f"new_{make.__name__}", _new.__doc__
    return method


def _part(name: str) -> Callable[[Tensor], Any]:
    function = getattr(af, name)
    return lambda self: function(self)


_PROPERTIES: dict[str, property] = {
    "H": property(lambda self: functions.matrix_adjoint(self)),
    "T": property(lambda self: functions.permute(self, *range(self.array.layout.ndim)[::-1])),
    "data": property(_get_data, _set_data, doc="The same items, apart from the graph; assigning swaps the items."),
    "device": property(lambda self: self.array.flat.kernels.device),
    "dtype": property(lambda self: self.array.flat.dtype),
    "grad": property(_get_grad, _set_grad, doc="What backward passes have added up here; None before the first."),
    "grad_fn": property(_grad_fn, doc="The node of the op that made it; None for a leaf."),
    "is_leaf": property(lambda self: self.node is None),
    "imag": property(_part("imag")),
    "itemsize": property(lambda self: self.array.itemsize),
    "mH": property(lambda self: functions.adjoint(self)),
    "mT": property(lambda self: functions.transpose(self, -2, -1)),
    "nbytes": property(lambda self: self.array.nbytes),
    "ndim": property(lambda self: self.array.layout.ndim),
    "real": property(_part("real")),
    "shape": property(lambda self: Size(self.array.layout.shape)),
}

_METHODS: dict[str, Any] = {
    "__array_namespace__": lambda self, *, api_version=None: af,
    "__array__": lambda self, dtype=None, copy=None: np.array(self.numpy(), dtype=dtype, copy=copy),
    "__bool__": lambda self: bool(self.array),
    "__complex__": lambda self: complex(self.array),
    "__array_priority__": 1000,
    "__array_wrap__": lambda self, array, *context: creation.tensor(array),
    "__contains__": _contains,
    "__delitem__": _delete,
    "__div__": functions.div,
    "__dlpack__": lambda self, **arguments: conversion.exported_dlpack(functions.detach(self).array, **arguments),
    "__dlpack_device__": lambda self: dlpack.device(self.array.flat),
    "__float__": lambda self: float(self.array),
    "__format__": lambda self, spec: format(_item(self), spec) if spec and not self.ndim else str(self),
    "__getitem__": af.getitem,
    "__hash__": object.__hash__,
    "__index__": lambda self: self.array.__index__(),
    "__idiv__": _divide_in_place,
    "__int__": lambda self: int(self.array),
    "__iter__": _iterate,
    "__len__": lambda self: len(self.array),
    "__long__": lambda self: int(self.array),
    "__nonzero__": lambda self: bool(self.array),
    "__pos__": lambda self: self,
    "__rdiv__": lambda self, other: functions.div(other, self),
    "__repr__": text,
    "__reversed__": _reversed,
    "__setitem__": setitem,
    "backward": _backward,
    "conj": af.conj,
    "copy_": _copy_into,
    "data_ptr": lambda self: conversion.numpy(self.array).__array_interface__["data"][0],
    "dim": lambda self: self.array.layout.ndim,
    "element_size": lambda self: self.array.itemsize,
    "div_": _divide_in_place,
    "divide_": _divide_in_place,
    "true_divide_": _IN_PLACE["divide"],
    "fill_": _fill,
    "fill_diagonal_": fill_diagonal,
    "is_complex": lambda self: self.dtype.is_complex,
    "is_contiguous": lambda self, memory_format="contiguous": self.array.layout.is_contiguous(str(memory_format)),
    "is_floating_point": lambda self: self.dtype.is_floating_point,
    "item": _item,
    "abs_": _absolute_in_place,
    "float_power_": _float_power_in_place,
    "bernoulli": random_creation.bernoulli,
    "multinomial": random_creation.multinomial,
    "new": _new_of_its_kind,
    "new_empty": _new(creation.empty),
    "new_empty_strided": _new(creation.empty_strided),
    "new_full": _new(creation.full),
    "new_ones": _new(creation.ones),
    "new_tensor": _new(creation.tensor),
    "new_zeros": _new(creation.zeros),
    "register_hook": _register_hook,
    "register_post_accumulate_grad_hook": _register_post_accumulate_hook,
    "requires_grad_": _require_grad,
    "retain_grad": _retain_grad,
    "round_": _round_in_place,
    "size": _size,
    "storage_offset": lambda self: self.array.layout.offset,
    "stride": _stride,
    "tolist": lambda self: conversion.tolist(self.array),
    "zero_": lambda self: copied_into(self, 0),
    "bernoulli_": _drawn(nd.bernoulli_),
    "cauchy_": _drawn(nd.cauchy_),
    "exponential_": _drawn(nd.exponential_),
    "geometric_": _drawn(nd.geometric_),
    "log_normal_": _drawn(nd.log_normal_),
    "normal_": _drawn(nd.normal_),
    "random_": _drawn(nd.random_integers_),
    "uniform_": _drawn(nd.uniform_),
}

for _name, _property in (_PROPERTIES | attributes.PROPERTIES).items():
    setattr(Tensor, _name, _property)
for _row in OPS.values():  # every op by its own and by PyTorch's name, with its in-place twin
    if _row.name in af.FUNCTIONS:
        setattr(Tensor, _row.name, af.FUNCTIONS[_row.name])
        setattr(Tensor, _row.spelling, af.FUNCTIONS[_row.name])
    if _row.name in _IN_PLACE:
        setattr(Tensor, f"{_row.name}_", _IN_PLACE[_row.name])
        setattr(Tensor, f"{_row.spelling}_", _IN_PLACE[_row.name])
for _name in ("bincount", "histc", "histogram", "unique", "unique_consecutive"):  # they read the items, so are no composites
    setattr(Tensor, _name, found(_name))
for _function in COMPOSITES.values():  # what is made of other functions of a first argument
    _name, _code = _function.__name__, _function.__wrapped__.__code__
    if getattr(nd, _name, None) is _function and _code.co_argcount and _code.co_varnames[0] not in ("arrays", "equation"):
        setattr(Tensor, _name, found(_name))
        if _function.__module__.rpartition(".")[2] in ("elementwise_composites", "closed_forms"):  # item by item
            setattr(Tensor, f"{_name}_", written_back(found(_name)))
for _name in functions.__all__:
    if _name not in ("broadcast_shapes", "cat", "is_tensor", "meshgrid", "tensordot", "sizes", "stack"):
        setattr(Tensor, _name, getattr(functions, _name))
for _name, _method in (m for part in (converting, attributes, storage, pickling, subclassing) for m in part.METHODS.items()):
    setattr(Tensor, _name, _method)
for _name, _method in _METHODS.items():
    setattr(Tensor, _name, _method)

for _family in (functions.arithmetic, functions.positions, functions.products, functions.reductions):
    for _name in _family.WRITTEN_BACK:
        setattr(Tensor, f"{_name}_", written_back(getattr(functions, _name)))
for _name in functions.RESHAPED_IN_PLACE:
    setattr(Tensor, f"{_name}_", reshaped_in_place(getattr(functions, _name)))

for _alias, _name in ALIASES.items():
    for _twin in ("", "_"):
        if hasattr(Tensor, _name + _twin):
            setattr(Tensor, _alias + _twin, getattr(Tensor, _name + _twin))


def _where(self: Tensor, condition: Tensor, other: Any) -> Tensor:
    made: Tensor = functions.where(condition, self, other)
    return made


Tensor.where = _where  # type: ignore[attr-defined]  # as a method, the tensor itself is the first choice


def _polygamma(self: Tensor, n: int) -> Tensor:
    made: Tensor = functions.polygamma(n, self)
    return made


Tensor.polygamma = _polygamma  # type: ignore[attr-defined]  # as a method, the order comes second
Tensor.polygamma_ = written_back(_polygamma)  # type: ignore[attr-defined]
