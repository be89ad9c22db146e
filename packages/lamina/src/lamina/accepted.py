"""What programs ask of PyTorch's compilers and modes, accepted here without effect; each says so in `differs`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = [
    "are_deterministic_algorithms_enabled", "compile", "get_deterministic_debug_mode", "get_float32_matmul_precision",
    "is_deterministic_algorithms_warn_only_enabled", "set_deterministic_debug_mode", "set_float32_matmul_precision",
    "set_flush_denormal", "set_num_interop_threads", "use_deterministic_algorithms",
]  # fmt: skip

_MODES = ("default", "warn", "error")
_deterministic = 0

_EAGER = "accepted; the program runs eagerly"


def compile(model: Any = None, **options: Any) -> Any:
    """The model or function itself: programs run eagerly. As a decorator with options, that decorator."""
    return model if model is not None else lambda model: model


def set_float32_matmul_precision(precision: str) -> None:
    """Accepted: products of float32 are computed in float32.

    Raises:
        ValueError: there is no such precision.
    """
    if precision not in ("highest", "high", "medium"):
        raise ValueError(f"{precision!r} is not one of 'highest', 'high' and 'medium'")


def get_float32_matmul_precision() -> str:
    """ "highest": products of float32 are computed in float32."""
    return "highest"


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Accepted: kernels give the same bits for the same input and number of threads."""
    global _deterministic
    _deterministic = (1 if warn_only else 2) if mode else 0


def are_deterministic_algorithms_enabled() -> bool:
    """What `use_deterministic_algorithms` was told."""
    return _deterministic > 0


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether it was told to warn only."""
    return _deterministic == 1


def get_deterministic_debug_mode() -> int:
    """The same as a number: 0 for no, 1 for warnings, 2 for errors."""
    return _deterministic


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """Accepted: a number or "default", "warn", "error"; see `use_deterministic_algorithms`.

    Raises:
        RuntimeError: there is no such mode.
    """
    global _deterministic
    number = _MODES.index(debug_mode) if debug_mode in _MODES else debug_mode
    if number not in (0, 1, 2):
        raise RuntimeError(f"{debug_mode!r} is none of the modes {', '.join(_MODES)} and 0, 1, 2")
    _deterministic = int(number)


def set_flush_denormal(mode: bool) -> bool:
    """False: numbers below the least normal one are kept."""
    return False


def set_num_interop_threads(num: int) -> None:
    """Accepted: ops do not run beside each other.

    Raises:
        RuntimeError: the number is not positive.
    """
    if num <= 0:
        raise RuntimeError(f"Expected positive number of threads, but got {num}")


def _noted(function: Callable[..., Any], differs: str) -> None:
    function.differs = differs  # type: ignore[attr-defined]


_noted(compile, _EAGER)
_noted(set_float32_matmul_precision, "accepted; products of float32 are computed in float32")
_noted(use_deterministic_algorithms, "accepted; the same input and number of threads give the same bits")
