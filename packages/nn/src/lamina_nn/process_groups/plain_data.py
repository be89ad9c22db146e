"""Plain data as bytes, and back: numbers, texts, bytes, lists, tuples, sets, dicts, arrays and tensors. Reading runs no code of others.

Each value is a letter, and then its length and bytes, or how many values follow.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, Final

import numpy as np

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError, DType, ProcessGroupError, dtype_of
from lamina_tensor import Tensor

__all__ = ["decoded", "encoded"]

_LENGTH: Final = struct.Struct("!cQ")
_CONTAINERS: Final[dict[type, bytes]] = {list: b"l", tuple: b"t", set: b"s", frozenset: b"z", dict: b"d"}
_MADE: Final[dict[bytes, Callable[[list[Any]], Any]]] = {
    b"l": list, b"t": tuple, b"s": set, b"z": frozenset, b"d": lambda items: dict(zip(items[::2], items[1::2], strict=True)),
}  # fmt: skip
_LEAVE: Final = object()


def encoded(name: str, value: Any) -> bytes:
    """Return plain data as bytes.

    Args:
        name: the function that was called.
        value: the data.

    Raises:
        ArgumentTypeError: something in it is not plain, or contains itself; the message says where and what.
    """
    parts: list[bytes] = []
    stack: list[tuple[Any, str]] = [(value, "object")]
    around: dict[int, None] = {}  # the containers that the current value is in, the innermost last
    while stack:
        value, where = stack.pop()
        if value is _LEAVE:
            around.popitem()
            continue
        letter = _CONTAINERS.get(type(value))
        if letter is None:
            parts += _scalar(name, value, where)
            continue
        if id(value) in around:
            raise ArgumentTypeError(f"{name}: {where} contains itself")
        around[id(value)] = None
        stack.append((_LEAVE, ""))
        if letter == b"d":
            inside = [(part, f"{where}[{key!r}]") for key, item in value.items() for part in (key, item)]
        else:
            inside = [(item, f"{where}[{i}]") for i, item in enumerate(value)]
        parts.append(_LENGTH.pack(letter, len(inside)))
        stack += reversed(inside)
    return b"".join(parts)


def _scalar(name: str, value: Any, where: str) -> list[bytes]:
    kind = type(value)
    if value is None or kind is bool:
        return [_LENGTH.pack(b"n" if value is None else b"T" if value else b"F", 0)]
    if kind is int:
        return _with_length(b"i", value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))
    if kind is float:
        return _with_length(b"f", struct.pack("!d", value))
    if kind is complex:
        return _with_length(b"c", struct.pack("!dd", value.real, value.imag))
    if kind is str:
        return _with_length(b"u", value.encode("utf-8", "surrogatepass"))
    if kind is bytes:
        return _with_length(b"b", value)
    if kind is bytearray:
        return _with_length(b"B", bytes(value))
    if kind is DType:
        return _with_length(b"y", value.name.encode())
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufc" and type(value) is np.ndarray:
        return [_LENGTH.pack(b"a", 3), *_scalar(name, value.dtype.str, where), *_shape(value.shape), *_with_length(b"b", value.tobytes())]
    if isinstance(value, Tensor) and value.layout is lt.strided:
        plain = value.detach().cpu().contiguous()
        flat = plain.array.flat
        start = plain.array.layout.offset * flat.itemsize
        data = flat.bytes_view()[start : start + plain.numel() * flat.itemsize].tobytes()
        return [_LENGTH.pack(b"x", 3), *_scalar(name, value.dtype, where), *_shape(tuple(value.shape)), *_with_length(b"b", data)]
    raise ArgumentTypeError(
        f"{name}: {where} is a {kind.__module__}.{kind.__qualname__}, which is not plain data; processes exchange None, numbers, texts, "
        "bytes, lists, tuples, sets, dicts, NumPy arrays of numbers and tensors"
    )


def _with_length(letter: bytes, data: bytes) -> list[bytes]:
    return [_LENGTH.pack(letter, len(data)), data]


def _shape(shape: tuple[int, ...]) -> list[bytes]:
    return [_LENGTH.pack(b"t", len(shape)), *(part for n in shape for part in _scalar("", n, ""))]


def decoded(data: bytes) -> Any:
    """Return what `encoded` was given; of subclasses of the plain types there are none.

    Args:
        data: the bytes; what follows the value is left.

    Raises:
        ProcessGroupError: they are damaged.
    """
    try:
        return _decoded(memoryview(data))
    except (struct.error, ValueError, KeyError, IndexError, TypeError, OverflowError) as error:
        raise ProcessGroupError(f"the bytes of an object are damaged: {error}") from error


def _decoded(data: memoryview) -> Any:
    at = 0
    open_ones: list[tuple[bytes, int, list[Any]]] = [(b"t", 1, [])]
    while True:
        letter, length, items = open_ones[-1]
        if len(items) == length:
            open_ones.pop()
            if not open_ones:
                return items[0]
            open_ones[-1][2].append(_built(letter, items))
            continue
        letter, length = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size
        if letter in b"ltszdax":
            if length > len(data):
                raise ValueError(f"{length} values in {len(data)} bytes")
            open_ones.append((letter, length, []))
            continue
        if at + length > len(data):
            raise ValueError(f"{length} bytes wanted")
        items.append(_read(letter, bytes(data[at : at + length])))
        at += length


def _read(letter: bytes, data: bytes) -> Any:
    match letter:
        case b"n":
            return None
        case b"T" | b"F":
            return letter == b"T"
        case b"i":
            return int.from_bytes(data, "big", signed=True)
        case b"f":
            return struct.unpack("!d", data)[0]
        case b"c":
            return complex(*struct.unpack("!dd", data))
        case b"u":
            return data.decode("utf-8", "surrogatepass")
        case b"b":
            return data
        case b"B":
            return bytearray(data)
        case b"y":
            return dtype_of(data.decode())
    raise ValueError(f"kind {letter!r}")


def _built(letter: bytes, items: list[Any]) -> Any:
    if letter == b"a":
        dtype, shape, data = items
        return np.frombuffer(bytearray(data), np.dtype(dtype)).reshape(shape)
    if letter == b"x":
        dtype, shape, data = items
        tensor = lt.empty(shape, dtype=dtype, device="cpu")
        tensor.array.flat.bytes_view()[:] = np.frombuffer(data, np.uint8)
        return tensor
    return _MADE[letter](items)
