"""Tensor: an NDArray and the node that made it, with everything that can be asked of one."""

from __future__ import annotations

from typing import Any, Self

from lamina_flatarray.twins import compiled
from lamina_ndarray import NDArray

from .autograd.history import HistoryMethods
from .autograd.node import Node, next_sequence
from .dispatch.subclassing import SubclassMethods, registered
from .methods.attributes import AttributeMethods
from .methods.complex_parts import ComplexMethods
from .methods.functions_as_methods import FunctionMethods
from .methods.in_place.indexing import IndexingInPlace
from .methods.in_place.overwriting import OverwritingMethods
from .methods.in_place.sampling import SamplingMethods
from .methods.memory.casting import CastMethods
from .methods.memory.converting import ConversionMethods
from .methods.memory.kinds import KindMethods
from .methods.memory.sharing import MemoryMethods
from .methods.memory.tensor_types import constructed
from .methods.new_of_kind import CreationMethods
from .methods.products import ProductMethods
from .methods.protocols.operators import OperatorMethods
from .methods.protocols.pickling import CopyMethods
from .methods.protocols.python import ProtocolMethods
from .methods.reductions import ReductionMethods
from .methods.shapes.extents import ExtentMethods
from .methods.shapes.in_place import ShapesInPlace
from .methods.shapes.parts import PartMethods
from .methods.shapes.rearranged import RearrangedMethods
from .methods.shapes.views import ShapeMethods
from .methods.special import SpecialMethods
from .tensor_fields import TensorFields, class_of_results

__all__ = ["Tensor"]

_new = object.__new__


@class_of_results
class Tensor(
    AttributeMethods, CastMethods, ComplexMethods, ConversionMethods, CopyMethods, CreationMethods, ExtentMethods, HistoryMethods,
    IndexingInPlace, KindMethods, MemoryMethods, OverwritingMethods, PartMethods, ProductMethods, ProtocolMethods, RearrangedMethods,
    ReductionMethods, SamplingMethods, ShapeMethods, ShapesInPlace, SpecialMethods, SubclassMethods, FunctionMethods, OperatorMethods,
):  # fmt: skip
    """An array that remembers how it was computed.

    Args:
        data: lengths, a sequence of numbers, or a tensor, as PyTorch's old constructor takes them; `torch.tensor` is clearer.
        device: where to put it.
        requires_grad: whether to record gradients for it.

    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> y = (x * x).sum()
    >>> y.backward()
    >>> x.grad
    tensor([2., 4.])
    >>> torch.Tensor([1, 2]).shape, torch.Tensor(2, 3).shape
    (lamina.Size([2]), lamina.Size([2, 3]))
    """

    __slots__ = ()

    def __new__(cls, *data: Any, device: Any = None, requires_grad: bool = False) -> Self:
        """`Tensor(array)` over an array; or, as PyTorch's old constructor, of lengths or of a sequence of numbers."""
        result: Self = _new(cls)
        result.array = data[0] if len(data) == 1 and data[0].__class__ is NDArray else constructed(data, device=device)
        result._requires_grad = requires_grad
        result._node = None
        result.base = None
        result.views = None
        result.hooks = None
        result._grad = None
        return result

    def __init_subclass__(cls, **params: Any) -> None:
        super().__init_subclass__(**params)
        registered(cls)


if compiled is not None:
    compiled.use_tensors(Tensor, TensorFields, Node, next_sequence)
