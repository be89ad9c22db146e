"""An interpreter of the pickle opcodes that `torch.save` writes, which can make nothing but what a closed list names.

The opcodes are those of Python's `pickletools`, protocols 2 to 5. There is no import, no attribute look-up and no call of
anything that the program brings: a name is a key of `closed_list.NAMES`, and what stands there checks its arguments. Time
and memory are linear in the length of the program: nothing is copied more often than it was written down, and nothing
recurses.
"""

from __future__ import annotations

import struct
from collections import Counter, OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from lamina_flatarray import CheckpointError, LaminaError

from .closed_list import NAMES, Argument, Arguments, Builder, StorageType
from .keys import Keys
from .numpy_values import NumpyDType, set_array
from .own_objects import Made, put_state
from .safe_globals import allowed
from .storages import View

__all__ = ["run"]

FindsStorage = Callable[[StorageType, str, str, int, View], Argument]

_OPCODES: Final[dict[int, Callable[[_Machine], None]]] = {}
_STOP: Final = ord(".")
_LONGEST_KEY: Final = 100
_COPYING_COSTS: Final[dict[type, int]] = {str: 1, bytes: 1, bytearray: 1, list: 2, tuple: 2, dict: 2}  # of each part
_FAULTS: Final = (TypeError, ValueError, LookupError, OverflowError, RecursionError, struct.error, LaminaError)


def run(program: bytes, name: str, storage: FindsStorage, begin: int = 0) -> tuple[Any, int]:
    """What a pickle program makes, and where it ends.

    Args:
        program: the whole pickle, and what may be before and behind it.
        name: what errors call the file.
        storage: from a storage's type, key, location, number of items and view to what tensors are made of.
        begin: where the pickle begins.

    Raises:
        CheckpointError: the program is damaged, or names what is not on the list.
    """
    machine = _Machine(program, storage, begin)
    try:
        while (opcode := machine.byte()) != _STOP:
            if opcode not in _OPCODES:
                raise CheckpointError(f"opcode {bytes([opcode])!r} is none that torch.save writes")
            _OPCODES[opcode](machine)
        return machine.pop_value(), machine.at
    except _FAULTS as error:
        raise CheckpointError(f"load: {name}, at byte {machine.at} of its pickle: {error!s:.600}") from error


class _Machine:
    """A stack of values, where its marks are, and values by number (the memo)."""

    def __init__(self, program: bytes, storage: FindsStorage, begin: int) -> None:
        self.program = program
        self.storage = storage
        self.at = begin
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: dict[int, Any] = {}
        self.copied = 0
        self.as_key = Keys()
        self.made: dict[int, Any] = {}  # by id, what is of the program's own classes

    # -- the program ----------------------------------------------------------------------------------------------------

    def take(self, count: int) -> bytes:
        begin, self.at = self.at, self.at + count
        if self.at > len(self.program):
            self.at = begin
            raise CheckpointError(f"cut off: {count} wanted of the bytes that follow, of which there are {len(self.program) - begin}")
        return self.program[begin : self.at]

    def byte(self) -> int:
        return self.take(1)[0]

    def number(self, count: int) -> int:
        return int.from_bytes(self.take(count), "little")

    def line(self) -> str:
        end = self.program.find(b"\n", self.at, self.at + 1000)
        if end < 0:
            raise CheckpointError("cut off within a name")
        return self.take(end + 1 - self.at)[:-1].decode()

    # -- the stack ------------------------------------------------------------------------------------------------------

    def top(self) -> Any:
        if len(self.stack) <= (self.marks[-1] if self.marks else 0):
            raise CheckpointError("the stack has no value where one is wanted")
        return self.stack[-1]

    def pop(self) -> Any:
        self.top()
        return self.stack.pop()

    def pop_value(self) -> Any:
        """A value that may be part of the result."""
        return _checked([self.pop()])[0]

    def pop_marked(self) -> list[Any]:
        if not self.marks:
            raise CheckpointError("the stack has no mark where one is wanted")
        mark = self.marks.pop()
        values = self.stack[mark:]
        del self.stack[mark:]
        return values

    def pop_values(self) -> list[Any]:
        return _checked(self.pop_marked())

    def count_copied(self, count: int) -> None:
        """What is written down once may be copied twice: text to bytes, and these to an array."""
        self.copied += count
        if self.copied > 2 * len(self.program):
            raise CheckpointError("it copies values that it has once, to make them many")

    def put_made(self, obj: Any) -> None:
        self.made[id(obj)] = obj
        self.stack.append(obj)

    def top_of(self, *kinds: type) -> Any:
        """The top value, which must be of one of these types, not of one derived from them; or of a class of the program's own."""
        value = self.top()
        if type(value) not in kinds and id(value) not in self.made:
            raise CheckpointError(f"{type(value).__name__} found; {' or '.join(k.__name__ for k in kinds)} wanted")
        return value


