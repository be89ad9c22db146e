"""Anomaly mode: nodes remember where they were made, memory where it was changed, and gradients are searched for NaN.

Errors from backward passes then say so, see `backward_errors`. While it is off, nothing of it runs.
https://docs.pytorch.org/docs/stable/autograd.html#anomaly-detection
"""

from __future__ import annotations

import threading
import warnings
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any, Final

from lamina_flatarray import ArgumentTypeError
from lamina_flatarray.fork_safety import fork_safe
from lamina_flatarray.instruments import Instrument, installed, operands_of

from ..held import whole
from ..node import Node, unwatch_nodes, watch_nodes
from .anomaly_switch import anomaly
from .backward_errors import made_at, written_at
from .call_sites import call_site, call_sites

__all__ = ["detect_anomaly", "is_anomaly_check_nan_enabled", "is_anomaly_enabled", "set_anomaly_enabled", "set_detect_anomaly"]

_lock: Final = fork_safe(threading.RLock())
_writes: Final[list[AbstractContextManager[None]]] = []
"""The instrument that sees writes, while the mode is on."""
_watching: Final[ContextVar[bool]] = ContextVar("lamina_anomaly_watching", default=False)
"""Whether this thread or task remembers where its nodes are made."""


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on.

    Returns:
        A bool; anomaly mode is off by default.

    >>> torch.is_anomaly_enabled()
    False
    """
    return anomaly.on


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly mode, when it is on, searches gradients for NaN.

    Returns:
        A bool: what `check_nan` of the last switch says, whether or not the mode is on.

    >>> torch.is_anomaly_check_nan_enabled()
    True
    """
    return anomaly.check_nan


class set_detect_anomaly:
    """Switch anomaly mode on or off from now on, in all threads; at the end of a `with` block it is as it was before the call.

    Args:
        mode: whether it is on.
        check_nan: whether a backward pass fails at the first gradient that has NaN.

    Attributes:
        prev: whether it was on at the call.
        prev_check_nan: whether NaN was searched for.

    Raises:
        TypeError: an argument is no bool.

    >>> with torch.autograd.set_detect_anomaly(True):
    ...     torch.is_anomaly_enabled()
    True
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.prev, self.prev_check_nan = anomaly.on, anomaly.check_nan
        _set("set_detect_anomaly", mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        _set("set_detect_anomaly", self.prev, self.prev_check_nan)


def set_anomaly_enabled(enabled: bool, check_nan: bool = True) -> None:
    """Switch anomaly mode on or off from now on, in all threads.

    Args:
        enabled: whether it is on.
        check_nan: whether a backward pass fails at the first gradient that has NaN.

    Raises:
        TypeError: an argument is no bool.

    >>> torch.set_anomaly_enabled(True)
    >>> torch.is_anomaly_enabled()
    True
    >>> torch.set_anomaly_enabled(False)
    """
    _set("set_anomaly_enabled", enabled, check_nan)


class detect_anomaly:
    """Switch anomaly mode on within a block, in all threads: errors in a backward pass say where the op was called, and NaN is an
    error. The place is known of what the thread recorded that switched the mode on.

    Args:
        check_nan: whether a backward pass fails at the first gradient that has NaN.

    Attributes:
        prev: whether the mode was on when this was made.
        prev_check_nan: whether NaN was searched for.

    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     with torch.autograd.detect_anomaly():
    ...         print(torch.is_anomaly_enabled())
    True
    """

    def __init__(self, check_nan: bool = True) -> None:
        self.check_nan = check_nan
        self.prev, self.prev_check_nan = anomaly.on, anomaly.check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        _set("detect_anomaly", True, self.check_nan)

    def __exit__(self, *_: object) -> None:
        _set("detect_anomaly", self.prev, self.prev_check_nan)


def _set(op: str, mode: bool, check_nan: bool) -> None:
    for name, value in (("enabled", mode), ("check_nan", check_nan)):
        if value.__class__ is not bool:
            raise ArgumentTypeError(f"{op}(): argument '{name}' must be bool, not {type(value).__name__}")
    with _lock:
        anomaly.on, anomaly.check_nan = mode, check_nan
        if mode and not _writes:
            _writes.append(installed(_Writes(), all_threads=True))
            _writes[0].__enter__()
        elif not mode and _writes:
            _writes.pop().__exit__(None, None, None)
    if mode is not _watching.get():
        _watch(mode)


def _watch(on: bool) -> None:
    """Begin, or cease, to remember where nodes are made in this thread or task."""
    (watch_nodes if on else unwatch_nodes)(_remember)
    _watching.set(on)


def _remember(node: Node) -> None:
    if anomaly.on:
        made_at[node] = call_sites()
    else:  # another thread has switched the mode off
        _watch(False)


class _Writes(Instrument):
    """Remembers where each flat array was last written to."""

    def call(self, op: str, kernel: Any, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        result = kernel(out, *inputs, **params)
        site = call_site()
        if site is not None:
            for output in operands_of((out,)):
                written_at[whole(output.flat)] = site
        return result
