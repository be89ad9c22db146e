"""The operators of tensors, each of which is a function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import lamina_ndarray as nd

from ...dispatch.operators import operator
from ...functions import matrices
from ...functions.arithmetic import binary as arithmetic
from ...functions.arithmetic import generic_elementwise
from ...functions.arithmetic import in_place as arithmetic_in_place
from ...functions.elementwise import binary, bits, comparison, in_place, unary
from ...tensor_fields import TensorFields, tensor_of

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = ["OperatorMethods"]


class OperatorMethods(TensorFields):
    """The operators `+`, `==`, `@` and their kin, each of which calls the function that it stands for.

    >>> x = torch.tensor([1.0, 2.0])
    >>> x * 2 + 1, x @ x, x == 2
    (tensor([3., 5.]), tensor(5.), tensor([False,  True]))
    """

    __slots__ = ()
    __hash__ = object.__hash__  # tensors are compared item by item, so they are hashed as objects

    __add__ = operator(arithmetic.add)
    __sub__ = operator(arithmetic.sub)
    __mul__ = operator(binary.mul)
    __truediv__ = operator(arithmetic.div, divides=True)
    __floordiv__ = operator(binary.floor_divide)
    __mod__ = operator(binary.remainder)
    __pow__ = operator(binary.pow)
    __matmul__ = operator(matrices.matmul)
    __and__ = operator(bits.bitwise_and)
    __or__ = operator(bits.bitwise_or)
    __xor__ = operator(bits.bitwise_xor)
    __lshift__ = operator(bits.bitwise_left_shift)
    __rshift__ = operator(bits.bitwise_right_shift)
    if TYPE_CHECKING:  # where checkers would take the types of object's

        def __eq__(self, other: Tensor | Number) -> Tensor: ...  # type: ignore[override]
        def __ne__(self, other: Tensor | Number) -> Tensor: ...  # type: ignore[override]

    else:
        __eq__ = operator(comparison.eq)
        __ne__ = operator(comparison.ne)
    __lt__ = operator(comparison.lt)
    __le__ = operator(comparison.le)
    __gt__ = operator(comparison.gt)
    __ge__ = operator(comparison.ge)
    __neg__ = unary.neg
    __pos__ = generic_elementwise.positive
    __abs__ = unary.abs
    __invert__ = bits.bitwise_not

    __iadd__ = operator(arithmetic_in_place.add_)
    __isub__ = operator(arithmetic_in_place.sub_)
    __imul__ = operator(in_place.mul_)
    __itruediv__ = operator(arithmetic_in_place.div_)
    __ifloordiv__ = operator(in_place.floor_divide_)
    __imod__ = operator(in_place.remainder_)
    __ipow__ = operator(in_place.pow_)
    __iand__ = operator(in_place.bitwise_and_)
    __ior__ = operator(in_place.bitwise_or_)
    __ixor__ = operator(in_place.bitwise_xor_)
    __ilshift__ = operator(in_place.bitwise_left_shift_)
    __irshift__ = operator(in_place.bitwise_right_shift_)

    def __radd__(self: Any, other: Tensor | Number) -> Tensor:
        return arithmetic.add(other, self)

    def __rsub__(self: Any, other: Tensor | Number) -> Tensor:
        return arithmetic.sub(other, self)

    def __rmul__(self: Any, other: Tensor | Number) -> Tensor:
        return binary.mul(other, self)

    def __rtruediv__(self: Any, other: Tensor | Number) -> Tensor:
        if isinstance(other, np.ndarray):  # of NumPy's operators PyTorch answers this one
            other = tensor_of(nd.asarray(other, device=self.device))
        return arithmetic.div(other, self)

    def __rfloordiv__(self: Any, other: Tensor | Number) -> Tensor:
        return binary.floor_divide(other, self)

    def __rmod__(self: Any, other: Tensor | Number) -> Tensor:
        return binary.remainder(other, self)

    def __rpow__(self: Any, other: Tensor | Number) -> Tensor:
        return binary.pow(other, self)

    def __rmatmul__(self: Any, other: Tensor) -> Tensor:
        return matrices.matmul(other, self)

    def __rand__(self: Any, other: Tensor | Number) -> Tensor:
        return bits.bitwise_and(other, self)

    def __ror__(self: Any, other: Tensor | Number) -> Tensor:
        return bits.bitwise_or(other, self)

    def __rxor__(self: Any, other: Tensor | Number) -> Tensor:
        return bits.bitwise_xor(other, self)

    def __rlshift__(self: Any, other: Tensor | Number) -> Tensor:
        return bits.bitwise_left_shift(other, self)

    def __rrshift__(self: Any, other: Tensor | Number) -> Tensor:
        return bits.bitwise_right_shift(other, self)
