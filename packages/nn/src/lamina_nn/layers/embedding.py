"""Tables of vectors that are looked up by index and trained."""

from __future__ import annotations

from typing import Any, Self

import lamina_tensor as lt
from lamina_tensor import Tensor, no_grad

from .. import functional as F
from .. import init
from ..module import Module
from ..parameter import Parameter

__all__ = ["Embedding", "EmbeddingBag"]


def _lengths(embeddings: Tensor) -> tuple[int, int]:
    """How many rows there are, and their length.

    Raises:
        AssertionError: it is no matrix.
    """
    if embeddings.ndim != 2:
        raise AssertionError(f"Embeddings parameter is expected to be 2-dimensional, got shape {tuple(embeddings.shape)}")
    rows, columns = embeddings.shape
    return rows, columns


class _Table(Module):
    """What both tables have: rows, a norm that they are held to, and a row for padding."""

    weight: Parameter

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None, weight: Tensor | None, freeze: bool,
        device: Any, dtype: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise AssertionError(f"padding_idx {padding_idx} must be within num_embeddings {num_embeddings}")
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        if weight is None:
            self.weight = Parameter(lt.empty(num_embeddings, embedding_dim, device=device, dtype=dtype), not freeze)
            self.reset_parameters()
        else:
            if tuple(weight.shape) != (num_embeddings, embedding_dim):
                raise AssertionError(
                    f"Shape of weight {tuple(weight.shape)} does not match num_embeddings and embedding_dim "
                    f"({num_embeddings}, {embedding_dim})"
                )
            self.weight = Parameter(weight, not freeze)

    def reset_parameters(self) -> None:
        """Draw new rows from the standard normal distribution, and set the row of `padding_idx` to zeros.

        >>> table = torch.nn.Embedding(3, 2, padding_idx=0)
        >>> table.reset_parameters()
        >>> table.weight[0].detach()
        tensor([0., 0.])
        """
        init.normal_(self.weight)
        self._fill_padding_idx_with_zero()

    def _fill_padding_idx_with_zero(self) -> None:
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)


class Embedding(_Table):
    """Look up rows of a table: weight[input].

    Args:
        num_embeddings: the number of rows.
        embedding_dim: their length.
        padding_idx: an index whose row begins as zeros and gets no gradient.
        max_norm: the norm that rows are scaled down to when they are looked up; None for no limit.
        norm_type: the exponent of that norm.
        scale_grad_by_freq: whether a row's gradient is divided by the number of times that its index occurs.
        sparse: whether the gradient is to be sparse; see `functional.embedding`.
        _weight: the table, if it exists already.
        _freeze: whether the table is not trained.
        device, dtype: of the table.

    Shape:
        (...) to (..., embedding_dim).

    Raises:
        AssertionError: padding_idx is not a row, or _weight has another shape.

    >>> torch.nn.Embedding(10, 3)(torch.tensor([[1, 2, 4], [4, 3, 9]])).shape
    lamina.Size([2, 3, 3])
    """

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None, max_norm: float | None = None,
        norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False, _weight: Tensor | None = None,
        _freeze: bool = False, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(num_embeddings, embedding_dim, padding_idx, _weight, _freeze, device, dtype)
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse

    def forward(self, input: Tensor) -> Tensor:
        """Look up rows.

        Args:
            input: indices of any shape, int32 or int64.

        Returns:
            (*shape, embedding_dim).
        """
        return F.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse
        )

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None, max_norm: float | None = None,
        norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False,
    ) -> Self:  # fmt: skip
        """Make a table of given rows.

        Args:
            embeddings: the rows, (num_embeddings, embedding_dim).
            freeze: whether they are not trained.
            padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse: as of the class.

        Returns:
            A module of the class.

        Raises:
            AssertionError: embeddings is not 2-D.

        >>> table = torch.nn.Embedding.from_pretrained(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        >>> table(torch.tensor([1]))
        tensor([[3., 4.]])
        """
        rows, columns = _lengths(embeddings)
        return cls(rows, columns, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, embeddings, freeze)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        if self.padding_idx is not None:
            text += f", padding_idx={self.padding_idx}"
        if self.max_norm is not None:
            text += f", max_norm={self.max_norm}"
        if self.norm_type != 2:
            text += f", norm_type={self.norm_type}"
        if self.scale_grad_by_freq is not False:
            text += f", scale_grad_by_freq={self.scale_grad_by_freq}"
        return text + (", sparse=True" if self.sparse is not False else "")


