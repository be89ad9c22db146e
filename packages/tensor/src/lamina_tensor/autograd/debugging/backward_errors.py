"""What an error from inside a backward pass says besides: the node, its shapes, and what anomaly mode has written down."""

from __future__ import annotations

from typing import Any, Final, cast
from weakref import WeakKeyDictionary

from lamina_flatarray import FlatArray

from ..held import held_arrays, whole
from ..node import OUTPUT, Node
from .call_sites import Site, Sites, shown_sites

__all__ = ["add_node", "made_at", "node_and_shapes", "written_at"]

made_at: Final[WeakKeyDictionary[Node, Sites]] = WeakKeyDictionary()
"""Where nodes were made that were made in anomaly mode."""

written_at: Final[WeakKeyDictionary[FlatArray, Site]] = WeakKeyDictionary()
"""Where memory was last written to in anomaly mode."""


def add_node(error: Exception, node: Node) -> None:
    """Note in an error which node's gradient was being computed, where its op was called, and where what it saved was
    changed; the places are known if anomaly mode was on."""
    error.add_note(f"in the backward pass, at {node_and_shapes(node)}")
    op = cast(Node, node.inputs[0]) if node.plan is OUTPUT else node
    sites = made_at.get(op)
    if sites:
        error.add_note(f"{op.name()} was recorded here (most recent call last):\n{shown_sites(sites)}")
    changed = {whole(array.flat): array for array, version in held_arrays(op) if 0 <= version != array.flat.version}
    for flat, array in changed.items():
        site = written_at.get(flat)
        error.add_note(
            f"[{array.dtype.name} {array.shape}] was changed in place at {site[0]}:{site[1]}"
            if site
            else "autograd.set_detect_anomaly(True) before the forward pass tells where it was changed in place"
        )


def node_and_shapes(node: Node) -> str:
    """A node in one line: its name, what it made, and what its gradients are of."""
    results = [(shape, dtype) for shape, dtype, _ in node.results or ()] or [(node.layout.shape, node.kernels.dtype)]
    outputs = ", ".join(f"{dtype.name}{list(shape)}" for shape, dtype in results)
    inputs = ", ".join(_edge(edge) for edge in node.inputs if edge is not None)
    return f"{node.name()}: {outputs} of {inputs}" if inputs else f"{node.name()}: {outputs}"


def _edge(edge: Any) -> str:
    layout, kernels = (edge.layout, edge.kernels) if isinstance(edge, Node) else (edge.array.layout, edge.array.flat.kernels)
    return f"{kernels.dtype.name}{list(layout.shape)}"
