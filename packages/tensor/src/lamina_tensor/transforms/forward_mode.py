"""Forward mode: tangents pushed through what was recorded, from the inputs to the results.

A gradient rule is linear in the gradient it is given, so its transpose carries tangents the other way. It is computed by
differentiating the rule itself: no op needs a rule of its own for forward mode, and the result can be differentiated again.
(Transposing a linear map by differentiating it twice: https://j-towns.github.io/2017/06/12/A-new-trick.html)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lamina_flatarray import AutogradError
from lamina_ndarray import Layout
from lamina_ndarray.array_fields import empty_of

from ..autograd.backward import grad
from ..autograd.engine import saved_values
from ..autograd.modes import enable_grad, set_grad_enabled
from ..autograd.node import OUTPUT, Edge, Node
from ..dispatch.tensor_functions import af
from ..tensor_fields import tensor_of

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["pushed_forward"]


def pushed_forward(
    outputs: Sequence[Tensor], inputs: Sequence[Tensor], tangents: Sequence[Tensor], *, create_graph: bool = False
) -> list[Tensor | None]:
    """The tangents of recorded results, given those of inputs they were computed from.

    Args:
        outputs: results of recorded ops.
        inputs: leaves, or earlier results.
        tangents: per input, a tensor of its shape.
        create_graph: whether this is recorded itself.

    Returns:
        Per output its tangent, or None where it depends on none of the inputs.

    Raises:
        AutogradError: a tangent has another shape, or saved values were freed.
    """
    known: dict[Edge, Any] = {}
    for x, t in zip(inputs, tangents, strict=True):
        if x.shape != t.shape:
            raise AutogradError(f"forward mode: tangent of shape {t.shape} given for {x.shape}; they must be equal")
        edge = x.node or x
        known[edge] = t if edge not in known else known[edge] + t
    for node in _recorded_before(outputs, known):
        if node not in known:
            known[node] = _tangent(node, known, create_graph)
    output_tangents = [known.get(out.node or out) if out.requires_grad else None for out in outputs]
    return [t[0] if isinstance(t, list) else t for t in output_tangents]


def _recorded_before(outputs: Sequence[Tensor], known: dict[Edge, Any]) -> list[Node]:
    """The nodes between inputs and outputs, the earliest first."""
    seen: set[Node] = set()
    stack: list[Any] = [out.node for out in outputs]
    while stack:
        node = stack.pop()
        if isinstance(node, Node) and node not in seen and node not in known:
            seen.add(node)
            stack.extend(node.inputs)
    return sorted(seen, key=lambda node: node.sequence)


def _tangent(node: Node, known: dict[Edge, Any], create_graph: bool) -> Any:
    """The tangent of a node's result from those of its inputs; a list for an op with several results."""
    if node.plan is OUTPUT:
        tangents = known.get(node.inputs[0])
        return None if tangents is None else tangents[(node.saved or (0,))[0]]
    moving = [step for step in node.plan.steps if known.get(node.inputs[step[0]]) is not None]
    if not moving:
        return None
    if node.plan.pushed is not None:
        tangents = [None if edge is None else known.get(edge) for edge in node.inputs]
        with set_grad_enabled(create_graph):
            return node.plan.pushed(saved_values(node, create_graph), tangents)
    with enable_grad():
        values = saved_values(node, True)
        probes = _probes(node)
        g: Any = probes if len(probes) > 1 else probes[0]
        if node.plan.joint is not None:
            g = node.plan.joint(g, values)
        reached, along = [], []
        for i, function, places in moving:
            edge: Any = node.inputs[i]
            array = edge if isinstance(edge, Node) else edge.array
            answer = function(g, *[values[p] for p in places])
            if answer is None or not answer.requires_grad:
                continue
            answer = af.sum_to_shape(answer, array.layout.shape)
            kernels = array.kernels if isinstance(array, Node) else array.flat.kernels
            reached.append(af.astype(answer, kernels.dtype))
            along.append(known[edge])
    if not reached:
        return None
    moved = [probe for probe in probes if probe.requires_grad]
    gradients = iter(grad(reached, moved, along, create_graph=create_graph, allow_unused=True))
    results = [next(gradients) if probe.requires_grad else None for probe in probes]
    return results if len(probes) > 1 else results[0]


def _probes(node: Node) -> list[Tensor]:
    """Per result of a node, a stand-in for its gradient, by which the rule can be differentiated."""
    kinds = node.results or ((node.layout.shape, node.kernels.dtype, None),)
    result = []
    for shape, dtype, _ in kinds:
        kernels = node.kernels.sibling(dtype)  # of batches, where the node's result is one
        zeros = empty_of(kernels, Layout.dense(tuple(shape)))
        kernels["fill"](zeros, value=0)
        result.append(tensor_of(zeros))
    for probe in result:
        probe.requires_grad = probe.array.dtype.is_inexact
    return result
