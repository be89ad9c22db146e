"""Instruments: what watches kernels by wrapping the entries of all kernel tables while it is on.

When the last one is off, every entry is the kernel itself again, so they cost nothing then. They watch the
whole process, all threads. An op that is composed of others is seen first, those others after it.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import numpy as np

from .backends import kernel_table as table
from .backends.kernel_table import KernelTable
from .contract import Kernel
from .errors import NotFinite
from .ops import OPS

__all__ = [
    "Instrument",
    "OpProfile",
    "OpRecord",
    "count_ops",
    "detect_nan",
    "installed",
    "kernel_within",
    "operands_of",
    "profile_ops",
    "record_ops",
]

_lock: Final = threading.RLock()


class _Watched:
    """An entry with one instrument around it; what is `inner` may be watched by another one."""

    __slots__ = ("around", "inner", "op")

    def __init__(self, op: str, inner: Kernel, around: Instrument) -> None:
        self.op = op
        self.inner = inner
        self.around = around

    def __call__(self, out: Any, *inputs: Any, **params: Any) -> Any:
        if not self.around.on:  # an entry that another thread was making when the instrument went off
            return self.inner(out, *inputs, **params)
        return self.around.call(self.op, self.inner, out, inputs, params)


class Instrument:
    """What to do around each kernel call: subclasses say it in `call`."""

    on = False

    def call(self, op: str, kernel: Kernel, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Run the kernel, or not, and whatever belongs before and after: each subclass defines it."""
        raise NotImplementedError(f"{type(self).__name__} does not say what to do around {op}")

    def wrap(self, kernels: KernelTable, op: str, kernel: Kernel) -> Kernel:
        """A kernel with this instrument around it."""
        return _Watched(op, kernel, self)


@contextmanager
def installed(instrument: Instrument) -> Iterator[None]:
    """Watch all kernels of the process in a `with` block."""
    with _lock:
        instrument.on = True
        table.wrappers.append(instrument.wrap)
        _rewrap()
    try:
        yield
    finally:
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
    """The kernel itself, within all instruments that are around it."""
    while isinstance(entry, _Watched):
        entry = entry.inner
    return entry


def operands_of(values: Any) -> list[Any]:
    """The operands among values, those in lists and tuples, too."""
    found: list[Any] = []
    for value in values:
        if isinstance(value, (list, tuple)):
            found.extend(operands_of(value))
        elif hasattr(value, "layout"):
            found.append(value)
    return found


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
        seen = operands_of((out, *inputs))
        dtypes, shapes = tuple(x.flat.dtype.name for x in seen), tuple(tuple(x.layout.shape) for x in seen)
        self.records.append(OpRecord(op, dtypes, shapes))
        return kernel(out, *inputs, **params)


@contextmanager
def record_ops() -> Iterator[list[OpRecord]]:
    """Write down every kernel call in a `with` block, in order; the list grows while it runs."""
    recorder = _Recorder()
    with installed(recorder):
        yield recorder.records


class _Counter(Instrument):
    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def call(self, op: str, kernel: Kernel, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        with _lock:
            self.counts[op] += 1
        return kernel(out, *inputs, **params)


@contextmanager
def count_ops() -> Iterator[Counter[str]]:
    """Count the kernel calls in a `with` block by op."""
    counter = _Counter()
    with installed(counter):
        yield counter.counts


# -- timing ----------------------------------------------------------------------------------------


class OpProfile(NamedTuple):
    """How often an op ran, how long in all (with the ops that it is composed of), and its operands' bytes."""

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
            took = time.perf_counter() - begin
            with _lock:
                calls, seconds, size = self.ops.get(op, (0, 0.0, 0))
                self.ops[op] = OpProfile(calls + 1, seconds + took, size + moved)


@contextmanager
def profile_ops() -> Iterator[dict[str, OpProfile]]:
    """Time every kernel in a `with` block by op. Waits for the device after each, to tell them apart."""
    profiler = _Profiler()
    with installed(profiler):
        yield profiler.ops


# -- finding NaN -----------------------------------------------------------------------------------


class _NanFinder(Instrument):
    def __init__(self, inf: bool) -> None:
        self.inf = inf

    def call(self, op: str, kernel: Kernel, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        before = [_values(x) for x in operands_of(inputs)]  # copies: an input may be overwritten in place
        state = [(name, i, x, _values(x)) for name, value in params.items() for i, x in enumerate(operands_of((value,)))]
        result = kernel(out, *inputs, **params)
        if op == "fill":  # the program asked for this very value
            return result
        moves = OPS[op].family == "copy" if op in OPS else False
        if moves and any(self._bad(values) for values in before):
            return result
        several = isinstance(out, (list, tuple))
        made = [("output", i, x) for i, x in enumerate(operands_of((out,)))]
        made += [(name, i, x) for name, i, x, values in state if not self._bad(values)]  # such as the moments of Adam
        for name, place, x in made:
            values = _values(x)
            if self._bad(values):
                shown = [("input", i, values) for i, values in enumerate(before)]
                shown += [(f"{at} before, at", i, values) for at, i, _, values in state]
                if several and len(before) == len(operands_of((out,))):  # what belongs to another parameter has no part
                    shown = [entry for entry in shown if entry[1] == place]
                given = "".join(f"\n  {at} {i}: {_statistics(values)}" for at, i, values in shown)
                raise NotFinite(f"{op}: a value became {'not finite' if self.inf else 'NaN'}\n"
                                f"  {name}{f' {place}' if several else ''}: {_statistics(values)}{given}")  # fmt: skip
        return result

    def _bad(self, values: np.ndarray[Any, Any]) -> bool:
        if values.dtype.kind in "biu":
            return False
        return not np.isfinite(values).all() if self.inf else bool(np.isnan(values).any())


@contextmanager
def detect_nan(inf: bool = True) -> Iterator[None]:
    """Raise at the first kernel in a `with` block that makes NaN, or with `inf` an infinity.

    `fill` may write any value, and `copy` may move what was there before.

    Raises:
        NotFinite: naming the op, with statistics of its output and of each input.
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
    about = f"{values.dtype.name}{list(values.shape)}"
    if values.dtype.kind in "biu":
        return about + (f", from {values.min()} to {values.max()}" if values.size else "")
    finite = values[np.isfinite(values)]
    nan, infinite = int(np.isnan(values).sum()), int(np.isinf(values).sum())
    if values.dtype.kind == "c":
        finite = np.abs(finite)
    reach = f", finite ones from {float(finite.min()):g} to {float(finite.max()):g}" if finite.size else ""
    return f"{about}, {nan} NaN and {infinite} infinite of {values.size}{reach}"
