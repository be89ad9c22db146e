"""Methods of special functions that take a number: in place, or with the tensor in another position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from ..dispatch.torch_function import torch_function
from ..functions import special
from ..tensor_fields import TensorFields
from .in_place.rewriting import overwritten_by

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["SpecialMethods"]


class SpecialMethods(TensorFields):
    """Special functions as methods, where these are not the functions."""

    __slots__ = ()

    @torch_function
    def polygamma(self: Any, n: int) -> Tensor:
        """Compute the n-th derivative of `digamma`; see `torch.polygamma`.

        >>> torch.tensor([1.0, 2.0]).polygamma(1)
        tensor([1.6449, 0.6449])
        """
        return special.polygamma(n, self)

    @torch_function
    def polygamma_(self, n: int) -> Self:
        """Compute the n-th derivative of `digamma` in place; see `torch.polygamma`.

        >>> torch.tensor([1.0, 2.0]).polygamma_(1)
        tensor([1.6449, 0.6449])
        """
        return overwritten_by(SpecialMethods.polygamma, self, n)

    @torch_function
    def mvlgamma_(self, p: int) -> Self:
        """Compute the logarithm of the multivariate gamma function in place; see `torch.mvlgamma`.

        >>> torch.tensor([1.0, 2.0]).mvlgamma_(1)
        tensor([0., 0.])
        """
        return overwritten_by(special.mvlgamma, self, p)

    @torch_function
    def logit_(self, eps: float | None = None) -> Self:
        """Compute `log(x / (1 - x))` in place; see `torch.logit`.

        >>> torch.tensor([0.5, 0.75]).logit_()
        tensor([0.0000, 1.0986])
        """
        return overwritten_by(special.logit, self, eps)
