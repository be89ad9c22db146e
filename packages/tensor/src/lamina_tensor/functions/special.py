"""Special functions whose arguments PyTorch orders or names unlike an op of two operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..dispatch import array_functions as af

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["polygamma"]


def polygamma(n: int, input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The n-th derivative of digamma; see `lamina_ndarray.polygamma`."""
    made: Any = af.FUNCTIONS["polygamma"](n, input, out=out)
    return made  # type: ignore[no-any-return]
