"""The graph behind tensors as text: a tree, or the languages of Graphviz and Mermaid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lamina_flatarray.ops import OPS

from ..autograd.held import held_arrays, whole
from ..autograd.node import OUTPUT, Node
from ..tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["GraphView", "Step", "edges_behind", "show_graph"]


class Step(NamedTuple):
    """A node of the picture: an op that was recorded, or a leaf.

    Attributes:
        number: its place, inputs before results, from 1.
        op: PyTorch's name of the node; "" for a leaf.
        name: what the caller calls the tensor; "" if nothing.
        results: dtype and shape of each result.
        saved: bytes that it keeps for its gradient and that no earlier one keeps; None once a backward pass has freed them.
        inputs: of each input that gradients go to, the number, and which of that one's results it is.
        kernel: what profiles call the op's kernel; "" for a leaf, and for an op that users wrote.
    """

    number: int
    op: str
    name: str
    results: tuple[tuple[str, tuple[int, ...]], ...]
    saved: int | None
    inputs: tuple[tuple[int, int], ...]
    kernel: str

    @property
    def title(self) -> str:
        """The op and the name."""
        return " ".join(filter(None, (self.op, self.name))) or "leaf"

    @property
    def details(self) -> list[str]:
        """Dtypes and shapes, and what is kept."""
        kinds = ", ".join(f"{dtype}{list(shape)}" for dtype, shape in self.results)
        kept = ["freed"] if self.saved is None else [f"saves {self.saved:,} B"] if self.saved else []
        return [kinds, *kept]


class GraphView:
    """What `show_graph` found: its steps, and the ways to show them. As a string, the text tree.

    Args:
        steps: every op and leaf once, inputs before results.
        roots: the numbers of the steps that were asked for.

    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> view = torch.autograd.graph.show_graph(x.exp(), {"x": x})
    >>> len(view.steps), view.roots, view.saved_bytes
    (2, [2], 4)
    """

    def __init__(self, steps: list[Step], roots: list[int]) -> None:
        self.steps: Final = steps
        """Every op and leaf once, inputs before results."""
        self.roots: Final = roots
        """The numbers of what the graph was asked for."""

    @property
    def saved_bytes(self) -> int:
        """What the whole graph keeps for gradients; memory that several ops keep counts once."""
        return sum(step.saved or 0 for step in self.steps)

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self) -> str:
        """Draw the graph as a tree of text, with the results at the top.

        Below a step, indented, are its inputs but the deepest, which comes after them in the step's own column. A step that has several
        users is shown once; elsewhere an arrow has its number.

        Returns:
            Lines joined into one string.

        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> print(torch.autograd.graph.show_graph(x * 3).to_text())
        #2 MulBackward0: float32[]
        └─ leaf: float32[]
        saves 0 B in all
        """
        lines: list[str] = []
        columns, owners = self._columns_and_owners()
        stack = [(number, 0, "", "") for number in dict.fromkeys(reversed(self.roots))]
        while stack:
            number, user, marker, indent = stack.pop()
            step = self.steps[number - 1]
            if step.op and owners[number] != user:
                lines.append(f"{marker}-> #{number} {step.title}")
                continue
            lines.append(f"{marker}{f'#{number} ' if step.op else ''}{step.title}: {', '.join(step.details)}")
            below = list(dict.fromkeys(n for n, _ in step.inputs))  # a leaf is shown wherever it is used
            column = columns.get(number, 0)
            if owners.get(column) == number:
                below = [n for n in below if n != column]
                stack.append((column, number, indent, indent))
            for i, n in reversed(list(enumerate(below))):
                last = i == len(below) - 1 and owners.get(column) != number
                stack.append((n, number, f"{indent}{'└─' if last else '├─'} ", f"{indent}{'   ' if last else '│  '}"))
        return "\n".join([*lines, f"saves {self.saved_bytes:,} B in all"])

    def _columns_and_owners(self) -> tuple[dict[int, int], dict[int, int]]:
        """Per op its deepest input, and the one of its users (0 for a root) below which it is shown: that which indents it
        least, so that long graphs stay narrow."""
        heights = dict.fromkeys(range(len(self.steps) + 1), 0)
        columns: dict[int, int] = {}
        for step in self.steps:
            if step.op:
                columns[step.number] = max((n for n, _ in step.inputs), key=lambda n: (heights[n], n))
                heights[step.number] = 1 + heights[columns[step.number]]
        depths = dict.fromkeys(self.roots, 0)
        owners = dict.fromkeys(self.roots, 0)
        for step in reversed(self.steps):
            for n, _ in step.inputs:
                depth = depths[step.number] + (n != columns[step.number])
                if self.steps[n - 1].op and depth < depths.get(n, depth + 1):
                    depths[n], owners[n] = depth, step.number
        return columns, owners

    def to_dot(self) -> str:
        r"""The graph in the language of Graphviz, arrows from inputs to results.

        Returns:
            The source text for the program `dot`.

        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> "n1 -> n2;" in torch.autograd.graph.show_graph(x * 3, {"x": x}).to_dot()
        True
        """
        lines = ["digraph {", '  node [shape=box, fontname="monospace"];']
        for step in self.steps:
            text = "\\n".join(_dot(part) for part in (step.title, *step.details))
            lines.append(f'  n{step.number} [label="{text}"{"" if step.op else ", style=rounded"}];')
        for source, target, result in self._arrows():
            lines.append(f"  n{source} -> n{target}{f' [label={result}]' if result is not None else ''};")
        return "\n".join([*lines, "}", ""])

    def to_mermaid(self) -> str:
        """The graph in the language of Mermaid, arrows from inputs to results.

        Returns:
            The source text of a flowchart.

        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> print(torch.autograd.graph.show_graph(x * 3, {"x": x}).to_mermaid())
        flowchart TD
          n1(["x<br/>float32[]"])
          n2["MulBackward0<br/>float32[]"]
          n1 --> n2
        """
        lines = ["flowchart TD"]
        for step in self.steps:
            text = "<br/>".join(_mermaid(part) for part in (step.title, *step.details))
            lines.append(f'  n{step.number}["{text}"]' if step.op else f'  n{step.number}(["{text}"])')
        for source, target, result in self._arrows():
            lines.append(f"  n{source} -->{f'|{result}|' if result is not None else ''} n{target}")
        return "\n".join([*lines, ""])

    def _arrows(self) -> Iterator[tuple[int, int, int | None]]:
        """Per arrow its ends, and which result it starts from if there are several."""
        for step in self.steps:
            for source, result in step.inputs:
                several = len(self.steps[source - 1].results) > 1
                yield source, step.number, result if several else None


def show_graph(tensors: Tensor | Iterable[Tensor], names: Any = None) -> GraphView:
    """Show what was recorded behind tensors.

    Args:
        tensors: one, or several.
        names: what to call leaves and results: a module, or a dict from names to tensors, which may be nested.

    Returns:
        The picture: as a string a text tree; or its `to_dot()`, `to_mermaid()`.

    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> print(torch.autograd.graph.show_graph(x.exp(), {"x": x}))
    #2 ExpBackward0: float32[], saves 4 B
    └─ x: float32[]
    saves 4 B in all
    """
    tensors = [tensors] if isinstance(tensors, AnyTensor) else list(tensors)
    roots = [_place(x) for x in tensors]
    called = {id(_place(x)[0]): name for name, x in reversed(list(_names(names)))}
    order = edges_behind(tensors)
    numbers = {id(edge): i for i, edge in enumerate(order, 1)}
    counted: set[int] = set()
    steps = []
    for edge in order:
        below = [_op(e) for e in _inputs(edge)]
        inputs = tuple((numbers[id(e)], result) for e, result in below)
        is_op = isinstance(edge, Node) and bool(inputs)
        op = edge.name() if is_op else ""
        kernel = OPS[edge.plan.rule.op].kernel_name if is_op and edge.plan.rule.op in OPS else ""
        steps.append(Step(numbers[id(edge)], op, called.get(id(edge), ""), _results(edge), _saved(edge, counted), inputs, kernel))
    return GraphView(steps, [numbers[id(edge)] for edge, _ in roots])


def _place(x: Tensor) -> tuple[Any, int]:
    return _op(x.node or x)


def _op(edge: Any) -> tuple[Any, int]:
    """An edge, and which result it is of: that of an op with several results is the op's own node."""
    if isinstance(edge, Node) and edge.plan is OUTPUT:
        return edge.inputs[0], edge.saved[0] if edge.saved else 0
    return edge, 0


