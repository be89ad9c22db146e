"""Recording: one call of a function, run as it is, with all that is needed to make its kernel calls again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import lamina_ndarray as nd
from lamina_flatarray.fork_safety import fork_safe
from lamina_flatarray.instruments import installed
from lamina_flatarray.modes import word
from lamina_ndarray import NDArray
from lamina_ndarray.programs.program import CONSTANT, GIVEN, SCRATCH, STATE, Role
from lamina_ndarray.programs.recorder import Operand, Recorder, Unrepeatable, operands_in

from ... import tensor_fields
from ...autograd.backward import grad
from ...autograd.node import Node, next_sequence
from ...tensor_fields import AnyTensor, tensor_of
from .effects import Effects
from .state import State
from .trees import flattened
from .watching import Watch, watched

__all__ = ["Kind", "Pass", "Recording", "one_at_a_time"]

Kind: TypeAlias = tuple[Any, Any, bool]
"""Of an argument: its kernel table, its layout, and whether gradients are wanted."""

one_at_a_time: Final = fork_safe(threading.Lock())
"""Held while a call is recorded: instruments see the tables of all threads."""

_MOST_ALONE = 4


class Pass:
    """A recorded backward pass.

    Attributes:
        begin, end: its calls among the recording's.
        seeds: per result that carries a gradient, the operand that stood for that; None for one that took no part.
        gradients: per argument and leaf, what came out; None where nothing did.
    """

    def __init__(self, begin: int, end: int, seeds: list[Operand | None], gradients: list[Operand | None]) -> None:
        self.begin, self.end, self.seeds, self.gradients = begin, end, seeds, gradients

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pass) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # it is compared, never looked up


class Recording:
    """One call of a function.

    Args:
        function: what is called.
        args, kwargs: what it is called with.
        arguments: the tensors among these.
        roots: objects from which all that the function refers to is reached.

    Attributes:
        result: what the function returned.
        trouble: why the call cannot be repeated; None where it can.
        asks: whether it asked if it is called to be compiled.
        codes: the code of the user's that ran.
        state: what it refers to.
        effects: what it did that kernel calls do not show.
        tree, results: the result as a tree, and the operands at its leaves.
        carrying: which of these carry gradients.
        spent: which of them have a history whose backward pass is over, and where it ran.
        leaves: the tensors beside the arguments that want gradients.
        passes: backward passes: from all results that carry gradients, and from each of them alone.
        forward: how many calls are the function's own.
        roles: what each storage is to these.
        met: how many storages the calls met; the others are of tensors that the function refers to, and does not compute with.
    """

    def __init__(self, function: Callable[..., Any], args: Any, kwargs: Any, arguments: Sequence[AnyTensor], roots: Any) -> None:
        self.recorder = Recorder()
        self.trouble: str | None = None
        self.passes: list[Pass] = []
        flags, begun = word.get(), next_sequence()
        self.effects = Effects(self.recorder, arguments, begun)
        watch = Watch(self.recorder, self.effects)
        with self.recorder.seeing_allocations():
            with installed(self.recorder), watched(watch):
                self.result = function(*args, **kwargs)
            self.forward = len(self.recorder.calls)
            try:
                _refuse(self.recorder.trouble or watch.trouble)
                _refuse("it leaves a mode of tensors on or off" if word.get() != flags else None)
                self.asks, self.codes = watch.asked(), frozenset(watch.codes)
                watch.look_for_owners()
                self.state = State(roots, watch.codes, watch.closures(), self.effects)
                _refuse(self.effects.check(self.state.tensors))
                self.tree, results = flattened(self.result)
                _check_results(self.recorder, arguments, results, self.state)
                self.results = [self._operand_of(x.array) for x in results]
                self._check_gradients(results)
                self.spent = {i: site for i, x in enumerate(results) for site in _freed_at(x._node, begun)}
                self.carrying = [i for i, x in enumerate(results) if x._node is not None and i not in self.spent]
                over = bool(self.spent) or self.effects.any()
                _refuse("a result can be differentiated still, after gradients were computed" if self.carrying and over else None)
                self.leaves = [x for x in self.state.tensors if x._requires_grad] if self.carrying else []
                wanting = [x for x in arguments if x._requires_grad] + self.leaves
                if self.carrying:
                    _check_graph([results[i]._node for i in self.carrying], wanting, begun)
                    self._record_passes(results, wanting, watch)
                    _refuse(self.recorder.trouble or watch.trouble)
                self.met = len(self.recorder.storages)
                self.roles = self._roles(arguments)
            except Unrepeatable as error:
                self.trouble = str(error)

    def holds(self, arguments: Sequence[AnyTensor]) -> bool:
        """Whether what the function refers to is as it was, and so are the gradients that it meets.

        Args:
            arguments: the tensors of another call.
        """
        if not (self.state.holds() and self.effects.holds(arguments)):
            return False
        met = self.effects.before(arguments)
        if not met:
            return True
        memories = [id(x.flat.memory) for x in met]
        others = {*(id(x.array.flat.memory) for x in arguments), *(id(x.array.flat.memory) for x in self.state.tensors)}
        return len(set(memories)) == len(memories) and others.isdisjoint(memories)

    def _check_gradients(self, results: Sequence[AnyTensor]) -> None:
        """Refuse gradients that share memory with what is no gradient."""
        given = {operand.storage for _, operand in self.effects.given()}
        met = {operand.storage for _, operand in self.effects.met}
        _refuse("a result is a gradient as well" if (given | met) & {x.storage for x in self.results} else None)
        _refuse("a result keeps its gradient" if any(x._grad is not None for x in results) else None)
        storages = self.recorder.storages
        made = all(storages[n].allocated and storages[n].written and storages[n].numbers is None for n in given)
        _refuse(None if made else "a gradient is not computed")

    def _record_passes(self, results: Sequence[AnyTensor], wanting: list[AnyTensor], watch: Watch) -> None:
        alone = [[i] for i in self.carrying] if 1 < len(self.carrying) <= _MOST_ALONE else []
        for chosen in (self.carrying, *alone):
            begin = len(self.recorder.calls)
            seeds = [nd.empty_like(results[i].array) if i in chosen else None for i in self.carrying]
            outputs, given = [results[i] for i in chosen], [tensor_of(seed) for seed in seeds if seed is not None]
            try:
                with installed(self.recorder), watched(watch):
                    gradients = grad(outputs, wanting, given, retain_graph=True, allow_unused=True)
            except Exception as error:  # the program may never ask for it
                raise Unrepeatable(f"its backward pass raises {type(error).__name__}: {error}") from error
            _refuse("a gradient stores only some of its items" if any(g is not None and g.is_sparse for g in gradients) else None)
            arrays = [None if g is None else g.array for g in gradients]
            end = len(self.recorder.calls)
            written = {x.storage for call in self.recorder.calls[begin:end] for x in operands_in(call.out)}
            _refuse("its backward pass writes into what its forward pass computed" if written & self._met(begin) else None)
            self.passes.append(Pass(begin, end, [self._operand_of(x) for x in seeds], [self._operand_of(x) for x in arrays]))

    def _met(self, end: int) -> set[int]:
        """The storages that the calls before one met."""
        return {x.storage for call in self.recorder.calls[:end] for x in operands_in(call.out, call.inputs, call.params)}

    def _operand_of(self, array: NDArray | None) -> Any:
        return None if array is None else self.recorder.operand(array)

    def _roles(self, arguments: Sequence[AnyTensor]) -> list[Role]:
        """What each storage is to the function's own calls."""
        given = {self.recorder.number_of(x.array.flat): (i, x.array.flat.offset) for i, x in enumerate(arguments)}
        met = [operand for _, operand in self.effects.met]
        numbers = {x.storage for x in met}
        _refuse("gradients share memory with one another or with arguments" if len(numbers - given.keys()) < len(met) else None)
        given.update((x.storage, (len(arguments) + i, x.offset)) for i, x in enumerate(met))
        stays = {self.recorder.number_of(x.array.flat): x.array.flat for x in self.state.tensors}
        read = self._read_first()
        roles: list[Role] = []
        for storage in self.recorder.storages:
            number = storage.number
            if number in given:
                _refuse("it writes into an argument" if storage.written and number not in numbers else None)
                _refuse("a gradient shares memory with what it refers to" if number in numbers and number in stays else None)
                roles.append((GIVEN, given[number]))
            elif number in stays:
                roles.append((STATE, stays[number]))
            elif storage.numbers is not None:
                _refuse("it writes into a tensor that Python made of numbers" if storage.written else None)
                roles.append((CONSTANT, storage.numbers))
            else:
                op = read.get(number)
                _refuse(f"{op} reads memory that nothing here wrote" if op is not None else None)
                mine = storage.allocated or not storage.written
                _refuse(None if mine else "it writes into a tensor that was there before, and is not found")
                roles.append((SCRATCH, None))
        return roles

    def _read_first(self) -> dict[int, str]:
        """The storages that the first call which met them read, and that call's op."""
        met = {seed.storage for one in self.passes for seed in one.seeds if seed is not None}
        read: dict[int, str] = {}
        for call in self.recorder.calls:
            for operand in operands_in(call.inputs, call.params):
                if operand.storage not in met:
                    read.setdefault(operand.storage, call.op)
            met.update(operand.storage for operand in operands_in(call.out))
        return read

    def difference(self, other: Recording) -> str | None:
        """Say in what another call of the function did something else; None where it did the same."""
        for mine, theirs in zip(self.recorder.calls, other.recorder.calls, strict=False):
            if mine != theirs:
                return f"two calls of it differ in what {mine.op} does"
        if len(self.recorder.calls) != len(other.recorder.calls) or self.forward != other.forward or self.passes != other.passes:
            return "two calls of it run different kernels"
        if self.met != other.met:
            return "two calls of it differ in how much memory they use"
        for (kind, what), (other_kind, other_what) in zip(self.roles[: self.met], other.roles, strict=False):
            if kind != other_kind or (what is not other_what if kind == STATE else what != other_what):
                return "two calls of it differ in the memory that they use"
        if self.effects != other.effects:
            return "two calls of it differ in the gradients that they meet"
        if (self.tree, self.results, self.carrying, self.spent) != (other.tree, other.results, other.carrying, other.spent):
            return "two calls of it differ in what they return"
        return None


