"""In-place ops: what they write, and how the history of the memory's base and of all its views is rewritten.

A view shares memory with its base. After an in-place op on either, the base's gradient splits: what lies under the
written part flows to the op, the rest to what the base was before; and every view is a view of the new base. PyTorch's
semantics: https://docs.pytorch.org/docs/stable/notes/autograd.html#in-place-operations-with-autograd
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import lamina_ndarray as nd
from lamina_flatarray import AutogradError, DTypeError, ShapeError
from lamina_flatarray.modes import NO_GRAD, word
from lamina_flatarray.ops import OPS
from lamina_flatarray.twins import compiled
from lamina_ndarray import NDArray
from lamina_ndarray.array_fields import view_of
from lamina_ndarray.dispatch.operands import as_operand
from lamina_ndarray.indexing import selection
from lamina_ndarray.indexing.basic_index import basic_index, refuse_empty_masks

from ...autograd.node import OUTPUT, RETAINED, Node, made_node
from ...autograd.rules import RULES, Rule
from ...autograd.saved_index import saved_index
from ...dispatch.byte_masks import masks_of_bytes
from ...dispatch.elementwise import Elementwise, elementwise, weighted
from ...dispatch.tensor_functions import arrays_of
from ...tensor_fields import AnyTensor, TensorFields, tensor_of

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["binary_", "check_writable", "copied_into", "overwritten", "renew", "rewritten", "scaled_sum_", "setitem", "unary_"]

T = TypeVar("T", bound=TensorFields)


_COMPARISONS: Final = frozenset(
    row.name for row in OPS.values() if row.rule in ("compare", "compare_real") and row.family == "map" and row.arity == 2
)
"""Ops whose results carry no gradient, but are numbers of the tensor's dtype when they are written over it."""


_ADDCMUL: Final = elementwise("addcmul", 3)


def unary_(op: Elementwise, self: Tensor) -> Tensor:
    """An op with one operand, written over it.

    Args:
        op: which.
        self: the operand; it comes back.

    Raises:
        AutogradError: it is a leaf that requires gradients, or a view of one.
    """
    array = self.array
    if self.requires_grad and not word.get() & NO_GRAD:
        before = _kept(op.name, op.rule, (True,), self)
        op.compute(array, out=array)
        _rewrite(self, op.rule, (True,), (self.node,), (before,), {})
    else:
        if self.base is not None and self.base.requires_grad:
            check_writable(op.name, self)
        op.compute(array, out=array)
    return self


def binary_(op: Elementwise, self: Tensor, other: Any) -> Tensor:
    """An op with two operands, written over the first.

    Args:
        op: which.
        self: the first operand; it comes back.
        other: a tensor that broadcasts to its shape, or a number.

    Raises:
        AutogradError: `self` is a leaf that requires gradients, or a view of one.
    """
    array = self.array
    y, wants = (other.array, other.requires_grad) if isinstance(other, AnyTensor) else (other, False)
    wants = wants and array.flat.dtype.is_inexact  # whole numbers carry no gradient
    if (wants or self.requires_grad) and not word.get() & NO_GRAD:
        needs_grad = (self.requires_grad, wants)
        rule = RULES["compared"] if op.name in _COMPARISONS else op.rule
        before = _kept(op.name, rule, needs_grad, self)
        if isinstance(y, NDArray) and y.flat.memory is array.flat.memory:
            y = nd.copy(y)  # a rule may save it, too
        edges = (self.node if self.requires_grad else None, (other.node or other) if wants else None)
        op.compute(array, y, out=array)
        _rewrite(self, rule, needs_grad, edges, (before, y), {})
    else:
        if self.base is not None and self.base.requires_grad:
            check_writable(op.name, self)
        op.compute(array, y, out=array)
    return self


if compiled is not None:
    unary_, binary_ = compiled.unary_over(unary_), compiled.binary_over(binary_)


