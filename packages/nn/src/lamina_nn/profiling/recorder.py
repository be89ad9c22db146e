"""Recording events: around each kernel, region and call of a module, with the memory that is allocated meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Final

from lamina_flatarray import DTYPES
from lamina_flatarray.backends import kernel_table as table
from lamina_flatarray.fork_safety import fork_safe
from lamina_flatarray.instruments import Instrument, installed, operands_of
from lamina_flatarray.multiply_adds import multiply_adds
from lamina_flatarray.ops import OPS
from lamina_tensor.autograd.debugging.call_sites import call_sites

from ..module import Module
from ..module.watching import watched_calls
from ..optim.hooks import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
from ..process_groups import progress
from .events import FunctionEvent
from .regions import watchers
from .timeline import Collective, noted

__all__ = ["Recorder"]

_lock: Final = fork_safe(threading.RLock())
_watching: Final[list[Recorder]] = []
_plain: Final[dict[table.KernelTable, Callable[[int], Any]]] = {}
"""What the tables allocate with while nobody looks."""


class _Here(threading.local):
    def __init__(self) -> None:
        self.open: list[FunctionEvent] = []
        self.steps: list[FunctionEvent] = []
        self.pending = 0  # bytes allocated for a kernel that is about to run


class Recorder(Instrument):
    """Records what happens from `start` to `stop`, in all threads.

    Args:
        shapes, memory, stack, flops, modules: what else is noted of events.

    Attributes:
        events: what was seen, in the order in which it began.
        collectives: the operations of groups that ended meanwhile.
    """

    def __init__(self, *, shapes: bool, memory: bool, stack: bool, flops: bool, modules: bool) -> None:
        self.shapes, self.memory, self.stack, self.flops, self.modules = shapes, memory, stack, flops, modules
        self.events: list[FunctionEvent] = []
        self.collectives: list[Collective] = []
        self.began = self.ended = 0
        self._here = _Here()
        self._paths: dict[Module, str] = {}
        self._all = ExitStack()

    def start(self) -> None:
        """From here on."""
        self.began = time.perf_counter_ns()
        if self.memory:
            self._watch_memory()
        self._all.enter_context(installed(self, all_threads=True))
        if self.modules:
            self._all.enter_context(watched_calls(self.around))
        watchers.append(self)
        self._all.callback(watchers.remove, self)
        progress.watchers.append(self.moved)
        self._all.callback(progress.watchers.remove, self.moved)
        self._all.callback(register_optimizer_step_pre_hook(self._step_begins).remove)
        self._all.callback(register_optimizer_step_post_hook(self._step_ends).remove)

    def stop(self) -> None:
        """To here."""
        self._all.close()
        self.ended = time.perf_counter_ns()

    # -- events ---------------------------------------------------------------------------------------------------------

    def begin(self, name: str, *, annotation: bool = False, kind: str = "") -> FunctionEvent:
        """An event begins in this thread."""
        here = self._here.open
        parent = here[-1] if here else None
        event = FunctionEvent(name, kind or ("region" if annotation else "op"), 0, threading.get_ident(), parent)
        if self.stack:
            event.stack = [f"{file}({line}): {function}" for file, line, function in reversed(call_sites())]
        self.events.append(event)
        here.append(event)
        event.begin = event.end = time.perf_counter_ns()
        return event

    def end(self, begun: FunctionEvent) -> None:
        """It ends, and so does what was left open within it."""
        begun.end = time.perf_counter_ns()
        here = self._here.open
        if begun in here:
            for left in here[here.index(begun) + 1 :]:
                left.end = begun.end
            del here[here.index(begun) :]
        begun.self_cpu_memory_usage += self._here.pending
        self._here.pending = 0

    def call(self, op: str, kernel: Any, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """A kernel's call."""
        event = self.begin(OPS[op].kernel_name if op in OPS else f"lamina::{op}")
        event.self_cpu_memory_usage, self._here.pending = self._here.pending, 0
        if self.shapes:
            event.input_shapes = [list(x.layout.shape) for x in operands_of(inputs)]
        if self.flops and not any(outer.flops for outer in self._here.open):  # an op's are those of what it is composed of
            event.flops = 2 * multiply_adds(op, out, inputs)
        try:
            result = kernel(out, *inputs, **params)
            for x in operands_of((out,))[:1]:
                kernels = x.flat.kernels
                event.device = kernels.device.type
                kernels.backend.synchronize(kernels.index)
            return result
        finally:
            self.end(event)

    def around(self, module: Module, call: Callable[[], Any]) -> Any:
        """A module's call, named by its path in the outermost one that is called."""
        outermost = not any(event.kind == "module" for event in self._here.open)
        if outermost or module not in self._paths:
            self._paths = {**self._paths, **{m: path for path, m in module.named_modules()}}
        path, kind = self._paths[module], module._get_name()
        event = self.begin(f"nn.Module: {path}: {kind}" if path else f"nn.Module: {kind}", kind="module")
        try:
            return call()
        finally:
            self.end(event)

    def moved(self, operation: progress.Operation) -> None:
        """An operation of a group came to its end; one that began before the recording is left out."""
        if operation.began >= self.began:
            self.collectives.append(noted(operation))

    def _step_begins(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        name = type(optimizer).__name__
        self._here.steps.append(self.begin(f"Optimizer.step#{name}.step", annotation=True))

    def _step_ends(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        if self._here.steps:  # else it began before the recording
            self.end(self._here.steps.pop())

    # -- memory ---------------------------------------------------------------------------------------------------------

    def _watch_memory(self) -> None:
        """Have every table's allocation pass here, those of other dtypes included."""
        with _lock:
            _watching.append(self)
            if not _plain:
                for kernels in list(table.tables.values()):
                    for dtype in DTYPES.values():
                        kernels.sibling(dtype)
                for kernels in list(table.tables.values()):
                    _plain[kernels] = kernels.allocate
                    kernels.allocate = _seen(kernels.allocate)
        self._all.callback(self._leave_memory)

    def _leave_memory(self) -> None:
        with _lock:
            _watching.remove(self)
            if not _watching:
                for kernels, allocate in _plain.items():
                    kernels.allocate = allocate
                _plain.clear()


def _seen(allocate: Callable[[int], Any]) -> Callable[[int], Any]:
    def seen(nbytes: int) -> Any:
        for recorder in tuple(_watching):
            recorder._here.pending += nbytes
        return allocate(nbytes)

    return seen
