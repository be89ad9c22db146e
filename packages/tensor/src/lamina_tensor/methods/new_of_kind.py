"""New tensors in the dtype and on the device of one that is there: `x.new_zeros(...)` and its kin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from lamina_flatarray import ArgumentTypeError

from ..devices.memory_formats import strided
from ..dispatch.torch_function import torch_function
from ..functions import creation
from ..functions.creation.options import refuse_layout
from ..tensor_fields import TensorFields, tensor_of
from .memory.tensor_types import constructed
from .shapes.sizes import Size

if TYPE_CHECKING:
    from lamina_flatarray import Device, DType

    from ..devices.memory_formats import layout as Layout
    from ..tensor_class import Tensor
    from ..tensor_fields import Number

__all__ = ["CreationMethods"]


def _kind(tensor: TensorFields, dtype: Any, device: Any, layout: Any, requires_grad: bool) -> dict[str, Any]:
    """Arguments of a function that makes tensors: the dtype and the device are the tensor's where none are given."""
    array = tensor.array
    kind = {
        "dtype": array.dtype if dtype is None else dtype,
        "device": array.device if device is None else device,
        "requires_grad": requires_grad,
    }
    return kind if layout is None else {**kind, "layout": layout}


class CreationMethods(TensorFields):
    """Methods that create new tensors, by default in this tensor's dtype and on its device.

    >>> x = torch.ones(2, dtype=torch.float64)
    >>> x.new_zeros(3)
    tensor([0., 0., 0.], dtype=lamina.float64)
    """

    __slots__ = ()

    @overload
    def new(self, *size: int, device: Device | str | None = None) -> Tensor: ...
    @overload
    def new(self, size: Sequence[int], *, device: Device | str | None = None) -> Tensor: ...
    @overload
    def new(self, data: Any, *, device: Device | str | None = None) -> Tensor: ...
    @overload
    def new(self, other: Tensor, *, device: Device | str | None = None) -> Tensor: ...
    @overload
    def new(self, storage: Any) -> Tensor: ...
    @torch_function
    def new(
        self, *items: Any, data: Any = None, size: Sequence[int] | None = None, other: Tensor | None = None, storage: Any = None,
        device: Device | str | None = None,
    ) -> Tensor:  # fmt: skip
        """Make a tensor as `torch.Tensor` does, in this tensor's dtype and by default on its device.

        Args:
            items: lengths, a sequence of numbers, a tensor, or a storage.
            data, size, other, storage: the same by name: a sequence of numbers, the lengths, a tensor, or a storage.
            device: where to put it.

        Returns:
            A new tensor; it shares memory with a tensor that is given.

        Raises:
            DTypeError: a tensor of another dtype is given.
            ArgumentTypeError: several of them are given.

        >>> torch.tensor([1]).new([2, 3])
        tensor([2, 3])
        """
        named = [x for x in (data, None if size is None else Size(size), other, storage) if x is not None]
        if len(named) > (not items):
            raise ArgumentTypeError("new(): takes one of data, size, other and storage")
        return tensor_of(constructed((*items, *named), self.array.dtype, self.array.device if device is None else device))

    @torch_function
    def new_tensor(
        self,
        data: Any,
        *,
        dtype: DType | None = None,
        device: Device | str | None = None,
        requires_grad: bool = False,
        pin_memory: bool = False,
        layout: Layout | None = None,
    ) -> Tensor:
        """Make a tensor of a copy of data; see `torch.tensor`.

        Args:
            data: numbers in nested sequences, a NumPy array, or a tensor.
            dtype: the dtype, by default this tensor's.
            layout: accepted: tensors are strided.
            device: where to put it, by default on this tensor's device.
            pin_memory: accepted and ignored.
            requires_grad: whether to record gradients for it.

        Returns:
            A new leaf of the data's shape.

        >>> torch.ones(1, dtype=torch.float64).new_tensor([1, 2])
        tensor([1., 2.], dtype=lamina.float64)
        """
        if layout is not None and layout is not strided:
            refuse_layout("new_tensor", layout)
        return creation.tensor(data, **_kind(self, dtype, device, None, requires_grad))

    @torch_function
    def new_full(
        self,
        size: Sequence[int],
        fill_value: Number,
        *,
        dtype: DType | None = None,
        layout: Layout | None = None,
        device: Device | str | None = None,
        pin_memory: bool = False,
        requires_grad: bool = False,
    ) -> Tensor:
        """Make a tensor filled with one value; see `torch.full`.

        Args:
            size: the shape.
            fill_value: the value.
            dtype: the dtype, by default this tensor's.
            layout: accepted: tensors are strided.
            device: where to put it, by default on this tensor's device.
            pin_memory: accepted and ignored.
            requires_grad: whether to record gradients for it.

        Returns:
            A new tensor of shape `size`.

        >>> torch.ones(1).new_full((2,), 3)
        tensor([3., 3.])
        """
        return creation.full(size, fill_value, **_kind(self, dtype, device, layout, requires_grad))

    @torch_function
    def new_empty_strided(
        self,
        size: Sequence[int],
        stride: Sequence[int],
        *,
        dtype: DType | None = None,
        layout: Layout | None = None,
        device: Device | str | None = None,
        pin_memory: bool = False,
        requires_grad: bool = False,
    ) -> Tensor:
        """Make an uninitialised tensor with given strides; see `torch.empty_strided`.

        Args:
            size: the shape.
            stride: how many items of memory lie from one index of each dim to the next.
            dtype: the dtype, by default this tensor's.
            layout: accepted: tensors are strided.
            device: where to put it, by default on this tensor's device.
            pin_memory: accepted and ignored.
            requires_grad: whether to record gradients for it.

        Returns:
            A new tensor of shape `size`.

        >>> torch.ones(1).new_empty_strided((2, 3), (1, 2)).stride()
        (1, 2)
        """
        return creation.empty_strided(size, stride, **_kind(self, dtype, device, layout, requires_grad))

    @overload
    def new_empty(
        self, size: Sequence[int], *, dtype: DType | None = None, layout: Layout | None = None,
        device: Device | str | None = None, pin_memory: bool = False, requires_grad: bool = False,
    ) -> Tensor: ...  # fmt: skip
    @overload
    def new_empty(
        self, *size: int, dtype: DType | None = None, layout: Layout | None = None,
        device: Device | str | None = None, pin_memory: bool = False, requires_grad: bool = False,
    ) -> Tensor: ...  # fmt: skip
    @torch_function
    def new_empty(
        self, *lengths: int | Sequence[int], size: Sequence[int] | None = None, dtype: DType | None = None, layout: Layout | None = None,
        device: Device | str | None = None, pin_memory: bool = False, requires_grad: bool = False,
    ) -> Tensor:  # fmt: skip
        """Make an uninitialised tensor; see `torch.empty`.

        Args:
            lengths: the shape, as integers one by one or as one sequence.
            size: the shape by name.
            dtype: the dtype, by default this tensor's.
            layout: accepted: tensors are strided.
            device: where to put it, by default on this tensor's device.
            pin_memory: accepted and ignored.
            requires_grad: whether to record gradients for it.

        Returns:
            A new tensor of shape `size`.

        >>> torch.ones(1).new_empty(2, 3).shape
        lamina.Size([2, 3])
        """
        return creation.empty(*lengths, size=size, **_kind(self, dtype, device, layout, requires_grad))

    @overload
    def new_ones(
        self, size: Sequence[int], *, dtype: DType | None = None, layout: Layout | None = None,
        device: Device | str | None = None, pin_memory: bool = False, requires_grad: bool = False,
    ) -> Tensor: ...  # fmt: skip
    @overload
    def new_ones(
        self, *size: int, dtype: DType | None = None, layout: Layout | None = None,
        device: Device | str | None = None, pin_memory: bool = False, requires_grad: bool = False,
    ) -> Tensor: ...  # fmt: skip
    @torch_function
    def new_ones(
        self, *lengths: int | Sequence[int], size: Sequence[int] | None = None, dtype: DType | None = None, layout: Layout | None = None,
        device: Device | str | None = None, pin_memory: bool = False, requires_grad: bool = False,
    ) -> Tensor:  # fmt: skip
        """Make a tensor of ones; see `torch.ones`.

        Args:
            lengths: the shape, as integers one by one or as one sequence.
            size: the shape by name.
            dtype: the dtype, by default this tensor's.
            layout: accepted: tensors are strided.
            device: where to put it, by default on this tensor's device.
            pin_memory: accepted and ignored.
            requires_grad: whether to record gradients for it.

        Returns:
            A new tensor of shape `size`.

        >>> torch.tensor([5]).new_ones(2)
        tensor([1, 1])
        """
        return creation.ones(*lengths, size=size, **_kind(self, dtype, device, layout, requires_grad))

    @overload
    def new_zeros(
        self, size: Sequence[int], *, dtype: DType | None = None, layout: Layout | None = None,
        device: Device | str | None = None, pin_memory: bool = False, requires_grad: bool = False,
    ) -> Tensor: ...  # fmt: skip
    @overload
    def new_zeros(
        self, *size: int, dtype: DType | None = None, layout: Layout | None = None,
        device: Device | str | None = None, pin_memory: bool = False, requires_grad: bool = False,
    ) -> Tensor: ...  # fmt: skip
    @torch_function
    def new_zeros(
        self, *lengths: int | Sequence[int], size: Sequence[int] | None = None, dtype: DType | None = None, layout: Layout | None = None,
        device: Device | str | None = None, pin_memory: bool = False, requires_grad: bool = False,
    ) -> Tensor:  # fmt: skip
        """Make a tensor of zeros; see `torch.zeros`.

        Args:
            lengths: the shape, as integers one by one or as one sequence.
            size: the shape by name.
            dtype: the dtype, by default this tensor's.
            layout: accepted: tensors are strided.
            device: where to put it, by default on this tensor's device.
            pin_memory: accepted and ignored.
            requires_grad: whether to record gradients for it.

        Returns:
            A new tensor of shape `size`.

        >>> torch.tensor([5]).new_zeros((2,))
        tensor([0, 0])
        """
        return creation.zeros(*lengths, size=size, **_kind(self, dtype, device, layout, requires_grad))
