"""Work: an operation of a group that was begun, and how functions begin theirs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from lamina_flatarray import ArgumentTypeError

from . import progress
from .process_group import ProcessGroup
from .progress import Operation, Steps

__all__ = ["Work", "run", "seconds"]


class Work:
    """Stand for an operation of a group that was begun.

    Args:
        operation: the operation; None for one that is finished.

    >>> torch.distributed.Work().wait()
    True
    """

    def __init__(self, operation: Operation | None = None) -> None:
        self._operation = operation

    def wait(self, timeout: Any = None) -> bool:
        """Wait until the operation is finished.

        Args:
            timeout: a `datetime.timedelta` or seconds; by default the group's.

        Returns:
            True.

        Raises:
            RankLost: a process was killed, is stopped or did not come in time; the message names it.
            ProcessGroupError: it failed otherwise.

        >>> torch.distributed.Work().wait()
        True
        """
        if self._operation is not None:
            progress.wait(self._operation, None if timeout is None else seconds("wait", timeout))
        return True

    def is_completed(self) -> bool:
        """Tell whether the operation is finished.

        Returns:
            A bool.

        >>> torch.distributed.Work().is_completed()
        True
        """
        return self._operation is None or progress.finished(self._operation)

    def is_success(self) -> bool:
        """Tell whether the operation is finished and did not fail.

        Returns:
            A bool.

        >>> torch.distributed.Work().is_success()
        True
        """
        return self.is_completed() and self.exception() is None

    def exception(self) -> BaseException | None:
        """Return why the operation failed.

        Returns:
            The exception, or None.

        >>> torch.distributed.Work().exception() is None
        True
        """
        return None if self._operation is None else self._operation.error

    def source_rank(self) -> int:
        """Return the rank that a message came from.

        Returns:
            Its index among all processes; -1 for other operations.

        >>> torch.distributed.Work().source_rank()
        -1
        """
        if self._operation is None or self._operation.source < 0:
            return -1
        return self._operation.group.ranks[self._operation.source]


def seconds(name: str, timeout: Any) -> float:
    """Return a time as seconds.

    Args:
        name: the function that was called.
        timeout: a `datetime.timedelta`, or a number of seconds.

    Raises:
        ArgumentTypeError: it is neither.
    """
    if isinstance(timeout, timedelta):
        return timeout.total_seconds()
    if isinstance(timeout, (int, float)) and not isinstance(timeout, bool):
        return float(timeout)
    raise ArgumentTypeError(f"{name}: timeout is a datetime.timedelta or a number of seconds, not {type(timeout).__name__}")


def run(
    name: str, group: ProcessGroup, steps: Steps, async_op: bool = False, *, arrays: Iterable[Any] = (), timeout: float | None = None,
    message: bool = False,
) -> Work | None:  # fmt: skip
    """Begin an operation, and wait for it unless it is to go on beside the program.

    Args:
        name: the function that was called.
        group: whose processes take part.
        steps: its moves.
        async_op: whether a `Work` is returned at once.
        arrays: the data of this process that take part; profilers tell their bytes.
        timeout: seconds; by default the group's.
        message: whether it goes between two processes only.

    Returns:
        A `Work` with `async_op`, else None.

    Raises:
        ProcessGroupError: it failed.
    """
    if not message:
        group.count += 1
        if group.heartbeat is not None:
            group.heartbeat.begin(group.number, group.count)
    operation = Operation(name, group, steps, group.timeout if timeout is None else timeout, message, arrays)
    progress.begin(operation, background=async_op)
    if async_op:
        return Work(operation)
    progress.wait(operation)
    return None
