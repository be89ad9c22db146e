"""Methods of reductions and scans that differ from the functions of their names: in place, or with other arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, cast

from ..dispatch.torch_function import torch_function
from ..functions import reductions
from ..functions.sequences import scans
from ..tensor_fields import TensorFields
from .in_place.rewriting import overwritten_by

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ..functions.reductions.dims import Dims
    from ..tensor_class import Tensor

__all__ = ["ReductionMethods"]


class ReductionMethods(TensorFields):
    """Reductions and scans that differ as methods from the functions of their names.

    >>> x = torch.tensor([[3.0, 4.0], [0.0, 0.0]])
    >>> x.norm(dim=1), x.count_nonzero(dim=1)
    (tensor([5., 0.]), tensor([2, 0]))
    """

    __slots__ = ()

    @torch_function
    def count_nonzero(self: Any, *dims: Dims, dim: Dims = None) -> Tensor:
        """Count the items over dims that are not zero; see `torch.count_nonzero`.

        Args:
            dims: the dims to count over, one by one or as one sequence; all by default.
            dim: the dim or dims by name.

        Returns:
            An int64 tensor of the shape without these dims.

        >>> torch.tensor([[0, 1], [2, 3]]).count_nonzero(0, 1)
        tensor(3)
        """
        if dims:
            dim = dims[0] if len(dims) == 1 else cast(tuple[int, ...], dims)
        return reductions.count_nonzero(self, dim)

    @torch_function
    def norm(
        self: Any, p: float | str | None = "fro", dim: Dims = None, keepdim: bool = False, dtype: DType | None = None
    ) -> Tensor:
        """Compute a norm over dims; see `torch.norm`.

        Args:
            p: the order of the norm: a number, infinity too; "fro" for the 2-norm of all items, or "nuc" for the sum of singular values.
            dim: the dim or dims to reduce; all by default.
            keepdim: whether the reduced dims stay, with length 1.
            dtype: the dtype to compute in, and of the result; by default the tensor's.

        Returns:
            A real tensor of the reduced shape.

        >>> torch.tensor([[3.0, 4.0], [0.0, 2.0]]).norm(dim=1)
        tensor([5., 2.])
        >>> torch.tensor([3.0, -4.0]).norm(1)
        tensor(7.)
        """
        return reductions.norm(self, p, dim, keepdim, dtype=dtype)

    @torch_function
    def cumsum_(self, dim: int, *, dtype: DType | None = None) -> Self:
        """Compute the running sum along a dim in place; see `torch.cumsum`.

        Args:
            dim: the dim to add along.
            dtype: the dtype to add in, before the sums are cast back.

        Returns:
            The tensor itself.

        >>> torch.tensor([1.0, 2.0, 3.0]).cumsum_(0)
        tensor([1., 3., 6.])
        """
        return overwritten_by(scans.cumsum, self, dim, dtype=dtype)

    @torch_function
    def cumprod_(self, dim: int, *, dtype: DType | None = None) -> Self:
        """Compute the running product along a dim in place; see `torch.cumprod`.

        Args:
            dim: the dim to multiply along.
            dtype: the dtype to multiply in, before the products are cast back.

        Returns:
            The tensor itself.

        >>> torch.tensor([1.0, 2.0, 3.0]).cumprod_(0)
        tensor([1., 2., 6.])
        """
        return overwritten_by(scans.cumprod, self, dim, dtype=dtype)

    @torch_function
    def renorm_(self, p: float, dim: int, maxnorm: float) -> Self:
        """Scale down the slices of a dim to a greatest norm in place; see `torch.renorm`.

        Args:
            p: the order of the norm, above 0.
            dim: the dim whose slices are scaled.
            maxnorm: the greatest norm that a slice keeps.

        Returns:
            The tensor itself.

        >>> torch.tensor([[3.0, 4.0], [0.3, 0.4]]).renorm_(2, 0, 1.0)
        tensor([[0.6000, 0.8000],
                [0.3000, 0.4000]])
        """
        return overwritten_by(reductions.renorm, self, p, dim, maxnorm)
