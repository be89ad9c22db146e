"""What a tensor tells of itself beyond shape, dtype and device: flags, counts and names that PyTorch programs ask for."""

from __future__ import annotations

from typing import Any, Final

import lamina_ndarray as nd
from lamina_flatarray import AutogradError, Device, DType

from . import array_functions as af
from .memory_formats import strided
from .node import OUTPUT
from .tensor import Tensor

__all__ = ["METHODS", "PROPERTIES"]


def _output_nr(self: Tensor) -> int:
    """Which of the results of its op this is; 0 for a leaf."""
    node = self.node
    return node.saved[0] if node is not None and node.plan is OUTPUT and node.saved else 0


def _retains_grad(self: Tensor) -> bool:
    """Whether backward keeps the gradient of this result."""
    return self.node is not None and bool(self.__dict__.get("retains_grad", False))


def _detach_in_place(self: Tensor) -> Tensor:
    """Make the tensor a leaf without gradients.

    Raises:
        AutogradError: it is a view, whose base goes on having a history.
    """
    if self.base is not None and self.base.requires_grad:
        raise AutogradError("detach_: can't detach a view in-place; use detach() instead")
    self.node, self.requires_grad = None, False
    return self


def _type(self: Tensor, dtype: Any = None, non_blocking: bool = False) -> Any:
    """PyTorch's name of the tensor's type; with a dtype, the tensor in it."""
    if dtype is not None:
        return af.astype(self, _LEGACY.get(dtype, dtype) if isinstance(dtype, str) else dtype)
    found = next((name for name, d in _LEGACY.items() if d is self.array.dtype), None)
    if found is None:
        raise TypeError(f"type: {self.array.dtype!r} has no legacy type name; ask for dtype")
    return found if self.array.device.type == "cpu" else found.replace("torch.", f"torch.{self.array.device.type}.")


_LEGACY: Final[dict[str, DType]] = {
    f"torch.{name}Tensor": dtype
    for name, dtype in {
        "Float": nd.float32, "Double": nd.float64, "Half": nd.float16, "BFloat16": nd.bfloat16, "Byte": nd.uint8, "Char": nd.int8,
        "Short": nd.int16, "Int": nd.int32, "Long": nd.int64, "Bool": nd.bool, "ComplexFloat": nd.complex64,
        "ComplexDouble": nd.complex128,
    }.items()
}  # fmt: skip


def _dim_order(self: Tensor) -> tuple[int, ...]:
    """The dims from the outermost in memory to the innermost."""
    strides = self.array.layout.strides
    return tuple(sorted(range(len(strides)), key=lambda d: -strides[d]))


def _cast(dtype: DType) -> Any:
    return lambda self: af.astype(self, dtype)


PROPERTIES: Final[dict[str, property]] = {
    "is_cpu": property(lambda self: self.array.device.type == "cpu"),
    "is_cuda": property(lambda self: self.array.device.type == "cuda"),
    "is_meta": property(lambda self: False),
    "is_nested": property(lambda self: False),
    "is_sparse": property(lambda self: False),
    "is_sparse_csr": property(lambda self: False),
    "layout": property(lambda self: strided, doc="How items are stored: all are strided."),
    "output_nr": property(_output_nr),
    "retains_grad": property(_retains_grad),
}

METHODS: Final[dict[str, Any]] = {
    "cdouble": _cast(nd.complex128),
    "cfloat": _cast(nd.complex64),
    "char": _cast(nd.int8),
    "cuda": lambda self, device=None: af.to_device(self, Device("cuda", 0) if device is None else device),
    "detach_": _detach_in_place,
    "dim_order": _dim_order,
    "get_device": lambda self: -1 if self.array.device.type == "cpu" else self.array.device.index,
    "is_inference": lambda self: False,
    "is_pinned": lambda self: False,
    "is_shared": lambda self: False,
    "is_signed": lambda self: self.array.dtype.kind not in "ub",
    "ndimension": lambda self: self.array.layout.ndim,
    "nelement": lambda self: self.array.layout.size,
    "short": _cast(nd.int16),
    "type": _type,
}
