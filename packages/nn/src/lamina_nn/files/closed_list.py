"""The closed list of what a PyTorch file may name, and for each name what is made of which arguments."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any, Final

from lamina_flatarray import CheckpointError, Device, DType
from lamina_flatarray.dtypes import NAMED
from lamina_tensor import Size
from lamina_tensor.devices.memory_formats import layout, sparse_coo, strided
from lamina_tensor.dispatch.return_types import RETURN_TYPES
from lamina_tensor.methods.memory.tensor_types import TENSOR_TYPES

from .keys import as_key
from .numpy_values import MADE_OF_BYTES, NumpyClass, NumpyDType
from .storages import MADE_OF_STORAGES, Argument

__all__ = ["NAMES", "STORAGE_NAMES", "Argument", "Arguments", "Builder", "StorageType"]


class Arguments(tuple[Any, ...], Argument):
    """A tuple with arguments among its items."""


class Builder(Argument):
    """A name that makes something.

    Attributes:
        name: what a file calls it.
        build: makes it, and raises where an argument is not of the one type that is wanted.
        copies: whether it copies what it is given.
        hashes: whether it hashes the items of what it is given.
    """

    def __init__(self, name: str, build: Callable[..., Any], copies: bool = True) -> None:
        self.name, self.build, self.copies = name, build, copies
        self.hashes = name in ("builtins.set", "builtins.frozenset")

    def __str__(self) -> str:
        return self.name


class StorageType(Argument):
    """A name of a storage's type.

    Attributes:
        dtype: of its items; None where they are bytes, and each tensor says how to read them.
    """

    def __init__(self, dtype: DType | None) -> None:
        self.dtype = dtype


class _Class(Argument):
    """The class Tensor or Parameter, as an argument of what makes tensors."""


# -- what is made -------------------------------------------------------------------------------------------------------


def _only(kind: type, *values: Any) -> None:
    for value in values:
        if type(value) is not kind:
            raise CheckpointError(f"{type(value).__name__} found where {kind.__name__} is wanted")


def _encoded(text: Any, encoding: Any) -> bytes:
    _only(str, text, encoding)
    if encoding not in ("latin1", "latin-1"):
        raise CheckpointError("bytes in another encoding than latin1")
    return str(text).encode("latin1")


def _bytes(*arguments: Any) -> bytes:
    return _encoded(*arguments) if arguments else b""


def _bytearray(*arguments: Any) -> bytearray:
    if len(arguments) == 1:
        _only(bytes, *arguments)
        return bytearray(arguments[0])
    return bytearray(_bytes(*arguments))


def _complex(real: Any, imag: Any) -> complex:
    _only(float, real, imag)
    return complex(real, imag)


def _items_of(kind: type) -> Callable[..., Any]:
    def build(*arguments: Any) -> Any:
        _only(list, *arguments)
        return kind([as_key(item) for item in (arguments[0] if arguments else [])])

    return build


def _ordered(*arguments: Any) -> OrderedDict[Any, Any]:
    if arguments:
        raise CheckpointError("an OrderedDict is made empty")
    return OrderedDict()


def _counter(*arguments: Any) -> Counter[Any]:
    _only(dict, *arguments)
    return Counter(*arguments)


def _size(lengths: Any) -> Size:
    _only(tuple, lengths)
    _only(int, *lengths)
    return Size(lengths)


def _device(kind: Any, index: Any = None) -> Device:
    _only(str, kind)
    if index is not None:
        _only(int, index)
    return Device(kind, index)


def _layout(name: Any) -> layout:
    _only(str, name)
    for each in (strided, sparse_coo):
        if name == f"torch.{str(each).removeprefix('lamina.')}":
            return each
    raise CheckpointError("a tensor layout other than torch.strided and torch.sparse_coo")


def _named_tuple(kind: Any) -> Callable[..., Any]:
    def build(parts: Any, attributes: Any = None) -> Any:
        _only(tuple, parts)
        if len(parts) != len(kind._fields):
            raise CheckpointError(f"parts given: {len(parts)}, for {kind.__name__}, which has {len(kind._fields)}")
        return kind(*parts)

    return build


def _from_type(function: Any, kind: Any, arguments: Any, state: Any) -> Any:
    """A tensor that had attributes of its own, which are left out."""
    if not isinstance(function, Builder) or function.name not in MADE_OF_STORAGES or not isinstance(arguments, tuple):
        raise CheckpointError("a tensor made by what makes no tensors")
    if not isinstance(kind, _Class):
        raise CheckpointError("a tensor of an unknown class")
    return function.build(*arguments)


STORAGE_NAMES: Final[dict[DType, str]] = {
    kind.dtype: f"{name.removesuffix('Tensor')}Storage" for name, kind in TENSOR_TYPES.items()
}
"""The name of a storage's type in `torch`; dtypes without one are kept in `torch.storage.UntypedStorage`."""

_BUILDERS: Final[dict[str, Callable[..., Any]]] = {
    "_codecs.encode": _encoded,
    "builtins.bytearray": _bytearray,
    "builtins.bytes": _bytes,
    "builtins.complex": _complex,
    "builtins.frozenset": _items_of(frozenset),
    "builtins.set": _items_of(set),
    "collections.Counter": _counter,
    "collections.OrderedDict": _ordered,
    "torch.Size": _size,
    "torch.device": _device,
    "torch.serialization._get_layout": _layout,
    "numpy.dtype": NumpyDType,
    **MADE_OF_BYTES,
    **{f"torch.return_types.{name}": _named_tuple(kind) for name, kind in RETURN_TYPES.items()},
}

NAMES: Final[dict[str, Any]] = {
    **{name: Builder(name, build) for name, build in _BUILDERS.items()},
    **{name: Builder(name, build, copies=False) for name, build in MADE_OF_STORAGES.items()},
    "torch._tensor._rebuild_from_type_v2": Builder("torch._tensor._rebuild_from_type_v2", _from_type, copies=False),
    "numpy.ndarray": NumpyClass(),
    "torch.Tensor": _Class(),
    "torch.nn.parameter.Parameter": _Class(),
    "torch.storage.UntypedStorage": StorageType(None),
    "torch.UntypedStorage": StorageType(None),
    **{f"torch.{name}": StorageType(dtype) for dtype, name in STORAGE_NAMES.items()},
    **{f"torch.{name}": dtype for name, dtype in NAMED.items()},
}
"""All names there are. A value that is an Argument serves to make others; the rest are values themselves."""
