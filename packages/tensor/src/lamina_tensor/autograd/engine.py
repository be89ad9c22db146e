"""The backward pass: from gradients of results to gradients of leaves, node by node, without recursion."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_flatarray import AutogradError, ShapeError
from lamina_flatarray.modes import INSIDE, NO_GRAD, word
from lamina_flatarray.twins import compiled
from lamina_ndarray import NDArray

from ..dispatch.tensor_functions import af
from ..tensor_fields import AnyTensor, tensor_of
from ..transforms.mapping.batches import merged
from .accumulation import accumulate_in_leaf
from .debugging.anomaly_switch import anomaly
from .debugging.call_sites import call_site
from .gradient_edges import GradientEdge
from .hook_calls import Seen, current_pass, hooked, hooked_after, plain
from .node import OUTPUT, PACKED, AccumulateGrad, Edge, Node, Packed, output_node
from .recording import recorded
from .rules import RULES, Gradients, JointPlan, Plan

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["edge_of", "run", "saved_values"]


def edge_of(tensor: Tensor | GradientEdge) -> Edge:
    """Where the gradient of a tensor goes: to its node, or to itself."""
    edge = tensor.node or tensor
    return edge.variable if isinstance(edge, AccumulateGrad) else edge


def run(
    roots: list[Tensor], seeds: list[Any], keep: bool, create_graph: bool, targets: dict[Edge, Tensor] | None,
    awaited: dict[Edge, int] | None = None,
) -> dict[Edge, tuple[Any, bool]]:  # fmt: skip
    """Walk the graph from the latest node to the earliest: per wanted edge (default: the leaves) its gradient, and
    whether that is nobody else's.

    A node's number is above those of all it depends on, so once a node is the latest one left, its gradient is whole.
    """
    grads: dict[Edge, Any] = {}
    owned: set[Edge] = set()  # whose gradient was made here and is nobody else's: it may be added to in place
    heap: list[tuple[int, Node]] = []
    for root, seed in zip(roots, seeds, strict=True):
        _begin(grads, heap, edge_of(root), seed, create_graph)
    useful = None if targets is None else _leading_to(roots, targets)
    site = None if keep else call_site()
    result: dict[Edge, tuple[Any, bool]] = {}
    modes = word.get()
    searching = anomaly.on
    is_plain = not (create_graph or searching) and targets is awaited is None
    if searching:
        from .debugging.nan_search import search_gradients
    seen_by_hooks: Seen = {}
    outer: Any = None
    node: Node | None = None
    try:
        word.set(modes & ~NO_GRAD | INSIDE if create_graph else modes | NO_GRAD | INSIDE)
        outer = current_pass.set(seen_by_hooks)
        while heap:
            if is_plain:
                node = None  # the first of the heap, if it raises
                pass_plain_nodes(heap, grads, owned, keep, site, _place)
                if not heap:
                    break
            node = heappop(heap)[1]
            g = grads.pop(node)
            owned.discard(node)
            if node.hooks:
                g = hooked(node.hooks, g, create_graph)
            if targets is not None and node in targets:
                result[node] = (g, False)
            if useful is not None and useful.isdisjoint(node.inputs):
                continue
            plan = node.plan
            if plan is OUTPUT:
                _give(grads, heap, node, g)
                continue
            inputs = node.inputs
            if searching:
                search_gradients(node)
            values = saved_values(node, create_graph)
            steps, within = plan.steps, None if create_graph else plan.within
            grad_output = g
            if plan.joint is not None:
                g = plan.joint(g, values)
            if node.hooks and any(when == "after" for when, _ in node.hooks):
                g = hooked_after(node, grad_output, g, values, create_graph)
                steps, within = [(i, _pick(i), ()) for i, _, _ in steps], None
            for i, function, places in steps:
                edge: Any = inputs[i]
                if useful is not None and edge not in useful:
                    continue
                if within is not None and edge in owned:
                    whole = grads.get(edge)
                    if whole.__class__ is g.__class__ is NDArray and whole.flat.kernels is g.flat.kernels:
                        part = within(whole, *[values[p] for p in places])
                        if part.flat is whole.flat:  # no copy, as of positions
                            nd.add(part, g, out=part)
                            continue
                gi = function(g, *[values[p] for p in places])
                if gi is not None:
                    _place(heap, grads, owned, node, i, g, gi, create_graph)
            if not keep and (plan.saves_values or _holds_arrays(node)):
                node.saved = values = None
                node.freed_at = site
            if awaited is not None:
                for edge in inputs:
                    if edge in awaited:
                        awaited[edge] -= 1
                        if not awaited[edge] and edge in grads:
                            _complete(edge, grads.pop(edge), edge in owned, create_graph, modes)
        for edge, g in grads.items():  # what is left: leaves
            if targets is None or edge in targets:
                if edge.hooks:
                    result[edge] = (hooked(edge.hooks, g, create_graph), False)
                else:
                    result[edge] = (g, edge in owned)
        for ended, gradients in seen_by_hooks.items():
            ended(gradients)
    except Exception as error:
        failed = node or (heap[0][1] if heap else None)
        if failed is not None:
            from .debugging.backward_errors import add_node

            add_node(error, failed)
        raise
    finally:
        word.set(modes)  # one call, and the first: Ctrl-C comes between calls
        if outer is not None:
            current_pass.reset(outer)
    return result


def pass_plain_nodes(
    heap: list[tuple[int, Node]], grads: dict[Edge, Any], owned: set[Edge], keep: bool, site: Any, place: Callable[..., None]
) -> None:  # fmt: skip
    """Walk on to the first node that has hooks, several results, or other than arrays; in Python all nodes are walked alike."""


if compiled is not None:
    compiled.use_nodes(Node, Plan, JointPlan, Gradients, heappush, heappop)
    pass_plain_nodes = compiled.pass_plain_nodes


def _place(
    heap: list[tuple[int, Node]], grads: dict[Edge, Any], owned: set[Edge], node: Node, i: int, g: Any, gi: Any, create_graph: bool
) -> None:  # fmt: skip
    """Add the gradient of a node's input to what came to where it goes before; `g` is that of its result."""
    edge: Any = node.inputs[i]
    layout = edge.layout if edge.__class__ is Node else edge.array.layout
    if gi.__class__ is NDArray:
        if gi.layout is not layout and gi.layout.shape != layout.shape:
            gi = _reduced(node, i, gi, layout.shape)
    elif gi.is_sparse:
        _add_sparse(grads, edge, gi, heap)
        return
    elif gi.array.layout.shape != layout.shape:
        gi = _reduced(node, i, gi, layout.shape)
    kernels = edge.kernels if edge.__class__ is Node else edge.array.flat.kernels
    if gi.__class__ is NDArray:
        if gi.flat.kernels is not kernels:
            gi = _fitted(node, i, gi, kernels)
    elif gi.array.flat.kernels is not kernels:
        gi = _fitted(node, i, gi, kernels)
    seen = grads.get(edge)
    if seen is None:
        grads[edge] = gi
        if gi.__class__ is NDArray and gi.layout.contiguous and (
            gi.flat is not g.flat if g.__class__ is NDArray else g.__class__ is Gradients
        ):
            owned.add(edge)
        if edge.__class__ is Node:
            heappush(heap, (-edge.sequence, edge))
    elif create_graph:
        grads[edge] = seen + gi
    elif edge in owned and gi.flat.kernels is seen.flat.kernels:
        nd.add(seen, gi, out=seen)
    else:
        grads[edge] = seen + gi
        owned.add(edge)


