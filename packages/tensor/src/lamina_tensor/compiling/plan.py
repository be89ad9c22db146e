"""Compiled: one way through a function as programs, forward and backward."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import methodcaller
from typing import Any, Final, TypeAlias

from lamina_flatarray import AutogradError, FlatArray
from lamina_ndarray import NDArray
from lamina_ndarray.programs.arena import Arena
from lamina_ndarray.programs.program import (
    CONSTANT,
    GIVEN,
    KEPT,
    LATE,
    SCRATCH,
    STATE,
    Doing,
    Program,
    Role,
    fills_memory,
    maker,
)
from lamina_ndarray.programs.recorder import Call, operands_in

from ..autograd.held import whole
from ..autograd.node import OUTPUT, made_node
from ..autograd.rules import JointPlan, Rule
from ..tensor_fields import AnyTensor, tensor_of
from .backward_programs import BackwardProgram
from .histories import History, give_history
from .late_gradients import LateGradients
from .made_again import made_again, with_what_is_made_again
from .plain_calls import PlainCall, pass_function, prepared
from .recordings.effects import Action, Check
from .recordings.recording import Kind, Pass, Recording
from .recordings.trees import LEAF, filled

__all__ = ["Compiled", "with_memory"]

Compare: TypeAlias = Callable[[Sequence[NDArray | None], Sequence[NDArray | None]], None]

_RULE: Final = Rule("compiled", (), "CompiledFunctionBackward", {})


class Compiled:
    """Programs from a recording.

    Args:
        recording: a call of the function.
        arguments: the tensors among its arguments.
        arena: where what is over with a run lies.

    Attributes:
        carrying: which of the results carry gradients.
        forward: the program of the function itself.
        backward: those of its backward passes.
        written: the arrays that stay and that the function writes into, and how often a run does.
        methods: the names of what a run calls beside kernels.
    """

    def __init__(self, recording: Recording, arguments: Sequence[AnyTensor], arena: Arena) -> None:
        self._arena = arena
        self._tree = recording.tree
        self._results = recording.results
        self.carrying = recording.carrying
        self._wanting = [i for i, x in enumerate(arguments) if x._requires_grad] if recording.carrying else []
        self._leaves = recording.leaves
        recorder, calls = recording.recorder, recording.recorder.calls
        roles = [with_memory(role, storage.kernels) for role, storage in zip(recording.roles, recorder.storages, strict=True)]
        forward = {x.storage for call in calls[: recording.forward] for x in operands_in(call.out, call.inputs, call.params)}
        later = {x.storage for call in calls[recording.forward :] for x in operands_in(call.out, call.inputs, call.params)}
        returned = [x.storage for x in self._results]
        between = sorted(n for n in forward & later if roles[n][0] == SCRATCH and n not in returned)
        given_on = {x.storage for one in recording.passes for x in one.gradients if x is not None}
        inner = [n for n in between if n not in given_on]
        there = [n for n in forward & later if roles[n][0] in (GIVEN, STATE, CONSTANT)]
        self._again = made_again(calls[: recording.forward], recorder.storages, inner, there)
        keeps = [*returned, *[n for n in between if n not in self._again]]
        place = {number: i for i, number in enumerate(keeps)}
        self._late = LateGradients([operand for _, operand in recording.effects.given()], recorder.storages)
        self._count = len(arguments)
        self._makers = [maker(x, recorder.storages[x.storage]) for x in self._results]
        kept = [recorder.storages[n] for n in keeps[len(returned) :]]
        self._keeps = [(storage.kernels.allocate, storage.nbytes) for storage in kept]
        self._given_to = [call.kernels.leaf for call, _ in recording.effects.given()]
        self._spent = recording.spent
        self._met = recording.effects
        outs = [x.storage for call in calls for x in operands_in(call.out)]
        self._writes = [outs.count(operand.storage) for _, operand in recording.effects.met]
        self._arguments: Sequence[AnyTensor] = ()  # of the call that is made
        late = self._late.places
        own: list[Role] = [(KEPT, place[n]) if n in place else (LATE, late[n]) if n in late else role for n, role in enumerate(roles)]
        self.forward = Program(calls[: recording.forward], recorder.storages, own, self._arena, self._effect, self._late.making)
        self.backward = [self._backward(recording, one, roles, place) for one in recording.passes]
        self.methods = tuple([call.op for call in calls if isinstance(call.kernels, Action)])
        written = [x.storage for call in calls[: recording.forward] for x in operands_in(call.out) if roles[x.storage][0] == STATE]
        self.written = [(whole(roles[n][1]), written.count(n)) for n in sorted(set(written))]
        joint = pass_function(self._gradients, self.backward[0].plain if len(self.backward) == 1 else [])
        self._plan = JointPlan(_RULE, joint, range(len(self._wanting) + len(self._leaves)), "saved")
        reads = sorted(later & forward)
        self._history = History(
            self._plan, [whole(roles[n][1]) for n in reads if roles[n][0] == STATE], [i for i, n in enumerate(returned) if n in later],
            [roles[n][1][0] for n in reads if roles[n][0] == GIVEN], len(arguments), self._wanting, self._leaves, self.carrying,
        )  # fmt: skip

    def _backward(self, recording: Recording, one: Pass, roles: list[Role], kept: dict[int, int]) -> BackwardProgram:
        own = [(GIVEN, (self._count + kept[n], 0)) if n in kept else role for n, role in enumerate(roles)]
        storages = recording.recorder.storages
        calls = with_what_is_made_again(recording.recorder.calls[one.begin : one.end], self._again)

        def program_of(calls: Sequence[Call], roles: Sequence[Role]) -> Program:
            return Program(calls, storages, roles, self._arena, self._effect, self._late.making)

        return BackwardProgram(one, calls, storages, own, self._count + len(kept), program_of)

    def plainly(self, recording: Recording, kinds: list[Kind], flags: int) -> PlainCall | None:
        """Return what calls like the recorded one depend on and run; None where that is more than a plain call has.

        Args:
            recording: what the programs are from.
            kinds: of the arguments.
            flags: the word of modes.
        """
        storages = recording.recorder.storages
        before = recording.effects.before_of_own_leaves()
        if before is None or not all(fills_memory(x, storages[x.storage]) for x in self._results):
            return None
        history = self._history if len(self.carrying) == 1 else None
        is_all = self._tree is LEAF and not (len(self.carrying) > 1 or self._spent)
        return prepared(
            recording, kinds, flags, before, self.written, self._results, self._keeps, self.forward, self._arena.lock, history, is_all
        )

    def given_by(self, call: PlainCall, arguments: Sequence[AnyTensor], done: Any) -> Any:
        """Return what the function gives, after a plain call.

        Args:
            call: the call.
            arguments: what it was called with.
            done: what `plain_call` gave.
        """
        if call.is_all:
            return done
        results, given, kept = done
        if len(self.carrying) > 1:
            give_history(self._history, arguments, given, kept, results)
        if self._spent:
            self._end(results, arguments)
        return self._filled(results)

    def _filled(self, results: list[AnyTensor]) -> Any:
        if self._tree is LEAF:
            return results[0]
        results.reverse()
        return filled(self._tree, results)

    def wanting(self, arguments: Sequence[AnyTensor]) -> list[AnyTensor]:
        """Return the tensors that gradients are computed of.

        Args:
            arguments: those of a call.
        """
        return [*[arguments[i] for i in self._wanting], *self._leaves]

    def verify_backward(self, results: Sequence[AnyTensor], compare: Compare) -> None:
        """Have the backward passes of a call compared, and expect the versions that there are now.

        Args:
            results: what the call gave.
            compare: compares gradients of these with those of what the function is given.
        """
        for i in self.carrying:
            node: Any = results[i]._node
            if node is not None:
                node = node.inputs[0] if node.plan is OUTPUT else node
                ((memories, versions, *_),) = node.saved
                node.saved = ((memories, [(flat, flat.version) for flat, _ in versions], compare),)

    def _effect(self, run: Sequence[Call]) -> Doing:
        """What does in each run of the program what calls did that are no kernel's, and the operands that it reads."""
        first = run[0].kernels
        if isinstance(first, Action):
            return partial(methodcaller(first.name, *first.args), first.owner), ()
        if isinstance(first, Check):
            return first, run[0].inputs
        return self._late.giving([(call.kernels.leaf, bool(call.inputs)) for call in run], lambda: self._arguments), ()

    def run(self, arguments: Sequence[AnyTensor], recording: bool) -> Any:
        """Do what the function does with these arguments.

        Args:
            arguments: tensors like those of the recording.
            recording: whether gradients may be wanted of the results.
        """
        met = self._met.before(arguments)
        given = [(x.flat.memory, x.flat.offset) for x in (*[x.array for x in arguments], *met)]
        arrays = [make() for make in self._makers]
        kept = [*[x.flat.memory for x in arrays], *[allocate(nbytes) for allocate, nbytes in self._keeps]]
        with self._arena.lock:
            self._arguments = arguments
            try:
                self.forward.run(given, kept)
            finally:
                self._arguments = ()
        for flat, times in (*self.written, *zip([x.flat for x in met], self._writes, strict=True)):
            flat.version += times
        results = list(map(tensor_of, arrays))
        if recording and self.carrying:
            give_history(self._history, arguments, given, kept, results)
        if self._spent:
            self._end(results, arguments)
        return self._filled(results)

    def _end(self, results: list[AnyTensor], arguments: Sequence[AnyTensor]) -> None:
        """Give those results a history whose backward pass is over."""
        edges = tuple([arguments[leaf] if isinstance(leaf, int) else leaf for leaf in self._given_to])
        for i, site in self._spent.items():
            result = results[i]
            node = made_node(self._plan, edges, (), result.array)
            node.saved, node.freed_at = None, site
            result.node, result.requires_grad = node, True

    def _gradients(self, g: Any, values: tuple[Any, ...]) -> Any:
        """The gradients of all arguments and leaves that want one. Saved are memories, versions, and what compares, if anything does."""
        gradients = g if isinstance(g, list) else [g]
        for x in gradients:
            if isinstance(x, AnyTensor):
                raise AutogradError("torch.compile does not support double backward; call the function without it")
        ((memories, versions, *compares),) = values
        for flat, version in versions:
            if flat.version != version:
                raise AutogradError(
                    "one of the variables needed for gradient computation has been modified by an inplace operation: "
                    f"[{flat.dtype.name}], which a compiled function read, is at version {flat.version}; expected version {version} "
                    "instead."
                )
        backward = self.backward[0]
        if len(self.backward) > 1:
            there = [x is not None for x in gradients]
            backward = next((each for each in self.backward if each.there == there), backward)
        results = backward.run(gradients, memories, self._arena.lock)
        for compare in compares:
            compare(backward.fitted(gradients), results)
        return results


def with_memory(role: Role, kernels: Any) -> Role:
    """Return a role whose constant has memory of its own.

    Args:
        role: what a storage is.
        kernels: the table of an array in it.
    """
    kind, what = role
    if kind != CONSTANT:
        return role
    flat = FlatArray(kernels.allocate(len(what)), 0, len(what) // kernels.itemsize, kernels)
    kernels.backend.copy_in(flat.memory, 0, memoryview(what))
    return kind, flat
