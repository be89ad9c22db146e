"""What an op of a graph is given, and the table of the functions that run it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import onnx
from onnx import numpy_helper

import lamina_tensor as lt
from lamina_tensor import Tensor

from ..entering import F, enters
from ..errors import UnsupportedOperatorError

__all__ = ["OPS", "Node", "dtype_of", "ints", "reads", "tensor_of"]

OPS: Final[dict[str, Callable[..., Any]]] = {}
"""ONNX's name of an op -> the function that runs it: it takes the node and the node's inputs, None for those left out, and returns the
output, or a tuple of them."""


def reads(*names: str) -> Callable[[F], F]:
    """Decorate the function that runs the ops of these names."""
    return enters(OPS, names)


@dataclass(frozen=True)
class Node:
    """A node of a graph.

    Args:
        op_type: the op.
        name: the node's, or its first output's.
        inputs, outputs: names of tensors; empty for those that are left out.
        attributes: by name.
        opset: the version of the ops.
        asked: the names of the attributes that were read: one that never is might change what the op means.
    """

    op_type: str
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: dict[str, Any]
    opset: int
    asked: set[str] = field(default_factory=set)

    def get(self, name: str, default: Any = None) -> Any:
        """An attribute, or what it is where it is not there."""
        self.asked.add(name)
        return self.attributes.get(name, default)

    def unsupported(self, why: str) -> UnsupportedOperatorError:
        """The error for what is not run."""
        return UnsupportedOperatorError(f"load: {self.op_type} {why} is not run here; it is the node {self.name!r}")


def tensor_of(proto: onnx.TensorProto) -> Tensor:
    """A tensor as ONNX keeps it, as one of lamina's.

    Raises:
        UnsupportedOperatorError: lamina has no such dtype.
    """
    if proto.data_type == onnx.TensorProto.STRING:
        raise UnsupportedOperatorError(f"load: the tensor {proto.name!r} holds strings, which lamina has not")
    try:
        return lt.tensor(numpy_helper.to_array(proto))
    except (TypeError, KeyError) as error:
        kind = onnx.TensorProto.DataType.Name(proto.data_type)
        raise UnsupportedOperatorError(
            f"load: the tensor {proto.name!r} is of dtype {kind}, which lamina has not"
        ) from error


def dtype_of(node: Node, number: int) -> Any:
    """lamina's dtype for ONNX's number.

    Raises:
        UnsupportedOperatorError: lamina has none.
    """
    try:
        return lt.tensor(np.zeros((), onnx.helper.tensor_dtype_to_np_dtype(number))).dtype
    except (TypeError, KeyError, ValueError) as error:
        raise node.unsupported(f"of dtype {onnx.TensorProto.DataType.Name(number)}") from error


def ints(x: Tensor) -> list[int]:
    """The items of a tensor of integers."""
    return [int(n) for n in x.reshape(-1).tolist()]