def scaled_sum_(op: Elementwise, self: Tensor, other: Any, alpha: Any, sign: int) -> Tensor:
    """`self + sign * alpha * other`, written over `self`: in one pass over it where nothing is recorded.

    Args:
        op: `add` or `subtract`, for the general way.
        self: the first operand; it comes back.
        other: a tensor that broadcasts to its shape, or a number.
        alpha: a number.
        sign: 1 or -1.

    Raises:
        AutogradError: `self` is a leaf that requires gradients, or a view of one.
    """
    recorded = not word.get() & NO_GRAD and (self.requires_grad or (isinstance(other, AnyTensor) and other.requires_grad))
    if not recorded and isinstance(other, AnyTensor) and self.array.dtype.kind != "b" and (sign == 1 or other.array.dtype.kind != "b"):
        if self.base is not None and self.base.requires_grad:
            check_writable(op.name, self)
        array = self.array
        try:
            _ADDCMUL.compute(array, other.array, alpha.array if isinstance(alpha, AnyTensor) else alpha, array, value=sign)
            return self
        except (DTypeError, ShapeError):
            pass  # what follows refuses it, too, and names this op
    return binary_(op, self, weighted(op, self, other, alpha))


def _kept(op: str, rule: Rule | None, needs_grad: tuple[bool, ...], tensor: Tensor) -> NDArray:
    """What a rule may save of a tensor that is about to be written: a copy if it saves it at all.

    Raises:
        AutogradError: nothing may be written there, or no gradient comes back through the op.
    """
    check_writable(op, tensor, recorded=True)
    if rule is None:
        raise AutogradError(f"{op}_: the op has no gradient, so it cannot change a tensor that records one")
    return nd.copy(tensor.array) if ("input", 0) in rule.plan(needs_grad).saves else tensor.array


def check_writable(op: str, tensor: TensorFields, *, part: bool = False, recorded: bool = False) -> None:
    """Refuse to write where a recorded value would be lost: into the tensor, or into part of it; `recorded` if what is written
    wants gradients.

    Raises:
        AutogradError: the tensor, or what it is a view of, is a leaf that requires gradients; or it is one of several views of one call.
        DTypeError: its items carry no gradient.
    """
    root = tensor if tensor.base is None else tensor.base
    if not (not word.get() & NO_GRAD and (recorded or tensor.requires_grad or root.requires_grad)):
        return
    if root.requires_grad and tensor is not root and not tensor.requires_grad:
        raise AutogradError(
            f"{op}_: A view was created in no_grad mode and is being modified inplace with grad mode enabled: what it shares "
            "memory with records gradients, and it does not"
        )
    if root is not tensor:
        _refuse_one_of_several(op, tensor, root)
    if root.node is None and (root.requires_grad or tensor.requires_grad):  # a leaf may have stopped asking since
        raise AutogradError(
            "a leaf Variable that requires grad is being used in an in-place operation."
            if root is tensor and not part
            else f"{op}: a view of a leaf Variable that requires grad is being used in an in-place operation."
        )
    if not tensor.array.dtype.is_inexact:
        raise DTypeError(f"{op}_: {tensor.array.dtype!r} cannot record gradients")


_SEVERAL_VIEWS: Final = frozenset({"unbind", "split", "split_with_sizes"})
"""Ops whose results are views that may not be written to while gradients are recorded: the op has one node for all of them."""


def _refuse_one_of_several(op: str, view: TensorFields, root: TensorFields) -> None:
    """Refuse to write to one of several views that one call gave, or to a view of it.

    Raises:
        AutogradError: the view is one.
    """
    node: Any = view.node
    while node is not root.node and node.__class__ is Node:
        if node.plan is not OUTPUT and node.plan.rule.op in _SEVERAL_VIEWS:
            raise AutogradError(
                f"{op}_: a result of {node.plan.rule.op} is a view and is being modified inplace. This view is the output of a function "
                "that returns multiple views, and these may not be written to: use an op that is not in-place, or a view by index, x[i]"
            )
        node = node.inputs[0]


