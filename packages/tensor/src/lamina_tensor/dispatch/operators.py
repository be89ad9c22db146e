"""Functions of tensors as operators of Python: NumPy's arrays are operands, and what is no operand is asked for the operation itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from types import MethodType
from typing import Any, TypeVar, cast

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.twins import compiled

from ..tensor_fields import tensor_of

__all__ = ["operator"]

F = TypeVar("F", bound=Callable[..., Any])


def operator(function: F, *, divides: bool = False) -> F:
    """A function as an operator. Where the function refuses the type of an operand, a NumPy array is taken for a tensor; for anything
    else the operator gives NotImplemented, so that Python asks the operand, and tensors are unequal to what is no operand.

    Args:
        function: a public function of two operands. One in place gives NotImplemented for NumPy's arrays, too: `x += array` is then
            `x = x + array`, as in PyTorch.
            Elsewhere both are cast to the dtype that NumPy has for both, also where one has no dims: it computes in PyTorch's place.
        divides: whether NumPy's quotients of whole numbers are float64.
    """
    in_place = function.__name__.endswith("_")

    def otherwise(x: Any, other: Any) -> Any:
        if in_place or not isinstance(other, np.ndarray) or other.dtype.kind not in "biufc":
            return NotImplemented
        array = tensor_of(nd.asarray(other))
        known = x.dtype.numpy.isbuiltin == 1  # NumPy has no bfloat16
        dtype = dtype_of(np.result_type(x.dtype.numpy, other.dtype)) if known else nd.promote_types(x.dtype, array.dtype)
        if divides and not dtype.is_inexact:
            dtype = nd.float64
        return function(x.to(dtype), array.to(dtype))

    return cast(F, (_Operator if compiled is None else compiled.operator_)(function, ArgumentTypeError, otherwise))


class _Operator:
    """What `operator` makes of a function, where it is not compiled."""

    def __init__(self, function: Callable[..., Any], refusal: type[Exception], otherwise: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.__func__, self._refusal, self._otherwise = function, refusal, otherwise

    def __set_name__(self, owner: type, name: str) -> None:
        self.__module__, self.__name__, self.__qualname__ = owner.__module__, name, f"{owner.__qualname__}.{name}"

    def __call__(self, *operands: Any) -> Any:
        try:
            return self.__func__(*operands)
        except self._refusal:
            return self._otherwise(*operands)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __reduce__(self) -> str:
        return self.__qualname__
