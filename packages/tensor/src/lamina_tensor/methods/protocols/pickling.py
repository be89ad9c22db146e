"""Tensors copied, deep-copied and pickled: as bytes, shape, dtype and device, from which they are made again.

Nothing that a pickle of a tensor names is called but the functions here and the tensor's own class.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Self

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import AutogradError
from lamina_flatarray.dtypes import dtype_of
from lamina_ndarray.creation import conversion

from ... import tensor_fields
from ...tensor_fields import AnyTensor, TensorFields, alike, tensor_of, viewing

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["CopyMethods", "rebuilt"]


def rebuilt(
    kind: type[Tensor] | None, items: bytes, shape: tuple[int, ...], dtype: str, device: str, requires_grad: bool
) -> Tensor:
    """A tensor from what `Tensor.__reduce_ex__` tells of it.

    Args:
        kind: a class derived from Tensor; None for Tensor, whose name may be another where the bytes are read.
        items: in row-major order; of a tensor on "meta", none.
        shape, dtype, device, requires_grad: the tensor's.

    Raises:
        TypeError: `kind` is no class of tensors.
    """
    kind = tensor_fields.tensor_class if kind is None else kind
    if not (isinstance(kind, type) and issubclass(kind, AnyTensor)):
        raise TypeError(f"rebuilt: {kind!r} is no class of tensors")
    if device == "meta":
        return alike(kind, tensor_of(nd.empty(shape, dtype=dtype_of(dtype), device=device)), requires_grad)
    array = np.frombuffer(bytearray(items), dtype_of(dtype).numpy).reshape(shape)
    return alike(kind, tensor_of(nd.asarray(array, device=device)), requires_grad)


class CopyMethods(TensorFields):
    """Python's protocols of copying and pickling.

    >>> import copy, pickle
    >>> x = torch.tensor([1.0, 2.0])
    >>> pickle.loads(pickle.dumps(x))
    tensor([1., 2.])
    >>> copy.deepcopy(x).data_ptr() == x.data_ptr()
    False
    """

    __slots__ = ()

    def __copy__(self) -> Self:
        result: Self = alike(type(self), tensor_of(self.array), self.requires_grad)
        result.node = self.node
        viewing(result, self)
        result.__dict__.update(self.__dict__)
        return result

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Copy a leaf with its memory, its gradient and its attributes.

        Raises:
            AutogradError: it is no leaf but the result of a recorded op.
        """
        if id(self) in memo:
            known: Self = memo[id(self)]
            return known
        if self._node is not None:  # its own history: a record is apart
            raise AutogradError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment."
            )
        result: Self = alike(type(self), tensor_of(nd.copy(self.array)), self._requires_grad)
        memo[id(self)] = result
        result.__dict__.update(deepcopy(self.__dict__, memo))
        if self._grad is not None:
            result._grad = deepcopy(self._grad, memo)
        return result

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        device = str(self.array.device)
        array = self.array if device == "meta" else conversion.to_device(self.array, "cpu")
        items = b"" if device == "meta" else np.ascontiguousarray(conversion.numpy(array)).tobytes()
        kind = None if type(self) is tensor_fields.tensor_class else type(self)
        arguments = (kind, items, tuple(array.layout.shape), array.dtype.name, device, self.requires_grad)
        return rebuilt, arguments, self.__dict__ or None

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
