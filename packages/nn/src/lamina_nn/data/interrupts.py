"""Ctrl-C held back for a moment."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["interrupts_wait"]


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Let Ctrl-C take effect only after the block.

    An interrupt right after a fork would have the child go on as a second copy of the program, and Python swallows one that
    comes within a function that it calls at forks. Other threads than the main one are never interrupted.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if came:
            signal.raise_signal(signal.SIGINT)
