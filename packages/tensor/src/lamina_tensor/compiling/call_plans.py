"""Call plans: which kernels a call of a public function ran, so that the compiled dispatcher runs them again without Python.

Layouts, dtypes and numbers of a call mostly settle what it runs. Once it was made some hundreds of times with the same ones, it is made
under a recorder. If it met no memory but that of its arguments and its own, that is its plan. Items that it read of what it computed,
such as whether a matrix was singular, must be the same each time. Without the compiled module there are no plans.
See decisions/0037-calls-are-repeated-from-plans.md.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from types import EllipsisType, NoneType
from typing import Any, Final

from lamina_flatarray import DType, FlatArray
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.instruments import installed
from lamina_flatarray.random import Generator
from lamina_ndarray import Layout, NDArray
from lamina_ndarray.creation.generators import GENERATORS
from lamina_ndarray.programs.recorder import Call, Numbers, Operand, Recorder, operands_in

from .. import tensor_fields
from ..autograd.node import Node, next_sequence
from ..dispatch.tensor_functions import tensors_in
from ..tensor_fields import AnyTensor, tensor_of
from .recordings.recording import one_at_a_time
from .recordings.watching import Read, reading

__all__ = ["plan_found"]

_GIVEN, _MADE, _CONSTANT, _TUPLE, _LIST, _TENSOR, _ARGUMENT, _SEVERAL = range(8)
"""What stands for a value: an array of an argument, or that the call made; a constant; a tuple or list of values; in a result also a new
tensor, an argument itself, or several results. The compiled dispatcher has the same numbers: `Value::Kind` in plan.hpp."""

_RAISING: Final = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGALRM") if hasattr(signal, name)}
"""Signals whose handlers raise, by default or as programs often set them: they wait until no recorder is installed."""

_FIXED: Final = (bool, int, float, complex, str, slice, NoneType, EllipsisType, DType, Layout, KernelTable)

Value = tuple[int, int, Any, tuple[Any, ...], int]
"""Kind, which, what is held (a layout, a constant, a class), parts, and the number of a tensor's node, or -1."""


class _Unplanned(Exception):
    """A call that no plan repeats."""


def plan_found(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """Make a call, and find its plan.

    Args:
        function: what is called.
        args, kwargs: what it is called with.

    Returns:
        Its result, and the plan: the arrays that it makes, the kernels that it calls, what it reads, which arguments it writes, its nodes
        and its result; None where there is none, and NotImplemented where it could not be looked for.
    """
    held_back = signal.pthread_sigmask(signal.SIG_BLOCK, _RAISING) if sys.platform != "win32" else None
    try:
        if sys.getprofile() is not None or not one_at_a_time.acquire(blocking=False):
            return function(*args, **kwargs), NotImplemented
        try:
            return _found(function, args, kwargs)
        finally:
            one_at_a_time.release()
    finally:
        if held_back is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, held_back)