def _rewrite(
    tensor: TensorFields, rule: Rule | None, needs_grad: tuple[bool, ...], edges: tuple[Any, ...], inputs: tuple[Any, ...],
    params: dict[str, Any],
) -> None:  # fmt: skip
    """Give a tensor that was written the node of the op that wrote it."""
    plan = rule.plan(needs_grad)  # type: ignore[union-attr]  # `_kept` has refused ops without one
    array = tensor.array
    rewritten(tensor, made_node(plan, edges, plan.collect(inputs, array, params), array))


def rewritten(tensor: TensorFields, node: Node) -> None:
    """Make `node` the history of a tensor that was written in place; its base, and the base's other views, follow."""
    root = tensor if tensor.base is None else tensor.base
    if root is not tensor:
        before = root.node if root.requires_grad else None  # a leaf is not written to
        node = _written_region(node, before, root.array, tensor.array)
    renew(root, node)
    for reference in root.views or ():
        view = reference()
        if view is not None and view.array.flat.memory is root.array.flat.memory:
            renew(view, _region(node, root.array, view.array))


def renew(tensor: TensorFields, node: Node) -> None:
    """Give a tensor another history: hooks stay with the old one, but the gradient that it retains is the new one's."""
    before = tensor.node
    if before is not None and before.hooks and RETAINED in before.hooks:
        node.hooks = {RETAINED: before.hooks.pop(RETAINED)}
    tensor.node = node
    tensor.requires_grad = True


def _written_region(part: Node, before: Node | None, base: NDArray, view: NDArray) -> Node:
    """The node of a base that a view has written: where the view lies it is `part`, elsewhere what it was before."""
    if base.dtype is view.dtype:
        return _made("written_region", (part, before), base, outer=base.layout, inner=view.layout)
    (part, view), (before, reals) = _in_reals(part, view), _in_reals(before, base)  # type: ignore[assignment]
    node = _made("written_region", (part, before), reals, outer=reals.layout, inner=view.layout)
    return _made("view_as_complex", (node,), base) if base.dtype.is_complex else node


def _region(node: Node, base: NDArray, view: NDArray) -> Node:
    """The node of a view of a base that was written."""
    if base.dtype is view.dtype:
        return _made("region", (node,), view, outer=base.layout, inner=view.layout)
    (seen, reals), (_, part) = _in_reals(node, base), _in_reals(None, view)
    region = _made("region", (seen,), part, outer=reals.layout, inner=part.layout)
    return _made("view_as_complex", (region,), view) if view.dtype.is_complex else region


def _in_reals(node: Node | None, array: NDArray) -> tuple[Node | None, NDArray]:
    """Complex items as pairs of real ones, and the node of that; real items as they are."""
    if not array.dtype.is_complex:
        return node, array
    pairs = nd.view_as_real(array)
    return node and _made("view_as_real", (node,), pairs), pairs


def _made(op: str, edges: tuple[Node | None, ...], result: NDArray, **params: Any) -> Node:
    """A node of an op that was not run: its result is there already."""
    plan = RULES[op].plan(tuple([edge is not None for edge in edges]))
    return made_node(plan, edges, plan.collect((None,) * len(edges), result, params), result)


def copied_into(tensor: T, value: Any) -> T:
    """Every item of `tensor` replaced by those of `value`, which is broadcast and cast.

    Raises:
        AutogradError: the tensor is a leaf that requires gradients, or a view of one.
        ShapeError: the value does not broadcast to it.
    """
    array, (source, wants) = tensor.array, (value.array, value.requires_grad) if isinstance(value, AnyTensor) else (value, False)
    wants = wants and array.flat.dtype.is_inexact
    if wants or tensor.requires_grad or tensor.base is not None:
        check_writable("copy", tensor, recorded=wants)
    if source.__class__ is not NDArray:
        source = as_operand("setitem", source)
    if source.__class__ is NDArray and source.layout.ndim > array.layout.ndim:  # an assignment drops dims, copies do not
        raise ShapeError(f"copy_: output with shape {array.layout.shape} doesn't match the broadcast shape {source.layout.shape}")
    selection.overwrite(array, source)
    if (wants or tensor.requires_grad) and not word.get() & NO_GRAD:
        overwritten(tensor, source, (value.node or value) if wants else None)
    return tensor


