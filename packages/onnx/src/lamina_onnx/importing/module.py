"""A graph as a module: its initializers are parameters and buffers, and its nodes run in order."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, Final

import onnx
from onnx import helper

import lamina_nn as nn
from lamina_tensor import Tensor

from ..errors import UnsupportedOperatorError
from .node import OPS, Node, tensor_of

__all__ = ["OnnxModule"]

DEEPEST = 16
"""How deep subgraphs may lie in each other."""


SCOPE: Final[ContextVar[ChainMap[str, Any]]] = ContextVar("lamina_onnx_scope")
"""The tensors by name that a node sees in this thread or task: those of its graph, then of the graphs around it."""

IRRELEVANT: Final = frozenset({
    "else_branch", "hidden_size", "kernel_shape", "noop_with_empty_axes", "num_outputs", "output_dtype", "ratio", "seed", "sorted",
    "storage_order", "then_branch",
})  # fmt: skip
"""Attributes that may stay unread: what they say is said by a shape or by an input, or concerns what was not asked for."""


class Graph:
    """The nodes of a graph or a subgraph.

    Args:
        proto: as the `onnx` package has it.
        opset: the version of the ops.
        depth: how many graphs are around it.

    Raises:
        UnsupportedOperatorError: an op, a dtype or an attribute is not served.
    """

    def __init__(self, proto: onnx.GraphProto, opset: int, depth: int = 0) -> None:
        if depth > DEEPEST:
            raise UnsupportedOperatorError(f"load: subgraphs lie more than {DEEPEST} deep in each other")
        self.inputs = [value.name for value in proto.input]
        self.outputs = [value.name for value in proto.output]
        for value in proto.input:
            kind = value.type.WhichOneof("value")
            if kind not in (None, "tensor_type"):
                raise UnsupportedOperatorError(
                    f"load: the input {value.name!r} is a {kind.removesuffix('_type')}, which is not read here"
                )
        self.constants = {tensor.name: tensor_of(tensor) for tensor in proto.initializer} if depth else {}
        self.nodes = [self._node(node, opset, depth) for node in proto.node]
        self._inner = depth > 0

    def _node(self, proto: onnx.NodeProto, opset: int, depth: int) -> Node:
        name = proto.name or (proto.output[0] if proto.output else "")
        if proto.domain not in ("", "ai.onnx") or proto.op_type not in OPS:
            domain = f" of the domain {proto.domain!r}" if proto.domain not in ("", "ai.onnx") else ""
            raise UnsupportedOperatorError(
                f"load: the op {proto.op_type}{domain} is not run here; it is the node {name!r}"
            )
        attributes = {a.name: self._attribute(a, opset, depth, proto.op_type) for a in proto.attribute}
        return Node(proto.op_type, name, tuple(proto.input), tuple(proto.output), attributes, opset)

    def _attribute(self, proto: onnx.AttributeProto, opset: int, depth: int, op_type: str) -> Any:
        if proto.type == onnx.AttributeProto.GRAPH:
            return Graph(proto.g, opset, depth + 1)
        if proto.type == onnx.AttributeProto.TENSOR:
            return tensor_of(proto.t)
        if proto.ref_attr_name or proto.type in (onnx.AttributeProto.GRAPHS, onnx.AttributeProto.TENSORS):
            raise UnsupportedOperatorError(f"load: the attribute {proto.name!r} of {op_type} is not read here")
        value = helper.get_attribute_value(proto)
        return value.decode() if isinstance(value, bytes) else value

    def run(self, tensors: Mapping[str, Any]) -> list[Any]:
        """The outputs for tensors by name."""
        around: ChainMap[str, Any] = SCOPE.get() if self._inner else ChainMap()
        scope = around.new_child({**self.constants, **tensors})
        before = SCOPE.set(scope)
        try:
            for node in self.nodes:
                inputs = [looked_up(scope, name) if name else None for name in node.inputs]
                try:
                    made = OPS[node.op_type](node, *inputs)
                except UnsupportedOperatorError:
                    raise
                except Exception as error:
                    error.add_note(f"in the node {node.name!r} of the graph: {node.op_type}")
                    raise
                for name in node.attributes.keys() - node.asked - IRRELEVANT:
                    raise node.unsupported(f"with the attribute {name}={node.attributes[name]}")
                results = made if isinstance(made, tuple) else (made,)
                scope.update({name: x for name, x in zip(node.outputs, results, strict=False) if name})
            return [looked_up(scope, name) for name in self.outputs]
        finally:
            SCOPE.reset(before)


def looked_up(scope: Mapping[str, Any], name: str) -> Any:
    """A tensor by its name.

    Raises:
        RuntimeError: there is none.
    """
    try:
        return scope[name]
    except KeyError:
        raise RuntimeError(f"forward: the graph has no tensor {name!r} at this place") from None


class OnnxModule(nn.Module):
    """A module that runs a graph; `load` makes it.

    Its floating initializers are parameters, and the others buffers, under the names that they have in the graph.

    Args:
        model: the model, whose tensors are within it.

    Raises:
        UnsupportedOperatorError: an op, a dtype or an attribute is not served.

    >>> import lamina_nn as nn
    >>> from lamina_onnx import export, load
    >>> linear = nn.Linear(2, 3)
    >>> again = load(export(linear, (torch.ones(1, 2),)).model_proto)
    >>> list(again.state_dict())
    ['weight', 'bias']
    """

    def __init__(self, model: onnx.ModelProto) -> None:
        super().__init__()
        opset = next((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), 0)
        self._graph = Graph(model.graph, opset)
        tensors = {tensor.name: tensor_of(tensor) for tensor in model.graph.initializer}
        self.input_names = [name for name in self._graph.inputs if name not in tensors]
        self.output_names = list(self._graph.outputs)
        self._places: dict[str, tuple[nn.Module, str]] = {}
        for name, x in tensors.items():  # after the fields, whose names none of them may take
            self._places[name] = self._keep(name, x)

    def _keep(self, name: str, x: Tensor) -> tuple[nn.Module, str]:
        """Register a tensor under its name, whose parts between dots are modules."""
        *path, last = name.split(".") if all(name.split(".")) else [name.replace(".", "_")]
        holder: nn.Module = self
        for part in path:
            child = holder._modules.get(part)
            if child is None:
                if hasattr(holder, part):
                    return self._keep(name.replace(".", "_"), x)
                child = nn.Module()
                holder.add_module(part, child)
            holder = child
        if hasattr(holder, last):
            return self._keep(name.replace(".", "_") + "_", x)
        if x.dtype.is_floating_point:
            holder.register_parameter(last, nn.Parameter(x))
        else:
            holder.register_buffer(last, x)
        return holder, last

    def forward(self, *args: Tensor, **kwargs: Tensor) -> Any:
        """Run the graph.

        Args:
            *args: tensors for the inputs, in order.
            **kwargs: tensors for inputs, by name.

        Returns:
            The output, or a tuple of them where there are several.

        Raises:
            TypeError: an input is missing, is given twice, or there is none of that name.
        """
        given = dict(zip(self.input_names, args, strict=False))
        if (
            len(args) > len(self.input_names)
            or given.keys() & kwargs.keys()
            or {*given, *kwargs} != set(self.input_names)
        ):
            raise TypeError(
                f"forward() takes the inputs {self.input_names}, got {len(args)} by position and {sorted(kwargs)}"
            )
        tensors = {name: getattr(holder, last) for name, (holder, last) in self._places.items()}
        outputs = self._graph.run({**tensors, **given, **kwargs})
        return outputs[0] if len(outputs) == 1 else tuple(outputs)
