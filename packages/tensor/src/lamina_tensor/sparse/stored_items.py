"""StoredItems: what tensors have in common that store some of their items, whatever the layout.

The values are an ordinary tensor, which carries the gradients. There is no memory of all items: functions reach such a tensor through
`__torch_function__`, and each that serves it has a rule among those of its layout. One without is refused by name; nothing turns
dense in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, Self

from lamina_flatarray import OpNotImplemented, UsageError

from ..autograd.node import AccumulateGrad
from ..methods.shapes.sizes import Size
from ..tensor_class import Tensor

if TYPE_CHECKING:
    from lamina_flatarray import Device, DType
    from lamina_flatarray.registrations import Registrations

__all__ = ["StoredItems", "refused", "text_of"]

_FOR_SPARSE: Final = frozenset({"lamina_tensor.sparse.namespace", "lamina_tensor.sparse.named_products"})
"""Modules of functions that are written for sparse tensors, and are their own rules."""

_INDENT: Final = len("tensor(")
_WIDTH: Final = 80
"""Of a printed line, as PyTorch's."""


def refused(name: str, layout: str = "sparse_coo") -> NoReturn:
    """Refuse a function that has no rule.

    Raises:
        NotImplementedError: always.
    """
    backend = {"sparse_coo": "SparseCPU", "sparse_csr": "SparseCsrCPU"}[layout]
    raise OpNotImplemented(
        f"Could not run 'aten::{name}' with arguments from the '{backend}' backend: it has no rule for the layout lamina.{layout}. "
        "Convert with to_dense() first."
    )


class StoredItems(Tensor):
    """A tensor that stores some of its items; all others are zero.

    Attributes:
        entries: the values, (stored items, *dense dims).
        lengths: the shape: those of the sparse dims, then those of the dense ones.
    """

    __slots__ = ("entries", "lengths")

    entries: Tensor
    lengths: tuple[int, ...]
    rules: ClassVar[Registrations[Callable[..., Any]]]
    stored_as: ClassVar[str]

    def _begin(self, entries: Tensor, lengths: Sequence[int]) -> None:
        """Take the values; nothing is copied."""
        self.entries, self.lengths = entries, tuple(lengths)
        self._requires_grad = False  # the values tell
        self._node = None
        self.base = self.views = self.hooks = None

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
        rule = cls.rules.get(func.__name__)
        if rule is None:
            refused(func.__name__, cls.stored_as)
        return rule(*args, **(kwargs or {}))

    def like(self, entries: Tensor) -> Self:
        """A tensor of other values at the same places.

        Raises:
            NotImplementedError: always; each layout has its own.
        """
        raise NotImplementedError

    # -- what it tells of itself ------------------------------------------------------------------------------------------

    @property
    def array(self) -> NoReturn:  # type: ignore[override]
        """Nothing: a sparse tensor has no array of all items.

        Raises:
            NotImplementedError: always.
        """
        raise OpNotImplemented(f"a tensor of layout lamina.{self.stored_as} has no storage of all its items; convert with to_dense() first")

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
        if value is not None and not (isinstance(value, StoredItems) and value.entries.shape == self.entries.shape):
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


def text_of(tensor: StoredItems, parts: dict[str, Tensor], marks_apart: bool) -> str:
    """What a tensor prints: its parts by name, and its marks, which PyTorch puts on a line of their own for some layouts."""
    marks = [f"size={tuple(tensor.lengths)}", f"nnz={tensor.entries.shape[0]}"]
    if tensor.dtype.name not in ("float32", "int64", "bool", "complex64"):
        marks.append(f"dtype={tensor.dtype}")
    marks.append(f"layout={tensor.layout}")
    if tensor.grad_fn is not None:
        marks.append(f"grad_fn=<{tensor.grad_fn.name()}>")
    elif tensor.requires_grad:
        marks.append("requires_grad=True")
    lines = ",\n".join(f"{name}={_text(part)}" for name, part in parts.items()).split("\n")
    used = _INDENT + len(lines[-1]) + 2
    for mark in marks:
        if marks_apart or used + len(mark) + 2 > _WIDTH:
            lines[-1] += ","
            lines.append(mark)
            used, marks_apart = _INDENT + len(mark), False
        else:
            lines[-1] += f", {mark}"
            used += len(mark) + 2
    fold = "\n" + " " * _INDENT
    return f"tensor({fold.join(lines)})"


def _text(part: Tensor) -> str:
    """A part as a tensor prints, without its dtype and history, indented as behind a name of seven letters."""
    import re

    text = re.sub(r", (dtype=|requires_grad=|grad_fn=)[^,)]*", "", repr(part.detach()))
    if not part.numel():
        return f"tensor([], size=({', '.join(map(str, part.shape))}{',' if part.ndim == 1 else ''}))"
    return text.replace("\n", "\n" + " " * (8 if part.dtype.name == "int64" and part.ndim == 2 else 7))
