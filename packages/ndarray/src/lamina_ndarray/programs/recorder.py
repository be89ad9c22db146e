"""Recorder: the kernel calls of a block, each with what memory its operands lie in, so that a program can make them again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from math import prod
from threading import get_ident
from typing import Any, ClassVar, NamedTuple

import numpy as np

from lamina_flatarray import FlatArray, Strided
from lamina_flatarray.backends.kernel_table import KernelTable, tables
from lamina_flatarray.instruments import Instrument, Watched
from lamina_flatarray.random import Generator

__all__ = ["Call", "Effect", "Numbers", "Operand", "Recorder", "Storage", "Unrepeatable", "mapped", "moved", "operands_in",
           "renumbered"]  # fmt: skip


class Unrepeatable(Exception):
    """What a function did cannot be done again by its kernel calls alone; the message says why."""


class Storage:
    """Memory that recorded calls read or write.

    Attributes:
        number: its place among the storages of a recording.
        kernels: the table of an array in it.
        allocated: whether it was made while the recorder looked on.
        written: whether any call wrote it.
        is_fixed: whether its items come of nothing but numbers of Python, so that every call has the same.
        nbytes: how many bytes of it the calls reach.
        numbers: the bytes that Python wrote into it when it was made; None for other memory.
    """

    __slots__ = ("allocated", "is_fixed", "kernels", "nbytes", "number", "numbers", "written")

    def __init__(self, number: int, kernels: KernelTable, allocated: bool) -> None:
        self.number = number
        self.kernels = kernels
        self.allocated = self.is_fixed = allocated
        self.written = False
        self.nbytes = 0
        self.numbers: bytes | None = None


class Operand(NamedTuple):
    """An operand of a call: which storage, from which byte on, how many items of which table, in which layout."""

    storage: int
    offset: int
    size: int
    kernels: KernelTable
    layout: Any
    plain: bool  # an array with slots of its own, not a `Strided`


class Numbers:
    """A NumPy array among the parameters of a call, which is compared by its bytes."""

    __slots__ = ("array",)

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Numbers):
            return NotImplemented
        mine, theirs = self.array, other.array
        return mine.dtype == theirs.dtype and mine.shape == theirs.shape and mine.tobytes() == theirs.tobytes()

    __hash__ = None  # type: ignore[assignment]  # it is compared, never looked up


class Effect:
    """What a call does that is no kernel's; it stands in the place of the table."""

    __slots__ = ()

    joins: ClassVar[bool] = False
    """Whether calls of its class that follow one another are done as one."""

    @property
    def writes(self) -> bool:
        """Whether it may write items of arrays that are there before the run."""
        return True


class Call(NamedTuple):
    """One kernel call. Where operands stood in it, `Operand` stands."""

    op: str
    kernels: Any  # its table; of a fused call, a dict; an `Effect`
    out: Any
    inputs: tuple[Any, ...]
    params: dict[str, Any]


def operands_in(*values: Any) -> Iterator[Operand]:
    """The operands among values, also those in lists, tuples and dicts."""
    rest: list[Any] = list(values)
    while rest:
        value = rest.pop()
        if isinstance(value, Operand):
            yield value
        elif isinstance(value, (list, tuple)):
            rest.extend(value)
        elif isinstance(value, dict):
            rest.extend(value.values())


def moved(call: Call) -> int:
    """The bytes of the operands of a call, each once; items that are repeated count once, too.

    Args:
        call: the call.
    """
    return sum(
        x.kernels.itemsize * prod(n for n, stride in zip(x.layout.shape, x.layout.strides, strict=True) if stride)
        for x in {*operands_in(call.out, call.inputs, call.params)}
    )


def renumbered(call: Call, place: Mapping[int, int]) -> Call:
    """Return a call whose operands lie in storages of other numbers.

    Args:
        call: the call.
        place: from the number that a storage has to that which it gets.
    """

    def moved(value: Any) -> Any:
        return value._replace(storage=place[value.storage]) if isinstance(value, Operand) else value

    return Call(call.op, call.kernels, mapped(call.out, moved), mapped(call.inputs, moved), mapped(call.params, moved))


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """A value in which `change` was applied to all that is no list, tuple or dict."""
    if isinstance(value, list):
        return [mapped(part, change) for part in value]
    if type(value) is tuple:
        return tuple([mapped(part, change) for part in value])
    if isinstance(value, dict):
        return {name: mapped(part, change) for name, part in value.items()}
    return change(value)


