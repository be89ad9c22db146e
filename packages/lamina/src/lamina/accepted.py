"""What programs ask of PyTorch's compilers and modes, accepted here without effect; each says so in `differs`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = [
    "are_deterministic_algorithms_enabled", "get_deterministic_debug_mode", "get_float32_matmul_precision",
    "is_deterministic_algorithms_warn_only_enabled", "set_deterministic_debug_mode", "set_float32_matmul_precision",
    "set_flush_denormal", "set_num_interop_threads", "use_deterministic_algorithms",
]  # fmt: skip

_MODES = ("default", "warn", "error")
_deterministic = 0


def set_float32_matmul_precision(precision: str) -> None:
    """Accept a precision for products of float32, which are computed in float32 in any case.

    Args:
        precision: "highest", "high" or "medium".

    Raises:
        ValueError: there is no such precision.

    >>> torch.set_float32_matmul_precision("high")
    >>> torch.get_float32_matmul_precision()
    'highest'
    """
    if precision not in ("highest", "high", "medium"):
        raise ValueError(f"{precision!r} is not one of 'highest', 'high' and 'medium'")


def get_float32_matmul_precision() -> str:
    """Return "highest": products of float32 are computed in float32.

    Returns:
        The text "highest".

    >>> torch.get_float32_matmul_precision()
    'highest'
    """
    return "highest"


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Note whether deterministic algorithms are wanted; kernels give the same bits for the same input and number of threads anyway.

    Args:
        mode: whether they are wanted.
        warn_only: whether other algorithms should only be warned of; none ever are.

    >>> torch.use_deterministic_algorithms(True)
    >>> torch.are_deterministic_algorithms_enabled()
    True
    >>> torch.use_deterministic_algorithms(False)
    """
    global _deterministic
    _deterministic = (1 if warn_only else 2) if mode else 0


def are_deterministic_algorithms_enabled() -> bool:
    """Return what `use_deterministic_algorithms` was told.

    Returns:
        True or False.

    >>> torch.are_deterministic_algorithms_enabled()
    False
    """
    return _deterministic > 0


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Return whether `use_deterministic_algorithms` was told to warn only.

    Returns:
        True or False.

    >>> torch.use_deterministic_algorithms(True, warn_only=True)
    >>> torch.is_deterministic_algorithms_warn_only_enabled()
    True
    >>> torch.use_deterministic_algorithms(False)
    """
    return _deterministic == 1


def get_deterministic_debug_mode() -> int:
    """Return what `use_deterministic_algorithms` was told, as a number.

    Returns:
        0 for no, 1 for warnings, 2 for errors.

    >>> torch.get_deterministic_debug_mode()
    0
    """
    return _deterministic


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """Note whether deterministic algorithms are wanted, as a number or a word; see `use_deterministic_algorithms`.

    Args:
        debug_mode: 0 or "default", 1 or "warn", 2 or "error".

    Raises:
        RuntimeError: there is no such mode.

    >>> torch.set_deterministic_debug_mode("warn")
    >>> torch.get_deterministic_debug_mode()
    1
    >>> torch.set_deterministic_debug_mode("default")
    """
    global _deterministic
    number = _MODES.index(debug_mode) if debug_mode in _MODES else debug_mode
    if number not in (0, 1, 2):
        raise RuntimeError(f"{debug_mode!r} is none of the modes {', '.join(_MODES)} and 0, 1, 2")
    _deterministic = int(number)


def set_flush_denormal(mode: bool) -> bool:
    """Return False: subnormal numbers are kept, and not taken for zero.

    Args:
        mode: accepted as in PyTorch.

    Returns:
        False, that nothing was set.

    >>> torch.set_flush_denormal(True)
    False
    """
    return False


def set_num_interop_threads(num: int) -> None:
    """Accept a number of threads for ops beside each other, which do not run so here.

    Args:
        num: the number, at least 1.

    Raises:
        RuntimeError: the number is not positive.

    >>> torch.set_num_interop_threads(2)
    """
    if num <= 0:
        raise RuntimeError(f"Expected positive number of threads, but got {num}")


def _noted(function: Callable[..., Any], differs: str) -> None:
    function.differs = differs  # type: ignore[attr-defined]


_noted(set_float32_matmul_precision, "accepted; products of float32 are computed in float32")
_noted(use_deterministic_algorithms, "accepted; the same input and number of threads give the same bits")
