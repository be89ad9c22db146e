"""WithWorkers: a pass whose batches worker processes read ahead of being asked for."""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import sys
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from multiprocessing.connection import Connection, wait
from operator import methodcaller
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray.backends import registry

from .interrupts import interrupts_wait
from .iterating import Pass
from .progress import Share
from .random_states import restore
from .transport import receive
from .worker import Caught, Chosen, Ended, Epoch, Job, run

if TYPE_CHECKING:
    from .loader import DataLoader

__all__ = ["WithWorkers", "default_start_method", "started_by"]

_PATIENCE: Final = 2.0
"""Seconds that a worker may take to finish what it is at when its loader is done, before it is told to stop, and then ended."""

_LOOK: Final = 5.0
"""Seconds between two looks at whether the workers live. The end of a pipe tells it at once, unless a process that another
thread forked in between holds the other end, too."""


def default_start_method() -> str:
    """How workers start if the loader does not say: as the program says for all its processes, else by fork on Linux.

    A forked worker needs no pickling and no guard around the main program. That is safe beside threads of this library,
    whose locks are free in the child (`lamina_flatarray.fork_safety`), but for those within a product of NumPy's: OpenBLAS with
    several threads may hang in its fork handler. Other systems' own libraries do not survive a fork.
    """
    said = _said or multiprocessing.get_start_method(allow_none=True)
    return said or ("fork" if sys.platform == "linux" else "spawn")


_said: str | None = None

_ends: Final[weakref.WeakSet[Connection]] = weakref.WeakSet()
"""This process's ends of all loaders' pipes: a forked worker closes them, or others would not see that their loader is gone."""


@contextmanager
def started_by(method: str) -> Iterator[None]:
    """Workers of loaders that say nothing else start so, meanwhile; for programs that they cannot import."""
    global _said
    before, _said = _said, method
    try:
        yield
    finally:
        _said = before


def _preload() -> None:
    """Let the server that workers are forked from import lamina once for all of them, if it does not run yet."""
    from multiprocessing import forkserver

    server = forkserver._forkserver
    modules = list(getattr(server, "_preload_modules", None) or ["__main__"])
    if run.__module__ not in modules:
        server.set_forkserver_preload([*modules, run.__module__])


