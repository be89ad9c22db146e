"""SparseTensor: a tensor of coordinates and values. Its values are an ordinary tensor, which carries the gradients.

It has no memory of its own: functions reach it through `__torch_function__`, and each that serves it has a rule in `RULES`. A function
without a rule is refused by name; nothing turns dense in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

from lamina_flatarray import OpNotImplemented, UsageError
from lamina_flatarray.registrations import Registrations

from ..autograd.node import AccumulateGrad
from ..devices.memory_formats import sparse_coo
from ..methods.shapes.sizes import Size
from ..tensor_class import Tensor

if TYPE_CHECKING:
    from lamina_flatarray import Device, DType

    from ..devices.memory_formats import layout as Layout

__all__ = ["RULES", "SparseTensor", "sparse_rule"]

F = TypeVar("F", bound=Callable[..., Any])

RULES: Final[Registrations[Callable[..., Any]]] = Registrations()
"""The name of a function -> what it does where an argument is sparse."""
_PARTS = ("arithmetic", "construction", "elementwise", "kinds", "products", "reductions", "shapes")
_FOR_SPARSE: Final = frozenset({"lamina_tensor.sparse.namespace", "lamina_tensor.sparse.named_products"})
"""Modules of functions that are written for sparse tensors, and are their own rules."""
RULES.modules += [f"lamina_tensor.sparse.{part}" for part in _PARTS]


def sparse_rule(*names: str) -> Callable[[F], F]:
    """Decorate what functions of these names do where an argument is sparse."""

    def registered(function: F) -> F:
        for name in names:
            RULES[name] = function
        return function

    return registered


def refused(name: str) -> NoReturn:
    """Refuse a function that has no rule.

    Raises:
        NotImplementedError: always.
    """
    raise OpNotImplemented(
        f"Could not run 'aten::{name}' with arguments from the 'SparseCPU' backend: it has no rule for the layout lamina.sparse_coo. "
        "Convert with to_dense() first."
    )


class SparseTensor(Tensor):
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

    __slots__ = ("coalesced", "coordinates", "entries", "lengths")

    coordinates: Tensor
    entries: Tensor
    lengths: tuple[int, ...]
    coalesced: bool

    def __new__(
        cls, coordinates: Tensor, entries: Tensor, lengths: Sequence[int], coalesced: bool = False
    ) -> SparseTensor:
        """A tensor over these parts, which are not copied."""
        result: SparseTensor = object.__new__(cls)
        result.coordinates, result.entries = coordinates, entries
        result.lengths, result.coalesced = tuple(lengths), coalesced
        result._requires_grad = False  # the values tell
        result._node = None
        result.base = result.views = result.hooks = None
        return result

    @classmethod
    def __torch_function__(
        cls, func: Callable[..., Any], types: Sequence[type], args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Call the function's rule.

        Raises:
            NotImplementedError: it has none.
        """
        if func.__module__ in _FOR_SPARSE:
            return func.__wrapped__(*args, **(kwargs or {}))  # type: ignore[attr-defined]
        rule = RULES.get(func.__name__)
        if rule is None:
            refused(func.__name__)
        return rule(*args, **(kwargs or {}))

    def like(self, entries: Tensor) -> SparseTensor:
        """A tensor of other values at the same coordinates."""
        return SparseTensor(self.coordinates, entries, self.lengths, self.coalesced)

    def at_its_places(self, whole: Tensor) -> Tensor:
        """Return the items of a tensor of the same shape, dense or sparse, that lie where this one stores values."""
        dense: Tensor = whole.to_dense() if isinstance(whole, SparseTensor) else whole
        return dense[tuple(self.coordinates)] if self.coordinates.shape[0] else dense.expand(self.entries.shape)

    # -- what it tells of itself ------------------------------------------------------------------------------------------

    @property
    def array(self) -> NoReturn:  # type: ignore[override]
        """Nothing: a sparse tensor has no array of all items.

        Raises:
            NotImplementedError: always.
        """
        raise OpNotImplemented("a tensor of layout lamina.sparse_coo has no storage of all its items; convert with to_dense() first")

    @property
    def shape(self) -> Size:
        """The length of each dim."""
        return Size(self.lengths)

    @property
    def ndim(self) -> int:
        """The number of dims, sparse and dense."""
        return len(self.lengths)

    @property
    def dtype(self) -> DType:
        """The type of the values."""
        return self.entries.dtype

    @property
    def device(self) -> Device:
        """Where indices and values are."""
        return self.entries.device

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

    # -- its place in the graph: that of its values -------------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        """Whether gradients flow to the values."""
        return self.entries.requires_grad

    @requires_grad.setter
    def requires_grad(self, wants: bool) -> None:
        """Ask for gradients of the values, or stop asking."""
        self.entries.requires_grad = wants

    @property
    def node(self) -> Any:
        """The op that made the values; for leaves, where their gradient is added up."""
        return self.entries.node or (AccumulateGrad(self.entries) if self.entries.requires_grad else None)

    @node.setter
    def node(self, node: Any) -> None:
        """Set the op that made the values."""
        self.entries.node = node

    @property
    def grad_fn(self) -> Any:
        """The node of the op that made the values; None for a leaf."""
        return self.entries.node

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded op made the values."""
        return self.entries.is_leaf

    @property
    def _grad(self) -> Tensor | None:
        gradient = self.entries._grad
        return None if gradient is None else self.like(gradient)

    @_grad.setter
    def _grad(self, value: Tensor | None) -> None:
        if value is not None and not (isinstance(value, SparseTensor) and value.entries.shape == self.entries.shape):
            raise UsageError("the gradient of a sparse tensor must be a sparse tensor with as many stored items")
        self.entries._grad = None if value is None else value.entries

    @property
    def grad(self) -> Tensor | None:
        """The gradient, at the places that are stored."""
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        """Replace the gradient; only None goes without a sparse tensor of the same coordinates."""
        self._grad = value

    # -- Python's protocols ---------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        marks = f"size={tuple(self.lengths)}, nnz={self.entries.shape[0]}"
        if self.dtype.name not in ("float32", "int64", "bool", "complex64"):
            marks += f", dtype={self.dtype}"
        marks += f", layout={self.layout}"
        history = f"grad_fn=<{self.grad_fn.name()}>" if self.grad_fn is not None else "requires_grad=True" if self.requires_grad else ""
        if history:
            room = 80 - 7 - 2 - len(history)
            marks += f", {history}" if len(marks) <= room else f",\n{history}"
        parts = f"indices={_text(self.coordinates)},\nvalues={_text(self.entries)},\n{marks}"
        return "tensor(" + parts.replace("\n", "\n       ") + ")"

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


def _text(part: Tensor) -> str:
    """A part as a tensor prints, without its dtype and history, indented as behind a name of seven letters."""
    import re

    text = re.sub(r", (dtype=|requires_grad=|grad_fn=)[^,)]*", "", repr(part.detach()))
    if not part.numel():
        return f"tensor([], size=({', '.join(map(str, part.shape))}{',' if part.ndim == 1 else ''}))"
    return text.replace("\n", "\n" + " " * (8 if part.dtype.name == "int64" and part.ndim == 2 else 7))