def _complete(leaf: Any, g: Any, own: bool, create_graph: bool, modes: int) -> None:
    """Accumulate the gradient of a leaf whose hooks wait for it, in the modes of the caller of the pass."""
    if leaf.hooks:
        g, own = hooked(leaf.hooks, g, create_graph), False
    inside = word.get()
    word.set(modes)
    try:
        accumulate_in_leaf(leaf, g, own, create_graph)
    finally:
        word.set(inside)


def _give(grads: dict[Edge, Any], heap: list[Any], output: Node, g: Any) -> None:
    """Put the gradient of one result among those of the op that has several: None stands for the others' so far."""
    parent: Any
    (parent,), (index, count) = output.inputs, output.saved or ()
    gs = grads.get(parent)
    if gs is None:
        gs = grads[parent] = [None] * count
        heappush(heap, (-parent.sequence, parent))
    gs[index] = g if gs[index] is None else gs[index] + g  # one result may have been unpacked, too, as a saved value


def _holds_arrays(node: Node) -> bool:
    """Whether a node has saved positions or masks: one that has saved no items at all may be passed again."""
    return any(
        isinstance(part, NDArray) for value in node.saved or () for part in (value if value.__class__ is tuple else (value,))
    )


def _pick(i: int) -> Any:
    return lambda gradients: gradients[i]


def _begin(grads: dict[Edge, Any], heap: list[Any], edge: Edge, g: Any, create_graph: bool) -> None:
    """Put the gradient of a root where the pass begins."""
    if not create_graph:
        g = plain(g)
    elif not isinstance(g, AnyTensor):
        g = tensor_of(g)
    if edge in grads:
        grads[edge] = grads[edge] + g
        return
    grads[edge] = g
    if isinstance(edge, Node):
        heappush(heap, (-edge.sequence, edge))


def _add_sparse(grads: dict[Edge, Any], edge: Edge, g: Any, heap: list[Any]) -> None:
    """Add a sparse gradient: two of them stay sparse."""
    seen = grads.get(edge)
    grads[edge] = g if seen is None else seen + g if isinstance(seen, AnyTensor) else g + seen
    if seen is None and isinstance(edge, Node):
        heappush(heap, (-edge.sequence, edge))


