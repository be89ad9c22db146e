"""FrozenProgram: a function's kernel calls with the numbers that they need, which a file holds and a process runs without the function."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from lamina_flatarray import (
    ArgumentTypeError,
    ArgumentValueError,
    CheckpointError,
    Device,
    DTypeError,
    FlatArray,
    ShapeError,
)
from lamina_flatarray.backends import registry
from lamina_flatarray.dtypes import dtype_of

from ..array import NDArray
from ..array_fields import array_of
from ..creation.array_likes import asarray
from ..files.replacing import Path
from ..files.safetensors_files import load_safetensors, open_safetensors, save_safetensors
from ..layouts.layout import Layout
from ..shapes.views import contiguous
from .arena import Arena
from .program import GIVEN, KEPT, SCRATCH, STATE, Program, Role, maker
from .recorder import Call, Operand, Storage, operands_in
from .written import Reader, Writer

__all__ = ["FrozenProgram", "load_program"]

_VERSION: Final = 1
_DAMAGE: Final = (  # what wrong calls raise when they are read
    LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, MemoryError, ShapeError, DTypeError,
    CheckpointError,
)  # fmt: skip


class FrozenProgram:
    """Kernel calls, and the arrays that they read beside what they are given.

    `lamina.export` makes one of a function; `load_program` reads one from a file.

    Args:
        calls: the calls.
        storages: the memory that they meet.
        roles: per storage: (GIVEN, (which argument, 0)), (STATE, flat array), (KEPT, which result) or (SCRATCH, None).
        arguments: dtype and shape of each argument.
        results: the results, each in a storage of its own.
        names: of those flat arrays that have one, and the shapes under which they are saved.
        about: what else is saved with it, as JSON.

    Attributes:
        arguments, about: as given.

    >>> exported = torch.export.export(torch.nn.Linear(3, 2), (torch.ones(4, 3),))
    >>> exported.program.save("linear.safetensors")
    >>> program = load_program("linear.safetensors")
    >>> program(nd.ones((4, 3)))[0].shape
    (4, 2)
    """

    def __init__(
        self,
        calls: Sequence[Call],
        storages: Sequence[Storage],
        roles: Sequence[Role],
        arguments: Sequence[tuple[Any, tuple[int, ...]]],
        results: Sequence[Operand],
        names: Mapping[int, tuple[str, tuple[int, ...]]],
        about: Any = None,
    ) -> None:
        self._calls, self._storages, self._roles, self._results, self._names = calls, storages, roles, results, names
        self.arguments = [(dtype, tuple(shape)) for dtype, shape in arguments]
        self.about = about
        self._device = storages[0].kernels.device
        self._makers = [maker(operand, storages[operand.storage]) for operand in results]
        arena = Arena()
        self._lock = arena.lock
        self._program = Program(calls, storages, roles, arena)

    @property
    def device(self) -> Device:
        """Where it computes."""
        return self._device

    @property
    def kernels(self) -> int:
        """How many kernels a run calls, fused ones counted once."""
        return self._program.kernels

    def __call__(self, *arguments: Any) -> tuple[NDArray, ...]:
        """Make the calls.

        Args:
            arguments: arrays, or what becomes one: of the dtypes and shapes that it was made for, on its device.

        Returns:
            The results, in memory of their own.

        Raises:
            TypeError: there are more or fewer arguments.
            DTypeError, ShapeError, DeviceError: one is of another dtype or shape, or elsewhere.
        """
        if len(arguments) != len(self.arguments):
            raise ArgumentTypeError(
                f"FrozenProgram: the number of arrays ({len(arguments)}) differs from that of its inputs ({len(self.arguments)})"
            )
        given = [self._fitted(i, x) for i, x in enumerate(arguments)]
        results = [make() for make in self._makers]
        with self._lock:
            self._program.run([(x.flat.memory, x.flat.offset + x.layout.offset * x.flat.dtype.itemsize) for x in given],
                              [x.flat.memory for x in results])  # fmt: skip
        return tuple(results)

    def __reduce__(self) -> NoReturn:
        raise TypeError("FrozenProgram: it is written by save(path) and read by load_program(path), and neither pickled nor copied")

    def _fitted(self, place: int, given: Any) -> NDArray:
        dtype, shape = self.arguments[place]
        array = given if isinstance(given, NDArray) else asarray(given, device=self._device)
        if array.dtype is not dtype:
            raise DTypeError(f"FrozenProgram: argument {place} is of {array.dtype.name}; the program is for {dtype.name}")
        if tuple(array.shape) != shape:
            raise ShapeError(f"FrozenProgram: argument {place} has shape {tuple(array.shape)}; the program is for {shape}")
        if array.device is not self._device:
            raise ArgumentValueError(f"FrozenProgram: argument {place} is on {array.device}; the program computes on {self._device}")
        return contiguous(array)

    def save(self, path: Path) -> None:
        """Write it to a safetensors file, its calls among the metadata. If that fails, what was there before is still there.

        Args:
            path: the file.

        Raises:
            Unrepeatable: a call is given what no file holds, as a generator of random numbers.
            OSError: the file cannot be written.
        """
        spans = self._spans()
        writer = Writer([begin for begin, _ in spans])
        calls = [writer.call(call) for call in self._calls]
        results = [writer.operand(x) for x in self._results]
        arrays: dict[str, NDArray] = {}
        storages = []
        for number, (storage, (kind, which), (begin, end)) in enumerate(zip(self._storages, self._roles, spans, strict=True)):
            if kind == STATE:
                which = self._saved(arrays, number, which.memory, begin, end)
            storages.append([storage.kernels.dtype.name, end - begin, kind, which])
        program = {
            "calls": calls, "results": results, "storages": storages, **writer.table(),
            "arguments": [[dtype.name, list(shape)] for dtype, shape in self.arguments], "about": self.about,
        }  # fmt: skip
        text = json.dumps(program, separators=(",", ":"))
        told = {"lamina_program": str(_VERSION), "sha256": _digest(text), "program": text}
        save_safetensors(arrays, path, told)

    def _spans(self) -> list[tuple[int, int]]:
        """Per storage, the bytes of its memory that belong to it: of what stays, those that are used."""
        spans = [(0, storage.nbytes) for storage in self._storages]
        used: dict[int, list[tuple[int, int]]] = {}
        for call in self._calls:
            for x in operands_in(call.out, call.inputs, call.params):
                used.setdefault(x.storage, []).append((x.offset, x.offset + x.size * x.kernels.itemsize))
        for number, (kind, flat) in enumerate(self._roles):
            if kind == STATE:
                bounds = used.get(number, [(flat.offset, flat.offset)])
                spans[number] = min(begin for begin, _ in bounds), max(end for _, end in bounds)
        return spans

    def _saved(self, arrays: dict[str, NDArray], number: int, memory: Any, begin: int, end: int) -> str:
        """Put what stays among the arrays of the file, and give the name that it has there."""
        kernels = self._storages[number].kernels
        flat = FlatArray(memory, begin, (end - begin) // kernels.itemsize, kernels)
        if flat.nbytes != end - begin:  # items of two sizes
            flat = FlatArray(memory, begin, end - begin, kernels.sibling(dtype_of("uint8")))
        name, shape = self._names.get(number, ("", ()))
        layout = Layout.dense(shape)
        if not name or layout.size != flat.size or name in arrays:
            name, layout = f"storage {number}", Layout.dense((flat.size,))
        arrays[name] = array_of(flat, layout)
        return name


def load_program(path: Path, device: Any = "cpu") -> FrozenProgram:
    """Read a program that `FrozenProgram.save` wrote.

    A program is code: it computes what its calls say. Their memory is checked, their meaning is not: load programs from where you would
    install a package from.

    Args:
        path: the file.
        device: where it is to compute.

    Returns:
        The program.

    Raises:
        CheckpointError: the file is damaged, is no program, or one of another version.
        OSError: the file cannot be opened.
        BackendError: nobody serves the device.
    """
    with open_safetensors(path) as file:
        told = file.metadata
    if "lamina_program" not in told:
        raise CheckpointError(f"load_program: {os.fsdecode(path)} is no program, but a file of arrays")
    if told["lamina_program"] != str(_VERSION):
        raise CheckpointError(f"load_program: {os.fsdecode(path)} is of version {told['lamina_program']}; this one reads {_VERSION}")
    text = told.get("program", "")
    if _digest(text) != told.get("sha256"):
        raise CheckpointError(f"load_program: {os.fsdecode(path)} is damaged: its calls are not those that were saved")
    try:
        return _read(json.loads(text), load_safetensors(path, device=device), Device(device))
    except _DAMAGE as error:
        raise CheckpointError(f"load_program: {os.fsdecode(path)} is no whole program: {error}") from error


def _read(program: dict[str, Any], arrays: Mapping[str, NDArray], device: Device) -> FrozenProgram:
    storages, roles, names = [], [], {}
    arguments = [(dtype_of(dtype), tuple(shape)) for dtype, shape in program["arguments"]]
    for number, (dtype, nbytes, kind, which) in enumerate(program["storages"]):
        storage = Storage(number, registry.kernels(device, dtype_of(dtype)), kind in (KEPT, SCRATCH))
        storage.nbytes = nbytes
        if kind == STATE:
            array = arrays[which]
            names[number] = which, tuple(array.shape)
            available, which = array.flat.nbytes, array.flat
        elif kind == GIVEN:
            given, shape = arguments[which[0]]
            available = Layout.dense(shape).size * given.itemsize
        else:
            available = nbytes
        if kind not in (GIVEN, STATE, KEPT, SCRATCH) or not 0 <= nbytes <= available:
            raise CheckpointError(f"storage {number} has {nbytes} bytes, and what it stands for {available}")
        storages.append(storage)
        roles.append((kind, which))
    reader = Reader(program, storages, device)
    results = [reader.operands[i] for i in program["results"]]
    if [roles[x.storage] for x in results] != [(KEPT, i) for i in range(len(results))]:
        raise CheckpointError("its results are not what it keeps")
    calls = [reader.call(row) for row in program["calls"]]
    return FrozenProgram(calls, storages, roles, arguments, results, names, program["about"])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
