"""A pickle program of tensors and plain values, of the opcodes that PyTorch's `weights_only=True` knows (protocol 2)."""

from __future__ import annotations

import struct
from collections import Counter, OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from lamina_flatarray import CheckpointError, Device, DType, FlatArray
from lamina_ndarray import copy as copied
from lamina_tensor import Size, Tensor
from lamina_tensor.devices.memory_formats import layout

from ..parameter import Parameter
from .closed_list import STORAGE_NAMES
from .keys import as_key
from .numpy_values import NUMERIC, SCALAR_TYPES
from .own_objects import is_of_a_program, named, taken_apart

__all__ = ["pickled"]

_LONGEST_INT: Final = 255


def pickled(obj: Any, before_1_6: bool = False) -> tuple[bytes, list[FlatArray], list[int]]:
    """The program that makes `obj`, the storages that it refers to by number, and how wide it says that their items are.

    Args:
        obj: what to write.
        before_1_6: whether storages are described as in PyTorch's format before 1.6.

    Raises:
        CheckpointError: `obj` holds something that has no place in such a file.
    """
    writer = _Writer(before_1_6)
    writer.write(obj)
    return bytes(writer.out), writer.storages, writer.item_sizes


class _Writer:
    """The bytes so far, what is still to write (a stack, so that nothing recurses), and what has a number (the memo)."""

    def __init__(self, before_1_6: bool) -> None:
        self.end_of_storage = b"NtQ" if before_1_6 else b"tQ"
        self.untyped = ("torch", "ByteStorage") if before_1_6 else ("torch.storage", "UntypedStorage")
        self.item_sizes: list[int] = []  # of storages, as they are first mentioned
        self.out = bytearray(b"\x80\x02")
        self.todo: list[tuple[Callable[[Any], None], Any]] = []
        self.numbers: dict[Any, int] = {}  # of texts and names by themselves, of other objects by id
        self.kept: list[Any] = []  # so that no id is given twice
        self.open: set[int] = set()
        self.storages: list[FlatArray] = []
        self.storage_of: dict[int, tuple[int, DType]] = {}

    def write(self, obj: Any) -> None:
        self.todo.append((self.write_value, obj))
        while self.todo:
            step, value = self.todo.pop()
            step(value)
        self.out += b"."

    def emit(self, code: bytes) -> None:
        self.out += code

    # -- the memo -------------------------------------------------------------------------------------------------------

    def known(self, key: Any) -> bool:
        number = self.numbers.get(key)
        if number is None:
            return False
        self.out += b"h" + bytes([number]) if number < 256 else b"j" + number.to_bytes(4, "little")
        return True

    def remember(self, key: Any, obj: Any) -> None:
        number = self.numbers[key] = len(self.numbers)
        self.kept.append(obj)
        self.out += b"q" + bytes([number]) if number < 256 else b"r" + number.to_bytes(4, "little")

    # -- values ---------------------------------------------------------------------------------------------------------

    def write_value(self, obj: Any) -> None:
        write = _WRITERS.get(type(obj))
        if write is None and isinstance(obj, Tensor) and obj.is_sparse:
            write = _Writer.write_sparse
        if write is None:
            if not is_of_a_program(obj):
                raise CheckpointError(_refusal(obj))
            write = _Writer.write_object
        if type(obj) in _UNNUMBERED or not self.known(id(obj)):
            write(self, obj)

    def write_name(self, module: str, name: str) -> None:
        key = (module, name)
        if not self.known(key):
            self.out += f"c{module}\n{name}\n".encode()
            self.remember(key, None)

    def write_int(self, n: int) -> None:
        if 0 <= n < 256:
            self.out += b"K" + bytes([n])
        elif 0 <= n < 65536:
            self.out += b"M" + n.to_bytes(2, "little")
        elif -(1 << 31) <= n < 1 << 31:
            self.out += b"J" + n.to_bytes(4, "little", signed=True)
        else:
            length = n.bit_length() // 8 + 1
            if length > _LONGEST_INT:
                raise CheckpointError(f"save: an int of {length} bytes given; PyTorch reads those of at most {_LONGEST_INT}")
            self.out += b"\x8a" + bytes([length]) + n.to_bytes(length, "little", signed=True)

    def write_float(self, x: float) -> None:
        self.out += b"G" + struct.pack(">d", x)

    def write_str(self, text: str) -> None:
        if not self.known(text):
            encoded = text.encode("utf-8", "surrogatepass")
            if len(encoded) >= 1 << 32:
                raise CheckpointError(f"save: a text of {len(encoded)} bytes given; it wants fewer than 2**32")
            self.out += b"X" + len(encoded).to_bytes(4, "little") + encoded
            self.remember(text, None)

    def write_bytes(self, data: bytes) -> None:
        """As text of latin-1, for which protocol 2 has an opcode."""
        self.write_name("_codecs", "encode")
        encoded = data.decode("latin1").encode()
        self.out += b"X" + len(encoded).to_bytes(4, "little") + encoded
        self.write_str("latin1")
        self.out += b"\x86R"

    def write_numbered_bytes(self, data: bytes) -> None:
        self.write_bytes(data)
        self.remember(id(data), data)

    def write_bytearray(self, data: bytearray) -> None:
        self.write_name("__builtin__", "bytearray")
        self.write_bytes(bytes(data))
        self.out += b"\x85R"
        self.remember(id(data), data)

    def write_complex(self, z: complex) -> None:
        self.write_name("__builtin__", "complex")
        self.write_float(z.real)
        self.write_float(z.imag)
        self.out += b"\x86R"

    def write_dtype(self, dtype: DType) -> None:
        self.write_name("torch", dtype.name)

    def write_device(self, device: Device) -> None:
        self.write_name("torch", "device")
        self.write_str(device.type)
        if device.index is None:
            self.out += b"\x85R"
        else:
            self.write_int(device.index)
            self.out += b"\x86R"

    def write_layout(self, found: layout) -> None:
        self.write_name("torch.serialization", "_get_layout")
        self.write_str(f"torch.{str(found).removeprefix('lamina.')}")
        self.out += b"\x85R"

    def write_lengths(self, lengths: tuple[int, ...]) -> None:
        self.out += b"("
        for n in lengths:
            self.write_int(n)
        self.out += b"t"

    def write_size(self, size: Size) -> None:
        self.write_name("torch", "Size")
        self.write_lengths(size)
        self.out += b"\x85R"
        self.remember(id(size), size)

    # -- containers: an opening now, the parts and the closing later -----------------------------------------------------

    def later(self, parts: Any, close: bytes) -> None:
        parts = list(parts)
        if parts:
            self.out += b"("
            self.todo.append((self.emit, close))
            self.todo += [(self.write_value, part) for part in reversed(parts)]

    def write_list(self, items: list[Any]) -> None:
        self.out += b"]"
        self.remember(id(items), items)
        self.later(items, b"e")

    def write_dict(self, items: dict[Any, Any]) -> None:
        self.out += b"}"
        self.remember(id(items), items)
        self.write_pairs(items)

    def write_pairs(self, items: dict[Any, Any]) -> None:
        self.later([part for key, value in items.items() for part in (as_key(key), value)], b"u")

    def write_ordered(self, items: OrderedDict[Any, Any]) -> None:
        self.write_name("collections", "OrderedDict")
        self.out += b")R"
        self.remember(id(items), items)
        if "_metadata" in items.__dict__:  # of a module's state_dict
            self.todo.append((self.emit, b"b"))
            self.todo.append((self.write_value, {"_metadata": items.__dict__["_metadata"]}))
        self.write_pairs(items)

    def write_counter(self, counts: Counter[Any]) -> None:
        self.write_name("collections", "Counter")
        self.out += b"}"
        self.todo.append((lambda counts: self.remember(id(counts), counts), counts))
        self.todo.append((self.emit, b"\x85R"))
        self.write_pairs(counts)

    def write_set(self, items: set[Any]) -> None:
        self.write_name("__builtin__", "set")
        self.out += b"]"
        self.todo.append((lambda items: self.remember(id(items), items), items))
        self.todo.append((self.emit, b"\x85R"))
        self.later([as_key(item) for item in items], b"e")

    def write_tuple(self, items: tuple[Any, ...]) -> None:
        if not items:
            self.out += b")"
            return
        if id(items) in self.open:
            raise CheckpointError("save: a tuple holds itself, by a container in it; PyTorch does not read that")
        self.open.add(id(items))
        self.todo.append((self.close_tuple, items))
        self.later(items, b"t")

    def close_tuple(self, items: tuple[Any, ...]) -> None:
        self.open.discard(id(items))
        self.remember(id(items), items)

    # -- objects of a program's own -----------------------------------------------------------------------------------------

    def write_object(self, obj: Any) -> None:
        if (name := named(obj)) is not None:
            self.write_name(*name)
            return
        taken = taken_apart(obj)
        if taken is None:
            raise CheckpointError(_refusal(obj))
        if id(obj) in self.open:
            raise CheckpointError(f"save: a {type(obj).__name__} is among what it is made of; PyTorch does not read that")
        self.open.add(id(obj))
        self.write_name(*taken.name)
        self.todo += [(self.emit, b"b"), (self.write_value, taken.state)] if taken.state is not None else []
        self.todo.append((partial(self.later, close=b"u"), [part for pair in taken.pairs for part in pair]))
        self.todo.append((partial(self.later, close=b"e"), taken.items))
        self.todo.append((self.close_object, obj))
        self.todo.append((self.emit, b"\x81" if taken.is_new else b"R"))
        self.todo.append((self.write_tuple, taken.arguments))

    def close_object(self, obj: Any) -> None:
        self.open.discard(id(obj))
        self.remember(id(obj), obj)

    # -- NumPy's --------------------------------------------------------------------------------------------------------

    def write_numpy_dtype(self, dtype: np.dtype[Any]) -> None:
        code = dtype.str[1:]
        if code not in NUMERIC or dtype.metadata:
            raise CheckpointError(f"save: a NumPy array of dtype {dtype} given; only numeric ones are written, without metadata")
        self.write_name("numpy", "dtype")
        self.write_str(code)
        self.out += b"\x89\x88\x87R(K\x03"
        self.write_str(dtype.str[0])
        self.out += b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb"

    def write_array(self, array: np.ndarray[Any, Any]) -> None:
        self.write_name("numpy._core.multiarray", "_reconstruct")
        self.write_name("numpy", "ndarray")
        self.out += b"K\0\x85"
        self.write_bytes(b"b")
        self.out += b"\x87R"
        self.remember(id(array), array)
        self.out += b"(K\x01"
        self.write_lengths(array.shape)
        self.write_numpy_dtype(array.dtype)
        self.write_flag(array.flags.fnc)
        self.write_bytes(array.tobytes("F" if array.flags.fnc else "C"))
        self.out += b"tb"

    def write_scalar(self, scalar: np.generic) -> None:
        self.write_name("numpy._core.multiarray", "scalar")
        self.write_numpy_dtype(scalar.dtype)
        self.write_bytes(scalar.tobytes())
        self.out += b"\x86R"
        self.remember(id(scalar), scalar)

    # -- tensors --------------------------------------------------------------------------------------------------------

    def write_tensor(self, t: Tensor) -> None:
        self.write_view(t, t.requires_grad)
        self.remember(id(t), t)

    def write_parameter(self, p: Parameter) -> None:
        self.write_name("torch._utils", "_rebuild_parameter")
        self.write_view(p, False)
        self.write_flag(p.requires_grad)
        self.write_no_hooks()
        self.out += b"\x87R"
        self.remember(id(p), p)

    def write_sparse(self, s: Any) -> None:
        """Coordinates and values; as in PyTorch, a file does not say whether gradients are wanted."""
        self.write_name("torch._utils", "_rebuild_sparse_tensor")
        self.write_layout(s.layout)
        self.out += b"("
        self.write_view(s.coordinates, False)
        self.write_view(s.entries, False)
        self.write_size(s.shape)
        self.write_flag(s.coalesced)
        self.out += b"t\x86R"
        self.remember(id(s), s)

    def write_view(self, t: Tensor, requires_grad: bool) -> None:
        """A storage, and where in it the tensor's items are."""
        array = t.array
        if any(step < 0 for step in array.layout.strides):
            array = copied(array)
        flat, at = array.flat, array.layout
        if not flat.backend.holds_items:
            self.write_name("torch._utils", "_rebuild_meta_tensor_no_storage")
            self.out += b"("
            self.write_dtype(flat.dtype)
            self.write_lengths(at.shape)
            self.write_lengths(at.strides)
            self.write_flag(requires_grad)
            self.out += b"tR"
            return
        whole: FlatArray = getattr(flat, "whole", flat)
        number, read_as = self.storage(whole, flat.dtype)
        typed = STORAGE_NAMES.get(read_as)
        of_its_own = typed is None or read_as is not flat.dtype
        self.write_name("torch._utils", "_rebuild_tensor_v3" if of_its_own else "_rebuild_tensor_v2")
        self.out += b"(("
        self.write_str("storage")
        self.write_name(*(self.untyped if of_its_own or typed is None else ("torch", typed)))
        self.write_str(str(number))
        self.write_str(str(whole.device))
        width = 1 if of_its_own else flat.itemsize
        self.item_sizes += [width] * (number == len(self.item_sizes))
        self.write_int(whole.nbytes // width)
        self.out += self.end_of_storage
        begin, rest = divmod(flat.offset - whole.offset, flat.itemsize)
        if rest:
            raise CheckpointError(f"save: a tensor begins {flat.offset - whole.offset} bytes into memory that it shares; clone() it")
        self.write_int(begin + at.offset)
        self.write_lengths(at.shape)
        self.write_lengths(at.strides)
        self.write_flag(requires_grad)
        self.write_no_hooks()
        if of_its_own:
            self.write_dtype(flat.dtype)
        self.out += b"tR"

    def storage(self, whole: FlatArray, dtype: DType) -> tuple[int, DType]:
        """The number of a storage, and the dtype that it was first read as."""
        result = self.storage_of.get(id(whole))
        if result is None:
            result = self.storage_of[id(whole)] = (len(self.storages), dtype)
            self.storages.append(whole)
        return result

    def write_flag(self, on: bool) -> None:
        self.out += b"\x88" if on else b"\x89"

    def write_no_hooks(self) -> None:
        self.write_name("collections", "OrderedDict")
        self.out += b")R"


_WRITERS: Final[dict[type, Callable[[_Writer, Any], None]]] = {
    type(None): lambda w, _: w.emit(b"N"),
    bool: _Writer.write_flag,
    int: _Writer.write_int,
    float: _Writer.write_float,
    complex: _Writer.write_complex,
    str: _Writer.write_str,
    bytes: _Writer.write_numbered_bytes,
    bytearray: _Writer.write_bytearray,
    list: _Writer.write_list,
    tuple: _Writer.write_tuple,
    dict: _Writer.write_dict,
    OrderedDict: _Writer.write_ordered,
    Counter: _Writer.write_counter,
    set: _Writer.write_set,
    Size: _Writer.write_size,
    DType: _Writer.write_dtype,
    Device: _Writer.write_device,
    layout: _Writer.write_layout,
    Tensor: _Writer.write_tensor,
    Parameter: _Writer.write_parameter,
    np.ndarray: _Writer.write_array,
    **dict.fromkeys(SCALAR_TYPES, _Writer.write_scalar),
}
"""How values are written, by their type itself: of a derived type nobody knows what it adds."""

_UNNUMBERED: Final = frozenset({type(None), bool, int, float, complex, str, DType, Device, layout})


def _refusal(obj: Any) -> str:
    kind = type(obj)
    if hasattr(obj, "state_dict"):
        return f"save: a {kind.__name__} given; objects with code are not saved: save its state_dict(), which load_state_dict() takes"
    advice = "as a plain list, tuple, dict, number, text or tensor, it can be saved"
    return f"save: {kind.__module__}.{kind.__qualname__} given, which PyTorch's weights_only=True does not read; {advice}"
