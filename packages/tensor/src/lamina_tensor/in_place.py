"""In-place ops: what they write, and how the history of the memory's base and of all its views is rewritten.

A view shares memory with its base. After an in-place op on either, the base's gradient splits: what lies under the
written part flows to the op, the rest to what the base was before; and every view is a view of the new base. PyTorch's
semantics: https://docs.pytorch.org/docs/stable/notes/autograd.html#in-place-operations-with-autograd
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lamina_ndarray as nd
from lamina_flatarray import AutogradError, DTypeError
from lamina_ndarray.functions import RANKED
from lamina_ndarray.indexing import basic_index

from .array_functions import getitem
from .lifting import arrays_of
from .modes import mode
from .node import Node, made_node
from .recording import array_of
from .rules import RULES, Rule
from .tensor import Tensor

__all__ = ["check_writable", "copied_into", "in_place", "rewritten", "setitem"]


def in_place(op: str) -> Callable[..., Tensor]:
    """The in-place twin of an op: it writes into its first input, and gives that back.

    Raises (when called):
        AutogradError: that is a leaf which requires gradients, or a view of one.
    """
    compute = RANKED[op]
    rule = RULES.get(op)

    def function(self: Tensor, *others: Any) -> Tensor:
        array = self.array
        wanted = (self.requires_grad, *[isinstance(x, Tensor) and x.requires_grad for x in others])
        if not (mode.recording and True in wanted):
            compute(array, *[array_of(x) for x in others], out=array)
            return self
        check_writable(op, self, recorded=True)
        if rule is None:
            raise AutogradError(f"{op}_: the op has no gradient, so it cannot change a tensor that records one")
        before = nd.copy(array) if ("input", 0) in rule.plan(wanted).saves else array
        edges = [(x.node or x) if want else None for x, want in zip((self, *others), wanted, strict=True)]
        compute(array, *[array_of(x) for x in others], out=array)
        _rewrite(self, rule, wanted, tuple(edges), (before, *[array_of(x) for x in others]), {})
        return self

    function.__name__ = function.__qualname__ = f"{op}_"
    return function


def check_writable(op: str, tensor: Tensor, *, part: bool = False, recorded: bool = False) -> None:
    """Refuse to write where a recorded value would be lost: into the tensor, or into part of it; `recorded` if what is written
    wants gradients.

    Raises:
        AutogradError: the tensor, or what it is a view of, is a leaf that requires gradients.
        DTypeError: its items carry no gradient.
    """
    root = tensor if tensor.base is None else tensor.base
    if not (mode.recording and (recorded or tensor.requires_grad or root.requires_grad)):
        return
    if root.requires_grad and root.node is None:
        raise AutogradError(
            "a leaf Variable that requires grad is being used in an in-place operation."
            if root is tensor and not part
            else f"{op}: a view of a leaf Variable that requires grad is being used in an in-place operation."
        )
    if not tensor.array.dtype.is_inexact:
        raise DTypeError(f"{op}_: {tensor.array.dtype!r} cannot record gradients")


def _rewrite(
    tensor: Tensor, rule: Rule, wanted: tuple[bool, ...], edges: tuple[Any, ...], inputs: tuple[Any, ...],
    params: dict[str, Any],
) -> None:  # fmt: skip
    """Give a tensor that was written the node of the op that wrote it."""
    plan = rule.plan(wanted)
    array = tensor.array
    rewritten(tensor, made_node(plan, edges, plan.collect(inputs, array, params), array))


def rewritten(tensor: Tensor, node: Node) -> None:
    """Make `node` the history of a tensor that was written in place; its base, and the base's other views, follow."""
    root = tensor if tensor.base is None else tensor.base
    if root is tensor:
        root.node = node
    else:
        before = root.node if root.requires_grad else None  # a leaf is not written to
        root.node = _region_node("written_region", (node, before), root, tensor)
    root.requires_grad = True
    for reference in root.views or ():
        view = reference()
        if view is not None and view.array.flat is root.array.flat and view.array.dtype is root.array.dtype:
            view.node = _region_node("region", (root.node,), view, root)
            view.requires_grad = True


def _region_node(op: str, edges: tuple[Node | None, ...], result: Tensor, other: Tensor) -> Node:
    """The node of a base that a view has written, or of a view of a base that was written."""
    outer, inner = (other, result) if op == "region" else (result, other)
    params = {"outer": outer.array.layout, "inner": inner.array.layout}
    plan = RULES[op].plan(tuple(edge is not None for edge in edges))
    return made_node(plan, edges, plan.collect((None,) * len(edges), result.array, params), result.array)


def copied_into(tensor: Tensor, value: Any) -> Tensor:
    """Every item of `tensor` replaced by those of `value`, which is broadcast and cast.

    Raises:
        AutogradError: the tensor is a leaf that requires gradients, or a view of one.
        ShapeError: the value does not broadcast to it.
    """
    wanted = (tensor.requires_grad, isinstance(value, Tensor) and value.requires_grad)
    check_writable("copy", tensor, recorded=wanted[1])
    edge = (value.node or value) if wanted[1] else None
    source = array_of(value)
    nd.setitem(tensor.array, ..., source)
    if mode.recording and True in wanted:
        _rewrite(tensor, RULES["overwritten"], wanted, (None, edge), (tensor.array, source), {})
    return tensor


def setitem(tensor: Tensor, index: Any, value: Any) -> None:
    """`tensor[index] = value`, the value broadcast and cast.

    Raises:
        AutogradError: the tensor is a leaf that requires gradients, or a view of one.
        ShapeError: the value does not broadcast to what is indexed.
    """
    plain = arrays_of(index)
    wanted = (tensor.requires_grad, isinstance(value, Tensor) and value.requires_grad)
    check_writable("setitem", tensor, part=True, recorded=wanted[1])
    if not (mode.recording and True in wanted):
        nd.setitem(tensor.array, plain, array_of(value))
        return
    if basic_index(tensor.array.layout, plain) is not None:
        copied_into(getitem(tensor, plain), value)
        return
    edges = ((tensor.node or tensor) if wanted[0] else None, (value.node or value) if wanted[1] else None)
    nd.setitem(tensor.array, plain, array_of(value))
    _rewrite(tensor, RULES["index_put"], wanted, edges, (tensor.array, array_of(value)), {"indices": plain, "accumulate": False})
