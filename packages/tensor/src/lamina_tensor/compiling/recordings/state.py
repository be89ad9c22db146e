"""State: all that a function refers to beside its arguments, as it was once, and whether it still is."""

from __future__ import annotations

import dis
from array import array
from collections import deque
from collections.abc import Iterable
from functools import partial
from operator import is_
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from lamina_flatarray.twins import compiled
from lamina_ndarray.programs.recorder import Unrepeatable

from ...tensor_fields import AnyTensor
from .effects import Effects
from .own_code import is_own
from .trees import PLAIN

__all__ = ["ABSENT", "Identities", "Referring", "State", "contents", "everywhere", "same_items", "same_names", "same_tensors"]

_PLAIN: Final = (*PLAIN, BuiltinFunctionType, range)
_WRITTEN: Final = (*_PLAIN, np.generic)
_BUFFERS: Final[tuple[Any, ...]] = (np.ndarray, bytearray, array)
_OPAQUE: Final = {"logging", "threading", "multiprocessing", "concurrent", "asyncio", "weakref", "pluggy"}
"""Modules whose objects change by themselves, and say nothing to a computation."""
_MOST: Final = 100_000
_MOST_BYTES: Final = 65_536


_Mapping: TypeAlias = tuple[Any, tuple[Any, ...], tuple[Any, ...]]
"""A dict, or a class or an object in the stead of its attributes; its keys and its values."""


def same_items(rows: list[_Mapping]) -> bool:
    """Whether mappings have these very keys and values, in this order."""
    return all(len(mapping) == len(keys) and all(map(is_, mapping, keys)) and all(map(is_, mapping.values(), values))
        for mapping, keys, values in map(_readable, rows))  # fmt: skip


def same_names(rows: list[tuple[dict[Any, Any], Any, Any]]) -> bool:
    """Whether names stand for these very values."""
    return all(names[name] is value if name in names else False for names, name, value in rows)


def same_tensors(tensors: list[AnyTensor], arrays: list[Any], memories: list[Any], wanting: list[bool]) -> bool:
    """Whether tensors have these arrays, in these memories, want gradients as they did, and are leaves without hooks if they do."""
    return all(x.array is array and array.flat.memory is memory and x._requires_grad is wants
        and (not wants or (x._node is None and x.hooks is None))
        for x, array, memory, wants in zip(tensors, arrays, memories, wanting, strict=True))  # fmt: skip


if compiled is not None:
    same_items, same_names, same_tensors = compiled.same_items, compiled.same_names, compiled.same_tensors


def _readable(row: _Mapping) -> _Mapping:
    return row if isinstance(row[0], dict) else (vars(row[0]), *row[1:])


everywhere: Final[list[Any]] = []
"""What every function depends on; storeys above add what they have of that."""


class Referring:
    """An object of which only what it refers to matters, as it changes by itself.

    Attributes:
        refers_to: what it refers to.
    """

    refers_to: list[Any]


class Identities(NamedTuple):
    """What is compared by identity alone.

    Attributes:
        tensors, arrays, memories, wanting: tensors, what they had, and whether they wanted gradients.
        items: mappings with their keys and values.
        names: dicts with a name, and what it stood for.
        absent: dicts with a name that is not there.
        cells: of closures, and what they held.
    """

    tensors: list[AnyTensor]
    arrays: list[Any]
    memories: list[Any]
    wanting: list[bool]
    items: list[_Mapping]
    names: list[tuple[dict[str, Any], str, Any]]
    absent: list[tuple[dict[str, Any], str]]
    cells: list[tuple[CellType, Any]]


