"""Nested containers of plain values and tensors as JSON, with the tensors by name beside it; and back, bit for bit.

None, bool, int, str, finite floats and lists are JSON's own. All else is an object with one entry, whose name says what it
is: `{"tuple": [...]}`, `{"dict": [[key, value], ...]}`, `{"tensor": [name, device, requires_grad]}`.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Final

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import CheckpointError, Device, DType
from lamina_flatarray.dtypes import NAMED
from lamina_ndarray import NDArray
from lamina_tensor import Size, Tensor
from lamina_tensor.tensor_fields import tensor_of

from .keys import Keys, as_key

__all__ = ["Arrays", "decoded", "encoded"]

_PLAIN: Final = (type(None), bool, int, str)
_PAIRS: Final[dict[str, Any]] = {"dict": dict, "ordered": OrderedDict, "counter": Counter}
_ITEMS: Final[dict[str, Any]] = {"tuple": tuple, "set": set, "frozenset": frozenset, "size": Size}
_NAMES: Final = {kind: name for table in (_PAIRS, _ITEMS) for name, kind in table.items()}


class Arrays:
    """The arrays that a tree refers to by name, each once, however often the tree does.

    Attributes:
        by_name: what is to be written.
    """

    def __init__(self) -> None:
        self.by_name: dict[str, NDArray] = {}
        self._names: dict[Any, str] = {}

    def named(self, array: NDArray, path: str) -> str:
        """The name of an array, which is the path in the tree where it comes first."""
        key = (id(array.flat), array.layout)
        if key not in self._names:
            name = path
            while name in self.by_name:
                name += "'"
            self._names[key], self.by_name[name] = name, array
        return self._names[key]


def encoded(value: Any, arrays: Arrays, path: str) -> Any:
    """What stands for a value in JSON; its tensors are put into `arrays`, under names that begin with `path`.

    Raises:
        CheckpointError: there is a value of another kind, or one within itself.
    """
    try:
        return _encoded(value, arrays, path)
    except RecursionError:
        raise CheckpointError(f"{path} is nested too deeply, or holds itself") from None


def _encoded(value: Any, arrays: Arrays, path: str) -> Any:
    kind = type(value)
    if kind in _PLAIN or (kind is float and isfinite(value)):
        return value
    if kind is list:
        return [_encoded(item, arrays, f"{path}/{i}") for i, item in enumerate(value)]
    if kind in _PAIRS.values():
        return {_NAMES[kind]: [[_encoded(as_key(k), arrays, path), _encoded(v, arrays, f"{path}/{k}")] for k, v in value.items()]}
    if kind in (set, frozenset):
        value = [as_key(item) for item in value]
    if kind in _ITEMS.values():
        return {_NAMES[kind]: [_encoded(item, arrays, f"{path}/{i}") for i, item in enumerate(value)]}
    if isinstance(value, Tensor):
        return {"tensor": [arrays.named(value.array, path), str(value.device), value.requires_grad]}
    if kind is np.ndarray:
        return {"array": arrays.named(nd.asarray(value), path)}
    if kind is float:
        return {"float": repr(value)}
    if kind is complex:
        return {"complex": [_encoded(value.real, arrays, path), _encoded(value.imag, arrays, path)]}
    if kind is bytes:
        return {"bytes": value.hex()}
    if kind is DType:
        return {"dtype": value.name}
    if kind is Device:
        return {"device": str(value)}
    raise CheckpointError(
        f"{path} is a {kind.__module__}.{kind.__qualname__}; kept are tensors, NumPy arrays, numbers, texts, and lists, tuples, "
        "dicts and sets of these"
    )


def decoded(tree: Any, arrays: Mapping[str, NDArray]) -> Any:
    """The value that a tree stands for.

    Raises:
        CheckpointError: the tree is none that `encoded` makes.
    """
    try:
        return _Decoding(arrays).value(tree)
    except (TypeError, ValueError, LookupError, ArithmeticError, RuntimeError) as error:
        raise CheckpointError(f"a damaged tree: {error!r:.200}") from error


class _Decoding:
    """The values of one file. An array is placed, or copied, once, however often the tree names it."""

    def __init__(self, arrays: Mapping[str, NDArray]) -> None:
        self._arrays = arrays
        self._hashable = Keys()
        self._placed: dict[tuple[str, str], NDArray] = {}
        self._copied: dict[str, np.ndarray[Any, Any]] = {}

    def value(self, tree: Any) -> Any:
        if type(tree) is list:
            return [self.value(item) for item in tree]
        if type(tree) is not dict:
            return tree
        ((kind, content),) = tree.items()
        if kind in _PAIRS:
            pairs = [(self.value(key), self.value(value)) for key, value in content]
            return _PAIRS[kind]({self._hashable(key): value for key, value in pairs})
        if kind in _ITEMS:
            items = self.value(content)
            if kind == "size" and any(type(n) is not int for n in items):
                raise CheckpointError("a Size of what are no lengths")
            return _ITEMS[kind](items if kind in ("tuple", "size") else [self._hashable(item) for item in items])
        if kind == "complex":
            return complex(*self.value(content))
        if kind == "tensor":
            return self._tensor(*content)
        if kind == "array":
            return self._array(content)
        return _READERS[kind](content)

    def _tensor(self, name: str, device: str, requires_grad: bool) -> Tensor:
        if (name, device) not in self._placed:
            self._placed[name, device] = self._arrays[name].to_device(device)
        tensor = tensor_of(self._placed[name, device])
        return tensor.requires_grad_() if requires_grad else tensor

    def _array(self, name: str) -> np.ndarray[Any, Any]:
        if name not in self._copied:
            self._copied[name] = np.array(self._arrays[name])
        return self._copied[name]


_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "float": float, "bytes": bytes.fromhex, "dtype": NAMED.__getitem__, "device": Device,
}  # fmt: skip
