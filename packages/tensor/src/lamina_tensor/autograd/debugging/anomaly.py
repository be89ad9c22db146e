"""Anomaly mode: nodes remember where they were made, memory where it was changed, and gradients are searched for NaN.

Errors from backward passes then say so, see `backward_errors`. While it is off, nothing of it runs.
https://docs.pytorch.org/docs/stable/autograd.html#anomaly-detection
"""

from __future__ import annotations

import warnings
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any, Final

from lamina_flatarray.instruments import Instrument, installed, operands_of
from lamina_flatarray.modes import ANOMALY, switch, word

from ..held import whole
from ..node import Node, unwatch_nodes, watch_nodes
from . import nan_search
from .backward_errors import made_at, written_at
from .call_sites import call_site, call_sites

__all__ = ["detect_anomaly", "is_anomaly_check_nan_enabled", "is_anomaly_enabled", "set_anomaly_enabled", "set_detect_anomaly"]

_watch: Final[ContextVar[AbstractContextManager[None] | None]] = ContextVar("lamina_anomaly_watch", default=None)


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on in this thread or task.

    Returns:
        A bool; anomaly mode is off by default.

    >>> torch.is_anomaly_enabled()
    False
    """
    return bool(word.get() & ANOMALY)


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly mode, when it is on, searches gradients for NaN.

    Returns:
        A bool: what `check_nan` of the last switch says, whether or not the mode is on.

    >>> torch.is_anomaly_check_nan_enabled()
    True
    """
    return nan_search.check_nan.get()


class set_detect_anomaly:
    """Switch anomaly mode on or off from now on; as a context manager, only within it.

    Args:
        mode: whether it is on.
        check_nan: whether a backward pass fails at the first gradient that has NaN.

    >>> with torch.autograd.set_detect_anomaly(True):
    ...     torch.is_anomaly_enabled()
    True
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.before = (is_anomaly_enabled(), is_anomaly_check_nan_enabled())
        _set(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        _set(*self.before)


def set_anomaly_enabled(enabled: bool, check_nan: bool = True) -> None:
    """Switch anomaly mode on or off from now on.

    Args:
        enabled: whether it is on.
        check_nan: whether a backward pass fails at the first gradient that has NaN.

    >>> torch.set_anomaly_enabled(True)
    >>> torch.is_anomaly_enabled()
    True
    >>> torch.set_anomaly_enabled(False)
    """
    _set(enabled, check_nan)


class detect_anomaly:
    """Switch anomaly mode on within a block: errors in a backward pass say where the op was called, and NaN is an error.

    Args:
        check_nan: whether a backward pass fails at the first gradient that has NaN.

    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     with torch.autograd.detect_anomaly():
    ...         print(torch.is_anomaly_enabled())
    True
    """

    def __init__(self, check_nan: bool = True) -> None:
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self.before = (is_anomaly_enabled(), is_anomaly_check_nan_enabled())
        _set(True, self.check_nan)

    def __exit__(self, *_: object) -> None:
        _set(*self.before)


def _set(mode: bool, nan: bool) -> None:
    nan_search.check_nan.set(nan)
    if switch(ANOMALY, mode) is mode:
        return
    if mode:
        watch_nodes(_remember)
        writes = installed(_Writes())
        writes.__enter__()
        _watch.set(writes)
    else:
        unwatch_nodes(_remember)
        watch = _watch.get()
        assert watch is not None
        watch.__exit__(None, None, None)


def _remember(node: Node) -> None:
    made_at[node] = call_sites()


class _Writes(Instrument):
    """Remembers where each flat array was last written to."""

    def call(self, op: str, kernel: Any, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        result = kernel(out, *inputs, **params)
        site = call_site()
        if site is not None:
            for output in operands_of((out,)):
                written_at[whole(output.flat)] = site
        return result