class State:
    """What was reached from some objects: attributes, items of containers, cells of closures, globals that code names, and tensors.

    Numbers and texts are compared as equals, buffers by their bytes, all else by identity. Classes and modules of lamina, NumPy and the
    standard library are not looked into.

    Args:
        roots: where to begin.
        codes: code that ran, each with its globals: what it names of them is looked at.
        closures: functions that ran: what they refer to is looked at.
        effects: what ran beside: of the owners of actions only a part is looked at.

    Attributes:
        tensors: the tensors that were reached.

    Raises:
        Unrepeatable: more is reached than can be looked at before each call; or an action's owner is not.
    """

    def __init__(
        self, roots: Iterable[Any], codes: dict[CodeType, dict[str, Any]], closures: Iterable[FunctionType], effects: Effects
    ) -> None:
        self.tensors: list[AnyTensor] = []
        self._seen: dict[int, Any] = {}
        self._apart = {id(x.owner): x for x in effects.actions if x.looked_at is not None} if effects.is_apart else {}
        leaves = {id(leaf) for leaf in effects.leaves}
        self._rest: list[Any] = [*roots, *everywhere, *closures]
        self._dicts: list[tuple[Any, tuple[Any, ...], tuple[Any, ...]]] = []  # a mapping, its keys, its values
        self._empty: list[Any] = []
        self._sequences: list[tuple[Any, tuple[Any, ...]]] = []
        self._named: list[tuple[dict[str, Any], str, Any]] = []
        self._names: set[tuple[int, str]] = set()
        self._absent: list[tuple[dict[str, Any], str]] = []
        self._buffers: list[tuple[Any, bytes]] = []
        self._cells: list[tuple[CellType, Any]] = []
        self._slots: list[tuple[Any, str, Any]] = []
        for code, names in codes.items():
            self._name(code, names)
        while self._rest:
            value = self._rest.pop()
            if type(value) not in _PLAIN and id(value) not in self._seen:
                self._seen[id(value)] = value
                if len(self._seen) > _MOST:
                    raise Unrepeatable(f"it refers to more than {_MOST:,} objects")
                if id(value) in self._apart:
                    self._rest.extend(self._apart[id(value)].looked_at or ())
                else:
                    self._look(value)
        for action in effects.actions:
            if id(action.owner) not in self._seen:
                raise Unrepeatable(f"it calls {type(action.owner).__name__}.{action.name} of an object that is not found")
            self._absent.append((vars(action.owner), action.name))  # of the class, not one of the object's own
        for tensor in self.tensors:
            if id(tensor) in leaves:
                self._watch(vars(tensor))  # where hooks are
        self._arrays = [tensor.array for tensor in self.tensors]
        self._memories = [array.flat.memory for array in self._arrays]
        self._wanting = [tensor._requires_grad for tensor in self.tensors]

    def holds(self) -> bool:
        """Whether all is as it was."""
        if any(self._empty) or not same_tensors(self.tensors, self._arrays, self._memories, self._wanting):
            return False
        if not same_items(self._dicts) and not all(
            tuple(mapping) == keys and _alike(mapping.values(), values) for mapping, keys, values in map(_readable, self._dicts)
        ):
            return False
        if not same_names(self._named) and not all(_alike((names.get(name, ABSENT),), (value,)) for names, name, value in self._named):
            return False
        if self._absent and any(name in names for names, name in self._absent):
            return False
        for sequence, items in self._sequences:
            if len(sequence) != len(items) or not (all(map(is_, sequence, items)) or _alike(sequence, items)):
                return False
        for cell, value in self._cells:
            now = contents(cell)
            if now is not value and not _alike((now,), (value,)):
                return False
        if self._buffers and any(memoryview(value).tobytes() != content for value, content in self._buffers):
            return False
        return not self._slots or all(_alike((getattr(owner, name, ABSENT),), (value,)) for owner, name, value in self._slots)

    def identities(self) -> tuple[Identities, list[Any]] | None:
        """Return what is compared where identities are enough, and the containers that are empty; None where they are not."""
        if self._sequences or self._buffers or self._slots:
            return None
        tensors = self.tensors, self._arrays, self._memories, self._wanting
        return Identities(*tensors, self._dicts, self._named, self._absent, self._cells), self._empty

    def plain(self) -> list[str]:
        """Return the numbers and texts that were reached, with the names that they have, as written; in no order that tells anything."""
        named = [(key, value) for _, keys, values in map(_readable, self._dicts) for key, value in zip(keys, values, strict=True)]
        named += [(name, value) for _, name, value in (*self._named, *self._slots)]
        named += [("", value) for value in (*(x for _, items in self._sequences for x in items), *(x for _, x in self._cells))]
        told = [f"{name}={value!r}" for name, value in named if isinstance(value, (*PLAIN, np.generic))]
        return sorted([*told, *[name for _, name in self._absent], *[repr(content) for _, content in self._buffers]])

    def mappings(self) -> list[tuple[dict[Any, Any], tuple[Any, ...], tuple[Any, ...]]]:
        """Return the dicts that were reached, and those of attributes, with their keys and values; as they were."""
        return [row for row in map(_readable, self._dicts) if isinstance(row[0], dict)]

    def _look(self, value: Any) -> None:
        kind = type(value)
        if isinstance(value, AnyTensor):
            if value._requires_grad and (value._node is not None or value.hooks is not None):
                raise Unrepeatable("it refers to a tensor with a history or hooks, which is no argument")
            self.tensors.append(value)
        elif isinstance(value, dict):
            self._watch(value)
            self._rest.extend(value.values())
        elif isinstance(value, (list, deque, set, frozenset)):
            if value or isinstance(value, frozenset):
                self._sequences.append((value, tuple(value)))
                self._rest.extend(value)
            else:
                self._empty.append(value)
        elif isinstance(value, tuple):
            self._rest.extend(value)
        elif isinstance(value, np.generic):
            pass
        elif isinstance(value, _BUFFERS):
            content = memoryview(value).tobytes()
            if len(content) > _MOST_BYTES:
                raise Unrepeatable(f"it refers to a {kind.__name__} of more than {_MOST_BYTES} bytes")
            self._buffers.append((value, content))
        elif isinstance(value, MethodType):
            self._rest.extend((value.__self__, value.__func__))
        elif isinstance(value, FunctionType):
            self._rest.extend(value.__closure__ or ())
            if value.__dict__ and not is_own(value.__module__):
                self._attributes(value)  # such as what a decorator wraps
            self._rest.extend(value.__defaults__ or ())
        elif isinstance(value, CellType):
            held = contents(value)
            self._cells.append((value, held))
            self._rest.append(held)
        elif isinstance(value, partial):
            self._rest.extend((value.func, value.args, value.keywords))
        elif isinstance(value, type):
            if not is_own(value.__module__):
                self._attributes(value)
        elif not isinstance(value, ModuleType):
            self._rest.append(kind)
            if isinstance(value, Referring):
                self._rest.extend(value.refers_to)
            elif isinstance(getattr(value, "__dict__", None), dict) and kind.__module__.partition(".")[0] not in _OPAQUE:
                self._attributes(value)
            for owner in kind.__mro__:
                if not is_own(owner.__module__):
                    for name, slot in vars(owner).items():
                        if isinstance(slot, MemberDescriptorType):
                            item = getattr(value, name, ABSENT)
                            self._slots.append((value, name, item))
                            self._rest.append(item)

    def _watch(self, mapping: dict[Any, Any]) -> None:
        if mapping:
            self._dicts.append((mapping, tuple(mapping), tuple(mapping.values())))
        else:
            self._empty.append(mapping)

    def _attributes(self, value: Any) -> None:
        self._dicts.append((value, tuple(vars(value)), tuple(vars(value).values())))
        self._rest.extend(vars(value).values())

    def _name(self, code: CodeType, names: dict[str, Any]) -> None:
        """Look at the globals that code names, and at what it may name of modules among them."""
        for name in {x.argval for x in dis.get_instructions(code) if "GLOBAL" in x.opname or x.opname.endswith("_NAME")}:
            value = self._named_value(names, name)
            if isinstance(value, ModuleType) and not is_own(value.__name__):
                for inner in vars(value).keys() & code.co_names:
                    self._named_value(vars(value), inner)

    def _named_value(self, names: dict[str, Any], name: str) -> Any:
        """What a name stands for; a name that is not there may come to be there: of such, the names are watched."""
        if name not in names:
            if (id(names), name) not in self._names:
                self._names.add((id(names), name))
                self._absent.append((names, name))
            return None
        if (id(names), name) not in self._names:
            self._names.add((id(names), name))
            self._named.append((names, name, names[name]))
            self._rest.append(names[name])
        return names[name]


ABSENT: Final = type("Absent", (), {"__slots__": (), "__module__": "lamina_tensor"})()


def contents(cell: CellType) -> Any:
    """What a cell of a closure holds; `ABSENT` if that is nothing yet."""
    try:
        return cell.cell_contents
    except ValueError:  # nothing yet
        return ABSENT


def _alike(values: Iterable[Any], others: Iterable[Any]) -> bool:
    """Whether values are the same objects, or numbers or texts that are written alike: 0.0 and -0.0 are equal."""
    return all(
        value is other or (type(value) is type(other) and isinstance(value, _WRITTEN) and repr(value) == repr(other))
        for value, other in zip(values, others, strict=True)
    )
