"""What a tensor tells of itself beyond shape, dtype and device: flags, counts and names that PyTorch programs ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import AutogradError

from ..autograd.node import OUTPUT, RETAINED
from ..devices.memory_formats import strided
from ..dispatch import array_functions as af

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["METHODS", "PROPERTIES", "retains_grad"]


def _output_nr(self: Tensor) -> int:
    """Which of the results of its op this is; 0 for a leaf."""
    node = self.node
    return node.saved[0] if node is not None and node.plan is OUTPUT and node.saved else 0


def retains_grad(self: Tensor) -> bool:
    """Whether backward keeps the gradient of this result."""
    return self.node is not None and RETAINED in (self.node.hooks or ())


def _detach_in_place(self: Tensor) -> Tensor:
    """Make the tensor a leaf without gradients.

    Raises:
        AutogradError: it is a view, whose base goes on having a history.
    """
    if self.base is not None and self.base.requires_grad:
        raise AutogradError("detach_: can't detach a view in-place; use detach() instead")
    self.node, self.requires_grad = None, False
    return self


def _dim_order(self: Tensor) -> tuple[int, ...]:
    """The dims from the outermost in memory to the innermost."""
    strides = self.array.layout.strides
    return tuple(sorted(range(len(strides)), key=lambda d: -strides[d]))


def _of_sparse(name: str) -> Any:
    def method(self: Tensor) -> Any:
        raise AutogradError(f"{name} expected a sparse tensor, but got a strided one; there are strided tensors only")

    return method


def _is_set_to(self: Tensor, tensor: Tensor) -> bool:
    """Whether two tensors are the same items of the same memory."""
    return self.array.flat is tensor.array.flat and self.array.layout == tensor.array.layout


def _is_same_size(self: Tensor, other: Tensor) -> bool:
    """Whether the shapes are equal."""
    return self.array.layout.shape == other.array.layout.shape


def _to_dense(self: Tensor, dtype: Any = None, *, masked_grad: bool | None = None) -> Tensor:
    """Itself, in another dtype if one is given: all tensors are dense."""
    return self if dtype is None else af.astype(self, dtype)


def _dir(self: Tensor) -> list[str]:
    return sorted({*dir(type(self)), *self.__dict__})


_NO_KINDS: Final = (
    "ipu", "maia", "meta", "mkldnn", "mps", "mtia", "nested", "quantized", "sparse", "sparse_csr", "vulkan", "xla", "xpu",
)  # fmt: skip
"""Devices and kinds of tensors that programs ask about, and there are none of."""

PROPERTIES: Final[dict[str, property]] = {
    "grad_dtype": property(lambda self: self.array.dtype, doc="What dtype its gradient has."),
    "name": property(lambda self: None, doc="Tensors have no names."),
    "volatile": property(lambda self: False, doc="Of PyTorch before 0.4."),
    "is_cpu": property(lambda self: self.array.device.type == "cpu"),
    "is_cuda": property(lambda self: self.array.device.type == "cuda"),
    **{f"is_{kind}": property(lambda self: False) for kind in _NO_KINDS},
    "layout": property(lambda self: strided, doc="How items are stored: all are strided."),
    "output_nr": property(_output_nr),
    "retains_grad": property(retains_grad),
}

METHODS: Final[dict[str, Any]] = {
    "__dir__": _dir,
    "coalesce": _of_sparse("coalesce"),
    "indices": _of_sparse("indices"),
    "is_coalesced": _of_sparse("is_coalesced"),
    "values": _of_sparse("values"),
    "const_data_ptr": lambda self: self.data_ptr(),
    "dense_dim": lambda self: self.array.layout.ndim,
    "is_conj": lambda self: False,
    "is_neg": lambda self: False,
    "is_same_size": _is_same_size,
    "is_set_to": _is_set_to,
    "sparse_dim": lambda self: 0,
    "to_dense": _to_dense,
    "detach_": _detach_in_place,
    "dim_order": _dim_order,
    "get_device": lambda self: -1 if self.array.device.type == "cpu" else self.array.device.index,
    "is_inference": lambda self: False,
    "is_pinned": lambda self: False,
    "is_signed": lambda self: self.array.dtype.kind not in "ub",
    "ndimension": lambda self: self.array.layout.ndim,
    "nelement": lambda self: self.array.layout.size,
}
