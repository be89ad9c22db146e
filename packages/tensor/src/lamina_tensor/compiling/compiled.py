"""Functions compiled as PyTorch's options say, and all that there are of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from weakref import WeakSet

from lamina_flatarray.errors import UsageError

from .function import MOST_WAYS, CompiledFunction

__all__ = ["compiled", "compiled_functions"]

compiled_functions: Final[WeakSet[CompiledFunction]] = WeakSet()
"""All that are alive."""

_MODES: Final = ("default", "lite", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune")


def compiled(
    function: Callable[..., Any], *, fullgraph: bool = False, dynamic: bool | None = None, backend: str | Callable[..., Any] | None = None,
    mode: str | None = None, options: dict[str, Any] | None = None, name: str | None = None, disable: bool = False,
    recompile_limit: int | None = None, isolate_recompiles: bool = False, shapes_spec: Any = None,
) -> CompiledFunction | None:  # fmt: skip
    """Return a function compiled, or None if it is to be left alone.

    Args:
        function: the function or module.
        fullgraph, dynamic, backend, mode, options, name, disable, recompile_limit, isolate_recompiles, shapes_spec: as for
            `torch.compile`.

    Returns:
        What to call in its stead.

    Raises:
        UsageError: there is no such mode; or a mode and options are given.
    """
    if mode is not None and options is not None:
        raise UsageError("Either mode or options can be specified, but both can't be specified at the same time.")
    if mode is not None and backend in (None, "inductor") and mode not in _MODES:
        raise UsageError(f"Unrecognized mode={mode}, should be one of: {', '.join(_MODES)}")
    if disable or backend == "eager" or callable(backend):
        return None
    verify = bool(options and options.get("verify"))
    made = CompiledFunction(function, fullgraph, recompile_limit or MOST_WAYS, verify, dynamic is not False)
    compiled_functions.add(made)
    return made
