"""SparseTensor: a tensor of coordinates and values. What functions do with one stands in `RULES`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

from lamina_flatarray import UsageError
from lamina_flatarray.registrations import Registrations

from ..devices.memory_formats import sparse_coo
from ..tensor_class import Tensor
from .stored_items import StoredItems, text_of

if TYPE_CHECKING:
    from ..devices.memory_formats import layout as Layout

__all__ = ["RULES", "SparseTensor", "sparse_rule"]

F = TypeVar("F", bound=Callable[..., Any])

RULES: Final[Registrations[Callable[..., Any]]] = Registrations()
"""The name of a function -> what it does where an argument is sparse."""
_PARTS = ("arithmetic", "construction", "elementwise", "kinds", "products", "reductions", "shapes")
RULES.modules += [f"lamina_tensor.sparse.{part}" for part in _PARTS]


def sparse_rule(*names: str) -> Callable[[F], F]:
    """Decorate what functions of these names do where an argument is sparse."""

    def registered(function: F) -> F:
        for name in names:
            RULES[name] = function
        return function

    return registered


class SparseTensor(StoredItems):
    """A sparse tensor in coordinate format (COO).

    Args:
        coordinates: int64 (sparse dims, stored items).
        entries: the values, (stored items, *dense dims).
        lengths: the shape: those of the sparse dims, then those of the dense ones.
        coalesced: whether the coordinates are known to be sorted, and none twice.

    >>> torch.eye(2).to_sparse()
    tensor(indices=tensor([[0, 1],
                           [0, 1]]),
           values=tensor([1., 1.]),
           size=(2, 2), nnz=2, layout=lamina.sparse_coo)
    """

    __slots__ = ("coalesced", "coordinates")

    coordinates: Tensor
    coalesced: bool
    rules = RULES
    stored_as = "sparse_coo"

    def __new__(
        cls, coordinates: Tensor, entries: Tensor, lengths: Sequence[int], coalesced: bool = False
    ) -> SparseTensor:
        """A tensor over these parts, which are not copied."""
        result: SparseTensor = object.__new__(cls)
        result._begin(entries, lengths)
        result.coordinates, result.coalesced = coordinates, coalesced
        return result

    def like(self, entries: Tensor) -> SparseTensor:
        """A tensor of other values at the same coordinates."""
        return SparseTensor(self.coordinates, entries, self.lengths, self.coalesced)

    def at_its_places(self, whole: Tensor) -> Tensor:
        """Return the items of a tensor of the same shape, dense or sparse, that lie where this one stores values."""
        dense: Tensor = whole.to_dense() if isinstance(whole, SparseTensor) else whole
        return dense[tuple(self.coordinates)] if self.coordinates.shape[0] else dense.expand(self.entries.shape)

    # -- what it tells of itself ------------------------------------------------------------------------------------------

    @property
    def layout(self) -> Layout:
        """How items are stored: by coordinates."""
        return sparse_coo

    @property
    def is_sparse(self) -> bool:
        """Whether the tensor is sparse: it is."""
        return True

    @property
    def nbytes(self) -> NoReturn:
        """Refuse: a sparse tensor has two parts, each with a number of bytes of its own.

        Raises:
            RuntimeError: always.
        """
        raise UsageError("nbytes is not defined for sparse tensors; add the nbytes of the indices and values")

    # -- Python's protocols ---------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return text_of(self, {"indices": self.coordinates, "values": self.entries}, True)

    def __copy__(self) -> SparseTensor:
        return self.like(self.entries)

    def __deepcopy__(self, memo: dict[int, Any]) -> SparseTensor:
        from copy import deepcopy

        result = self.like(deepcopy(self.entries, memo))
        result.coordinates = deepcopy(self.coordinates, memo)
        memo[id(self)] = result
        return result

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return SparseTensor, (self.coordinates, self.entries, self.lengths, self.coalesced)
