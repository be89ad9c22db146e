"""Tensor's operators and methods put on it: each names the function that does the work, and most follow from tables."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from lamina_ndarray.creation import conversion

from .autograd import history
from .dispatch import array_functions as af
from .dispatch import subclassing
from .functions import random_creation
from .methods import attributes, converting, new_of_kind, overwriting, pickling, protocols, storage
from .methods.complex_parts import ComplexMethods
from .methods.in_place import setitem
from .methods.indexing_in_place import IndexingInPlace
from .methods.products import ProductMethods
from .methods.reductions import ReductionMethods
from .methods.shapes import ShapeMethods
from .methods.shapes_in_place import ShapesInPlace
from .methods.sizes import Size
from .methods.special import SpecialMethods
from .tensor import Tensor

if TYPE_CHECKING:
    from .tensor import Tensor

__all__: list[str] = []

_PROPERTIES: Final[dict[str, property]] = {
    "device": property(attrgetter("array.flat.kernels.device")),
    "dtype": property(attrgetter("array.flat.dtype")),
    "itemsize": property(attrgetter("array.flat.dtype.itemsize")),
    "nbytes": property(lambda self: self.array.nbytes),
    "ndim": property(attrgetter("array.layout.ndim")),
    "shape": property(lambda self: Size(self.array.layout.shape)),
}

_METHODS: Final[dict[str, Any]] = {
    "__getitem__": af.getitem,
    "__setitem__": setitem,
    "bernoulli": random_creation.bernoulli,
    "data_ptr": lambda self: conversion.numpy(self.array).__array_interface__["data"][0],
    "element_size": lambda self: self.array.itemsize,
    "multinomial": random_creation.multinomial,
}


def _put(methods: dict[str, Any]) -> None:
    for name, method in methods.items():
        setattr(Tensor, name, method)


for _part_of in (_PROPERTIES, attributes.PROPERTIES, history.PROPERTIES):
    _put(_part_of)

_put(_METHODS)
for _mixin in (ComplexMethods, IndexingInPlace, ProductMethods, ReductionMethods, ShapeMethods, ShapesInPlace, SpecialMethods):
    _put({name: method for name, method in vars(_mixin).items() if not name.startswith("__")})
for _module in (attributes, converting, history, new_of_kind, overwriting, pickling, protocols, storage, subclassing):
    _put(_module.METHODS)
