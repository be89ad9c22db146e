"""Tensors copied, deep-copied and pickled: as flat memory and a layout over it. Tensors over the same memory go on sharing it.

Nothing that a pickle of a tensor names is called but the functions here, the flat array's and the tensor's own class.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Self

from lamina_flatarray import AutogradError
from lamina_ndarray.array_fields import array_of
from lamina_ndarray.pickling import restored

from ... import tensor_fields
from ...tensor_fields import AnyTensor, TensorFields, alike, tensor_of, viewing

if TYPE_CHECKING:
    from lamina_flatarray import FlatArray

    from ...tensor_class import Tensor

__all__ = ["CopyMethods", "rebuilt"]


def rebuilt(
    kind: type[Tensor] | None, memory: FlatArray, shape: tuple[int, ...], strides: tuple[int, ...], offset: int, requires_grad: bool
) -> Tensor:
    """A tensor from what `Tensor.__reduce_ex__` tells of it.

    Args:
        kind: a class derived from Tensor; None for Tensor, whose name may be another where it is read.
        memory: what its items are in.
        shape, strides, offset: its layout there.
        requires_grad: the tensor's.

    Raises:
        ShapeError: the layout leads out of the memory.
        TypeError: `kind` is no class of tensors, or `memory` no flat array.
    """
    kind = tensor_fields.tensor_class if kind is None else kind
    if not (isinstance(kind, type) and issubclass(kind, AnyTensor)):
        raise TypeError(f"rebuilt: {kind!r} is no class of tensors")
    return alike(kind, tensor_of(restored(memory, shape, strides, offset)), requires_grad)


class CopyMethods(TensorFields):
    """Python's protocols of copying and pickling.

    >>> import copy, pickle
    >>> x = torch.tensor([1.0, 2.0])
    >>> pickle.loads(pickle.dumps(x))
    tensor([1., 2.])
    >>> y, first = copy.deepcopy([x, x[0]])
    >>> y[0] = 5.0
    >>> x[0], first
    (tensor(1.), tensor(5.))
    """

    __slots__ = ()

    def __copy__(self) -> Self:
        result: Self = alike(type(self), tensor_of(self.array), self.requires_grad)
        result.node = self.node
        viewing(result, self)
        result.__dict__.update(self.__dict__)
        return result

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Copy a leaf with all of the memory that it is in, its gradient and its attributes.

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
        array = array_of(deepcopy(self.array.flat, memo), self.array.layout)
        result: Self = alike(type(self), tensor_of(array), self._requires_grad)
        memo[id(self)] = result
        result.__dict__.update(deepcopy(self.__dict__, memo))
        if self._grad is not None:
            result._grad = deepcopy(self._grad, memo)
        return result

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        kind = None if type(self) is tensor_fields.tensor_class else type(self)
        layout = self.array.layout
        arguments = (kind, self.array.flat, tuple(layout.shape), tuple(layout.strides), layout.offset, self.requires_grad)
        return rebuilt, arguments, self.__dict__ or None

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