def _checked(values: list[Any]) -> list[Any]:
    for value in values:
        if isinstance(value, Argument):  # it is not shown: of tuples in tuples, the text could be endless
            raise CheckpointError("a name, a storage or a tuple of such, where only a value may stand")
    return values


def _opcode(code: str) -> Callable[[Callable[[_Machine], None]], Callable[[_Machine], None]]:
    def put(function: Callable[[_Machine], None]) -> Callable[[_Machine], None]:
        _OPCODES[ord(code)] = function
        return function

    return put


def _opcodes(alike: dict[str, Any], function: Callable[[Any, _Machine], None]) -> None:
    """Opcodes that differ in one thing, which the function is given."""
    for code, value in alike.items():
        _opcode(code)(partial(function, value))


# -- numbers and texts --------------------------------------------------------------------------------------------------

_opcodes({"N": None, "\x88": True, "\x89": False, ")": ()}, lambda value, m: m.stack.append(value))
_opcodes({"]": list, "}": dict, "\x8f": set}, lambda kind, m: m.stack.append(kind()))
_opcodes({"K": 1, "M": 2}, lambda width, m: m.stack.append(m.number(width)))
_opcodes({"C": 1, "B": 4, "\x8e": 8}, lambda width, m: m.stack.append(m.take(m.number(width))))
_opcodes({"\x8c": 1, "X": 4, "\x8d": 8}, lambda width, m: m.stack.append(m.take(m.number(width)).decode("utf-8", "surrogatepass")))
_opcodes({"\x8a": 1, "\x8b": 4}, lambda width, m: m.stack.append(_signed(m.take(m.number(width)))))


def _signed(data: bytes) -> int:
    return int.from_bytes(data, "little", signed=True)


@_opcode("J")
def _binint(m: _Machine) -> None:
    m.stack.append(_signed(m.take(4)))


@_opcode("G")
def _binfloat(m: _Machine) -> None:
    m.stack.append(struct.unpack(">d", m.take(8))[0])


@_opcode("\x96")
def _bytearray8(m: _Machine) -> None:
    m.stack.append(bytearray(m.take(m.number(8))))


# -- containers ---------------------------------------------------------------------------------------------------------


def _put_tuple(m: _Machine, values: list[Any]) -> None:
    of_arguments = any(isinstance(value, Argument) for value in values)
    m.stack.append(Arguments(values) if of_arguments else tuple(values))


@_opcode("t")
def _tuple(m: _Machine) -> None:
    _put_tuple(m, m.pop_marked())


_opcodes({"\x85": 1, "\x86": 2, "\x87": 3}, lambda count, m: _put_tuple(m, [m.pop() for _ in range(count)][::-1]))


@_opcode("a")
def _append(m: _Machine) -> None:
    value = m.pop_value()
    m.top_of(list).append(value)


@_opcode("e")
def _appends(m: _Machine) -> None:
    values = m.pop_values()
    m.top_of(list).extend(values)


@_opcode("s")
def _set_item(m: _Machine) -> None:
    value, key = m.pop_value(), m.as_key(m.pop_value())
    m.top_of(dict, OrderedDict, Counter)[key] = value


@_opcode("u")
def _set_items(m: _Machine) -> None:
    values = m.pop_values()
    if len(values) % 2:
        raise CheckpointError("a key without a value")
    target = m.top_of(dict, OrderedDict, Counter)
    for i in range(0, len(values), 2):
        target[m.as_key(values[i])] = values[i + 1]


@_opcode("\x90")
def _add_items(m: _Machine) -> None:
    values = m.pop_values()
    m.top_of(set).update([m.as_key(value) for value in values])


@_opcode("\x91")
def _frozen_set(m: _Machine) -> None:
    m.stack.append(frozenset([m.as_key(value) for value in m.pop_values()]))


# -- the stack and the memo ---------------------------------------------------------------------------------------------


@_opcode("(")
def _mark(m: _Machine) -> None:
    m.marks.append(len(m.stack))


@_opcode("0")
def _pop(m: _Machine) -> None:
    m.pop()


@_opcode("1")
def _pop_mark(m: _Machine) -> None:
    m.pop_marked()


def _remember(m: _Machine, number: int) -> None:
    m.memo[number] = m.top()


def _recall(m: _Machine, number: int) -> None:
    if number not in m.memo:
        raise CheckpointError(f"value number {number} is asked for, but was not kept")
    m.stack.append(m.memo[number])


_opcodes({"q": 1, "r": 4}, lambda width, m: _remember(m, m.number(width)))
_opcodes({"h": 1, "j": 4}, lambda width, m: _recall(m, m.number(width)))


