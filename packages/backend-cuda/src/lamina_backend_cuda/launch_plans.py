"""Launch plans: what a kernel queued for operands that lie in one way, which is queued again at other addresses.

What a kernel works out (which program, how it walks, on how many blocks) depends on layouts, dtypes, alignment and numbers, but not on
where the memory is. For small arrays that work takes longer than the launch.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lamina_flatarray import DeviceError
from lamina_flatarray.contract import Kernel
from lamina_flatarray.dtypes import DType
from lamina_flatarray.random import Generator, Philox

from .interface import Function, Product

if TYPE_CHECKING:
    from .device import CudaDevice

__all__ = ["PlannedKernel", "Recording", "next_offset"]

_MOST: Final = 256  # plans of one op
_ALIGNMENT: Final = 255  # no kernel asks for more
_ERRORS: Final = -1  # in the place of an operand: the words of late errors
_DRAWS: Final = -2  # and what was drawn of generators, from here downwards
_PLAIN: Final = frozenset({int, bool, str, type(None), DType})


class _Launch(NamedTuple):
    """A kernel to be queued, where `places` are (which value, which operand's memory, how many bytes behind its beginning): what
    changes from call to call."""

    function: Function
    grid: int
    block: int
    values: tuple[Any, ...]
    places: tuple[tuple[int, int, int], ...]


class _Multiplied(NamedTuple):
    """A product to be queued; `places` are those of its factors and its result."""

    product: Product
    places: tuple[tuple[str, int, int], ...]


class _Drawn(int):
    """A seed or an offset that a kernel is given, to be found among its values; `number` is its place among all that were drawn."""

    number: int


def next_offset(generator: Generator, device: CudaDevice) -> tuple[int, int]:
    """Return what makes the numbers of one fill, and move a generator on.

    Args:
        generator: of a device.
        device: for which they are drawn.

    Returns:
        The seed and the offset, which no other fill has.
    """
    seed, offset = _drawn(generator)
    return (seed, offset) if device.recording is None else device.recording.drawn(generator, seed, offset)


def _drawn(generator: Generator) -> tuple[int, int]:
    with generator.lock:
        stream: Any = generator.source
        seed, offset = stream.seed_value, stream.offset
        stream.offset = (offset + 1) & 0xFFFFFFFFFFFFFFFF
    return seed, offset


class Recording:
    """What is queued while a kernel runs.

    Args:
        memories: of the operands.
        generators: that the kernel draws of.

    Attributes:
        steps: what was queued, in order.
        draws: which generator was drawn of, in order.
        scratch: the memory that was allocated, which is kept until the kernel returns.
        errors: the beginning of the words of late errors, and how many bytes there are; None where no kernel writes any.
        fits: whether the steps alone do the same again.
    """

    def __init__(self, memories: list[Any], generators: list[Generator]) -> None:
        self.steps: list[_Launch | _Multiplied] = []
        self.draws: list[int] = []
        self.scratch: list[Any] = []
        self.errors: tuple[int, int] | None = None
        self._memories = memories
        self._begins = {memory.address: number for number, memory in enumerate(memories) if memory.nbytes}
        self._generators = generators
        ends = sorted((memory.address, memory.address + memory.nbytes) for memory in memories)
        self.fits = all(end <= begin for (_, end), (begin, _) in pairwise(ends))

    def launched(self, function: Function, grid: int, block: int, values: tuple[Any, ...]) -> None:
        """Note a kernel."""
        places = [(at, *self._place(values[at])) for at in _pointers(function.formats) if values[at]]
        places += [(at, _DRAWS - value.number, 0) for at, value in enumerate(values) if type(value) is _Drawn]
        self.steps.append(_Launch(function, grid, block, values, tuple(places)))

    def multiplied(self, product: Product) -> None:
        """Note a product."""
        self.steps.append(_Multiplied(product, tuple((name, *self._place(getattr(product, name))) for name in ("a", "b", "c"))))

    def drawn(self, generator: Generator, seed: int, offset: int) -> tuple[int, int]:
        """Note what was drawn; what this returns is found again among the values of a kernel."""
        found = _Drawn(seed), _Drawn(offset)
        for behind, value in enumerate(found):
            value.number = 2 * len(self.draws) + behind
        if generator in self._generators:
            self.draws.append(self._generators.index(generator))
        else:
            self.fits = False
        return found

    def _place(self, address: int) -> tuple[int, int]:
        begins = self._begins.get(address)
        if begins is not None:
            return begins, 0
        for number, memory in enumerate((*self._memories, *self.scratch)):
            if memory.address <= address < memory.address + memory.nbytes:
                return number, address - memory.address
        first, nbytes = self.errors or (0, 0)
        if not first <= address < first + nbytes:
            self.fits = False
        return _ERRORS, address - first


class _Plan:
    """What is queued for operands that lie in one way."""

    __slots__ = ("draws", "looks", "scratch", "steps")

    def __init__(self, recording: Recording) -> None:
        self.steps = tuple(recording.steps)
        self.scratch = tuple(memory.nbytes for memory in recording.scratch)
        self.looks = recording.errors is not None
        self.draws = tuple(recording.draws)

    def run(self, device: CudaDevice, memories: list[Any], generators: list[Generator]) -> None:
        """Queue it for operands in these memories."""
        if self.scratch:
            memories += [device.allocate(nbytes) for nbytes in self.scratch]
        addresses = [memory.address for memory in memories]
        draws = [_drawn(generators[number]) for number in self.draws]
        for seed, offset in reversed(draws):  # the last one is behind the operands
            addresses += (offset, seed)
        if self.looks:
            errors = device.late_errors
            addresses.append(errors.begin)
        elif draws:
            addresses.append(0)
        port, stream = device.port, device.stream
        for step in self.steps:
            if isinstance(step, _Launch):
                values = list(step.values)
                for at, number, offset in step.places:
                    values[at] = addresses[number] + offset
                port.launch(step.function, step.grid, step.block, values, stream)
            else:
                product, places = step
                if not port.multiply(product._replace(**{name: addresses[number] + offset for name, number, offset in places}), stream):
                    raise DeviceError("cuda: the library of products, which a launch plan was made with, is not there any more")
        if self.looks:
            errors.launched()


class PlannedKernel:
    """A kernel that plans at the second call for operands that lie alike.

    Args:
        op: its name.
        kernel: works out what is to be queued.

    Operands lie alike where their layouts, dtypes, device, alignment and shared memory are the same, and numbers beside them, too.
    """

    def __init__(self, op: str, kernel: Kernel) -> None:
        self.__name__ = op
        self._kernel = kernel
        self._plans: dict[tuple[Any, ...], _Plan | bool | None] = {}  # None after the first call, as numbers may change at each

    def __call__(self, out: Any, *inputs: Any, **params: Any) -> Any:
        """Queue what the kernel does."""
        key: list[Any] = []
        memories: dict[Any, int] = {}
        generators: list[Generator] = []
        try:
            for x in (*out, *inputs) if type(out) is tuple else (out, *inputs):
                _note(key, memories, generators, x)
            for name, value in params.items():
                key.append(name)
                _note(key, memories, generators, value)
        except _UnknownKind:
            return self._kernel(out, *inputs, **params)
        device = next(iter(memories)).device
        if device.recording is not None:
            return self._kernel(out, *inputs, **params)
        key.append(device)
        found = tuple(key)
        plan = self._plans.get(found)
        if isinstance(plan, _Plan):
            plan.run(device, list(memories), generators)
            return None
        if found not in self._plans:
            if len(self._plans) >= _MOST:
                self._plans.clear()
            self._plans[found] = None
        elif plan is None:
            return self._recorded(found, Recording(list(memories), generators), device, out, inputs, params)
        return self._kernel(out, *inputs, **params)

    def _recorded(self, key: tuple[Any, ...], recording: Recording, device: CudaDevice, out: Any, inputs: Any, params: Any) -> Any:
        device.recording = recording
        try:
            result = self._kernel(out, *inputs, **params)
        finally:
            device.recording = None
        self._plans[key] = recording.fits and result is None and _Plan(recording)
        return result


class _UnknownKind(Exception):
    """An argument of which no key can be made."""


def _note(key: list[Any], memories: dict[Any, int], generators: list[Generator], value: Any) -> None:
    """Add to a key what is equal only where an argument is the same, or lies alike."""
    kind = type(value)
    if hasattr(value, "layout"):
        flat = value.flat
        memory = flat.memory
        lies = value.layout.packed, flat.dtype, flat.offset, memory.address & _ALIGNMENT, memories.setdefault(memory, len(memories))
        key += lies
    elif kind in _PLAIN:
        key += (kind, value)
    elif kind is float or kind is complex:
        key.append(repr(value))  # tells -0.0 from 0.0, and finds NaN again
    elif kind is list or kind is tuple:
        key += (kind, len(value))
        for part in value:
            _note(key, memories, generators, part)
    elif kind is Generator and type(value.source) is Philox:
        if value not in generators:
            generators.append(value)
        key += (kind, generators.index(value))
    else:
        raise _UnknownKind


@lru_cache(1024)
def _pointers(formats: tuple[str, ...]) -> tuple[int, ...]:
    """Which of the values that formats take are addresses."""
    letters = "".join(letter * int(count or 1) for count, letter in re.findall(r"(\d*)([a-zA-Z?])", "".join(formats)))
    return tuple(at for at, letter in enumerate(letters) if letter == "P")