class EmbeddingBag(_Table):
    """Sum, average or take the maximum of rows of a table over bags of indices, without storing the rows.

    Args:
        num_embeddings: the number of rows.
        embedding_dim: their length.
        max_norm: the norm that rows are scaled down to when they are looked up; None for no limit.
        norm_type: the exponent of that norm.
        scale_grad_by_freq: whether a row's gradient is divided by the number of times that its index occurs.
        mode: "sum", "mean" or "max".
        sparse: whether the gradient is to be sparse; see `functional.embedding_bag`.
        _weight: the table, if it exists already.
        include_last_offset: whether offsets end with the number of indices.
        padding_idx: an index that does not count in its bag; its row begins as zeros.
        device, dtype: of the table.

    Shape:
        (bags, length), or (n,) and offsets (bags,), to (bags, embedding_dim).

    Raises:
        AssertionError: padding_idx is not a row, or _weight has another shape.

    >>> table = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    >>> bag = torch.nn.EmbeddingBag.from_pretrained(table, mode="sum")
    >>> bag(torch.tensor([0, 1, 2]), torch.tensor([0, 2]))
    tensor([[4., 6.],
            [5., 6.]])
    """

    def __init__(
        self, num_embeddings: int, embedding_dim: int, max_norm: float | None = None, norm_type: float = 2.0,
        scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False, _weight: Tensor | None = None,
        include_last_offset: bool = False, padding_idx: int | None = None, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(num_embeddings, embedding_dim, padding_idx, _weight, False, device, dtype)
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.mode, self.sparse = scale_grad_by_freq, mode, sparse
        self.include_last_offset = include_last_offset

    def forward(self, input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None) -> Tensor:
        """Reduce the rows of each bag.

        Args:
            input: indices, (bags, length), or all of them in a row, (n,).
            offsets: where each bag begins, (bags,), for indices in a row.
            per_sample_weights: the factor of each row, of the input's shape; for mode "sum" only.

        Returns:
            (bags, embedding_dim).
        """
        return F.embedding_bag(
            input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.mode, self.sparse,
            per_sample_weights, self.include_last_offset, self.padding_idx,
        )  # fmt: skip

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, max_norm: float | None = None, norm_type: float = 2.0,
        scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False, include_last_offset: bool = False,
        padding_idx: int | None = None,
    ) -> Self:  # fmt: skip
        """Make a table of given rows.

        Args:
            embeddings: the rows, (num_embeddings, embedding_dim).
            freeze: whether they are not trained.
            max_norm, norm_type, scale_grad_by_freq, mode, sparse, include_last_offset, padding_idx: as of the class.

        Returns:
            A module of the class.

        Raises:
            AssertionError: embeddings is not 2-D.

        >>> table = torch.nn.EmbeddingBag.from_pretrained(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), mode="sum")
        >>> table(torch.tensor([[0, 1]]))
        tensor([[4., 6.]])
        """
        rows, columns = _lengths(embeddings)
        result = cls(
            rows, columns, max_norm, norm_type, scale_grad_by_freq, mode, sparse, embeddings, include_last_offset, padding_idx
        )
        result.weight.requires_grad_(not freeze)
        return result

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        if self.max_norm is not None:
            text += f", max_norm={self.max_norm}"
        if self.norm_type != 2:
            text += f", norm_type={self.norm_type}"
        if self.scale_grad_by_freq is not False:
            text += f", scale_grad_by_freq={self.scale_grad_by_freq}"
        text += f", mode={self.mode!r}"
        return text + (f", padding_idx={self.padding_idx}" if self.padding_idx is not None else "")