@_opcode("\x94")
def _memoize(m: _Machine) -> None:
    _remember(m, len(m.memo))


# -- the program itself -------------------------------------------------------------------------------------------------


@_opcode("\x80")
def _protocol(m: _Machine) -> None:
    version = m.byte()
    if not 2 <= version <= 5:
        raise CheckpointError(f"pickle protocol {version}; those from 2 to 5 are read")


@_opcode("\x95")
def _frame(m: _Machine) -> None:
    m.number(8)  # how much a reader may fetch at once: it is all here


# -- names and what they make -------------------------------------------------------------------------------------------


def _named(m: _Machine, module: str, name: str) -> None:
    full = f"{'builtins' if module == '__builtin__' else module}.{name}"
    if full not in NAMES:
        if (function := allowed(full)) is not None:
            m.stack.append(Made(function))
            return
        raise CheckpointError(
            f"it names {full[:200]!a}, which is not on the closed list of what a file may hold: tensors, numbers, texts, and "
            "containers of them. Nothing else is made, with weights_only=False no more than with True, unless the program lets files "
            "name it: torch.serialization.add_safe_globals. Save state_dict() instead of the object, and numbers and lists "
            "instead of what other libraries make of them"
        )
    m.stack.append(NAMES[full])


@_opcode("c")
def _global(m: _Machine) -> None:
    _named(m, m.line(), m.line())


@_opcode("\x93")
def _stack_global(m: _Machine) -> None:
    name, module = m.pop(), m.pop()
    if type(name) is not str or type(module) is not str:
        raise CheckpointError("a name that is no text")
    _named(m, module, name)


def _given(arguments: tuple[Any, ...]) -> list[Any]:
    """Arguments for what the program lets files name; among them may be such classes and functions themselves."""
    return _checked([argument.function if isinstance(argument, Made) else argument for argument in arguments])


@_opcode("R")
def _reduce(m: _Machine) -> None:
    arguments = m.pop()
    builder = m.pop()
    if isinstance(builder, Made) and isinstance(arguments, tuple):
        m.put_made(builder.function(*_given(arguments)))
        return
    if not isinstance(builder, Builder) or not isinstance(arguments, tuple):
        raise CheckpointError(f"{type(builder).__name__} cannot be called")
    if builder.copies:  # what the memo keeps could be copied again and again, by a few bytes each
        m.count_copied(sum(len(argument) * _COPYING_COSTS[type(argument)] for argument in arguments if type(argument) in _COPYING_COSTS))
    if builder.hashes:
        for argument in arguments:
            for item in argument if type(argument) is list else ():
                m.as_key(item)
    m.stack.append(builder.build(*arguments))


@_opcode("\x81")
def _new(m: _Machine) -> None:
    arguments, made = m.pop(), m.pop()
    if not isinstance(made, Made) or not isinstance(made.function, type) or not isinstance(arguments, tuple):
        raise CheckpointError(f"{type(made).__name__} is no class that the program lets files name")
    m.put_made(made.function.__new__(made.function, *_given(arguments)))


@_opcode("b")
def _build(m: _Machine) -> None:
    state = m.pop()
    if m.stack and id(m.stack[-1]) in m.made:
        put_state(m.stack[-1], state)
        return
    target = m.top_of(OrderedDict, NumpyDType, np.ndarray)
    if isinstance(target, NumpyDType):
        target.set_state(state)
        return
    if isinstance(target, np.ndarray):
        m.count_copied(set_array(target, state))
        return
    if type(state) is not dict or list(state) != ["_metadata"]:
        raise CheckpointError("it gives an OrderedDict attributes; only a state dict's _metadata is read")
    target._metadata = state["_metadata"]


@_opcode("Q")
def _persistent(m: _Machine) -> None:
    pid = m.pop()
    if not isinstance(pid, tuple) or len(pid) not in (5, 6) or type(pid[0]) is not str or pid[0] != "storage":
        raise CheckpointError("it refers to something outside that is no storage")
    if not isinstance(pid[1], StorageType):
        raise CheckpointError("it refers to something outside that is no storage")
    _, kind, key, location, count, *views = pid
    if type(key) is not str or type(location) is not str or type(count) is not int or count < 0:
        raise CheckpointError("it describes a storage by what is no key, location and length")
    if len(key) > _LONGEST_KEY:  # it is looked up, and hashed, each time that a tensor names it
        raise CheckpointError(f"it names a storage by {len(key)} characters; torch.save writes numbers")
    view = views[0] if views else None  # which only files from before 1.6 have
    if view is not None and (type(view) is not tuple or len(view) != 3 or any(type(n) is not int or n < 0 for n in view[1:])):
        raise CheckpointError("it describes a view of a storage by what is no key, offset and length")
    m.stack.append(m.storage(kind, key, location, count, view))
