"""What a tensor tells of itself: its dtype, device and shape, and counts and flags that PyTorch programs ask for."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from lamina_flatarray import ArgumentTypeError, UsageError
from lamina_ndarray.array_fields import read

from ..devices.memory_formats import memory_format, strided
from ..dispatch.torch_function import torch_function
from ..tensor_fields import TensorFields
from .shapes.sizes import Size

if TYPE_CHECKING:
    from lamina_flatarray import Device, DType

    from ..devices.memory_formats import layout as Layout
    from ..devices.memory_formats import memory_format as MemoryFormat
    from ..tensor_class import Tensor

__all__ = ["AttributeMethods"]


class AttributeMethods(TensorFields):
    """The attributes of a tensor, and methods that answer with a number or a bool.

    >>> x = torch.ones(2, 3)
    >>> x.shape, x.dtype, x.ndim, x.nbytes
    (lamina.Size([2, 3]), lamina.float32, 2, 24)
    """

    __slots__ = ()

    if TYPE_CHECKING:  # checkers know no property but one of a function

        @property
        def device(self) -> Device: ...
        @property
        def dtype(self) -> DType: ...
        @property
        def itemsize(self) -> int: ...
        @property
        def ndim(self) -> int: ...

    else:
        device = read("array.flat.kernels.device", "Where the items are.")
        dtype = read("array.flat.dtype", "The type of the items.")
        itemsize = read("array.flat.dtype.itemsize", "Bytes of one item.")
        ndim = read("array.layout.ndim", "The number of dims.")

    @property
    def shape(self) -> Size:
        """The length of each dim."""
        return Size(self.array.layout.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of all items, as if they lay without gaps."""
        return self.array.nbytes

    @property
    def layout(self) -> Layout:
        """How items are stored: all tensors are strided."""
        return strided

    @property
    def name(self) -> None:
        """None: tensors have no names."""
        return None

    @property
    def _version(self) -> int:
        """How often the memory was written to in place, through whatever tensor."""
        return self.array.flat.version

    @property
    def _base(self) -> Tensor | None:
        """The tensor that this one is a view of; None where it is no view."""
        return self.base  # type: ignore[return-value]  # every instance of TensorFields is a Tensor

    def _is_view(self) -> bool:
        """Whether this is a view of another tensor, its `_base`."""
        return self.base is not None

    @torch_function
    def nelement(self) -> int:
        """Return the number of items.

        Returns:
            An int; 1 for a tensor without dims.

        >>> torch.ones(2, 3).nelement()
        6
        """
        return self.array.layout.size

    @torch_function
    def ndimension(self) -> int:
        """Return the number of dims: another name of `dim`.

        Returns:
            An int.

        >>> torch.ones(2, 3).ndimension()
        2
        """
        return self.array.layout.ndim

    @torch_function
    def element_size(self) -> int:
        """Return the number of bytes of one item.

        Returns:
            An int, such as 4 for float32.

        >>> torch.ones(2).element_size()
        4
        """
        return self.array.itemsize

    @torch_function
    def dim_order(self, *, ambiguity_check: bool | list[MemoryFormat] = False) -> tuple[int, ...]:
        """Return the dims from the outermost in memory to the innermost.

        Args:
            ambiguity_check: whether to refuse a tensor that has several orders: dims of length 1 may be anywhere, and dims with the
                same stride in any order. A list of memory formats: unless exactly one of these is the tensor's.

        Returns:
            A permutation of the dims, as a tuple.

        Raises:
            UsageError: there are several orders, and `ambiguity_check` is given.
            ArgumentTypeError: `ambiguity_check` is neither a bool nor a list of memory formats.

        >>> torch.ones(2, 3).t().dim_order()
        (1, 0)
        """
        layout = self.array.layout
        strides = layout.strides
        if ambiguity_check is not False:
            formats = ambiguity_check if isinstance(ambiguity_check, list) else []
            if not (ambiguity_check is True or isinstance(ambiguity_check, list)) or not all(isinstance(f, memory_format) for f in formats):
                raise ArgumentTypeError("The ambiguity_check argument must be a bool or a list of memory formats.")
            several = 1 in layout.shape or any(a == b for a, b in pairwise(strides))
            if several and sum(layout.is_contiguous(str(format)) for format in formats) != 1:
                raise UsageError(
                    "The tensor does not have unique dim order, or cannot map to exact one of the given memory formats."
                )
            dense = layout.contiguous or (len(strides) == 4 and layout.is_contiguous("channels_last"))
            if len(strides) > 1 and not dense and (0 in strides or len(set(strides)) < len(strides)):
                raise UsageError("The tensor does not have unique dim order.")
        return tuple(sorted(range(len(strides)), key=lambda dim: -strides[dim]))

    @torch_function
    def is_pinned(self, device: Device | str | None = None) -> bool:
        """Tell whether the items are in pinned memory: they never are.

        Args:
            device: the device whose pinned memory is meant; accepted and ignored.

        Returns:
            False.

        >>> torch.ones(2).is_pinned()
        False
        """
        return False

    @torch_function
    def is_set_to(self, tensor: Tensor) -> bool:
        """Tell whether two tensors are the same items of the same memory.

        Args:
            tensor: the other tensor.

        Returns:
            True where both have the same memory, offset, shape and strides, else False.

        >>> x = torch.ones(2)
        >>> x.is_set_to(x.detach()), x.is_set_to(x.clone())
        (True, False)
        """
        return self.array.flat is tensor.array.flat and self.array.layout == tensor.array.layout

    def __dir__(self) -> list[str]:
        return sorted({*dir(type(self)), *self.__dict__})
