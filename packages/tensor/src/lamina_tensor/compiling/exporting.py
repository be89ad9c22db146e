"""Exported functions: the kernel calls of one call, which a file holds, and which run without the function."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, CheckpointError, UsageError
from lamina_flatarray.modes import COMPILING, NO_GRAD, switched, word
from lamina_flatarray.random import Generator
from lamina_ndarray.programs.frozen import FrozenProgram, load_program
from lamina_ndarray.programs.program import CONSTANT, KEPT, STATE, Role
from lamina_ndarray.programs.recorder import Effect, Unrepeatable, operands_in, renumbered

from ..tensor_fields import AnyTensor, tensor_of
from .plan import with_memory
from .recordings.recording import Recording, one_at_a_time
from .recordings.trees import LEAF, filled, flattened

__all__ = ["ExportedFunction", "exported_function", "load_function"]


class ExportedFunction:
    """What a function computed of some arguments, without the function: it takes and gives tensors in the same places.

    Args:
        program: the kernel calls.
        given: the arguments, as a tree; numbers and texts among them are part of the program.
        returned: the result, as a tree.

    Attributes:
        program: as given.
    """

    def __init__(self, program: FrozenProgram, given: Any, returned: Any) -> None:
        self.program = program
        self._given, self._returned = given, returned

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compute it of other tensors.

        Args:
            args, kwargs: like those that it was made with: in the same places, of the same dtypes and shapes, and on the program's device.

        Returns:
            What the function returned, without gradients.

        Raises:
            TypeError: they stand in other places, or other numbers and texts stand among them.
            DTypeError, ShapeError: a tensor is of another dtype or shape.
            RuntimeError: gradients are wanted of one.
        """
        try:
            tree, tensors = flattened((args, kwargs))
        except Unrepeatable as error:
            raise ArgumentTypeError(f"exported function: {error}") from error
        if tree != self._given:
            raise ArgumentTypeError("exported function: the arguments are not like those that it was exported with: as many, by the same "
                                    "names, in the same containers, and with the same numbers and texts")  # fmt: skip
        if not word.get() & NO_GRAD and any(x.requires_grad for x in tensors):
            raise UsageError("exported function: it computes no gradients, which are wanted of an argument; call it under torch.no_grad()")
        results: list[AnyTensor] = list(map(tensor_of, self.program(*[x.array for x in tensors])))
        results.reverse()
        return filled(self._returned, results)

    def save(self, path: Any) -> None:
        """Write it to a file, which `load_function` reads, and, as arrays alone, `lamina_ndarray.programs.load_program`.

        Args:
            path: the file.

        Raises:
            UsageError: something that it is given or returns cannot be written, as an object of a class of yours.
            OSError: the file cannot be written.
        """
        try:
            self.program.about = {"given": _written(self._given), "returned": _written(self._returned)}
            self.program.save(path)
        except Unrepeatable as error:
            raise UsageError(f"export: {error}") from error


def exported_function(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], names: Mapping[str, AnyTensor]
) -> ExportedFunction:
    """Call a function three times without gradients, and keep what its last call did.

    Args:
        function: a module, or a function of tensors.
        args, kwargs: what it is called with.
        names: the names under which tensors that it refers to are saved.

    Returns:
        The exported function. Parameters and other tensors are shared, not copied.

    Raises:
        UsageError: its kernel calls alone do not repeat it; the message says why.
    """
    name = getattr(function, "__qualname__", type(function).__name__)
    try:
        tree, tensors = flattened((args, kwargs))
        if sys.getprofile() is not None or not one_at_a_time.acquire(blocking=False):
            raise Unrepeatable("another function is being recorded, or Python is being profiled")
        try:
            inner = [tensor_of(nd.copy(nd.contiguous(x.array))) for x in tensors]
            args, kwargs = filled(tree, inner[::-1])
            with switched(NO_GRAD | COMPILING, True):
                function(*args, **kwargs)  # what only first calls do is done
                first = Recording(function, args, kwargs, inner, [function])
                last = Recording(function, args, kwargs, inner, [function])
        finally:
            one_at_a_time.release()
        for recording in (first, last):
            if recording.trouble is not None:
                raise Unrepeatable(recording.trouble)
        trouble = last.difference(first) if first.state.holds() else "it changes what it refers to"
        if trouble is not None:
            raise Unrepeatable(trouble)
        return ExportedFunction(_frozen(last, inner, names), tree, last.tree)
    except Unrepeatable as error:
        raise UsageError(f"export: {name} cannot be exported: {error}") from error


