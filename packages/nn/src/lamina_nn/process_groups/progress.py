"""What is under way between processes: operations, each a chain of moves, driven by whoever waits, or by a thread of their own.

One operation of a communicator runs at a time, in the order in which they were begun, which is the same in all processes; messages
from one process to another run beside them. Every wait polls: for the moves, for processes that are lost, and for the deadline.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from time import monotonic, perf_counter_ns, sleep
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import ProcessGroupError, RankLost
from lamina_flatarray.fork_safety import fork_safe
from lamina_flatarray.process_groups import Request
from lamina_ndarray import NDArray

if TYPE_CHECKING:
    from .process_group import ProcessGroup

__all__ = ["Operation", "Steps", "alone", "begin", "finished", "forget_failure", "has_failed", "wait", "wait_for_request", "watchers"]

Steps = Iterator[Request]
"""An operation: it gives one move after the other, and goes on when that is finished."""

_LOOK: Final = 0.25
"""Seconds between two looks at who is alive."""
_GRACE: Final = 1.5
"""Seconds in which what a lost process has sent may still arrive."""
_PATIENCE: Final = 5.0
"""Seconds of a wait after which it is told who has not come."""
_SPINS: Final = 400
"""How often a wait asks again at once before it begins to sleep."""

_lock: Final = fork_safe(threading.RLock())
_running: Final[list[Operation]] = []
_work: Final = threading.Event()
_thread: threading.Thread | None = None
_failure: list[ProcessGroupError] = []


class Operation:
    """One operation of a group.

    Args:
        name: the function that was called.
        group: whose processes take part.
        steps: its moves.
        timeout: seconds until it counts as failed.
        message: whether it goes between two processes only, so that it need not wait for its turn.
        arrays: the data of this process that take part.

    Attributes:
        nbytes: how much data that is.
        began, ended: when its turn came, and when it was finished, in nanoseconds of `time.perf_counter_ns`; 0 before.
    """

    def __init__(
        self, name: str, group: ProcessGroup, steps: Steps, timeout: float, message: bool = False, arrays: Iterable[Any] = ()
    ) -> None:
        self.name, self.group, self.message, self.nbytes = name, group, message, 0
        self._streams: dict[tuple[Any, int], Any] = {}  # of devices: those on which the program has queued what made the data
        for array in arrays:
            self.nbytes += array.nbytes
            if isinstance(array, NDArray) and not array.flat.backend.host:
                backend, index = array.flat.backend, array.flat.kernels.index
                self._streams[backend, index] = backend.current_stream(index)
        self.began = self.ended = 0
        self.steps = steps
        self.move: Request | None = None
        self.finished = False
        self.error: BaseException | None = None
        self.source = -1
        self.timeout = timeout
        self.deadline = monotonic() + timeout
        self.count = group.count

    def advance(self) -> None:
        """Go on as far as it can without waiting, on the streams of the program, whichever thread this is."""
        own = {(backend, index): backend.current_stream(index) for backend, index in self._streams}
        self._choose(self._streams)
        try:
            self._advance()
        finally:
            self._choose(own)

    def _choose(self, streams: dict[tuple[Any, int], Any]) -> None:
        for (backend, index), stream in streams.items():
            backend.set_stream(index, stream)

    def _advance(self) -> None:
        self.began = self.began or perf_counter_ns()
        try:
            while self.move is None or self.move.done():
                if self.move is not None and self.message:
                    self.source = self.move.source
                self.move = next(self.steps)
        except StopIteration:
            self.finished = True
        except BaseException as error:
            self.error = error
            self.finished = True
        if self.finished:
            self.ended = perf_counter_ns()
            self.move = None
            self.steps = iter(())


watchers: Final[list[Callable[[Operation], None]]] = []
"""Who is told of each operation that came to a good end, as profilers that are on."""


def begin(operation: Operation, *, background: bool) -> None:
    """Begin an operation.

    Args:
        operation: what to begin.
        background: whether a thread drives it while nobody waits for it.

    Raises:
        ProcessGroupError: an earlier one has failed, so that processes are no longer in step.
    """
    global _thread
    if _failure:
        raise type(_failure[0])(*_failure[0].args)
    with _lock:
        _running.append(operation)
        _advance()
    if background and not operation.finished:
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_drive, name="lamina process groups", daemon=True)
            _thread.start()
        _work.set()


def _advance() -> bool:
    """Drive what may run, and return whether something came to an end. The lock is held."""
    ended = False
    busy: set[int] = set()
    for operation in list(_running):
        turn = id(operation.group.communicator)
        if not operation.message:
            if turn in busy:
                continue
            busy.add(turn)
        operation.advance()
        if operation.finished:
            ended = True
            _running.remove(operation)
            busy.discard(turn)
            if isinstance(operation.error, ProcessGroupError):
                _failure[:] = [operation.error]
            elif operation.error is None:
                for watcher in watchers:
                    watcher(operation)
    return ended


def _drive() -> None:
    idle = 0
    while True:
        if not _running:
            _work.clear()
            if not _running:
                _work.wait()
            idle = 0
        with _lock:
            idle = 0 if _advance() else idle + 1
        _pause(idle)


def _pause(idle: int) -> None:
    sleep(0 if idle < _SPINS else 0.00005 if idle < 10 * _SPINS else 0.001)


def wait(operation: Operation, timeout: float | None = None) -> None:
    """Wait until an operation is finished.

    Args:
        operation: what to wait for.
        timeout: seconds; by default, until its own deadline.

    Raises:
        RankLost: a process was killed, is stopped or has not come in time; the message names it.
        ProcessGroupError: a move failed.
    """
    deadline = operation.deadline if timeout is None else min(operation.deadline, monotonic() + timeout)
    idle, look, lost_since, patient_until = 0, 0.0, 0.0, monotonic() + _PATIENCE
    while not operation.finished:
        if _lock.acquire(timeout=0.002):
            try:
                idle = 0 if _advance() else idle + 1
            finally:
                _lock.release()
        if operation.finished:
            break
        now = monotonic()
        if idle >= _SPINS and now >= look:
            look = now + _LOOK
            lost_since = _look(operation, lost_since, now)
            if now >= patient_until and (behind := _behind(operation)):
                patient_until = deadline
                warnings.warn(
                    f"{operation.name}: waiting for {behind}, for {_PATIENCE:g} s so far; given up after {operation.timeout:g} s",
                    RuntimeWarning, stacklevel=2,
                )  # fmt: skip
        if now > deadline:
            _fail(operation, RankLost(_late(operation, timeout)))
        _pause(idle)
    if operation.error is not None:
        raise operation.error


def _look(operation: Operation, lost_since: float, now: float) -> float:
    """Fail if a process of the group has been lost for long enough; return since when it has been."""
    heartbeat = operation.group.heartbeat
    lost = {} if heartbeat is None else {rank: why for rank, why in heartbeat.lost().items() if rank in operation.group.ranks}
    if not lost:
        return 0.0
    if lost_since and now - lost_since >= _GRACE:
        _fail(operation, RankLost(f"{operation.name}: {'; '.join(lost.values())}"))
    return lost_since or now


def _late(operation: Operation, timeout: float | None) -> str:
    seconds = operation.timeout if timeout is None else min(timeout, operation.timeout)
    behind = _behind(operation)
    return f"{operation.name}: not finished within {seconds:g} s" + (f": {behind} did not come" if behind else "")


def _behind(operation: Operation) -> str:
    """Who has not begun an operation yet."""
    group, heartbeat = operation.group, operation.group.heartbeat
    if heartbeat is None or operation.message:
        return ""
    return ", ".join(heartbeat.named(rank) for rank in heartbeat.behind(group.number, operation.count, group.ranks))


def _fail(operation: Operation, error: ProcessGroupError) -> None:
    with _lock:
        _failure[:] = [error]
        for communicator in {id(other.group.communicator): other.group.communicator for other in (operation, *_running)}.values():
            communicator.abandon()
        for other in list(_running):
            other.error, other.finished = error, True
        _running.clear()
    raise error


def alone() -> AbstractContextManager[bool]:
    """Return what keeps the thread from moving anything, in a `with` block, as communicators serve one thread at a time."""
    return _lock


def has_failed() -> bool:
    """Return whether an operation has failed, after which processes are no longer in step."""
    return bool(_failure)


def forget_failure() -> None:
    """Let operations begin again, as there is a new group of all processes."""
    _failure.clear()


def finished(operation: Operation) -> bool:
    """Help along what is under way, and return whether an operation is finished.

    Args:
        operation: what to look at.
    """
    if not operation.finished and _lock.acquire(blocking=False):
        try:
            _advance()
        finally:
            _lock.release()
    return operation.finished


def wait_for_request(request: Request, timeout: float) -> None:
    """Wait for one move, as groups are made: nobody tells yet who is alive.

    Args:
        request: the move.
        timeout: seconds.

    Raises:
        ProcessGroupError: it is not finished by then, or failed.
    """
    deadline, idle = monotonic() + timeout, 0
    while not request.done():
        if monotonic() > deadline:
            raise RankLost(f"init_process_group: not all processes came within {timeout:g} s")
        idle += 1
        _pause(idle)
