"""Methods that cut a tensor into parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from ...dispatch.torch_function import torch_function
from ...functions import shapes
from ...tensor_fields import TensorFields

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["PartMethods"]


class PartMethods(TensorFields):
    """Methods that return parts of a tensor, as views.

    >>> torch.arange(5).split(2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """

    __slots__ = ()

    @torch_function
    def split(self: Any, split_size: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
        """Split a tensor along a dim into parts of given lengths; see `torch.split`.

        Args:
            split_size: the length of the parts, of which the last one may be shorter; or the length of each.
            dim: the dim to split.

        Returns:
            The parts, as views.

        >>> torch.arange(5).split(2)
        (tensor([0, 1]), tensor([2, 3]), tensor([4]))
        """
        return shapes.split(self, split_size, dim)

    @overload
    def hsplit(self: Any, indices_or_sections: int | Sequence[int], /) -> tuple[Tensor, ...]: ...
    @overload
    def hsplit(self: Any, *indices: int) -> tuple[Tensor, ...]: ...
    @torch_function
    def hsplit(
        self: Any, *ends: int | Sequence[int], indices: Sequence[int] | None = None, sections: int | None = None
    ) -> tuple[Tensor, ...]:
        """Split a tensor along its second dim (a vector along its only one); see `torch.hsplit`.

        Args:
            ends: how many parts of equal length; or the indices at which a new part begins, one by one or as one sequence.
            indices: these indices by name.
            sections: the number of parts by name.

        Returns:
            The parts, as views.

        >>> torch.arange(6).hsplit(1, 3)
        (tensor([0]), tensor([1, 2]), tensor([3, 4, 5]))
        """
        return shapes.hsplit(self, _ends(ends), indices=indices, sections=sections)

    @overload
    def vsplit(self: Any, indices_or_sections: int | Sequence[int], /) -> tuple[Tensor, ...]: ...
    @overload
    def vsplit(self: Any, *indices: int) -> tuple[Tensor, ...]: ...
    @torch_function
    def vsplit(
        self: Any, *ends: int | Sequence[int], indices: Sequence[int] | None = None, sections: int | None = None
    ) -> tuple[Tensor, ...]:
        """Split a tensor along its first dim; see `torch.vsplit`.

        Args:
            ends: how many parts of equal length; or the indices at which a new part begins, one by one or as one sequence.
            indices: these indices by name.
            sections: the number of parts by name.

        Returns:
            The parts, as views.

        >>> torch.arange(6).reshape(3, 2).vsplit(3)
        (tensor([[0, 1]]), tensor([[2, 3]]), tensor([[4, 5]]))
        """
        return shapes.vsplit(self, _ends(ends), indices=indices, sections=sections)

    @overload
    def dsplit(self: Any, indices_or_sections: int | Sequence[int], /) -> tuple[Tensor, ...]: ...
    @overload
    def dsplit(self: Any, *indices: int) -> tuple[Tensor, ...]: ...
    @torch_function
    def dsplit(
        self: Any, *ends: int | Sequence[int], indices: Sequence[int] | None = None, sections: int | None = None
    ) -> tuple[Tensor, ...]:
        """Split a tensor along its third dim; see `torch.dsplit`.

        Args:
            ends: how many parts of equal length; or the indices at which a new part begins, one by one or as one sequence.
            indices: these indices by name.
            sections: the number of parts by name.

        Returns:
            The parts, as views.

        >>> [part.shape for part in torch.ones(1, 2, 4).dsplit(2)]
        [lamina.Size([1, 2, 2]), lamina.Size([1, 2, 2])]
        """
        return shapes.dsplit(self, _ends(ends), indices=indices, sections=sections)


def _ends(ends: tuple[Any, ...]) -> Any:
    """The argument of `hsplit` and its kin: one number or sequence, or indices one by one."""
    return ends or None if len(ends) != 1 else ends[0]
