"""Writing at indices and under masks in a tensor itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

import lamina_ndarray as nd
from lamina_ndarray.indexing import index_select, selection
from lamina_ndarray.indexing.writable import filling

from ...autograd.recording import array_of
from ...dispatch.torch_function import torch_function
from ...functions import indexing, shapes
from ...functions.indexing.scattering import scattered_with
from ...tensor_fields import AnyTensor, TensorFields, tensor_of
from .rewriting import overwritten_by, unrecorded

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = ["IndexingInPlace"]


class IndexingInPlace(TensorFields):
    """The in-place twins of functions that write at indices, under masks and outside of triangles.

    All return the tensor itself, and refuse a leaf that requires gradients, and a view of one, with an AutogradError; else they raise what
    the functions raise.

    >>> x = torch.zeros(3)
    >>> x.masked_fill_(torch.tensor([True, False, True]), 7.0)
    tensor([7., 0., 7.])
    >>> x
    tensor([7., 0., 7.])
    """

    __slots__ = ()

    @torch_function
    def index_add_(self, dim: int, index: Tensor, source: Tensor, *, alpha: Number = 1) -> Self:
        """Add slices to those of a dim in place; see `torch.index_add`.

        Args:
            dim: the dim that is indexed.
            index: one dim of integers: where along `dim` each slice of `source` goes. Repeated ones are added up.
            source: the slices: of this tensor's shape, with as many along `dim` as there are indices.
            alpha: what `source` is multiplied by.

        Returns:
            The tensor itself.

        >>> torch.zeros(3).index_add_(0, torch.tensor([0, 0]), torch.ones(2))
        tensor([2., 0., 0.])
        """
        if not unrecorded("index_add", self, source, alpha):
            return overwritten_by(indexing.index_add, self, dim, index, source, alpha=alpha)
        index_select.index_add_(self.array, dim, index.array, source.array, alpha if alpha.__class__ is int else array_of(alpha))
        return self

    @torch_function
    def index_copy_(self, dim: int, index: Tensor, source: Tensor) -> Self:
        """Replace slices of a dim in place; see `torch.index_copy`.

        Args:
            dim: the dim that is indexed.
            index: one dim of integers: where along `dim` each slice of `source` goes.
            source: the slices: of this tensor's shape, with as many along `dim` as there are indices.

        Returns:
            The tensor itself.

        >>> torch.zeros(3).index_copy_(0, torch.tensor([2]), torch.ones(1))
        tensor([0., 0., 1.])
        """
        if not unrecorded("index_copy", self, source):
            return overwritten_by(indexing.index_copy, self, dim, index, source)
        index_select.index_copy_(self.array, dim, index.array, source.array)
        return self

    @torch_function
    def index_fill_(self, dim: int, index: Tensor, value: Tensor | Number) -> Self:
        """Fill slices of a dim with one value in place; see `torch.index_fill`.

        Args:
            dim: the dim that is indexed.
            index: one dim of integers: which slices along `dim` are filled.
            value: a number, or a tensor without dims.

        Returns:
            The tensor itself.

        >>> torch.zeros(3).index_fill_(0, torch.tensor([2]), 5)
        tensor([0., 0., 5.])
        """
        if not unrecorded("index_fill", self, value):
            return overwritten_by(indexing.index_fill, self, dim, index, value)
        index_select.index_fill_(self.array, dim, index.array, array_of(value))
        return self

    @torch_function
    def index_reduce_(self, dim: int, index: Tensor, source: Tensor, reduce: str, *, include_self: bool = True) -> Self:
        """Reduce the slices that go to one index of a dim in place; see `torch.index_reduce`.

        Args:
            dim: the dim that is indexed.
            index: one dim of integers: where along `dim` each slice of `source` goes.
            source: the slices: of this tensor's shape, with as many along `dim` as there are indices.
            reduce: "prod", "mean", "amax" or "amin".
            include_self: whether what stands in the tensor before takes part.

        Returns:
            The tensor itself.

        >>> torch.ones(2).index_reduce_(0, torch.tensor([0, 0]), torch.tensor([3.0, 4.0]), "prod")
        tensor([12.,  1.])
        """
        return overwritten_by(indexing.index_reduce, self, dim, index, source, reduce, include_self=include_self)

    @torch_function
    def index_put_(self, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool = False) -> Self:
        """Write items at any indices in place; see `torch.index_put`.

        Args:
            indices: a tensor of integers or booleans per dim, from the first on; they broadcast together. None takes a whole dim.
            values: what to write: it broadcasts to the indexed items.
            accumulate: whether to add to the items rather than replace them.

        Returns:
            The tensor itself.

        >>> torch.zeros(3).index_put_((torch.tensor([0, 2]),), torch.tensor(5.0))
        tensor([5., 0., 5.])
        """
        return overwritten_by(indexing.index_put, self, indices, values, accumulate)

    @torch_function
    def put_(self, index: Tensor, source: Tensor, accumulate: bool = False) -> Self:
        """Write items by their index in row-major order in place; see `torch.put`.

        Args:
            index: integers, which count this tensor's items in row-major order.
            source: what to write, of as many items.
            accumulate: whether to add to the items rather than replace them.

        Returns:
            The tensor itself.

        >>> torch.zeros(3).put_(torch.tensor([1]), torch.tensor([5.0]))
        tensor([0., 5., 0.])
        """
        return overwritten_by(indexing.put, self, index, source, accumulate)

    @torch_function
    def scatter_(
        self, dim: int, index: Tensor, src: Tensor | Number | None = None, *, value: Number | None = None, reduce: str | None = None
    ) -> Self:
        """Write items along a dim in place; see `torch.scatter`.

        Args:
            dim: the dim that is indexed.
            index: integers: where along `dim` each item goes; in other dims it keeps its place.
            src: what to write: a tensor at least as long as `index` in each dim, or a number.
            value: the number to write, by name, instead of `src`.
            reduce: "add" or "multiply", to combine with what stands there; None to replace it.

        Returns:
            The tensor itself.

        >>> torch.zeros(3).scatter_(0, torch.tensor([2, 0]), 1.0)
        tensor([1., 0., 1.])
        """
        items = value if src is None else src
        if not unrecorded("scatter", self, items):
            return overwritten_by(indexing.scatter, self, dim, index, items, reduce=reduce)
        if reduce is None:
            nd.scatter(self.array, index.array, array_of(items), dim, out=self.array)
        else:
            plain = tensor_of(items.array) if isinstance(items, AnyTensor) else items
            selection.setitem(self.array, ..., scattered_with(reduce, tensor_of(self.array), dim, index, plain).array)
        return self

    @torch_function
    def scatter_add_(self, dim: int, index: Tensor, src: Tensor) -> Self:
        """Add items along a dim in place; see `torch.scatter_add`.

        Args:
            dim: the dim that is indexed.
            index: integers: where along `dim` each item goes; in other dims it keeps its place.
            src: what to add: a tensor at least as long as `index` in each dim.

        Returns:
            The tensor itself.

        >>> torch.zeros(3).scatter_add_(0, torch.tensor([2, 2]), torch.ones(2))
        tensor([0., 0., 2.])
        """
        if not unrecorded("scatter_add", self, src):
            return overwritten_by(indexing.scatter_add, self, dim, index, src)
        nd.scatter_add(self.array, index.array, src.array, dim, out=self.array)
        return self

    @torch_function
    def scatter_reduce_(self, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True) -> Self:
        """Reduce the items that go to one index along a dim in place; see `torch.scatter_reduce`.

        Args:
            dim: the dim that is indexed.
            index: integers: where along `dim` each item goes; in other dims it keeps its place.
            src: the items: a tensor at least as long as `index` in each dim.
            reduce: "sum", "prod", "mean", "amax" or "amin".
            include_self: whether what stands in the tensor before takes part.

        Returns:
            The tensor itself.

        >>> torch.ones(2).scatter_reduce_(0, torch.tensor([0, 0]), torch.tensor([3.0, 4.0]), "amax")
        tensor([4., 1.])
        """
        return overwritten_by(indexing.scatter_reduce, self, dim, index, src, reduce, include_self=include_self)

    @torch_function
    def masked_fill_(self, mask: Tensor, value: Tensor | Number) -> Self:
        """Fill the items where a mask holds with one value in place; see `torch.masked_fill`.

        Args:
            mask: booleans that broadcast to this tensor's shape.
            value: a number, or a tensor without dims.

        Returns:
            The tensor itself.

        >>> x = torch.tensor([1, 2, 3])
        >>> x.masked_fill_(x > 1, 0)
        tensor([1, 0, 0])
        """
        if unrecorded("masked_fill", self, mask, value) and isinstance(mask, AnyTensor):
            array, held, item = self.array, mask.array, value.array if isinstance(value, AnyTensor) else value
            shape, near = array.layout.shape, held.flat.kernels.device is array.flat.kernels.device
            if near and shape and held.layout.shape == shape and held.dtype is nd.bool and not getattr(item, "ndim", 0):
                selection.setitem(array, held, filling("masked_fill", item, array.flat.dtype))
                return self
        return overwritten_by(indexing.masked_fill, self, mask, value)

    @torch_function
    def masked_scatter_(self, mask: Tensor, source: Tensor) -> Self:
        """Replace the items where a mask holds by those of another tensor in place; see `torch.masked_scatter`.

        Args:
            mask: booleans that broadcast to this tensor's shape.
            source: a tensor of the same dtype, whose items are taken in row-major order; it has at least as many as `mask` has True.

        Returns:
            The tensor itself.

        >>> x = torch.tensor([1, 2, 3])
        >>> x.masked_scatter_(x > 1, torch.tensor([8, 9]))
        tensor([1, 8, 9])
        """
        return overwritten_by(indexing.masked_scatter, self, mask, source)

    @torch_function
    def tril_(self, diagonal: int = 0) -> Self:
        """Keep the lower triangle in place, with zeros above; see `torch.tril`.

        Args:
            diagonal: the last diagonal that is kept: 0 for the main one, above it for positive numbers.

        Returns:
            The tensor itself.

        >>> torch.ones(2, 2).tril_()
        tensor([[1., 0.],
                [1., 1.]])
        """
        return overwritten_by(shapes.tril, self, diagonal)

    @torch_function
    def triu_(self, diagonal: int = 0) -> Self:
        """Keep the upper triangle in place, with zeros below; see `torch.triu`.

        Args:
            diagonal: the first diagonal that is kept: 0 for the main one, above it for positive numbers.

        Returns:
            The tensor itself.

        >>> torch.ones(2, 2).triu_()
        tensor([[1., 1.],
                [0., 1.]])
        """
        return overwritten_by(shapes.triu, self, diagonal)
