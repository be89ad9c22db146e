"""Anomaly mode: nodes remember where they were made, memory where it was changed, and gradients are searched for NaN.

Errors from backward passes then say so, see `backward_errors`. While it is off, nothing of it runs.
https://docs.pytorch.org/docs/stable/autograd.html#anomaly-detection
"""

from __future__ import annotations

import threading
import warnings
from contextlib import AbstractContextManager
from typing import Any, Final

import lamina_ndarray as nd
from lamina_flatarray import NotFinite
from lamina_flatarray.instruments import Instrument, installed, operands_of

from . import engine
from .backward_errors import made_at, written_at
from .call_sites import call_site, call_sites
from .held import whole
from .making import unwatched, watched
from .node import Node
from .recording import array_of

__all__ = ["detect_anomaly", "is_anomaly_check_nan_enabled", "is_anomaly_enabled", "set_detect_anomaly"]

_lock: Final = threading.RLock()
_saved_values: Final = engine.saved_values
_watch: AbstractContextManager[None] | None = None
_check_nan = True


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on; it is for the whole process."""
    return _watch is not None


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly mode, when it is on, searches gradients for NaN."""
    return _check_nan


class set_detect_anomaly:
    """Switch anomaly mode on or off from now on; as a context manager, only within it.

    Args:
        mode: whether it is on.
        check_nan: whether a backward pass fails at the first gradient that has NaN.
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.before = (is_anomaly_enabled(), _check_nan)
        _set(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        _set(*self.before)


class detect_anomaly:
    """Anomaly mode within a `with` block: errors in a backward pass say where the op was called, NaN in a gradient is one.

    Args:
        check_nan: whether a backward pass fails at the first gradient that has NaN.
    """

    def __init__(self, check_nan: bool = True) -> None:
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self.before = (is_anomaly_enabled(), _check_nan)
        _set(True, self.check_nan)

    def __exit__(self, *_: object) -> None:
        _set(*self.before)


def _set(mode: bool, check_nan: bool) -> None:
    global _watch, _check_nan
    with _lock:
        _check_nan = check_nan
        if mode is is_anomaly_enabled():
            return
        if mode:
            watched(_remember)
            engine.saved_values = _searched
            _watch = installed(_Writes())
            _watch.__enter__()
        else:
            assert _watch is not None
            unwatched(_remember)
            engine.saved_values = _saved_values
            _watch.__exit__(None, None, None)
            _watch = None


def _remember(node: Node) -> None:
    made_at[node] = call_sites()


class _Writes(Instrument):
    """Remembers where each flat array was last written to."""

    def call(self, op: str, kernel: Any, out: Any, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        result = kernel(out, *inputs, **params)
        site = call_site()
        if site is not None:
            for made in operands_of((out,)):
                written_at[whole(made.flat)] = site
        return result


def _searched(node: Node, create_graph: bool) -> Any:
    """What a node saved, as `engine.saved_values`; and a hook on the node that looks at its gradients once."""
    if _check_nan:
        if node.hooks is None:
            node.hooks = {}
        hooks, key = node.hooks, ("after", -1)

        def search(gradients: tuple[Any, ...], _: Any) -> None:
            del hooks[key]
            for i, g in enumerate(gradients):
                if g is not None and g.dtype.is_inexact and bool(nd.any(nd.isnan(array_of(g)))):
                    raise NotFinite(f"Function '{node.name()}' returned nan values in its {i}th output.")

        hooks[key] = search
    return _saved_values(node, create_graph)
