"""Instruments: what watches kernels by wrapping the entries of all kernel tables while it is on.

An instrument sees the calls of the thread or asyncio task that switched it on, and of tasks which that one starts; if
asked to, those of all threads. When the last one is off, every entry is the kernel itself again, so that they cost
nothing then. An op that is decomposed into others is seen first, those others after it.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, NamedTuple

import numpy as np

from .backends import kernel_table as table
from .backends.kernel_table import KernelTable
from .contract import Kernel
from .errors import NotFinite
from .fork_safety import fork_safe
from .ops import OPS

__all__ = [
    "Instrument",
    "OpProfile",
    "OpRecord",
    "Watched",
    "count_ops",
    "detect_nan",
    "installed",
    "kernel_within",
    "operands_of",
    "profile_ops",
    "record_ops",
]

_lock: Final = fork_safe(threading.RLock())

_here: Final[ContextVar[tuple[Instrument, ...]]] = ContextVar("lamina_instruments", default=())
"""The instruments that this thread or task has switched on."""


class Watched:
    """An entry of a kernel table with one instrument around it; what is `inner` may be watched by another one."""

    __slots__ = ("around", "inner", "kernels", "op")

    def __init__(self, kernels: KernelTable, op: str, inner: Kernel, around: Instrument) -> None:
        self.kernels = kernels
        self.op = op
        self.inner = inner
        self.around = around

    def __call__(self, out: Any, *inputs: Any, **params: Any) -> Any:
        around = self.around  # it may be off: another thread may have been making this entry when it went off
        if around.on and (around.all_threads or around in _here.get()):
            return around.call_entry(self, out, inputs, params)
        return self.inner(out, *inputs, **params)


class Instrument:
    """What to do around each kernel call: subclasses define `call`.

    Attributes:
        on: whether it is installed.
        all_threads: whether it sees the calls of all threads, or only of those contexts that installed it.
    """

    on = False
    all_threads = False

    def call(self, op: str, kernel: Kernel, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Do what belongs around one call of a kernel, and return what the kernel returns.

        Args:
            op: the op's name.
            kernel: what computes it; an instrument may leave it uncalled.
            out, inputs, params: what it is to be called with: `kernel(out, *inputs, **params)`.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what to do around {op}")

    def call_entry(self, entry: Watched, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Do what belongs around one call of an entry: `call`, for all that need not know its table.

        Args:
            entry: the entry of a kernel table that is called.
            out, inputs, params: what it is called with.
        """
        return self.call(entry.op, entry.inner, out, inputs, params)

    def wrap(self, kernels: KernelTable, op: str, kernel: Kernel) -> Kernel:
        """Return a kernel with this instrument around it."""
        return Watched(kernels, op, kernel, self)


@contextmanager
def installed(instrument: Instrument, *, all_threads: bool = False) -> Iterator[None]:
    """Have an instrument see the kernel calls of a `with` block.

    Args:
        instrument: what to install; it may be installed once at a time.
        all_threads: whether it sees the calls of all threads meanwhile, not only those of this thread or task.
    """
    with _lock:
        instrument.on, instrument.all_threads = True, all_threads
        table.wrappers.append(instrument.wrap)
        _rewrap()
    _here.set((*_here.get(), instrument))
    try:
        yield
    finally:
        _here.set(tuple(other for other in _here.get() if other is not instrument))
        with _lock:
            instrument.on = False
            table.wrappers.remove(instrument.wrap)
            _rewrap()


def _rewrap() -> None:
    """Give every entry exactly the wrappers that are on, around the kernel itself."""
    for kernels in list(table.tables.values()):
        for op, kernel in list(kernels.items()):
            kernel = kernel_within(kernel)
            for wrap in table.wrappers:
                kernel = wrap(kernels, op, kernel)
            kernels[op] = kernel


def kernel_within(entry: Kernel) -> Kernel:
    """Return the kernel itself, within all instruments that are around it."""
    while isinstance(entry, Watched):
        entry = entry.inner
    return entry