def _inputs(edge: Any) -> list[Any]:
    """Where a node's gradients go; nowhere for a leaf, and for the beginning of a record."""
    if not isinstance(edge, Node):
        return []
    return [edge.inputs[i] for i, _, _ in edge.plan.steps if edge.inputs[i] is not None]


def edges_behind(tensors: Iterable[Tensor]) -> list[Any]:
    """Every node and leaf behind tensors, each once: nodes as they were made, each after the leaves that it is the first to use.

    Args:
        tensors: what was computed.

    Returns:
        Nodes and leaf tensors, in the order of the steps of `show_graph`.

    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> edges_behind([x.exp()])
    [tensor(2., requires_grad=True), <ExpBackward0>]
    """
    roots = [_place(x)[0] for x in tensors]
    seen: set[int] = set()
    nodes: list[Node] = []
    stack = list(reversed(roots))
    lone = [edge for edge in roots if not isinstance(edge, Node)]
    while stack:
        edge = stack.pop()
        if id(edge) not in seen and isinstance(edge, Node):
            seen.add(id(edge))
            nodes.append(edge)
            stack.extend(_op(e)[0] for e in _inputs(edge))
    order: dict[int, Any] = {}
    for node in sorted(nodes, key=lambda n: n.sequence):
        for e in _inputs(node):
            order.setdefault(id(_op(e)[0]), _op(e)[0])
        order.setdefault(id(node), node)
    for edge in lone:
        order.setdefault(id(edge), edge)
    return list(order.values())


def _results(edge: Any) -> tuple[tuple[str, tuple[int, ...]], ...]:
    if not isinstance(edge, Node):
        return ((edge.array.dtype.name, tuple(edge.array.layout.shape)),)
    if edge.results is not None:
        return tuple((dtype.name, tuple(shape)) for shape, dtype, _ in edge.results)
    return ((edge.kernels.dtype.name, tuple(edge.layout.shape)),)


def _saved(edge: Any, counted: set[int]) -> int | None:
    if not isinstance(edge, Node):
        return 0
    if edge.saved is None:
        return None
    total = 0
    for array, _ in held_arrays(edge):
        flat = whole(array.flat)
        if id(flat.memory) not in counted:
            counted.add(id(flat.memory))
            total += flat.size * flat.itemsize
    return total


def _names(names: Any) -> Iterator[tuple[str, Tensor]]:
    """Every tensor with its path."""
    if hasattr(names, "named_parameters"):
        yield from names.named_parameters()
        return
    stack = [("", names)]
    while stack:
        path, tree = stack.pop()
        if isinstance(tree, AnyTensor):
            yield path, tree
        elif isinstance(tree, (dict, list, tuple)):
            below = tree.items() if isinstance(tree, dict) else enumerate(tree)
            stack.extend(reversed([(f"{path}.{key}" if path else str(key), value) for key, value in below]))


def _dot(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def _mermaid(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "#quot;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", " ")
