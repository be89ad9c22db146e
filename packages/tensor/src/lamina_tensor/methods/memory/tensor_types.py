"""PyTorch's old types of tensors, such as `FloatTensor`: constructors of one dtype, and names that `Tensor.type` gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import lamina_ndarray as nd
from lamina_flatarray import Device, DType, DTypeError, FlatArray, get_default_dtype
from lamina_ndarray import NDArray
from lamina_ndarray.layouts.layout import Layout

from ...tensor_fields import TensorFields, tensor_of

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__: list[str] = []


def constructed(data: tuple[Any, ...], dtype: DType | None = None, device: Any = None) -> NDArray:
    """What `Tensor(...)` holds: lengths give uninitialised items, a tensor or array itself, a sequence its items.

    Raises:
        DTypeError: a tensor of another dtype is given.
    """
    wanted = dtype or get_default_dtype()
    if len(data) == 1 and isinstance(data[0], (TensorFields, NDArray)):
        array = data[0].array if isinstance(data[0], TensorFields) else data[0]
        if dtype is not None and array.dtype is not dtype:
            raise DTypeError(f"expected {dtype.name} items, but got {array.dtype.name}; convert them with .to()")
        return array
    if len(data) == 1 and isinstance(data[0], tuple) and hasattr(data[0], "numel"):
        return nd.empty(tuple(data[0]), dtype=wanted, device=device)
    if len(data) == 1 and isinstance(data[0], (bool, float, str)):
        raise TypeError(f"new(): data must be a sequence (got {type(data[0]).__name__})")
    if all(hasattr(n, "__index__") for n in data) and not any(getattr(n, "shape", ()) for n in data):
        return nd.empty(tuple(n.__index__() for n in data) or (0,), dtype=wanted, device=device)
    if len(data) != 1:
        raise TypeError(f"new(): data must be a sequence, or lengths, not {', '.join(type(d).__name__ for d in data)}")
    if isinstance(data[0], FlatArray):
        return NDArray(data[0], Layout.dense((data[0].size,)))
    from ...functions.creation import tensor

    items = data[0] if hasattr(data[0], "__array__") else list(data[0])
    return tensor(items, device=device).to(wanted).array


class TensorType:
    """A dtype, under PyTorch's old name of it: called, it makes tensors; `isinstance(x, FloatTensor)` asks of one."""

    def __init__(self, name: str, dtype: DType) -> None:
        self.__name__ = self.__qualname__ = name
        self.dtype = dtype

    def __call__(self, *data: Any, device: Any = None) -> Tensor:
        return tensor_of(constructed(data, self.dtype, device))

    def __instancecheck__(self, instance: object) -> bool:
        return isinstance(instance, TensorFields) and instance.array.dtype is self.dtype

    def __repr__(self) -> str:
        return f"<class 'lamina.{self.__name__}'>"


TENSOR_TYPES: Final[dict[str, TensorType]] = {
    f"{name}Tensor": TensorType(f"{name}Tensor", dtype)
    for name, dtype in {
        "Float": nd.float32, "Double": nd.float64, "Half": nd.float16, "BFloat16": nd.bfloat16, "Byte": nd.uint8,
        "Char": nd.int8, "Short": nd.int16, "Int": nd.int32, "Long": nd.int64, "Bool": nd.bool,
        "ComplexFloat": nd.complex64, "ComplexDouble": nd.complex128,
    }.items()
}  # fmt: skip
"""By name."""

_OF_DTYPE: Final = {kind.dtype: name for name, kind in TENSOR_TYPES.items()}

globals().update(TENSOR_TYPES)
__all__ += list(TENSOR_TYPES)


def tensor_type(which: Any) -> TensorType:
    """The type of a name such as `torch.FloatTensor`, or the type itself.

    Raises:
        ValueError: there is none.
        TypeError: it is neither.
    """
    if isinstance(which, TensorType):
        return which
    if not isinstance(which, (str, type)):
        raise TypeError(f"dtype must be a type, str, or dtype object, not {type(which).__name__}")
    module, _, name = str(which).rpartition(".")
    if name not in TENSOR_TYPES or module not in ("torch", "lamina"):
        raise ValueError(f"invalid type: {which!r}; it is one of {', '.join(f'torch.{n}' for n in TENSOR_TYPES)}")
    return TENSOR_TYPES[name]


def type_name(x: Tensor) -> str:
    """PyTorch's name of a tensor's type.

    Raises:
        TypeError: PyTorch has none for the dtype.
    """
    found = _OF_DTYPE.get(x.array.dtype)
    if found is None:
        raise TypeError(f"type: {x.array.dtype!r} has no legacy type name; ask for dtype")
    place = Device(x.array.device).type
    return f"torch.{found}" if place == "cpu" else f"torch.{place}.{found}"
