"""Processes that run one function each, and end together: where one fails, the others are stopped, and the failure is raised again."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

__all__ = ["ProcessContext", "ProcessException", "ProcessExitedException", "ProcessRaisedException", "spawn", "start_processes"]

PATIENCE = 30.0
"""Seconds that a process which was asked to end may take before it is killed."""


class ProcessException(Exception):
    """A process that `spawn` started has failed.

    Args:
        msg: what it said.
        error_index: its number, from 0.
        pid: its number in the system.

    >>> try:
    ...     raise torch.multiprocessing.ProcessRaisedException("out of luck", 1, 4711)
    ... except torch.multiprocessing.ProcessException as error:
    ...     print(error, error.error_index, error.pid)
    out of luck 1 4711
    """

    def __init__(self, msg: str, error_index: int, pid: int) -> None:
        super().__init__(msg)
        self.msg = msg
        self.error_index = error_index
        self.pid = pid

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.msg, self.error_index, self.pid)


class ProcessRaisedException(ProcessException):
    """The function raised an error in a process; the message holds its traceback.

    >>> import operator
    >>> try:
    ...     torch.multiprocessing.start_processes(operator.truediv, args=(0,), start_method="fork")  # 0 / 0
    ... except torch.multiprocessing.ProcessRaisedException as error:
    ...     print("ZeroDivisionError" in str(error))
    True
    """


class ProcessExitedException(ProcessException):
    """A process ended otherwise than by its function's return: by `sys.exit`, or by a signal.

    Args:
        msg, error_index, pid: as of every ProcessException.
        exit_code: its exit status, below 0 where a signal ended it.
        signal_name: the signal's name; None where there was none.

    >>> torch.multiprocessing.ProcessExitedException("process 0 terminated with exit code 3", 0, 4711, 3).exit_code
    3
    """

    def __init__(self, msg: str, error_index: int, pid: int, exit_code: int, signal_name: str | None = None) -> None:
        super().__init__(msg, error_index, pid)
        self.exit_code = exit_code
        self.signal_name = signal_name

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.msg, self.error_index, self.pid, self.exit_code, self.signal_name)


class ProcessContext:
    """Processes that were started together.

    Args:
        processes: they are running.
        errors: for each, where it says what its function raised.

    Attributes:
        processes: they, by number.
        sentinels: for each, what is ready when it has ended.

    >>> import operator
    >>> context = torch.multiprocessing.start_processes(operator.add, args=(1,), nprocs=2, join=False, start_method="fork")
    >>> len(context.processes), context.join()
    (2, True)
    """

    def __init__(self, processes: Sequence[BaseProcess], errors: Sequence[Connection]) -> None:
        self.processes = list(processes)
        self.sentinels = [process.sentinel for process in processes]
        self._running = {process.sentinel: i for i, process in enumerate(processes)}
        self._errors = dict(enumerate(errors))
        self._told: dict[int, str] = {}

    def pids(self) -> list[int]:
        """Return the numbers of the processes in the system.

        Returns:
            A list of them.

        >>> import operator
        >>> context = torch.multiprocessing.start_processes(operator.add, args=(1,), nprocs=2, join=False, start_method="fork")
        >>> len(context.pids()), context.join()
        (2, True)
        """
        return [int(process.pid or 0) for process in self.processes]

    def join(self, timeout: float | None = None, grace_period: float | None = None) -> bool:
        """Wait until one process has failed, all have ended, or the time is over.

        Args:
            timeout: how many seconds to wait at most; None for no limit.
            grace_period: how many seconds the others have to end by themselves when one has failed, and once more when they are asked to,
                before they are killed; by default, they are asked at once, and killed after 30 seconds.

        Returns:
            True where all have ended well, False where there are some to wait for.

        Raises:
            ProcessRaisedException: a function raised an error.
            ProcessExitedException: a process exited with another status than 0, or was killed.

        >>> import operator
        >>> context = torch.multiprocessing.start_processes(operator.add, args=(1,), nprocs=2, join=False, start_method="fork")
        >>> context.join(timeout=60)
        True
        """
        end = None if timeout is None else time.monotonic() + timeout
        while self._running:
            left = None if end is None else max(end - time.monotonic(), 0.0)
            ready = wait([*self._running, *self._errors.values()], left)
            if not ready:
                return False
            self._hear()
            for sentinel in self._running.keys() & set(ready):
                failed = self._running.pop(sentinel)
                process = self.processes[failed]
                process.join()
                if process.exitcode != 0:
                    self._hear()
                    self._stop(grace_period)
                    raise self._failure(failed, process)
        self._close()
        return True

    def stop(self) -> None:
        """End all processes that are running.

        >>> import time
        >>> context = torch.multiprocessing.start_processes(time.sleep, args=(), nprocs=2, join=False, start_method="fork")
        >>> context.stop()
        >>> context.join()
        True
        """
        self._stop(None)

    def _hear(self) -> None:
        """Read what functions have raised: a long traceback waits to be read before its process ends."""
        for i, end in list(self._errors.items()):
            try:
                if not end.poll():
                    continue
                self._told[i] = end.recv_bytes().decode()
            except (EOFError, OSError):  # it has nothing to say, or was killed while it said it
                pass
            del self._errors[i]
            end.close()

    def _stop(self, grace_period: float | None) -> None:
        running = [self.processes[i] for i in self._running.values()]
        if grace_period is not None:
            _joined(running, grace_period)
        for end in (BaseProcess.terminate, BaseProcess.kill):
            for process in running:
                if process.is_alive():
                    end(process)
            _joined(running, PATIENCE if grace_period is None else grace_period)
        self._running.clear()
        self._close()

    def _close(self) -> None:
        for end in self._errors.values():
            end.close()
        self._errors.clear()

    def _failure(self, i: int, process: BaseProcess) -> ProcessException:
        pid, status = int(process.pid or 0), int(process.exitcode or 0)
        if i in self._told:
            return ProcessRaisedException(f"\n\n-- Process {i} terminated with the following error:\n{self._told[i]}", i, pid)
        if status < 0:
            try:
                name = signal.Signals(-status).name
            except ValueError:
                name = f"<Unknown signal {-status}>"
            return ProcessExitedException(f"process {i} terminated with signal {name}", i, pid, status, name)
        return ProcessExitedException(f"process {i} terminated with exit code {status}", i, pid, status)


def _joined(processes: Sequence[BaseProcess], seconds: float) -> None:
    end = time.monotonic() + seconds
    for process in processes:
        process.join(max(end - time.monotonic(), 0.0))


def start_processes(
    fn: Callable[..., object], args: Sequence[Any] = (), nprocs: int = 1, join: bool = True, daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:  # fmt: skip
    """Run `fn(i, *args)` in `nprocs` processes, i from 0 to nprocs - 1.

    Where one fails, the others are stopped. They are stopped, too, when this process is interrupted while it waits for them, or ends.

    Args:
        fn: the function; processes that are not forked find it by its name, so it stands at the top of a module.
        args: its further arguments; tensors on which `share_memory_` was called are shared, others are copied.
        nprocs: how many processes.
        join: whether to wait until all have ended.
        daemon: whether they end when the main thread does, and may have no children of their own.
        start_method: "spawn", "fork" or "forkserver".

    Returns:
        None; or, if `join` is False, the `ProcessContext` to wait by.

    Raises:
        ValueError: the system has no such start method.
        ProcessRaisedException: a function raised an error.
        ProcessExitedException: a process exited with another status than 0, or was killed.

    >>> import operator
    >>> torch.multiprocessing.start_processes(operator.add, args=(1,), nprocs=2, start_method="fork") is None  # 0 + 1, and 1 + 1
    True
    """
    start = multiprocessing.get_context(start_method)
    processes: list[Any] = []
    errors: list[Connection] = []
    try:
        for i in range(nprocs):
            read, written = start.Pipe(duplex=False)
            errors.append(read)
            process = start.Process(target=_run, args=(fn, i, tuple(args), written), daemon=daemon)  # type: ignore[attr-defined]
            try:
                process.start()
                processes.append(process)
            finally:
                written.close()
        context = ProcessContext(processes, errors)
        if not join:
            return context
        while not context.join():
            pass
    except BaseException:
        for process in processes:
            if process.is_alive():
                process.terminate()
        _joined(processes, PATIENCE)
        for end in errors:
            end.close()
        raise
    return None


def spawn(
    fn: Callable[..., object], args: Sequence[Any] = (), nprocs: int = 1, join: bool = True, daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:  # fmt: skip
    """Run `fn(i, *args)` in `nprocs` new processes, i from 0 to nprocs - 1; see `start_processes`, which knows other start methods.

    Args:
        fn: the function, which stands at the top of a module.
        args: its further arguments.
        nprocs: how many processes.
        join: whether to wait until all have ended.
        daemon: whether they end when the main thread does, and may have no children of their own.
        start_method: "spawn"; another one is not used, and warned of.

    Returns:
        None; or, if `join` is False, the `ProcessContext` to wait by.

    Raises:
        ProcessRaisedException: a function raised an error.
        ProcessExitedException: a process exited with another status than 0, or was killed.

    >>> import operator
    >>> context = torch.multiprocessing.spawn(operator.add, args=(1,), nprocs=2, join=False)
    >>> len(context.pids()), context.join()
    (2, True)
    """
    if start_method != "spawn":
        warnings.warn(
            f"spawn: start_method={start_method!r} is not used; torch.multiprocessing.start_processes takes other ones than 'spawn'",
            FutureWarning,
            stacklevel=2,
        )
    return start_processes(fn, args, nprocs, join, daemon)


def _run(fn: Callable[..., object], i: int, args: tuple[Any, ...], errors: Connection) -> None:
    """What a process does."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        fn(i, *args)
    except KeyboardInterrupt:  # the parent is interrupted, too, or has ended
        pass
    except Exception:
        errors.send_bytes(traceback.format_exc().encode())
        sys.exit(1)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN  # as in what a shell runs in its background
        os.kill(os.getpid(), signal.SIGTERM if ignored else signal.SIGINT)
        time.sleep(PATIENCE)
        os._exit(1)
