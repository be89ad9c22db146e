"""What CUDA's profilers are told of a program: marks, ranges, and when to record, under PyTorch's names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .cuda_devices import current_device, serving

__all__ = ["mark", "profile", "range", "range_pop", "range_push", "start", "stop"]


def mark(msg: str) -> None:
    """Mark this moment in what a profiler records.

    Args:
        msg: what is shown there.

    Raises:
        DeviceError, BackendError: there is nobody to tell.

    >>> if torch.cuda.is_available():
    ...     torch.cuda.nvtx.mark("loaded")
    """
    serving().mark(msg)


def range_push(msg: str) -> int:
    """Begin a range in what a profiler records, within those of this thread that have begun.

    Args:
        msg: what is shown there.

    Returns:
        In how many ranges it lies.

    Raises:
        DeviceError, BackendError: there is nobody to tell.

    >>> if torch.cuda.is_available():
    ...     assert torch.cuda.nvtx.range_push("outer") + 1 == torch.cuda.nvtx.range_push("inner")
    ...     assert torch.cuda.nvtx.range_pop() == torch.cuda.nvtx.range_pop() + 1
    """
    return serving().push_range(msg)


def range_pop() -> int:
    """End the innermost range of this thread.

    Returns:
        In how many ranges it lay; a negative number where none has begun.

    Raises:
        DeviceError, BackendError: there is nobody to tell.

    >>> if torch.cuda.is_available():
    ...     depth = torch.cuda.nvtx.range_push("step")
    ...     assert torch.cuda.nvtx.range_pop() == depth
    """
    return serving().pop_range()


@contextmanager
def range(msg: str, *args: object, **kwargs: object) -> Iterator[None]:
    """Show a `with` block, or calls of a function that is decorated so, as a range in what a profiler records.

    Args:
        msg: what is shown there.
        *args, **kwargs: what `msg.format` puts into it.

    Returns:
        A context manager, which is a decorator, too.

    Raises:
        DeviceError, BackendError: there is nobody to tell, when the block is entered.

    >>> if torch.cuda.is_available():
    ...     with torch.cuda.nvtx.range("step {}", 3):
    ...         x = torch.ones(2, device="cuda")
    """
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()


def start() -> None:
    """Have a profiler that was told to wait for the program record from now on.

    Raises:
        DeviceError: there is no device, or nobody to tell.

    >>> if torch.cuda.is_available():
    ...     torch.cuda.profiler.start()
    ...     torch.cuda.profiler.stop()
    """
    current_device()
    serving().start_recording()


def stop() -> None:
    """Have a profiler record no more.

    Raises:
        DeviceError: there is no device, or nobody to tell.

    >>> if torch.cuda.is_available():
    ...     torch.cuda.profiler.stop()
    """
    current_device()
    serving().stop_recording()


@contextmanager
def profile() -> Iterator[None]:
    """Have a profiler record within a `with` block.

    Returns:
        A context manager.

    Raises:
        DeviceError: there is no device, or nobody to tell, when the block is entered.

    >>> if torch.cuda.is_available():
    ...     with torch.cuda.profiler.profile():
    ...         x = torch.ones(2, device="cuda")
    """
    start()
    try:
        yield
    finally:
        stop()