def _frozen(recording: Recording, arguments: list[AnyTensor], names: Mapping[str, AnyTensor]) -> FrozenProgram:
    recorder = recording.recorder
    kept = {x.storage: i for i, x in enumerate(recording.results)}
    for call in recorder.calls:
        if isinstance(call.kernels, Effect):
            raise Unrepeatable(f"it calls {call.op}, which is no kernel")
        if any(isinstance(value, Generator) for value in call.params.values()):
            raise Unrepeatable(f"{call.op} draws random numbers; call eval() on the module before")
        for operand in operands_in(call.out):
            if recording.roles[operand.storage][0] == STATE:
                raise Unrepeatable(f"{call.op} writes into what it refers to; call eval() on the module before")
    used = {x.storage for call in recorder.calls for x in operands_in(call.out, call.inputs, call.params)}
    storages = [recorder.storages[number] for number in sorted(used)]
    if len({storage.kernels.device for storage in storages}) != 1:
        raise Unrepeatable("it computes on several devices, or not at all")
    place = {storage.number: i for i, storage in enumerate(storages)}
    roles: list[Role] = []
    for storage in storages:
        kind, which = with_memory(recording.roles[storage.number], storage.kernels)
        roles.append((KEPT, kept[storage.number]) if storage.number in kept else (STATE if kind == CONSTANT else kind, which))
    known = {id(x.array.flat.memory): (name, tuple(x.array.shape)) for name, x in names.items()}
    named = {i: known[id(flat.memory)] for i, (kind, flat) in enumerate(roles) if kind == STATE and id(flat.memory) in known}
    calls = [renumbered(call, place) for call in recorder.calls]
    results = [x._replace(storage=place[x.storage]) for x in recording.results]
    for i, storage in enumerate(storages):
        storage.number = i
    return FrozenProgram(calls, storages, roles, [(x.array.dtype, tuple(x.array.shape)) for x in arguments], results, named)


_BY_NAME: Final = {kind.__name__: kind for kind in (type(None), bool, int, float, complex, str, tuple, list, dict)}
"""The classes that a file may name."""


def _written(tree: Any) -> Any:
    """A tree as JSON."""
    if tree is LEAF:
        return "tensor"
    kind, content, *values = tree
    if values:
        return ["dict", list(content), [_written(part) for part in values[0]]]
    if kind.__name__ not in _BY_NAME or _BY_NAME[kind.__name__] is not kind:
        raise Unrepeatable(f"it is given or returns a {kind.__name__}, which no file holds")
    return [kind.__name__, [_written(part) for part in content] if kind in (tuple, list) else content]


def _read(tree: Any) -> Any:
    """The tree that `_written` wrote; a dict of any class is a plain one."""
    if tree == "tensor":
        return LEAF
    name, content, *values = tree
    kind = _BY_NAME[name]
    if values:
        return kind, tuple(content), tuple([_read(part) for part in values[0]])
    return kind, tuple([_read(part) for part in content]) if kind in (tuple, list) else content


def load_function(path: Any, device: Any = "cpu") -> ExportedFunction:
    """Read a function that `ExportedFunction.save` wrote.

    Args:
        path: the file, which is to be trusted as code is.
        device: where it is to compute.

    Returns:
        The function.

    Raises:
        CheckpointError: the file is damaged, or holds no exported function.
        OSError: the file cannot be opened.
    """
    program = load_program(path, device)
    try:
        about = program.about
        return ExportedFunction(program, _read(about["given"]), _read(about["returned"]))
    except (LookupError, TypeError, ValueError, RecursionError) as error:
        raise CheckpointError(f"load: {path!s} holds no exported function: {error}") from error
