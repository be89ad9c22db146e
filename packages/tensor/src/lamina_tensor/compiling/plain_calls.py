"""Calls of a compiled function that take plain tensors and give new ones, and their backward passes: a look, and a run."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, NamedTuple

from lamina_flatarray import FlatArray, devices, dtypes
from lamina_flatarray.backends import kernel_table, replacements
from lamina_flatarray.modes import word
from lamina_flatarray.twins import compiled
from lamina_ndarray import NDArray
from lamina_ndarray.array_fields import empty_of
from lamina_ndarray.programs.program import Program, run

from .. import tensor_fields
from ..autograd.rules import Gradients
from ..tensor_fields import AnyTensor, tensor_of
from .histories import History, give_history
from .recordings.recording import Kind, Recording, one_at_a_time
from .recordings.state import Identities, contents, same_items, same_names, same_tensors

__all__ = ["PlainCall", "PlainPass", "pass_function", "plain_call", "plain_pass", "prepared", "same_kinds"]


class PlainCall(NamedTuple):
    """What such a call depends on, and what it runs.

    Attributes:
        flags: the word of modes.
        kinds: of the arguments.
        variables: context variables, and their values.
        empty: containers that hold nothing.
        unlocked: locks that nobody holds.
        state: what the function refers to, all of it compared by identity.
        names: names of modules, and what they stand for.
        before: leaves, and whether they have gradients.
        written: flat arrays that a run writes into, and how often.
        results: the kernel table and the layout of each result.
        keeps: what gives memory for the backward passes, and how many bytes.
        given_rows, kept_rows, calls, moving: what `run` is told beside memory.
        lock: what is held during a run.
        history: of the one result that carries gradients; None where none does, or several do.
        is_all: whether the one result is all that the function gives, and its history that of `history`, or none.
    """

    flags: int
    kinds: list[Kind]
    variables: list[tuple[ContextVar[Any], Any]]
    empty: list[Any]
    unlocked: list[Any]
    state: Identities
    names: list[tuple[dict[str, Any], str, Any]]
    before: list[tuple[AnyTensor, bool]]
    written: list[tuple[FlatArray, int]]
    results: list[tuple[Any, Any]]
    keeps: list[tuple[Callable[[int], Any], int]]
    given_rows: list[Any]
    kept_rows: list[Any]
    calls: list[Any]
    moving: list[Any]
    lock: Any
    history: History | None
    is_all: bool


class PlainPass(NamedTuple):
    """What a backward pass from one gradient runs, that gives arrays of their own memory.

    Attributes:
        kernels, layout: of the gradient that it begins with.
        results: the kernel table and the layout of each array.
        places: which of these each gradient is; None for none.
        given_rows, kept_rows, calls, moving: what `run` is told beside memory.
        lock: what is held during a run.
    """

    kernels: Any
    layout: Any
    results: list[tuple[Any, Any]]
    places: list[int | None]
    given_rows: list[Any]
    kept_rows: list[Any]
    calls: list[Any]
    moving: list[Any]
    lock: Any


def same_kinds(args: tuple[Any, ...], kinds: list[Kind]) -> bool:
    """Whether arguments are plain tensors of these kinds."""
    if len(args) != len(kinds):
        return False
    plain = tensor_fields.tensor_class
    for x, (kernels, layout, wants) in zip(args, kinds, strict=True):
        if x.__class__ is not plain or x._requires_grad is not wants:
            return False
        array = x.array
        if array.layout is not layout or array.flat.kernels is not kernels:
            return False
    return True


if compiled is not None:
    same_kinds = compiled.same_kinds


def plain_call(call: PlainCall, args: tuple[Any, ...]) -> Any:
    """Run a program if all is as it was.

    Args:
        call: what is looked at, and what is run.
        args: the arguments.

    Returns:
        The result, where that is all. Else the results, the memory that the program was given with the byte where each argument begins,
        and that which it made. None where something is not as it was, or another thread runs the program.
    """
    if word.get() != call.flags or not same_kinds(args, call.kinds) or any(call.empty) or any(lock.locked() for lock in call.unlocked):
        return None
    if any(variable.get() is not value for variable, value in call.variables) or not same_names(call.names):
        return None
    tensors, arrays_before, memories, wanting, items, names, absent, cells = call.state
    if not (same_tensors(tensors, arrays_before, memories, wanting) and same_items(items) and same_names(names)):
        return None
    if any(name in mapping for mapping, name in absent) or any(contents(cell) is not value for cell, value in cells):
        return None
    if any((leaf._grad is not None) is not had for leaf, had in call.before):
        return None
    if any(x.array.flat.memory is flat.memory for x in args for flat, _ in call.written):
        return None
    arrays = [empty_of(kernels, layout) for kernels, layout in call.results]
    given = [(x.array.flat.memory, x.array.flat.offset) for x in args]
    kept = [*[x.flat.memory for x in arrays], *[allocate(nbytes) for allocate, nbytes in call.keeps]]
    if not call.lock.acquire(False):
        return None
    try:
        run(call.given_rows, given, call.kept_rows, kept, call.calls, call.moving)
    finally:
        call.lock.release()
    for flat, times in call.written:
        flat.version += times
    results = list(map(tensor_of, arrays))
    if call.history is not None:
        give_history(call.history, args, given, kept, results)
    return results[0] if call.is_all else (results, given, kept)


if compiled is not None:
    plain_call = compiled.plain_call


def plain_pass(told: PlainPass, gradient: Any, given: list[tuple[Any, int]]) -> Gradients | None:
    """Run a backward pass, if its gradient is of the kind that it begins with.

    Args:
        told: what is run.
        gradient: that of the result.
        given: memory that the forward program was given or kept, and the byte where it begins.

    Returns:
        The gradients; None where that of the result is of another kind, or another thread runs the program.
    """
    if gradient.__class__ is not NDArray or gradient.layout is not told.layout or gradient.flat.kernels is not told.kernels:
        return None
    arrays = [empty_of(kernels, layout) for kernels, layout in told.results]
    memories = [*given, (gradient.flat.memory, gradient.flat.offset)]
    if not told.lock.acquire(False):
        return None
    try:
        run(told.given_rows, memories, told.kept_rows, [x.flat.memory for x in arrays], told.calls, told.moving)
    finally:
        told.lock.release()
    return Gradients([None if place is None else arrays[place] for place in told.places])


if compiled is not None:
    plain_pass = compiled.plain_pass


def pass_function(general: Callable[[Any, Any], Any], passes: list[PlainPass]) -> Callable[[Any, Any], Any]:
    """Return the function from the gradient of a result, and what was saved for it, to the gradients of what it was computed of.

    Args:
        general: that function, for all cases.
        passes: those that `plain_pass` runs, each from another kind of gradient. The list may grow.

    Returns:
        The function. In Python all cases are treated alike.
    """
    return general


if compiled is not None:
    pass_function = compiled.pass_function


def prepared(
    recording: Recording, kinds: list[Kind], flags: int, before: list[tuple[AnyTensor, bool]], written: list[tuple[FlatArray, int]],
    results: list[Any], keeps: list[Any], program: Program, lock: Any, history: History | None, is_all: bool,
) -> PlainCall | None:  # fmt: skip
    """Return what calls like a recorded one depend on and run, or None where it takes more than a plain call looks at.

    Args:
        recording: the recorded call.
        kinds: of its arguments.
        flags: the word of modes.
        before, written: as `PlainCall` has them.
        results: what it gives, as operands that fill their memory.
        keeps: as `PlainCall` has them.
        program: its program.
        lock: what is held during a run.
        history: of the one result that carries gradients; None where none does, or several do.
        is_all: whether the one result is all that the function gives, and its history that of `history`, or none.
    """
    found = recording.state.identities()
    if found is None:
        return None
    state, empty = found
    modules = (vars(dtypes), "default"), (vars(devices), "_process"), (vars(replacements), "_changes")
    return PlainCall(
        flags, kinds, [(devices.chosen, devices.chosen.get())], [kernel_table.wrappers, *empty], [one_at_a_time], state,
        [(names, name, names[name]) for names, name in modules], before, written, [(x.kernels, x.layout) for x in results], keeps,
        *program.rows(), lock, history, is_all,
    )