def _found(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    recorder, given = Recorder(), list(map(_Given, _given_in((*args, *kwargs.values()))))
    begun = next_sequence()
    with recorder.seeing_allocations(), installed(recorder), reading(recorder) as seen:
        result = function(*args, **kwargs)
    reads = [read for read in seen if isinstance(read, Read)]
    try:
        _wants(recorder.trouble is None and len(reads) == len(seen))
        return result, _Finding(recorder, given, begun).plan(result, reads)
    except _Unplanned:
        return result, None


def _given_in(values: Iterable[Any]) -> Iterator[Any]:
    """The tensors and arrays among values, and in lists and tuples among them."""
    for value in values:
        if isinstance(value, (AnyTensor, NDArray)):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _given_in(value)


def _wants(right: bool) -> None:
    if not right:
        raise _Unplanned


class _Given:
    """A tensor among the arguments of a call, as it was before; for an array, one over it.

    Args:
        value: the tensor or array.
    """

    def __init__(self, value: Any) -> None:
        self.is_array = isinstance(value, NDArray)
        self.tensor = tensor = tensor_of(value) if self.is_array else value
        self.version = tensor.array.flat.version
        self._before = tensor.array, tensor._requires_grad, tensor._node, tensor.base

    def is_as_before(self) -> bool:
        """Whether nothing of it has changed but its items."""
        x = self.tensor
        return all(now is before for now, before in zip((x.array, x._requires_grad, x._node, x.base), self._before, strict=True))


class _Finding:
    """What stands for the values of one call.

    Args:
        recorder: what recorded its kernels.
        given: the tensors among its arguments.
        begun: nodes of a higher number are the call's own.
    """

    def __init__(self, recorder: Recorder, given: list[_Given], begun: int) -> None:
        _wants(all(x.is_as_before() for x in given))
        self._recorder = recorder
        self._begun = begun
        self._has_arrays = any(x.is_array for x in given)
        self._versions = [x.version for x in given]
        self._given = [(x.tensor, recorder.operand(x.tensor.array)) for x in given]
        self._edges = [x._node or x for x, _ in self._given]
        self._written: set[int] = set()  # storages of arguments
        self._places: dict[int, tuple[int, Operand]] = {}  # by the storage, of arrays that are made
        self._made: list[tuple[KernelTable, Layout]] = []
        self._nodes: list[Node] = []
        self._numbers: dict[int, int] = {}  # of the nodes, by identity
        self._draws = any(isinstance(x, Generator) for call in recorder.calls for x in call.params.values())

    def plan(self, result: Any, reads: list[Read]) -> tuple[Any, ...]:
        """All of the call, which gave that result and read these arrays."""
        calls = tuple([self._call(call) for call in self._recorder.calls])
        written = self._all_written()
        _wants(not (written and self._has_arrays))
        self._find_nodes(result)
        nodes = tuple([self._node(node) for node in self._nodes])
        given = self._result(result)
        # What neither reads nor writes nor gives a tensor is called for something else. Where another item is read, Python makes the call
        # once more: nothing is written or drawn twice.
        _wants(bool(written or reads) or given[0] in (_TENSOR, _SEVERAL, _GIVEN, _MADE))
        _wants(not reads or not (written or self._draws))
        return tuple(self._made), calls, tuple([self._read(read) for read in reads]), written, nodes, given

    def _read(self, read: Read) -> tuple[Any, ...]:
        """After how many kernels, from which array, by which reader, and what has to come of it: whole numbers, as -0.0 equals 0.0."""
        kernels = read.array.flat.kernels
        reader = kernels.read_items if read.nested else kernels.read_item
        array = self._value(read.array)
        _wants(array[0] == _MADE and read.after > 0 and reader is not None and not kernels.dtype.is_inexact)
        return read.after, array, reader, read.value

    def _call(self, call: Call) -> tuple[Any, ...]:
        """A kernel call."""
        _wants(type(call.kernels) is KernelTable)
        operands = tuple([self._value(x) for x in (*call.inputs, *call.params.values())])
        storages = {operand.storage for _, operand in self._given}
        for operand in operands_in(call.out):
            if operand.storage in storages:
                self._written.add(operand.storage)
            elif operand.storage not in self._places:
                self._make(operand)
        return call.kernels, call.op, self._value(call.out), operands, tuple(call.params) or None

    def _all_written(self) -> tuple[tuple[int, int], ...]:
        """Which of the arguments are written, and how often their versions count that."""
        written: dict[int, tuple[int, int]] = {}
        for i, (x, operand) in enumerate(self._given):
            times = x.array.flat.version - self._versions[i]
            _wants((times > 0) == (operand.storage in self._written))
            if times:
                others = [y for y, other in self._given if other.storage == operand.storage and y is not x]
                _wants(not others and type(x.array.flat) is FlatArray)
                written.setdefault(operand.storage, (i, times))
        return tuple(written.values())

    def _make(self, operand: Operand) -> None:
        """Note memory that is new."""
        whole = operand.offset == 0 and operand.layout.size == operand.size
        _wants(whole and self._recorder.storages[operand.storage].allocated)
        self._places[operand.storage] = len(self._made), operand
        self._made.append((operand.kernels, operand.layout))

    def _value(self, value: Any) -> Value:
        if isinstance(value, Operand):
            return self._array(value)
        if isinstance(value, NDArray):
            return self._array(self._recorder.operand(value))
        if type(value) in (tuple, list):
            parts = tuple([self._value(x) for x in value])
            if type(value) is list or any(part[0] != _CONSTANT for part in parts):
                return _TUPLE if type(value) is tuple else _LIST, -1, None, parts, -1
        elif isinstance(value, Numbers):
            value = value.array
        else:
            _wants(isinstance(value, _FIXED) or (isinstance(value, Generator) and value in GENERATORS.values()))
        return _CONSTANT, -1, value, (), -1

    def _array(self, operand: Operand) -> Value:
        place, made = self._places.get(operand.storage, (-1, None))
        if made is not None:
            _wants((operand.kernels, operand.offset, operand.size) == (made.kernels, made.offset, made.size))
            return _MADE, place, None if operand.layout is made.layout else operand.layout, (), -1
        same = [i for i, (_, x) in enumerate(self._given) if _lies_as(x, operand)]
        _wants(bool(same))
        exact = [i for i in same if self._given[i][1].layout is operand.layout]
        return (_GIVEN, exact[0], None, (), -1) if exact else (_GIVEN, same[0], operand.layout, (), -1)

    def _result(self, result: Any) -> Value:
        """What the call gives."""
        if isinstance(result, tuple):
            parts = tuple([self._result(x) for x in result])
            made = [part[3][0][1] for part in parts if part[0] == _TENSOR and part[3][0][0] == _MADE]
            _wants(len(set(made)) == len(made))
            return _SEVERAL, -1, type(result), parts, -1
        if not isinstance(result, AnyTensor):
            return self._value(result)
        for i, (x, _) in enumerate(self._given):
            if x is result:
                return _ARGUMENT, i, None, (), -1
        _wants(type(result) is tensor_fields.tensor_class and result.hooks is None and result.views is None and result._grad is None)
        _wants(result._requires_grad == (result._node is not None))
        array = self._value(result.array)
        _wants(array[0] == _GIVEN or result.array.flat.version == 0)  # where it was written more than once, its version tells
        _wants(result._node is None or id(result._node) in self._numbers)  # not with an argument's own history
        return _TENSOR, self._base(result), None, (array,), self._numbers.get(id(result._node), -1)

    def _base(self, x: Any) -> int:
        """Which of the arguments a result is a view of, or of which it is a view like it; -1 for none."""
        if x.base is None:
            return -1
        base = next((i for i, (t, _) in enumerate(self._given) if x.base is t or x.base is t.base), -1)
        _wants(base >= 0)
        return base

    def _find_nodes(self, result: Any) -> None:
        """Find the nodes of the call's own, in the order in which they were made."""
        rest = [x._node for x in tensors_in((result,))]
        met = {id(edge) for edge in self._edges}
        while rest:
            node = rest.pop()
            if isinstance(node, Node) and id(node) not in met:
                met.add(id(node))
                _wants(node.sequence > self._begun and node.hooks is None and node.saved is not None)
                self._nodes.append(node)
                rest.extend(node.inputs)
        self._nodes.sort(key=lambda node: node.sequence)
        self._numbers.update((id(node), number) for number, node in enumerate(self._nodes))

    def _node(self, node: Node) -> tuple[Any, ...]:
        edges = tuple([self._edge(edge) for edge in node.inputs])
        assert node.saved is not None
        return node.plan, edges, tuple([self._value(x) for x in node.saved]), node.layout, node.kernels, node.results

    def _edge(self, edge: Any) -> int:
        """Where a gradient goes: to an argument, nowhere (-1), or to another of the nodes (-2 for the first, and so on down)."""
        if edge is None:
            return -1
        for i, x in enumerate(self._edges):
            if x is edge:
                return i
        _wants(isinstance(edge, Node))  # else it is a leaf that is no argument
        return -2 - self._numbers[id(edge)]


def _lies_as(x: Operand, operand: Operand) -> bool:
    """Whether an operand is another layout of an argument's flat array."""
    return (x.storage, x.kernels, x.offset, x.size) == (operand.storage, operand.kernels, operand.offset, operand.size)