def _leading_to(roots: list[Tensor], targets: dict[Edge, Tensor]) -> set[Edge]:
    """The edges from which a wanted one can be reached."""
    order: list[Node] = []
    seen: set[Edge] = set()
    stack = [edge_of(root) for root in roots]
    while stack:
        edge = stack.pop()
        if edge in seen:
            continue
        seen.add(edge)
        if isinstance(edge, Node):
            order.append(edge)
            stack.extend(e for e in edge.inputs if e is not None)
    useful = {edge for edge in seen if edge in targets}
    for node in sorted(order, key=lambda n: n.sequence):
        if any(e is not None and e in useful for e in node.inputs):
            useful.add(node)
    return useful


def saved_values(node: Node, create_graph: bool) -> Any:
    """What a node saved, for a pass that is recorded (as tensors with their history) or not (as arrays).

    Raises:
        AutogradError: it was freed, or changed in place.
    """
    saved = node.saved
    if saved is None:
        raise AutogradError(_second_pass(node))
    if node.versions:
        saved = _checked(node, saved)
    return _as_tensors(node, saved) if create_graph else saved


def _checked(node: Node, saved: tuple[Any, ...]) -> tuple[Any, ...]:
    """The saved values, unpacked, if nobody has changed them."""
    for value, version in zip(saved, node.versions, strict=True):
        if version >= 0 and value.flat.version != version:
            raise AutogradError(
                "one of the variables needed for gradient computation has been modified by an inplace operation: "
                f"[{value.dtype.name} {value.shape}], which {node.name()} saved, is at version {value.flat.version}; "
                f"expected version {version} instead."
            )
    if PACKED in node.versions:
        return tuple(value.unpack(value.value).array if isinstance(value, Packed) else value for value in saved)
    return saved


def _as_tensors(node: Node, saved: tuple[Any, ...]) -> list[Any]:
    """The saved values for a pass that is recorded: arrays become the tensors that they were, with their history."""
    values: list[Any] = []
    for (what, which), value in zip(node.plan.saves, saved, strict=True):
        if not isinstance(value, NDArray) or what == "param":  # positions and masks carry no history
            values.append(_outputs(node, value) if what == "output" else value)
            continue
        edge = node if what == "output" else node.inputs[which]
        if isinstance(edge, AnyTensor) and edge.array is value:
            values.append(edge)
            continue
        if isinstance(edge, AnyTensor):  # a leaf, and a copy of its items that was kept in other hands
            values.append(recorded(RULES["copy"], value, (edge,)))
            continue
        tensor = tensor_of(value)
        if isinstance(edge, Node):
            tensor.node, tensor.requires_grad = edge, True
        values.append(tensor)
    return values


def _reduced(node: Node, i: int, g: Any, shape: tuple[int, ...]) -> Any:
    """A gradient summed over what broadcasting repeated."""
    try:
        return (nd if isinstance(g, NDArray) else af).sum_to_shape(g, shape)
    except ShapeError:
        edge = node.inputs[i]
        if isinstance(edge, AnyTensor) and not edge.requires_grad:  # a leaf that has stopped asking, and may have another shape since
            return g
        raise AutogradError(
            f"Function {node.name()} returned an invalid gradient at index {i} - got {list(g.shape)} but expected "
            f"shape compatible with {list(shape)}"
        ) from None


def _outputs(node: Node, results: tuple[NDArray, ...]) -> tuple[Tensor, ...]:
    """The results of an op with several, as tensors with their history."""
    result = tuple(map(tensor_of, results))
    for i, tensor in enumerate(result):
        if tensor.array.dtype.is_inexact:
            tensor.node, tensor.requires_grad = output_node(node, i, len(result), tensor.array), True
    return result


def _fitted(node: Node, i: int, g: Any, kernels: Any) -> Any:
    """A gradient in the dtype and on the device of what it belongs to, and of as many batches."""
    own = (g.array if isinstance(g, AnyTensor) else g).flat.kernels
    if own.device is not kernels.device:
        raise AutogradError(
            f"{node.name()} returned an invalid gradient at index {i} - expected device {kernels.device} but got "
            f"{own.device}"
        )
    if own.backend is not kernels.backend:
        g = merged(g, kernels)
    if own.dtype is kernels.dtype:
        return g
    functions = af if isinstance(g, AnyTensor) else nd
    if own.dtype.is_complex and not kernels.dtype.is_complex:
        g = functions.real(g)  # what a real number of a complex function can change lies along the real axis
    return functions.astype(g, kernels.dtype)


def _second_pass(node: Node) -> str:
    where = " The first pass was called at {}:{}.".format(*node.freed_at) if node.freed_at else ""
    return (
        "Trying to backward through the graph a second time (or directly access saved tensors after they have "
        "already been freed). Saved intermediate values of the graph are freed when you call .backward() or "
        "autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if "
        f"you need to access saved tensors after calling backward.{where}"
    )
