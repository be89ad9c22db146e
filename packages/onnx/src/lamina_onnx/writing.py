"""The graph of a model out of the records of its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import onnx
from onnx import helper

from lamina_tensor import Tensor

from .alignment import AlignedValue, aligned_calls, aligned_values
from .errors import OnnxExporterError
from .graph import Graph, Operand, elem_type
from .inputs import Inputs
from .lowerings import IGNORED, LOWERINGS, taken
from .recording import Call, Ref, mapped
from .runs import Run
from .sizes import Size, settled

__all__ = ["written"]


class Writer:
    """Writes the calls of some runs as nodes.

    Args:
        runs: the runs.
        inputs: the model's.
        state: its parameters and buffers by name.
        opset: the version of the ops.
    """

    def __init__(self, runs: Sequence[Run], inputs: Inputs, state: Mapping[str, Tensor], opset: int) -> None:
        symbols = {}
        for symbol in inputs.symbols:
            size = settled(tuple([run.sizes[symbol.name] for run in runs]))
            assert isinstance(size, Size)
            symbols[symbol.name] = (*symbol.axes[0], size)
        self.graph = Graph(opset, symbols)
        self._records = [run.record for run in runs]
        self._inputs, self._state = inputs, state
        self._values = aligned_values(self._records)
        self._operands: dict[int, Operand] = {}
        self._taken = {*inputs.tensors, *state}

    def operand(self, ref: Ref) -> Operand:
        """A value of the record as a tensor of the graph.

        Raises:
            OnnxExporterError: it was made by what the record does not see.
        """
        found = self._operands.get(ref.number)
        if found is not None:
            return found
        value = self._values[ref.number]
        if value.name is not None:
            if value.name not in self._inputs.tensors:
                self.graph.initializers.setdefault(value.name, self._state[value.name].numpy(force=True))
            found = Operand(value.name, value.shape, value.dtype)
            self.graph.knows(found)
        elif value.constant is not None:
            found = Operand(self.graph.constant(value.constant), value.shape, value.dtype, value.constant)
        else:
            raise OnnxExporterError(
                f"export: {self.graph.call.name!r}, called {self.graph.call.place}, is given a {value.dtype} tensor of shape "
                f"{self._records[0].values[ref.number].shape} that was computed from the inputs, or from their sizes, by what the record "
                "does not see"
            )
        self._operands[ref.number] = found
        return found

    def write(self, call: Call) -> None:
        """Write one call, unless its results are constants.

        Raises:
            OnnxExporterError: it has no ONNX with these arguments.
        """
        refs: list[Ref] = []
        mapped(lambda leaf: refs.append(leaf) if isinstance(leaf, Ref) else None, call.results)
        if all(self._values[ref.number].constant is not None for ref in refs):
            return
        graph = self.graph
        graph.call = call
        graph.results = tuple([self._described(ref.number) for ref in refs])
        lowering = LOWERINGS[call.name]
        serves = taken(lowering)
        given = mapped(lambda leaf: self.operand(leaf) if isinstance(leaf, Ref) else leaf, call.arguments)
        for name, other in (("self", "input"), ("input", "self")):  # a method's name of its tensor, and a function's
            if name in given and name not in serves and other in serves and other not in given:
                given = {other if key == name else key: argument for key, argument in given.items()}
        for name, argument in given.items():
            if name not in serves and name not in IGNORED and not left_out(argument):
                raise graph.unsupported(f"with {name}={argument if not isinstance(argument, Operand) else 'a tensor'}")
        made = lowering(graph, **{name: argument for name, argument in given.items() if name in serves})
        names = flat(made)
        if len(names) < len(refs):
            raise graph.unsupported(f"with results: {len(refs)}")
        for ref, name in zip(refs, names, strict=False):
            described = self._described(ref.number)
            self._operands[ref.number] = Operand(name, described.shape, described.dtype)
            graph.knows(self._operands[ref.number])

    def _described(self, number: int) -> Operand:
        value: AlignedValue = self._values[number]
        return Operand("", value.shape, value.dtype)

    def outputs(self, numbers: Sequence[Sequence[int]], names: Sequence[str] | None) -> list[Operand]:
        """The results of the model under names of their own.

        Raises:
            OnnxExporterError: they differ from run to run in what they are.
            ValueError: there are more names than outputs.
        """
        self.graph.call = Call("the output", {}, None, "", "at its end", True)
        if any(n != numbers[0] for n in numbers):
            raise OnnxExporterError("export: the model returns other tensors where sizes or items of inputs are others")
        if not numbers[0]:
            raise OnnxExporterError("export: the model returns no tensor")
        given = [f"output_{i}" if len(numbers[0]) > 1 else "output" for i in range(len(numbers[0]))]
        if names is not None:
            if len(names) > len(given):
                raise ValueError(f"export: output_names: {len(names)}, but outputs: {len(given)}")
            given[: len(names)] = names
        if len({*given, *self._taken}) < len(given) + len(self._taken):
            raise ValueError(f"export: outputs need names of their own, got {given}")
        made = {name for node in self.graph.nodes for name in node.output}
        renamed: dict[str, str] = {}
        results = []
        for number, name in zip(numbers[0], given, strict=True):
            x = self.operand(Ref(number))
            if x.name in made and x.name not in renamed:
                renamed[x.name] = name
            else:  # an input, a constant, or an output for the second time
                self.graph.nodes.append(helper.make_node("Identity", [x.name], [name], name=f"/{name}"))
            results.append(Operand(name, x.shape, x.dtype))
        for node in self.graph.nodes:
            node.input[:] = [renamed.get(name, name) for name in node.input]
            node.output[:] = [renamed.get(name, name) for name in node.output]
        return results


def left_out(argument: Any) -> bool:
    """Whether an argument that a lowering does not serve says nothing."""
    return argument is None or argument is False or argument in ((), {}, [])


def flat(tree: Any) -> list[str]:
    """The names of the tensors that a lowering made."""
    if isinstance(tree, (list, tuple)):
        return [name for part in tree for name in flat(part)]
    if tree is None:
        return []
    return [tree.name if isinstance(tree, Operand) else tree]


def value_info(x: Operand, graph: Graph) -> onnx.ValueInfoProto:
    """An input's or an output's name, dtype and shape, with the names of sizes."""
    shape: list[Any] = []
    for axis, n in enumerate(x.shape):
        shape.append(n if isinstance(n, int) else graph.symbol_of(n) or f"{x.name}_dim_{axis}")
    return helper.make_tensor_value_info(x.name, elem_type(x.dtype), shape)


def written(
    runs: Sequence[Run], inputs: Inputs, state: Mapping[str, Tensor], opset: int, output_names: Sequence[str] | None,
    export_params: bool, keep_initializers_as_inputs: bool, version: str,
) -> onnx.ModelProto:  # fmt: skip
    """Write the model whose runs these are.

    Args:
        runs, inputs, state, opset: as in `Writer`.
        output_names: names for the outputs in order.
        export_params: whether parameters and buffers have their items in the model.
        keep_initializers_as_inputs: whether they are inputs, too.
        version: lamina's.

    Returns:
        The model, checked.

    Raises:
        OnnxExporterError: it cannot be written.
    """
    calls = aligned_calls([run.record for run in runs])
    writer = Writer(runs, inputs, state, opset)
    graph = writer.graph
    entries = [writer.operand(Ref(number)) for number in range(len(inputs.tensors))]
    for call in calls:
        writer.write(call)
    outputs = writer.outputs([run.results for run in runs], output_names)
    heads = [value_info(x, graph) for x in entries]
    initializers = graph.tensors()
    if keep_initializers_as_inputs or not export_params:
        heads += [helper.make_tensor_value_info(t.name, t.data_type, list(t.dims)) for t in initializers]
        if not export_params:
            initializers = []
    proto = helper.make_graph(
        used([*graph.constants(), *graph.nodes], outputs),
        "main_graph",
        heads,
        [value_info(x, graph) for x in outputs],
        [],
    )
    needed = {name for node in proto.node for name in node.input}
    proto.initializer.extend([t for t in initializers if t.name in needed])
    model = helper.make_model(
        proto, opset_imports=[helper.make_opsetid("", opset)], producer_name="lamina", producer_version=version,
        ir_version=helper.find_min_ir_version_for([helper.make_opsetid("", opset)]),
    )  # fmt: skip
    return model


def used(nodes: Sequence[onnx.NodeProto], outputs: Sequence[Operand]) -> list[onnx.NodeProto]:
    """The nodes on which outputs depend, in order."""
    wanted = {x.name for x in outputs}
    kept = []
    for node in reversed(nodes):
        if not wanted.isdisjoint(node.output):
            kept.append(node)
            wanted.update(node.input)
    return kept[::-1]