class WithWorkers(Pass):
    """Gives each worker `prefetch_factor` batches to read, in turn, and another one for each that is taken.

    Raises:
        RuntimeError: a worker ended by itself, or took longer than the loader's `timeout`.
    """

    def __init__(self, loader: DataLoader[Any]) -> None:
        super().__init__(loader)
        self._timeout, self._in_order = loader.timeout, loader.in_order
        self._window = (loader.prefetch_factor or 0) * loader.num_workers
        self._epoch = 0
        resumed = self._begin(loader)
        self._connections: list[Connection] = []
        self._processes: list[Any] = []
        self.shut = weakref.finalize(self, _shut, os.getpid(), self._connections, self._processes)
        try:
            self._start(loader)
            self._hand_out(loader, resumed)
        except BaseException:
            self.shut()
            raise

    def again(self, loader: DataLoader[Any]) -> None:
        """Begin another epoch with the same workers."""
        try:
            self._hand_out(loader, self._begin(loader, draws_seed=False))
        except BaseException:
            self.shut()
            raise

    def _start(self, loader: DataLoader[Any]) -> None:
        context: Any = loader.multiprocessing_context or multiprocessing.get_context(default_start_method())
        forks = context.get_start_method() == "fork"
        if context.get_start_method() == "forkserver":
            _preload()
        chosen = Chosen(registry.backend_for("cpu").name)
        for i in range(self._num_workers):
            job = Job(i, self._num_workers, self.progress.base_seed, self.fetching, loader.worker_init_fn)
            with interrupts_wait():  # one within would lose an end of the pipe, or go on as the program in the child
                own_end, worker_end = context.Pipe()
                self._connections.append(own_end)
                _ends.add(own_end)
                not_mine = [end for end in _ends if not end.closed] if forks else []
                process = context.Process(target=run, args=(worker_end, not_mine, chosen, job), daemon=True)
                try:
                    process.start()
                    self._processes.append(process)
                except (pickle.PicklingError, AttributeError, TypeError) as error:
                    error.add_note(
                        f"DataLoader: workers started by {context.get_start_method()!r} are sent the data set, collate_fn and"
                        " worker_init_fn, which must be found by their names: define them at the top of a module, or give"
                        " multiprocessing_context='fork' where the system has it"
                    )
                    raise
                finally:
                    worker_end.close()

    def _hand_out(self, loader: DataLoader[Any], resumed: dict[str, Any] | None) -> None:
        """Tell the workers of the epoch, and give them as much to do as they may have."""
        self._epoch += 1
        self._open: dict[int, int] = {}  # number of a batch: the worker that reads it
        self._ready: dict[int, Any] = {}  # number of a batch: what came
        self._busy = [0] * self._num_workers
        progress = self.progress
        if resumed is None:
            progress.shares = [Share() for _ in range(self._num_workers)]
        self._turn = progress.next_worker
        for i, share in enumerate(progress.shares):
            self._send(i, Epoch(self._epoch, share.taken if self.fetching.iterable else 0, share.states))
        for _ in range(self._window):
            self._ask()
        if resumed is not None:
            restore(loader._generators(), resumed["generators"])

    def _numbered(self, indices: Iterator[Any]) -> Iterator[tuple[int, Any]]:
        # An endless sampler stands for an iterable data set. What was given of that, the workers skip themselves.
        if not self.fetching.iterable:
            return super()._numbered(indices)
        done = self.progress.done
        self.progress.ahead.clear()
        return enumerate(indices, done)

    # -- tasks out ------------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Give the next batch to the worker whose turn it is; or, out of order, to the next that has room."""
        shares, n = self.progress.shares, self._num_workers
        working = n - sum(share.ended for share in shares)
        for i in range(self._turn, self._turn + n):
            worker = i % n
            if not shares[worker].ended and (self._in_order or self._busy[worker] < self._window // working):
                break
        else:
            return
        for place, index in islice(self._places, 1):
            self._turn = (worker + 1) % n
            self._busy[worker] += 1
            self._open[place] = worker
            self._send(worker, (self._epoch, place, index))

    def _send(self, worker: int, task: Any) -> None:
        try:
            self._connections[worker].send(task)
        except OSError:
            self._died(worker)

    # -- batches in -----------------------------------------------------------------------------------------------------

    def _next(self) -> Any:
        if self._failure is not None:
            raise RuntimeError(self._failure)
        if not self.shut.alive:
            raise StopIteration
        try:
            result = self._awaited()
        except StopIteration:
            raise
        except BaseException as error:
            if not self._waits and self._failure is None:  # a batch may be half read, or not noted
                self._failure = f"DataLoader: the pass ended when {type(error).__name__} came while it took in a batch; begin another"
                self.shut()
            raise
        if isinstance(result, Caught):
            raise result.again()
        return result

    def _awaited(self) -> Any:
        progress = self.progress
        while self._open:
            place = next(iter(self._open))  # the longest awaited
            if not self._in_order and self._ready:
                place = next(iter(self._ready))
            if place not in self._ready:
                if not progress.shares[self._open[place]].ended:
                    self._receive()
                else:
                    del self._open[place]
                continue
            worker = self._open.pop(place)
            result, states = self._ready.pop(place)
            share = progress.shares[worker]
            share.taken, share.states = share.taken + 1, states
            progress.given(place)
            self._ask()
            progress.next_worker = next(iter(self._open.values()), self._turn)
            return result
        progress.finished = True
        if not self._keeps:
            self.shut()
        raise StopIteration

    _keeps = False
    """Whether the workers stay for the next epoch."""

    _failure: str | None = None
    """Why there are no more batches, if a worker ended."""

    _waits = False
    """Whether it only waits: an interrupt loses nothing then."""

    def keep(self) -> None:
        """Let the workers stay when the epoch is at its end."""
        self._keeps = True

    def _receive(self) -> None:
        """Take in what has come, or wait for something."""
        sources = {
            connection: i for i, connection in enumerate(self._connections)
            if self._busy[i] and not self.progress.shares[i].ended
        }  # fmt: skip
        until = time.monotonic() + self._timeout if self._timeout else math.inf
        while True:
            self._waits = True
            came = wait(list(sources), min(_LOOK, max(0.0, until - time.monotonic())))
            if not came and time.monotonic() >= until:
                awaited = next(iter(self._open.values())) if self._in_order else min(sources.values())
                raise RuntimeError(
                    f"DataLoader timed out after {self._timeout} seconds, waiting for worker {awaited}"
                    f" (pid {self._processes[awaited].pid})"
                )
            self._waits = False
            if any(self._take_in(sources[connection]) for connection in came):  # type: ignore[index]
                return
            for connection, worker in sources.items() if not came else ():
                if not self._processes[worker].is_alive() and not connection.poll():
                    self._died(worker)

    def _take_in(self, worker: int) -> bool:
        """Read what a worker sent; tells whether it belongs to this epoch."""
        try:
            epoch, place, outcome, states = receive(self._connections[worker])
        except (EOFError, OSError):
            self._died(worker)
        if epoch != self._epoch:
            return False
        self._busy[worker] -= 1
        if isinstance(outcome, Ended):
            self.progress.shares[worker].ended = True
            self._ask()
        else:
            self._ready[place] = outcome, states
        return True

    def _died(self, worker: int) -> None:
        process = self._processes[worker]
        process.join(_PATIENCE)
        code = process.exitcode
        self.shut()
        hint = ""
        if code == 1:
            hint = (
                "; what it printed tells why. A script whose workers end as they start wants `if __name__ == '__main__':` around"
                " what it does"
            )
        elif code == -9:
            hint = "; the system ends processes so when memory runs out"
        self._failure = (
            f"DataLoader worker (pid(s) {process.pid}) exited unexpectedly"
            + (f" by signal {-code}" if code is not None and code < 0 else f" with exit code {code}") + hint
        )  # fmt: skip
        raise RuntimeError(self._failure)


def _shut(owner: int, connections: list[Connection], processes: list[Any]) -> None:
    """End the workers: each sees that its pipe is closed; one that does not look in time is ended."""
    with interrupts_wait():
        for connection in connections:
            connection.close()
        if os.getpid() != owner:
            return  # in a fork of the loader's process, whose workers these are
        for stop in (None, methodcaller("terminate"), methodcaller("kill")):
            until = time.monotonic() + _PATIENCE
            for process in processes:
                if stop is not None and process.is_alive():
                    stop(process)
            for process in processes:
                process.join(max(0.0, until - time.monotonic()))
