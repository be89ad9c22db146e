"""Running a module's forward: in strict mode, only operands of the user's own code are looked at."""

from __future__ import annotations

from typing import Any

from lamina_flatarray.modes import INSIDE, STRICT, switched, word

__all__ = ["is_own", "run_forward"]


def run_forward(module: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Call a module's forward; in strict mode the operands of a layer of lamina are not checked, those of a user's
    module are.

    Args:
        module: the module.
        args, params: the positional and keyword arguments of forward.

    Returns:
        What forward returns.
    """
    if not word.get() & STRICT:
        return module.forward(*args, **params)
    kind = type(module)
    with switched(INSIDE, is_own(kind) and not kind.checks_operands):
        return module.forward(*args, **params)


def is_own(kind: type) -> bool:
    """Tell whether a class is lamina's own.

    Args:
        kind: the class.

    Returns:
        A bool.
    """
    return kind.__module__.partition(".")[0] in ("lamina", "lamina_nn")
