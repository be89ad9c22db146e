"""The backward pass: from gradients of results to gradients of leaves, node by node, without recursion."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import lamina_ndarray as nd
from lamina_flatarray import ArgumentValueError, AutogradError, DeviceError, ShapeError, UsageError
from lamina_flatarray.modes import ANOMALY, INSIDE, NO_GRAD, word
from lamina_ndarray import NDArray
from lamina_ndarray.batching import innermost, opened
from lamina_ndarray.layouts.image_order import arranged

from ..devices.memory_formats import strided
from ..dispatch.tensor_functions import af
from ..tensor_fields import AnyTensor, tensor_of
from ..transforms.mapping.batches import entered, left, merged
from .accumulation import accumulating
from .debugging.call_sites import call_site
from .gradient_edges import GradientEdge
from .hook_calls import Seen, current_pass, hooked, hooked_after, plain
from .node import OUTPUT, PACKED, AccumulateGrad, Edge, Node, Packed, output_node
from .recording import recorded
from .rules import RULES, Gradients

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["accumulate", "backward", "edge_of", "grad", "listed", "saved_values"]


Begin: TypeAlias = "Tensor | GradientEdge | Sequence[Tensor | GradientEdge]"
Seeds: TypeAlias = "Tensor | Sequence[Tensor | None] | None"


def backward(
    tensors: Begin,
    grad_tensors: Seeds = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Seeds = None,
    inputs: Begin | dict[str, Tensor] | None = None,
) -> None:
    """Add the gradients of tensors to the `grad` of every leaf that they were computed from.

    Args:
        tensors: where to begin, or the edges there (`get_gradient_edge`).
        grad_tensors: the gradients to begin with, of the same shapes; None for tensors of one item, which begin with 1.
        retain_graph: whether what was saved stays for another pass; as `create_graph` for None.
        create_graph: whether the pass itself is recorded, for higher derivatives.
        grad_variables: an older name of `grad_tensors`.
        inputs: the only tensors whose `grad` is added to, or edges of leaves; every leaf for None.

    Raises:
        UsageError: both `grad_tensors` and `grad_variables` are given, or `inputs` is empty.
        AutogradError: nothing was recorded; a gradient is missing or has another shape; the saved arrays were freed
            by an earlier pass or changed in place; a leaf is none any more; or the call is inside of a function that is mapped by `vmap`.

    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> torch.autograd.backward((x * x).sum())
    >>> x.grad
    tensor([2., 4.])
    """
    if grad_variables is not None:
        if grad_tensors is not None:
            raise UsageError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use `grad_tensors`."
            )
        grad_tensors = grad_variables
    if isinstance(inputs, dict):
        inputs = list(inputs.values())
    if inputs is not None and not listed(inputs):
        raise UsageError("`inputs` argument to `backward()` cannot be empty.")
    if innermost() is not None:
        raise AutogradError("backward() called inside of a mapped function (vmap), where a leaf has no one gradient; use grad")
    roots, seeds = _seeded(tensors, grad_tensors)
    targets: dict[Edge, Any] | None = None if inputs is None else {edge_of(t): t for t in listed(inputs)}
    if targets and any(isinstance(t, GradientEdge) and edge is t.node for edge, t in targets.items()):
        raise AutogradError("backward: an edge among the inputs is no leaf's, so there is no `grad` to add to; use grad")
    keep = create_graph if retain_graph is None else retain_graph
    gradients = _run(roots, seeds, keep, create_graph, targets)
    for leaf, (g, own) in gradients.items():
        target = leaf if isinstance(leaf, AnyTensor) else targets[leaf]  # type: ignore[index]
        if target is leaf and target._node is not None:
            raise AutogradError("leaf variable has been moved into the graph interior: it was written to in place after it was used")
        if target.requires_grad:  # a leaf may have stopped asking since
            accumulate(target, g, own, create_graph)


@overload
def grad(
    outputs: Begin,
    inputs: dict[str, Tensor],
    grad_outputs: Seeds = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> dict[str, Tensor]: ...
@overload
def grad(
    outputs: Begin,
    inputs: Begin,
    grad_outputs: Seeds = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor, ...]: ...
def grad(
    outputs: Begin,
    inputs: Begin | dict[str, Tensor],
    grad_outputs: Seeds = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """Compute the gradients of tensors with respect to others, without adding to any `grad`.

    Args:
        outputs: where to begin: tensors or edges.
        inputs: the tensors or edges to compute the gradients of.
        grad_outputs: the gradients to begin with, of the outputs' shapes; None for outputs of one item, which begin with 1.
        retain_graph: whether what was saved stays for another pass; as `create_graph` for None.
        create_graph: whether the pass itself is recorded, for higher derivatives.
        only_inputs: accepted: other tensors are never looked at.
        allow_unused: whether an input that no output depends on has the gradient None; else it is an error.
        is_grads_batched: whether `grad_outputs` have one more dim in front, as the results have then: a pass for each slice.
        materialize_grads: whether such an input has zeros instead of None.

    Returns:
        A gradient for each input, in a tuple; or in a dict with the keys of the inputs.

    Raises:
        ArgumentValueError: `allow_unused` is False, but `materialize_grads` is set.
        AutogradError: an input requires no gradient, or was not used; else as for `backward`.

    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> torch.autograd.grad((x * x).sum(), x)
    (tensor([2., 4.]),)
    """
    if allow_unused is False and materialize_grads:
        raise ArgumentValueError("Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False.")
    if isinstance(inputs, dict):
        gradients = grad(
            outputs, list(inputs.values()), grad_outputs, retain_graph, create_graph, only_inputs, allow_unused,
            is_grads_batched, materialize_grads,
        )  # fmt: skip
        return dict(zip(inputs, gradients, strict=True))
    if is_grads_batched:
        return _batched(
            outputs, inputs, grad_outputs, retain_graph=retain_graph, create_graph=create_graph, allow_unused=allow_unused,
            materialize_grads=materialize_grads,
        )  # fmt: skip
    targets = listed(inputs)
    for t in targets:
        if not t.requires_grad:
            raise AutogradError("One of the differentiated Tensors does not require grad")
    roots, seeds = _seeded(outputs, grad_outputs)
    keep = create_graph if retain_graph is None else retain_graph
    by_edge = _run(roots, seeds, keep, create_graph, {edge_of(t): t for t in targets})
    results: list[Tensor | None] = []
    for t in targets:
        g = by_edge.get(edge_of(t), (None, False))[0]
        if g is None and materialize_grads:
            g = nd.zeros_like(t.array)
        if g is None and not allow_unused:
            raise AutogradError(
                "One of the differentiated Tensors appears to not have been used in the graph. "
                "Set allow_unused=True if this is the desired behavior."
            )
        g = g if g is None or isinstance(g, AnyTensor) else tensor_of(g)
        # What stores some of its items is given the gradients of these.
        results.append(t.like(g) if g is not None and isinstance(t, AnyTensor) and t.layout is not strided else g)  # type: ignore[attr-defined]
    return tuple(results)


def _batched(outputs: Any, inputs: Any, grad_outputs: Any, **options: Any) -> tuple[Any, ...]:
    """`grad` mapped over the first dim of all `grad_outputs`."""
    stacks = listed(grad_outputs)
    with opened(stacks[0].shape[0]) as level:
        gradients = grad(outputs, inputs, [entered(stack, 0, level) for stack in stacks], **options)
        return tuple([None if g is None else left(g, 0, level) for g in gradients])


def listed(tensors: Any) -> list[Any]:
    """One tensor or edge, or several, as a list."""
    return [tensors] if isinstance(tensors, (AnyTensor, GradientEdge)) else list(tensors)


def edge_of(tensor: Tensor | GradientEdge) -> Edge:
    """Where the gradient of a tensor goes: to its node, or to itself."""
    edge = tensor.node or tensor
    return edge.variable if isinstance(edge, AccumulateGrad) else edge


def _seeded(tensors: Any, gradients: Any) -> tuple[list[Any], list[Any]]:
    """The tensors to begin at, and the gradient to begin with at each.

    Raises:
        AutogradError: a gradient is missing, has another shape, or belongs to a tensor without a history.
        DeviceError: a gradient is on another device than its tensor.
    """
    roots = listed(tensors)
    grad_outputs = [gradients] if gradients is None or isinstance(gradients, AnyTensor) else list(gradients)
    if len(grad_outputs) == 1 and gradients is None:
        grad_outputs = [None] * len(roots)
    if len(grad_outputs) != len(roots):
        raise AutogradError(f"backward: {len(grad_outputs)} gradients given for {len(roots)} tensors")
    seeds: list[Any] = []
    for i, (root, g) in enumerate(zip(roots, grad_outputs, strict=True)):
        if not root.requires_grad:
            raise AutogradError("element 0 of tensors does not require grad and does not have a grad_fn")
        entries = getattr(root, "entries", None)  # of a sparse tensor, which has the history of these
        if g is None:
            if entries is not None:
                raise AutogradError("grad can be implicitly created only for scalar outputs")
            if root.array.layout.size != 1:
                raise AutogradError("grad can be implicitly created only for scalar outputs")
            if root.array.dtype.is_complex:
                raise AutogradError(f"grad can be implicitly created only for real scalar outputs but got {root.array.dtype!r}")
            seeds.append(nd.ones_like(root.array))
        else:
            if g.shape != root.shape:
                raise AutogradError(
                    f"Mismatch in shape: grad_output[0] has a shape of {g.shape} and output[0] has a shape of "
                    f"{root.shape}."
                )
            if g.device is not root.device:
                raise DeviceError(
                    f"backward: the gradient is on {g.device}, but the tensor on {root.device}; move it with .to({str(root.device)!r})"
                )
            if entries is not None:
                g = root.at_its_places(g)
                roots[i] = entries
            seeds.append(g)
    return roots, seeds


def _run(
    roots: list[Tensor], seeds: list[Any], keep: bool, create_graph: bool, targets: dict[Edge, Tensor] | None
) -> dict[Edge, tuple[Any, bool]]:
    """Walk the graph from the latest node to the earliest: per wanted edge (default: the leaves) its gradient, and
    whether that is nobody else's.

    A node's number is above those of all it depends on, so once a node is the latest one left, its gradient is whole.
    """
    grads: dict[Edge, Any] = {}
    owned: set[Edge] = set()  # whose gradient was made here and is nobody else's: it may be added to in place
    heap: list[tuple[int, Node]] = []
    for root, seed in zip(roots, seeds, strict=True):
        _add(grads, edge_of(root), seed if create_graph else plain(seed), create_graph, heap)
    useful = None if targets is None else _leading_to(roots, targets)
    site = None if keep else call_site()
    result: dict[Edge, tuple[Any, bool]] = {}
    modes = word.get()
    anomaly = modes & ANOMALY
    if anomaly:
        from .debugging.nan_search import search_gradients
    seen_by_hooks: Seen = {}
    outer: Any = None
    node: Node | None = None
    try:
        word.set(modes & ~NO_GRAD | INSIDE if create_graph else modes | NO_GRAD | INSIDE)
        outer = current_pass.set(seen_by_hooks)
        while heap:
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
            if anomaly:
                search_gradients(node)
            values = saved_values(node, create_graph)
            steps = plan.steps
            grad_output = g
            if plan.joint is not None:
                g = plan.joint(g, values)
            if node.hooks and any(when == "after" for when, _ in node.hooks):
                g = hooked_after(node, grad_output, g, values, create_graph)
                steps = [(i, _pick(i), ()) for i, _, _ in steps]
            for i, function, places in steps:
                edge: Any = inputs[i]
                if useful is not None and edge not in useful:
                    continue
                gi = function(g, *[values[p] for p in places])
                if gi is None:
                    continue
                layout = edge.layout if edge.__class__ is Node else edge.array.layout
                if gi.__class__ is NDArray:
                    if gi.layout is not layout and gi.layout.shape != layout.shape:
                        gi = _reduced(node, i, gi, layout.shape)
                elif gi.is_sparse:
                    _add_sparse(grads, edge, gi, heap)
                    continue
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
            if not keep and (plan.saves_values or _holds_arrays(node)):
                node.saved = values = None
                node.freed_at = site
        for edge, g in grads.items():  # what is left: leaves
            if targets is None or edge in targets:
                if edge.hooks:
                    result[edge] = (hooked(edge.hooks, g, create_graph), False)
                else:
                    result[edge] = (g, edge in owned)
        for ended, gradients in seen_by_hooks.items():
            ended(gradients)
    except Exception as error:
        if node is not None:
            from .debugging.backward_errors import add_node

            add_node(error, node)
        raise
    finally:
        word.set(modes)  # one call, and the first: Ctrl-C comes between calls
        if outer is not None:
            current_pass.reset(outer)
    return result


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


def _add(grads: dict[Edge, Any], edge: Edge, g: Any, create_graph: bool, heap: list[Any]) -> None:
    if create_graph and not isinstance(g, AnyTensor):
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


def accumulate(tensor: Tensor, g: Any, own: bool, create_graph: bool) -> None:
    """Add to a tensor's `grad`: in place where it has one, else with memory of its own."""
    with accumulating:
        before = tensor._grad
        if before is None:
            if not isinstance(g, AnyTensor):  # it lies as the tensor does, if that is without gaps
                layout = tensor.array.layout
                lies = g.layout is layout or (g.layout.contiguous and layout.contiguous and layout.size)
                lies = lies or g.layout is layout.like or not layout.is_dense()
                g = tensor_of((g if own else nd.copy(g)) if lies else arranged(g, layout.like))
            tensor._grad = g
        elif create_graph:
            tensor._grad = before + g
        elif g.__class__ is not NDArray:  # sparse
            tensor._grad = before.add_(g)
        elif before.is_sparse:
            tensor._grad = tensor_of(g) + before
        else:
            nd.add(before.array, g, out=before.array)
    for hook in list(tensor.__dict__.get("post_accumulate_hooks", {}).values()):
        hook(tensor)


def _second_pass(node: Node) -> str:
    where = " The first pass was called at {}:{}.".format(*node.freed_at) if node.freed_at else ""
    return (
        "Trying to backward through the graph a second time (or directly access saved tensors after they have "
        "already been freed). Saved intermediate values of the graph are freed when you call .backward() or "
        "autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if "
        f"you need to access saved tensors after calling backward.{where}"
    )
