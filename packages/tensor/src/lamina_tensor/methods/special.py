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
    """Special functions as methods, where these are not the functions of their names.

    >>> x = torch.tensor([0.5, 0.75])
    >>> x.clone().logit_().sigmoid()
    tensor([0.5000, 0.7500])
    """

    __slots__ = ()

    @torch_function
    def polygamma(self: Any, n: int) -> Tensor:
        """Compute the n-th derivative of `digamma`; see `torch.polygamma`.

        Args:
            n: the order of the derivative, 0 or more.

        Returns:
            A floating-point tensor of this tensor's shape.

        >>> torch.tensor([1.0, 2.0]).polygamma(1)
        tensor([1.6449, 0.6449])
        """
        return special.polygamma(n, self)

    @torch_function
    def polygamma_(self, n: int) -> Self:
        """Compute the n-th derivative of `digamma` in place; see `torch.polygamma`.

        Args:
            n: the order of the derivative, 0 or more.

        Returns:
            The tensor itself.

        >>> torch.tensor([1.0, 2.0]).polygamma_(1)
        tensor([1.6449, 0.6449])
        """
        return overwritten_by(SpecialMethods.polygamma, self, n)

    @torch_function
    def mvlgamma_(self, p: int) -> Self:
        """Compute the logarithm of the multivariate gamma function in place; see `torch.mvlgamma`.

        Args:
            p: the dimension of the function, 1 or more.

        Returns:
            The tensor itself.

        >>> torch.tensor([1.0, 2.0]).mvlgamma_(1)
        tensor([0., 0.])
        """
        return overwritten_by(special.mvlgamma, self, p)

    @torch_function
    def logit_(self, eps: float | None = None) -> Self:
        """Compute `log(x / (1 - x))` in place; see `torch.logit`.

        Args:
            eps: items are bounded to [eps, 1 - eps] first; None not to bound them.

        Returns:
            The tensor itself.

        >>> torch.tensor([0.5, 0.75]).logit_()
        tensor([0.0000, 1.0986])
        """
        return overwritten_by(special.logit, self, eps)
