"""The memory under a tensor: its storage, its address, and other memory taken in its stead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self, overload

from lamina_flatarray import ArgumentTypeError, AutogradError, DTypeError, FlatArray, ShapeError
from lamina_ndarray import NDArray
from lamina_ndarray.creation import conversion
from lamina_ndarray.layouts.layout import Layout

from ...devices.shared_memory import is_shared, share_memory
from ...dispatch.out import resize
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor, TensorFields, tensor_of
from ..shapes.sizes import sizes

if TYPE_CHECKING:
    from ...devices.memory_formats import memory_format as MemoryFormat
    from ...tensor_class import Tensor
    from .storage import Storage, UntypedStorage

__all__ = ["MemoryMethods"]


class MemoryMethods(TensorFields):
    """Methods that look at the memory under a tensor, share it between processes, or replace it.

    >>> x = torch.arange(4)
    >>> x[1:].data_ptr() - x.data_ptr()
    8
    >>> x.storage().tolist()
    [0, 1, 2, 3]
    """

    __slots__ = ()

    @torch_function
    def storage(self) -> Storage:
        """Return the memory, item by item.

        Returns:
            A `Storage` of all items of the memory, also those that the tensor does not show.

        >>> torch.arange(3)[1:].storage().tolist()
        [0, 1, 2]
        """
        from .storage import Storage

        return Storage(self.array.flat, self.array.dtype)

    @torch_function
    def untyped_storage(self) -> UntypedStorage:
        """Return the memory, byte by byte.

        Returns:
            An `UntypedStorage` of all bytes of the memory, also those that the tensor does not show.

        >>> torch.ones(3).untyped_storage().nbytes()
        12
        """
        from .storage import UntypedStorage

        return UntypedStorage.over(self.array.flat)

    @torch_function
    def data_ptr(self) -> int:
        """Return the address of the first item.

        Returns:
            The address as an int; 0 for a tensor without items.

        Raises:
            DeviceError: the memory is not on the host.

        >>> x = torch.ones(2)
        >>> x.data_ptr() == x.view(1, 2).data_ptr()
        True
        """
        if not self.array.size or not self.array.flat.backend.holds_items:
            return 0
        address: int = conversion.numpy(self.array).__array_interface__["data"][0]
        return address

    @torch_function
    def const_data_ptr(self) -> int:
        """Return the address of the first item, which is not to be written to.

        Returns:
            The address as an int.

        Raises:
            DeviceError: the memory is not on the host.

        >>> x = torch.ones(2)
        >>> x.const_data_ptr() == x.data_ptr()
        True
        """
        return self.data_ptr()

    @torch_function
    def is_shared(self) -> bool:
        """Tell whether processes that are forked from this one see the same memory.

        Returns:
            A bool; False unless `share_memory_` was called, or the tensor came from another process.

        >>> x = torch.ones(2)
        >>> x.is_shared(), x.share_memory_().is_shared()
        (False, True)
        """
        return is_shared(self.array.flat.memory)

    @torch_function
    def share_memory_(self) -> Self:
        """Move the items, and those of all views of them, to memory that other processes see: those that are forked from now on, and
        those that the tensor is sent to where the system has files in memory (Linux).

        Returns:
            The tensor itself.

        Raises:
            DeviceError: the items are not on the host.
            ShapeError: the tensor is a part of memory that belongs together.

        >>> x = torch.ones(2)
        >>> x.share_memory_() is x
        True
        """
        return share_memory(self)

    @torch_function
    def set_(
        self,
        source: Tensor | Storage | None = None,
        storage_offset: int = 0,
        size: Sequence[int] | None = None,
        stride: Sequence[int] | None = None,
    ) -> Self:
        """Take the memory of another tensor, or of a storage.

        Args:
            source: whose memory to take; None for none, which leaves an empty tensor.
            storage_offset: at which item of the memory to begin.
            size: the shape, by default that of the source.
            stride: the strides, by default those of a row-major tensor.

        Returns:
            The tensor itself.

        Raises:
            AutogradError: the tensor requires gradients.
            DTypeError: the source is a tensor of another dtype.
            ShapeError: an item would lie outside of the memory.

        >>> torch.tensor(0).set_(torch.arange(4), 1, (2,), (2,))
        tensor([1, 3])
        """
        from .storage import Storage

        if self.requires_grad:
            raise AutogradError("set_: the tensor requires gradients; detach() it first")
        if source is None:
            source = tensor_of(NDArray(FlatArray.of(self.array.flat.kernels, 0), Layout.dense((0,))))
        flat = source.flat if isinstance(source, Storage) else source.array.flat
        if isinstance(source, AnyTensor) and flat.dtype is not self.array.dtype:
            raise DTypeError(f"set_: {flat.dtype.name} items given for a tensor of {self.array.dtype.name}")
        if isinstance(source, Storage):
            flat = flat.reinterpret(self.array.dtype) if flat.dtype is not self.array.dtype else flat
            size = (flat.size,) if size is None else size
        if isinstance(source, AnyTensor) and size is None:
            layout = source.array.layout
        else:
            shape = tuple(size or ())
            layout = Layout.of(shape, Layout.dense(shape).strides if stride is None else tuple(stride), storage_offset)
            if layout.size and layout.extent()[1] >= flat.size:
                raise ShapeError(f"set_: shape {shape} at {storage_offset} reaches beyond {flat.size} items of memory")
        self.array, self.base = NDArray(flat, layout), None
        return self

    @overload
    def resize_(self, size: Sequence[int], *, memory_format: MemoryFormat | None = None) -> Self: ...
    @overload
    def resize_(self, *size: int, memory_format: MemoryFormat | None = None) -> Self: ...
    @torch_function
    def resize_(
        self, *lengths: int | Sequence[int], size: Sequence[int] | None = None, memory_format: MemoryFormat | None = None
    ) -> Self:
        """Take another shape, row-major from where the tensor begins in its memory.

        Args:
            lengths: the lengths, one by one or as one sequence. Where they want more memory than there is, what there is is copied, and
                the rest uninitialised.
            size: another name of the lengths as a sequence.
            memory_format: may be given, and changes nothing.

        Returns:
            The tensor itself.

        Raises:
            AutogradError: the tensor requires gradients.
            ArgumentTypeError: lengths are given in both ways.

        >>> torch.arange(6).resize_(2, 2)
        tensor([[0, 1],
                [2, 3]])
        """
        if self.requires_grad:
            raise AutogradError("cannot resize variables that require grad")
        if lengths and size is not None:
            raise ArgumentTypeError("resize_() got multiple values for argument 'size'")
        shape = sizes(lengths) if size is None else tuple(size)
        if shape != self.array.layout.shape:
            resize(self, Layout.dense(shape))
            self.array.flat.version += 1
        return self

    @torch_function
    def resize_as_(self, the_template: Tensor, *, memory_format: MemoryFormat | None = None) -> Self:
        """Take another tensor's shape; see `resize_`.

        Args:
            the_template: the tensor whose shape to take.
            memory_format: may be given, and changes nothing.

        Returns:
            The tensor itself.

        >>> torch.arange(6).resize_as_(torch.ones(2, 2))
        tensor([[0, 1],
                [2, 3]])
        """
        return self.resize_(the_template.array.layout.shape, memory_format=memory_format)
