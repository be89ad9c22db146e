"""Tensor's operators and methods put on it: each names the function that does the work, and most follow from tables."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

import lamina_ndarray as nd
from lamina_flatarray.ops import OPS
from lamina_ndarray.creation import conversion
from lamina_ndarray.dispatch.namespace import COMPOSITES
from lamina_ndarray.operators import OPERATORS, REFLECTED_DUNDERS
from lamina_ndarray.sorting import sets

from . import functions
from .autograd import history
from .dispatch import array_functions as af
from .dispatch import subclassing
from .dispatch.aliases import ALIASES
from .dispatch.torch_names import found
from .functions import creation
from .methods import attributes, converting, new_of_kind, overwriting, pickling, protocols, storage
from .methods.complex_parts import ComplexMethods
from .methods.in_place import setitem
from .methods.indexing_in_place import IndexingInPlace
from .methods.products import ProductMethods
from .methods.reductions import ReductionMethods
from .methods.rewriting import written_back
from .methods.shapes import ShapeMethods
from .methods.shapes_in_place import ShapesInPlace
from .methods.sizes import Size
from .methods.special import SpecialMethods
from .tensor import Tensor

if TYPE_CHECKING:
    from .tensor import Tensor

__all__: list[str] = []

_ITEMWISE: Final = ("binary_parts", "closed_forms", "generic")
"""Modules of composites whose results have their first operand's shape, so that it can be overwritten."""


def _reflected(function: Callable[..., Tensor]) -> Callable[[Tensor, Any], Tensor]:
    return lambda self, other: function(other, self)


_IN_PLACE_OPERATORS: Final = {
    "add": functions.add_, "sub": functions.sub_, "mul": functions.mul_, "truediv": functions.div_, "floordiv": functions.floor_divide_,
    "mod": functions.remainder_, "pow": functions.pow_, "and": functions.bitwise_and_, "or": functions.bitwise_or_,
    "xor": functions.bitwise_xor_, "lshift": functions.bitwise_left_shift_, "rshift": functions.bitwise_right_shift_,
}  # fmt: skip

_PROPERTIES: Final[dict[str, property]] = {
    "device": property(attrgetter("array.flat.kernels.device")),
    "dtype": property(attrgetter("array.flat.dtype")),
    "itemsize": property(attrgetter("array.flat.dtype.itemsize")),
    "nbytes": property(lambda self: self.array.nbytes),
    "ndim": property(attrgetter("array.layout.ndim")),
    "shape": property(lambda self: Size(self.array.layout.shape)),
}

_METHODS: Final[dict[str, Any]] = {
    "__div__": functions.div,
    "__getitem__": af.getitem,
    "__pos__": lambda self: self,
    "__rdiv__": lambda self, other: functions.div(other, self),
    "__setitem__": setitem,
    "bernoulli": creation.bernoulli,
    "data_ptr": lambda self: conversion.numpy(self.array).__array_interface__["data"][0],
    "element_size": lambda self: self.array.itemsize,
    "multinomial": creation.multinomial,
}


_NO_METHODS: Final = {"combinations", "constant_pad_nd", "is_tensor", "isin", "result_type", "rsub", "unravel_index"} | {
    "tril_indices", "triu_indices", "view_as_complex", "view_as_real",
}  # fmt: skip
"""Functions only, as in PyTorch."""


def _is_method(function: Callable[..., Any]) -> bool:
    """Whether a function begins with a tensor, and not with several, or with none."""
    if function.__name__ in _NO_METHODS:
        return False
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = function.__code__
    return bool(code.co_argcount) and code.co_varnames[0] not in ("arrays", "equation", "shape", "tensors")


def _put(methods: dict[str, Any]) -> None:
    for name, method in methods.items():
        setattr(Tensor, name, method)


for _part_of in (_PROPERTIES, attributes.PROPERTIES, history.PROPERTIES):
    _put(_part_of)

_put({name: getattr(functions, OPS[op].spelling) for name, op in OPERATORS.items()})
_put({name: _reflected(getattr(functions, OPS[op].spelling)) for name, op in REFLECTED_DUNDERS.items()})
_put({f"__i{name}__": function for name, function in _IN_PLACE_OPERATORS.items()})

for _row in OPS.values():  # every op by its own and by PyTorch's name
    for _name in (_row.name, _row.spelling):
        if _row.name in af.FUNCTIONS and _row.family != "map":
            setattr(Tensor, _name, af.FUNCTIONS[_row.name])

for _function in COMPOSITES.values():  # what is made of other functions
    _name = _function.__name__
    if getattr(nd, _name, None) is _function and _is_method(_function):
        setattr(Tensor, _name, found(_name))
        if _function.__module__.rpartition(".")[2] in _ITEMWISE:
            setattr(Tensor, f"{_name}_", written_back(found(_name)))
for _name in (*sets.__all__, "frexp"):  # what reads the items, so is no composite
    setattr(Tensor, _name, found(_name))
for _name in functions.__all__:
    if _is_method(getattr(functions, _name)):
        setattr(Tensor, _name, getattr(functions, _name))


_put(_METHODS)
for _mixin in (ComplexMethods, IndexingInPlace, ProductMethods, ReductionMethods, ShapeMethods, ShapesInPlace, SpecialMethods):
    _put({name: method for name, method in vars(_mixin).items() if not name.startswith("__")})
for _module in (attributes, converting, history, new_of_kind, overwriting, pickling, protocols, storage, subclassing):
    _put(_module.METHODS)

for _alias, _name in ALIASES.items():
    for _twin in ("", "_"):
        if hasattr(Tensor, _name + _twin):
            setattr(Tensor, _alias + _twin, getattr(Tensor, _name + _twin))