def _refuse(trouble: str | None) -> None:
    if trouble is not None:
        raise Unrepeatable(trouble)


def _check_results(recorder: Recorder, arguments: Sequence[AnyTensor], results: Sequence[AnyTensor], state: State) -> None:
    """Refuse results, and arguments, that share memory: they would be copies."""
    own = [id(x.array.flat.memory) for x in arguments] + list({id(x.array.flat.memory) for x in state.tensors})
    _refuse("arguments share memory with one another or with what it refers to" if len(set(own)) < len(own) else None)
    made = [id(x.array.flat.memory) for x in results]
    _refuse("results share memory" if len(set(made)) < len(made) else None)
    _refuse("a result shares memory with an argument or with what it refers to" if set(own).intersection(made) else None)
    for x in results:
        _refuse("a result is no plain tensor" if type(x) is not tensor_fields.tensor_class else None)
        _refuse("a result is a leaf that wants gradients" if x._requires_grad and x._node is None else None)
        storage = recorder.storages[recorder.number_of(x.array.flat)]
        _refuse(None if storage.written and storage.numbers is None else "a result is not computed")


def _freed_at(root: Node | None, begun: int) -> list[Any]:
    """Where a backward pass through a history ran, after which there can be no other, in a list; an empty list if there was none."""
    seen: set[Node] = set()
    rest: list[Any] = [root]
    while rest:
        edge = rest.pop()
        if isinstance(edge, Node) and edge not in seen and edge.sequence > begun:
            if edge.saved is None:
                return [edge.freed_at]
            seen.add(edge)
            rest.extend(edge.inputs)
    return []


def _check_graph(roots: Sequence[Node | None], wanting: Sequence[AnyTensor], begun: int) -> None:
    """Refuse a history that a recorded backward pass does not show."""
    known = {id(x) for x in wanting}
    seen: set[Node] = set()
    rest: list[Any] = list(roots)
    while rest:
        edge = rest.pop()
        if isinstance(edge, AnyTensor):
            _refuse(None if id(edge) in known else "it computes with a tensor that wants gradients and is not found")
        elif edge is not None and edge not in seen and edge.sequence > begun:
            seen.add(edge)
            _refuse("there are hooks on what it computes" if edge.hooks else None)
            rest.extend(edge.inputs)