def operands_of(values: Any) -> list[Any]:
    """Return the operands among values, including those in lists and tuples."""
    operands: list[Any] = []
    for value in values:
        if isinstance(value, (list, tuple)):
            operands.extend(operands_of(value))
        elif hasattr(value, "layout"):
            operands.append(value)
    return operands


# -- recording and counting ------------------------------------------------------------------------


class OpRecord(NamedTuple):
    """One kernel call: the op, and dtype names and shapes of its outputs and then of its array inputs."""

    op: str
    dtypes: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...]


class _Recorder(Instrument):
    def __init__(self) -> None:
        self.records: list[OpRecord] = []

    def call(self, op: str, kernel: Kernel, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        operands = operands_of((out, *inputs))
        dtypes, shapes = tuple(x.flat.dtype.name for x in operands), tuple(tuple(x.layout.shape) for x in operands)
        self.records.append(OpRecord(op, dtypes, shapes))
        return kernel(out, *inputs, **params)


@contextmanager
def record_ops() -> Iterator[list[OpRecord]]:
    """Write down the kernel calls of a `with` block in order, in a list that grows while the block runs.

    Only the calls of this thread or asyncio task are seen.

    Returns:
        A context manager, which gives the list of `OpRecord`.

    >>> from lamina_flatarray import FlatArray
    >>> with record_ops() as records:
    ...     x = FlatArray.full(3, 1.0)
    >>> records
    [OpRecord(op='fill', dtypes=('float32',), shapes=((3,),))]
    """
    recorder = _Recorder()
    with installed(recorder):
        yield recorder.records


class _Counter(Instrument):
    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def call(self, op: str, kernel: Kernel, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        self.counts[op] += 1
        return kernel(out, *inputs, **params)


@contextmanager
def count_ops() -> Iterator[Counter[str]]:
    """Count the kernel calls of a `with` block by op.

    Only the calls of this thread or asyncio task are seen.

    Returns:
        A context manager, which gives a `Counter` from op to the number of its calls.

    >>> from lamina_flatarray import FlatArray
    >>> with count_ops() as counts:
    ...     x = FlatArray.full(3, 1.0).cast("int32")
    >>> counts["copy"]
    1
    """
    counter = _Counter()
    with installed(counter):
        yield counter.counts


# -- timing ----------------------------------------------------------------------------------------


class OpProfile(NamedTuple):
    """How often an op ran, and how much it moved.

    Attributes:
        calls: how often it ran.
        seconds: how long that took in all, with the ops that it was decomposed into.
        bytes: the bytes of its operands in all, read or written.
    """

    calls: int
    seconds: float
    bytes: int


class _Profiler(Instrument):
    def __init__(self) -> None:
        self.ops: dict[str, OpProfile] = {}

    def call(self, op: str, kernel: Kernel, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        moved = sum(x.layout.size * x.flat.itemsize for x in operands_of((out, *inputs)))
        begin = time.perf_counter()
        try:
            result = kernel(out, *inputs, **params)
            for x in operands_of((out,))[:1]:
                x.flat.backend.synchronize(x.flat.kernels.index)
            return result
        finally:
            elapsed = time.perf_counter() - begin
            calls, seconds, size = self.ops.get(op, (0, 0.0, 0))
            self.ops[op] = OpProfile(calls + 1, seconds + elapsed, size + moved)


@contextmanager
def profile_ops() -> Iterator[dict[str, OpProfile]]:
    """Time the kernels of a `with` block by op, waiting for the device after each of them.

    Only the calls of this thread or asyncio task are seen.

    Returns:
        A context manager, which gives a dict from op to `OpProfile`.

    >>> from lamina_flatarray import FlatArray
    >>> with profile_ops() as profile:
    ...     x = FlatArray.full(3, 1.0)
    >>> profile["fill"].calls, profile["fill"].bytes
    (1, 12)
    """
    profiler = _Profiler()
    with installed(profiler):
        yield profiler.ops


# -- finding NaN -----------------------------------------------------------------------------------


class _NanFinder(Instrument):
    def __init__(self, inf: bool) -> None:
        self.inf = inf

    def call(self, op: str, kernel: Kernel, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        before = [_values(x) for x in operands_of(inputs)]  # copies: an input may be overwritten in place
        state_names = OPS[op].beside if op in OPS else ()  # such as the moments of Adam
        state = [(name, i, x, _values(x)) for name in state_names for i, x in enumerate(operands_of((params.get(name),)))]
        result = kernel(out, *inputs, **params)
        if op == "fill":  # the program asked for this very value
            return result
        moves = OPS[op].family == "copy" if op in OPS else False
        if moves and any(self._bad(values) for values in before):
            return result
        several = isinstance(out, (list, tuple))
        written = [("output", i, x) for i, x in enumerate(operands_of((out,)))]
        written += [(name, i, x) for name, i, x, values in state if not self._bad(values)]
        for name, place, x in written:
            values = _values(x)
            if self._bad(values):
                shown = [("input", i, values) for i, values in enumerate(before)]
                shown += [(f"{at} before, at", i, values) for at, i, _, values in state]
                if several and len(before) == len(operands_of((out,))):  # what belongs to another parameter has no part
                    shown = [entry for entry in shown if entry[1] == place]
                described = "".join(f"\n  {at} {i}: {_statistics(values)}" for at, i, values in shown)
                raise NotFinite(f"{op}: a value became {'not finite' if self.inf else 'NaN'}\n"
                                f"  {name}{f' {place}' if several else ''}: {_statistics(values)}{described}")  # fmt: skip
        return result

    def _bad(self, values: np.ndarray[Any, Any]) -> bool:
        if values.dtype.kind in "biu":
            return False
        return not np.isfinite(values).all() if self.inf else bool(np.isnan(values).any())


@contextmanager
def detect_nan(inf: bool = True) -> Iterator[None]:
    """Raise an error at the first kernel of a `with` block whose result has NaN, or with `inf` an infinity.

    `fill` may write any value, and `copy` may move what was there before. Only the calls of this thread or asyncio task
    are seen.

    Args:
        inf: whether infinities are searched for, too.

    Returns:
        A context manager, which gives None.

    Raises:
        NotFinite: a result has one; the message names the op, and has statistics of its result and of each input.

    >>> from lamina_flatarray import FlatArray, Row, Strided
    >>> x = Strided(FlatArray.from_items([-1.0, 4.0]), Row(2))
    >>> with detect_nan():
    ...     x.flat.kernels["sqrt"](x, x)
    Traceback (most recent call last):
      ...
    lamina_flatarray.errors.NotFinite: sqrt: a value became not finite
      output: float32[2], 1 NaN and 0 infinite of 2, finite ones from 2 to 2
      input 0: float32[2], 0 NaN and 0 infinite of 2, finite ones from -1 to 4
    """
    with installed(_NanFinder(inf)):
        yield


def _values(operand: Any) -> np.ndarray[Any, Any]:
    """A copy of an operand's items on the host, in its shape."""
    flat, layout = operand.flat, operand.layout
    raw = np.empty(flat.nbytes, np.uint8)
    flat.backend.copy_out(flat.memory, flat.offset, raw.data)
    if not layout.size:
        return np.empty(layout.shape, flat.dtype.numpy)
    step = flat.itemsize
    view: np.ndarray[Any, Any] = np.ndarray(
        layout.shape, flat.dtype.numpy, raw, layout.offset * step, tuple(s * step for s in layout.strides)
    )
    return view


def _statistics(values: np.ndarray[Any, Any]) -> str:
    description = f"{values.dtype.name}{list(values.shape)}"
    if values.dtype.kind in "biu":
        return description + (f", from {values.min()} to {values.max()}" if values.size else "")
    finite = values[np.isfinite(values)]
    nan, infinite = int(np.isnan(values).sum()), int(np.isinf(values).sum())
    if values.dtype.kind == "c":
        finite = np.abs(finite)
    reach = f", finite ones from {float(finite.min()):g} to {float(finite.max()):g}" if finite.size else ""
    return f"{description}, {nan} NaN and {infinite} infinite of {values.size}{reach}"
