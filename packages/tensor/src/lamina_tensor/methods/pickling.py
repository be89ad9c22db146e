"""Tensors copied, deep-copied and pickled: as bytes, shape, dtype and device, from which they are made again.

Nothing that a pickle of a tensor names is called but the functions here and the tensor's own class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import AutogradError
from lamina_flatarray.dtypes import dtype_of
from lamina_ndarray.creation import conversion

from ..tensor_fields import TensorFields, alike, tensor_of, viewing

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["METHODS", "rebuilt"]


def rebuilt(
    kind: type[Tensor], items: bytes, shape: tuple[int, ...], dtype: str, device: str, requires_grad: bool
) -> Tensor:
    """A tensor from what `Tensor.__reduce_ex__` tells of it.

    Args:
        kind: Tensor, or a class derived from it.
        items: in row-major order.
        shape, dtype, device, requires_grad: the tensor's.

    Raises:
        TypeError: `kind` is no class of tensors.
    """
    if not (isinstance(kind, type) and issubclass(kind, TensorFields)):
        raise TypeError(f"rebuilt: {kind!r} is no class of tensors")
    array = np.frombuffer(bytearray(items), dtype_of(dtype).numpy).reshape(shape)
    return alike(kind, tensor_of(nd.asarray(array, device=device)), requires_grad)


def _reduce(self: Tensor, protocol: Any) -> tuple[Any, ...]:
    array = conversion.to_device(self.array, "cpu")
    items = np.ascontiguousarray(conversion.numpy(array)).tobytes()
    device = str(self.array.device)
    told = (type(self), items, tuple(array.layout.shape), array.dtype.name, device, self.requires_grad)
    return rebuilt, told, self.__dict__ or None


def _set_state(self: Tensor, state: dict[str, Any]) -> None:
    self.__dict__.update(state)


def _copy(self: Tensor) -> Tensor:
    """Another tensor over the same memory."""
    made = alike(type(self), tensor_of(self.array), self.requires_grad)
    made.node = self.node
    viewing(made, self)
    made.__dict__.update(self.__dict__)
    return made


def _deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """A leaf copied with its memory, its gradient and its attributes; a result of recorded ops cannot be.

    Raises:
        AutogradError: it is one.
    """
    from copy import deepcopy

    if id(self) in memo:
        return memo[id(self)]
    if self.node is not None:
        raise AutogradError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment."
        )
    made = alike(type(self), tensor_of(nd.copy(self.array)), self.requires_grad)
    memo[id(self)] = made
    made.__dict__.update(deepcopy(self.__dict__, memo))
    if self._grad is not None:
        made._grad = deepcopy(self._grad, memo)
    return made


METHODS: Final[dict[str, Any]] = {
    "__copy__": _copy,
    "__deepcopy__": _deepcopy,
    "__reduce_ex__": _reduce,
    "__setstate__": _set_state,
}
"""Python's protocols of copying."""