def overwritten(tensor: TensorFields, source: Any = None, edge: Any = None) -> None:
    """Record that every item of a tensor was replaced: by those of `source`, whose gradient goes to `edge`."""
    # What the items were before gets zeros; where they are part of a base, that gets those anyhow.
    needs_grad = (tensor.requires_grad and tensor.base is None, edge is not None)
    _rewrite(tensor, RULES["overwritten"], needs_grad, (tensor.node if needs_grad[0] else None, edge), (tensor.array, source), {})


def _refuse_other_dtype(array: NDArray, index: Any, source: NDArray) -> None:
    """Refuse items of another dtype where indices are arrays; one item under a mask, and what a view takes, is cast.

    Raises:
        DTypeError: the indices are such.
    """
    if basic_index(array.layout, index) is None:
        parts = index if isinstance(index, tuple) else (index,)
        masks = all(part.dtype.kind == "b" for part in parts if isinstance(part, NDArray))
        if not (masks and source.layout.size == 1 and not any(isinstance(part, list) for part in parts)):
            raise DTypeError(
                f"Index put requires the source and destination dtypes match, got {array.dtype!r} for the destination and "
                f"{source.dtype!r} for the source."
            )


_BASIC: Final = frozenset({int, slice, type(None), type(...)})
_SLICES: Final = frozenset({slice, type(...)})


def _is_of_slices(index: Any) -> bool:
    return index.__class__ in _SLICES or (index.__class__ is tuple and _SLICES.issuperset(map(type, index)))


def setitem(tensor: TensorFields, index: Any, value: Any) -> None:
    """`tensor[index] = value`, the value broadcast and cast.

    Raises:
        AutogradError: the tensor is a leaf that requires gradients, or a view of one.
        ShapeError: the value does not broadcast to what is indexed.
    """
    array = tensor.array
    plain = index.array if isinstance(index, AnyTensor) else arrays_of(index)
    source, wants = (value.array, value.requires_grad) if isinstance(value, AnyTensor) else (value, False)
    wants = wants and array.flat.dtype.is_inexact  # whole numbers carry no gradient: what is written into them is cut off
    recorded = not word.get() & NO_GRAD and (wants or tensor.requires_grad)
    layout = basic_index(array.layout, plain) if recorded else None  # a wrong index is told first
    if recorded or tensor.base is not None:
        check_writable("setitem", tensor, part=True, recorded=wants)
    if layout is not None:
        part = tensor
        if layout != array.layout or not _is_of_slices(plain):  # else all of it is written, and is no view of itself
            part = tensor_of(view_of(array, layout))
            part.base = tensor if tensor.base is None else tensor.base
        selection.setitem(part.array, ..., source)
        overwritten(part, source, (value.node or value) if wants else None)
        return
    if source.__class__ is NDArray and source.flat.dtype is not array.flat.dtype:
        _refuse_other_dtype(array, plain, source)
    if plain.__class__ is NDArray:
        if plain.flat.dtype is nd.uint8:
            plain = masks_of_bytes(plain)
        if plain.layout is not array.layout and plain.flat.dtype.kind == "b":
            refuse_empty_masks(array.layout, plain)
    elif plain.__class__ not in _BASIC and not (plain.__class__ is tuple and _BASIC.issuperset(map(type, plain))):
        plain = masks_of_bytes(plain)
        refuse_empty_masks(array.layout, plain)
    selection.setitem(array, plain, source)
    if recorded:
        needs_grad = (tensor.requires_grad, wants)
        edges = (tensor.node if needs_grad[0] else None, (value.node or value) if wants else None)
        _rewrite(
            tensor, RULES["index_put"], needs_grad, edges, (array, source), {"indices": saved_index(plain), "accumulate": False}
        )
