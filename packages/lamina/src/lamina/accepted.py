"""What programs ask of PyTorch's compilers and modes, accepted here without effect; each says so in `differs`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["compile", "get_float32_matmul_precision", "set_float32_matmul_precision", "use_deterministic_algorithms"]

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


def _noted(function: Callable[..., Any], differs: str) -> None:
    function.differs = differs  # type: ignore[attr-defined]


_noted(compile, _EAGER)
_noted(set_float32_matmul_precision, "accepted; products of float32 are computed in float32")
_noted(use_deterministic_algorithms, "accepted; the same input and number of threads give the same bits")
