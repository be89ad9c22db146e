"""In-place methods that take more than their function's twin would: other items, numbers drawn at random, PyTorch's options."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import lamina_ndarray as nd
from lamina_flatarray import ShapeError
from lamina_flatarray.modes import NO_GRAD, word
from lamina_ndarray.creation.scalars import HELD_BY_ALL

from ..dispatch.spelling import check_tensors
from ..tensor_fields import TensorFields
from .in_place import check_writable, copied_into, overwritten
from .rewriting import fill_diagonal

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["METHODS"]


def _copy_into(self: Tensor, other: Any, non_blocking: bool = False) -> Tensor:
    """The items of another tensor, broadcast and cast, written over the tensor's own."""
    check_tensors("copy_", other)
    return copied_into(self, other)


def _fill(self: Tensor, value: Any) -> Tensor:
    """One value, a number or a tensor without dims, written over all items.

    Raises:
        ShapeError: the value has dims.
    """
    if value.__class__ in _NUMBERS and self.array.dtype.is_inexact and -HELD_BY_ALL <= value <= HELD_BY_ALL:
        return _filled(self, value)
    if isinstance(value, TensorFields) and value.array.layout.ndim:
        raise ShapeError(f"fill_ only supports 0-dimension value tensor but got tensor with {value.ndim} dimensions.")
    return copied_into(self, value)


_NUMBERS: Final = frozenset({int, float})


def _filled(self: Tensor, number: float) -> Tensor:
    """A number that the dtype holds, written by the kernel at once where nothing is to be recorded or checked."""
    array = self.array
    if not self.requires_grad and (self.base is None or not self.base.requires_grad) and array.layout.contiguous:
        array.flat.version += 1
        array.flat.kernels["fill"](array, value=number)
        return self
    return copied_into(self, number)


def _zero(self: Tensor) -> Tensor:
    """Zero, written over all items."""
    array = self.array
    if self.requires_grad or self.base is not None or not array.layout.contiguous:
        return _filled(self, 0)
    flat = array.flat  # a gradient, most often: without a frame in between
    flat.version += 1
    flat.kernels["fill"](array, value=0)
    return self


def _drawn(fill: Callable[..., Any]) -> Callable[..., Tensor]:
    def method(self: Tensor, *args: Any, **params: Any) -> Tensor:
        if self.requires_grad or self.base is not None:
            check_writable(fill.__name__, self)
        fill(self.array, *args, **params)
        if self.requires_grad and not word.get() & NO_GRAD:
            overwritten(self)
        return self

    method.__name__, method.__doc__ = fill.__name__, fill.__doc__
    return method


METHODS: Final[dict[str, Any]] = {
    "copy_": _copy_into,
    "fill_": _fill,
    "fill_diagonal_": fill_diagonal,
    "zero_": _zero,
    "bernoulli_": _drawn(nd.bernoulli_),
    "cauchy_": _drawn(nd.cauchy_),
    "exponential_": _drawn(nd.exponential_),
    "geometric_": _drawn(nd.geometric_),
    "log_normal_": _drawn(nd.log_normal_),
    "normal_": _drawn(nd.normal_),
    "random_": _drawn(nd.random_integers_),
    "uniform_": _drawn(nd.uniform_),
}
