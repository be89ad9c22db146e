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
    """Reductions and scans as methods, where these are not the functions."""

    __slots__ = ()

    @torch_function
    def count_nonzero(self: Any, *dims: Dims, dim: Dims = None) -> Tensor:
        """Count the items over dims that are not zero; see `torch.count_nonzero`.

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
        """Compute a norm over dims; see `torch.norm`."""
        return reductions.norm(self, p, dim, keepdim, dtype=dtype)

    @torch_function
    def cumsum_(self, dim: int, *, dtype: DType | None = None) -> Self:
        """Compute the running sum along a dim in place; see `torch.cumsum`."""
        return overwritten_by(scans.cumsum, self, dim, dtype=dtype)

    @torch_function
    def cumprod_(self, dim: int, *, dtype: DType | None = None) -> Self:
        """Compute the running product along a dim in place; see `torch.cumprod`."""
        return overwritten_by(scans.cumprod, self, dim, dtype=dtype)

    @torch_function
    def renorm_(self, p: float, dim: int, maxnorm: float) -> Self:
        """Scale down the slices of a dim to a greatest norm in place; see `torch.renorm`."""
        return overwritten_by(reductions.renorm, self, p, dim, maxnorm)
