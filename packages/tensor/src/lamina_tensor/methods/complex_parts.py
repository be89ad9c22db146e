"""The parts of a complex tensor as attributes, and its conjugate in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function
from ..functions import complex_parts
from ..tensor_fields import TensorFields
from .in_place.rewriting import overwritten_by

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["ComplexMethods"]


class ComplexMethods(TensorFields):
    """The real and imaginary parts of a tensor as views, and its conjugate in place.

    >>> z = torch.tensor([1 + 2j])
    >>> z.real, z.imag
    (tensor([1.]), tensor([2.]))
    """

    __slots__ = ()

    @property
    @torch_function
    def real(self) -> Tensor:
        """The real parts: a view; the tensor itself where it is real."""
        return af.real(self)

    @property
    @torch_function
    def imag(self) -> Tensor:
        """The imaginary parts: a view.

        Raises:
            DTypeError: the tensor is real.
        """
        return af.imag(self)

    @torch_function
    def conj_physical_(self) -> Self:
        """Conjugate the items in place.

        Returns:
            The tensor itself; a real tensor stays as it is.

        >>> torch.tensor([1 + 2j]).conj_physical_()
        tensor([1.-2.j])
        """
        return overwritten_by(complex_parts.conj_physical, self)
