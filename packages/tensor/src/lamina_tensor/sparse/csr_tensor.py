"""CSRTensor: a matrix that stores its items row by row. What functions do with one stands in `CSR_RULES`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import lamina_tensor as functions
from lamina_flatarray.registrations import Registrations

from ..devices.memory_formats import sparse_csr
from ..tensor_class import Tensor
from .sparse_tensor import SparseTensor
from .stored_items import StoredItems, text_of

if TYPE_CHECKING:
    from ..devices.memory_formats import layout as Layout

__all__ = ["CSR_RULES", "CSRTensor", "csr_rule"]

F = TypeVar("F", bound=Callable[..., Any])

CSR_RULES: Final[Registrations[Callable[..., Any]]] = Registrations()
"""The name of a function -> what it does where an argument is stored in compressed rows."""
CSR_RULES.modules += ["lamina_tensor.sparse.csr_construction", "lamina_tensor.sparse.csr_rules"]


def csr_rule(*names: str) -> Callable[[F], F]:
    """Decorate what functions of these names do where an argument is stored in compressed rows."""

    def registered(function: F) -> F:
        for name in names:
            CSR_RULES[name] = function
        return function

    return registered


class CSRTensor(StoredItems):
    """A sparse matrix in compressed rows (CSR).

    Args:
        starts: (rows + 1,): where each row begins among the values, and where the last ends.
        columns: (stored items,): the column of each value, in order within a row, and none twice.
        entries: (stored items,): the values.
        lengths: the shape.

    >>> torch.eye(2).to_sparse_csr()
    tensor(crow_indices=tensor([0, 1, 2]),
           col_indices=tensor([0, 1]),
           values=tensor([1., 1.]), size=(2, 2), nnz=2, layout=lamina.sparse_csr)
    """

    __slots__ = ("columns", "starts")

    starts: Tensor
    columns: Tensor
    rules = CSR_RULES
    stored_as = "sparse_csr"

    def __new__(cls, starts: Tensor, columns: Tensor, entries: Tensor, lengths: Sequence[int]) -> CSRTensor:
        """A tensor over these parts, which are not copied."""
        result: CSRTensor = object.__new__(cls)
        result._begin(entries, lengths)
        result.starts, result.columns = starts, columns
        return result

    def like(self, entries: Tensor) -> CSRTensor:
        """A tensor of other values at the same places."""
        return CSRTensor(self.starts, self.columns, entries, self.lengths)

    def by_coordinates(self) -> SparseTensor:
        """The same values with the coordinates of each."""
        counts = self.starts[1:] - self.starts[:-1]
        rows = functions.repeat_interleave(functions.arange(self.lengths[0], device=self.device), counts.long())
        return SparseTensor(functions.stack([rows, self.columns.long()]), self.entries, self.lengths, True)

    @property
    def layout(self) -> Layout:
        """How items are stored: by rows."""
        return sparse_csr

    @property
    def is_sparse_csr(self) -> bool:
        """Whether the tensor is stored in compressed rows: it is."""
        return True

    @property
    def nbytes(self) -> int:
        """The bytes of all items, as PyTorch counts them, and not of those that are stored."""
        return self.shape.numel() * self.dtype.itemsize

    def __repr__(self) -> str:
        return text_of(self, {"crow_indices": self.starts, "col_indices": self.columns, "values": self.entries}, False)

    def __copy__(self) -> CSRTensor:
        return self.like(self.entries)

    def __deepcopy__(self, memo: dict[int, Any]) -> CSRTensor:
        from copy import deepcopy

        result = CSRTensor(deepcopy(self.starts, memo), deepcopy(self.columns, memo), deepcopy(self.entries, memo), self.lengths)
        memo[id(self)] = result
        return result

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return CSRTensor, (self.starts, self.columns, self.entries, self.lengths)