class Recorder(Instrument):
    """Writes down the kernel calls that a thread makes while it is installed.

    Attributes:
        calls: the calls in order; what a kernel calls itself is not among them.
        storages: the memory that they met.
        within: whether a kernel is running, so that what is read then is no read of the program's.
        thread: whose calls these are.
        trouble: why the calls cannot be made again; None as far as they can.
        kinds_of_memory: the classes of what the tables gave out.
    """

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.storages: list[Storage] = []
        self.within = False
        self.thread = get_ident()
        self.trouble: str | None = None
        self.kinds_of_memory: set[type] = set()
        self._numbers: dict[int, int] = {}  # by the identity of memory
        self._allocated: set[int] = set()

    def call_entry(self, entry: Watched, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Write a call down, and make it."""
        op, kernel = entry.op, entry.inner
        if self.within:
            return kernel(out, *inputs, **params)
        read = (mapped(inputs, self._noted), mapped(params, self._noted))
        written = mapped(out, self._noted)
        draws = any(isinstance(value, Generator) for value in params.values())
        is_fixed = not draws and all(self.storages[x.storage].is_fixed for x in operands_in(read))
        for operand in operands_in(written):
            storage = self.storages[operand.storage]
            storage.written = True
            storage.is_fixed = storage.is_fixed and is_fixed
        self.calls.append(Call(op, entry.kernels, written, *read))
        self.within = True
        try:
            result = kernel(out, *inputs, **params)
        finally:
            self.within = False
        if result is not None:
            self.trouble = self.trouble or f"{op}: its result is a number that the program sees"
        return result

    def number_of(self, flat: FlatArray) -> int:
        """The number of the storage of a flat array, which is a new one where it was not met yet."""
        at = id(flat.memory)
        number = self._numbers.get(at)
        if number is None:
            number = self._numbers[at] = len(self.storages)
            self.storages.append(Storage(number, flat.kernels, at in self._allocated))
        return number

    def is_fixed(self, flat: FlatArray) -> bool:
        """Whether the items of a flat array come of nothing but numbers of Python."""
        number = self._numbers.get(id(flat.memory))
        return id(flat.memory) in self._allocated if number is None else self.storages[number].is_fixed

    def operand(self, value: Any) -> Operand:
        """An array as an operand of the recorded calls."""
        flat = value.flat
        if type(flat.kernels) is not KernelTable:
            self.trouble = self.trouble or "a function is mapped over batches"
        storage = self.storages[self.number_of(flat)]
        storage.nbytes = max(storage.nbytes, flat.offset + flat.size * flat.dtype.itemsize)
        return Operand(storage.number, flat.offset, flat.size, flat.kernels, value.layout, not isinstance(value, Strided))

    @contextmanager
    def seeing_allocations(self) -> Iterator[None]:
        """See what memory the tables give out in a `with` block, so that memory that takes the place of freed one is told from it."""
        watched = [(table, table.allocate) for table in tables.values()]
        for table, allocate in watched:
            table.allocate = partial(self._allocate, allocate)
        try:
            yield
        finally:
            for table, allocate in watched:
                table.allocate = allocate

    def _allocate(self, allocate: Callable[[int], Any], nbytes: int) -> Any:
        memory = allocate(nbytes)
        self.kinds_of_memory.add(type(memory))
        if get_ident() == self.thread:
            self.made(memory)
        else:
            self._numbers.pop(id(memory), None)
            self._allocated.discard(id(memory))
        return memory

    def made(self, memory: Any) -> None:
        """Take memory as new, which may have the identity of memory that is gone."""
        self._numbers.pop(id(memory), None)
        self._allocated.add(id(memory))

    def _noted(self, value: Any) -> Any:
        if hasattr(value, "layout") and hasattr(value, "flat"):
            return self.operand(value)
        return Numbers(value) if isinstance(value, np.ndarray) else value
