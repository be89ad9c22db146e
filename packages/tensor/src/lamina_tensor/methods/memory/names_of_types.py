"""PyTorch's names of old types, such as `torch.FloatTensor` and `torch.cuda.FloatTensor`: from a name to the type, and of a tensor."""

from __future__ import annotations

from typing import Any, Final

from lamina_flatarray import Device, DType
from lamina_ndarray import NDArray

from .cuda_tensor_types import CUDA_TENSOR_TYPES
from .tensor_types import TENSOR_TYPES, TensorType

__all__ = ["tensor_type", "type_name"]

_BY_MODULE: Final = {
    "torch": TENSOR_TYPES, "lamina": TENSOR_TYPES, "torch.cuda": CUDA_TENSOR_TYPES, "lamina.cuda": CUDA_TENSOR_TYPES,
}  # fmt: skip
_OF_DTYPE: Final[dict[DType, str]] = {kind.dtype: name for name, kind in TENSOR_TYPES.items()}


def tensor_type(which: Any) -> TensorType:
    """The type of a name such as `torch.FloatTensor` or `torch.cuda.FloatTensor`, or the type itself.

    Raises:
        ValueError: there is none.
        TypeError: it is neither.
    """
    if isinstance(which, TensorType):
        return which
    if not isinstance(which, (str, type)):
        raise TypeError(f"dtype must be a type, str, or dtype object, not {type(which).__name__}")
    module, _, name = str(which).rpartition(".")
    found = _BY_MODULE.get(module, {}).get(name)
    if found is None:
        known = ", ".join(f"torch.{n}" for n in TENSOR_TYPES)
        raise ValueError(f"invalid type: {which!r}; it is one of {known}, or such a one of torch.cuda")
    return found


def type_name(x: NDArray) -> str:
    """PyTorch's name of a tensor's type.

    Raises:
        TypeError: PyTorch has none for the dtype.
    """
    name = _OF_DTYPE.get(x.dtype)
    if name is None:
        raise TypeError(f"type: {x.dtype!r} has no legacy type name; ask for dtype")
    place = Device(x.device).type
    return f"torch.{name}" if place == "cpu" else f"torch.{place}.{name}"
