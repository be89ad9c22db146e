"""Normalizations; dropout, of which nothing is left in inference."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import Graph, Operand
from .reductions import reduced
from .registry import lowers


def filled(g: Graph, length: Any, value: float, dtype: Any) -> str:
    """A weight or a bias that is not there."""
    return g.constant(np.full(int(length), value, np.dtype(dtype.numpy)))


def by_channel(g: Graph, x: Any, weight: Any, bias: Any, ndim: int) -> Any:
    """Times a weight and plus a bias for each channel."""
    after = np.arange(1, ndim - 1)
    if weight is not None:
        x = g.op("Mul", x, g.op("Unsqueeze", weight, after) if ndim > 2 else weight)
    if bias is not None:
        x = g.op("Add", x, g.op("Unsqueeze", bias, after) if ndim > 2 else bias)
    return x


def standardized(g: Graph, x: Any, dims: Any, eps: float, dtype: Any, ndim: int) -> Any:
    """Less the mean, over the deviation, both along dims."""
    apart = g.op("Sub", x, reduced(g, "ReduceMean", x, dims, True, ndim))
    variance = reduced(g, "ReduceMean", g.op("Mul", apart, apart), dims, True, ndim)
    return g.op("Div", apart, g.op("Sqrt", g.op("Add", variance, g.number(eps, dtype))))


@lowers("batch_norm")
def batch_norm(
    g: Graph, input: Operand, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, training: bool = False,
    momentum: Any = 0.1, eps: float = 1e-5,
) -> Any:  # fmt: skip
    """Write `batch_norm` as BatchNormalization."""
    if running_mean is None or running_var is None:
        dims = [d for d in range(input.ndim) if d != 1]
        return by_channel(g, standardized(g, input, dims, eps, input.dtype, input.ndim), weight, bias, input.ndim)
    if training:
        raise g.unsupported("in training")
    channels = input.shape[1]
    scale = weight if weight is not None else filled(g, channels, 1, input.dtype)
    shift = bias if bias is not None else filled(g, channels, 0, input.dtype)
    return g.op("BatchNormalization", input, scale, shift, running_mean, running_var, epsilon=eps)


@lowers("instance_norm")
def instance_norm(
    g: Graph, input: Operand, running_mean: Any = None, running_var: Any = None, weight: Any = None, bias: Any = None,
    use_input_stats: bool = True, momentum: Any = 0.1, eps: float = 1e-5,
) -> Any:  # fmt: skip
    """Write `instance_norm` as InstanceNormalization."""
    if not use_input_stats:
        return batch_norm(g, input, running_mean, running_var, weight, bias, False, momentum, eps)
    if running_mean is not None:
        raise g.unsupported("with running statistics, in training,")
    scale = weight if weight is not None else filled(g, input.shape[1], 1, input.dtype)
    shift = bias if bias is not None else filled(g, input.shape[1], 0, input.dtype)
    return g.op("InstanceNormalization", input, scale, shift, epsilon=eps)


@lowers("group_norm")
def group_norm(
    g: Graph, input: Operand, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Any:
    """Write `group_norm` as Reshape, InstanceNormalization and Shape."""
    groups = g.op("Reshape", input, np.array([0, num_groups, -1]))
    ones, zeros = (filled(g, num_groups, value, input.dtype) for value in (1, 0))
    normal = g.op("InstanceNormalization", groups, ones, zeros, epsilon=eps)
    return by_channel(g, g.op("Reshape", normal, g.op("Shape", input)), weight, bias, input.ndim)


@lowers("layer_norm")
def layer_norm(
    g: Graph, input: Operand, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Any:
    """Write `layer_norm` as LayerNormalization."""
    dims = tuple(normalized_shape)
    scale = weight if weight is not None else g.constant(np.ones(dims, np.dtype(input.dtype.numpy)))
    return g.op("LayerNormalization", input, scale, bias, axis=-len(dims), epsilon=eps)


@lowers("rms_norm")
def rms_norm(g: Graph, input: Operand, normalized_shape: Any, weight: Any = None, eps: Any = None) -> Any:
    """Write `rms_norm` out, as ONNX has it from opset 23 only."""
    dims = range(input.ndim - len(tuple(normalized_shape)), input.ndim)
    least = float(np.finfo(input.dtype.numpy).eps) if eps is None else eps
    squares = reduced(g, "ReduceMean", g.op("Mul", input, input), list(dims), True, input.ndim)
    normal = g.op("Div", input, g.op("Sqrt", g.op("Add", squares, g.number(least, input.dtype))))
    return normal if weight is None else g.op("Mul", normal, weight)


@lowers("local_response_norm")
def local_response_norm(
    g: Graph, input: Operand, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Any:
    """Write `local_response_norm` as Reshape, LRN and Shape."""
    if size % 2 == 0:
        raise g.unsupported("of an even size")
    images = g.op("Reshape", input, np.array([0, 0, -1, 1]))  # runtimes serve it of four dims
    normal = g.op("LRN", images, size=size, alpha=float(alpha), beta=float(beta), bias=float(k))
    return g.op("Reshape", normal, g.op("Shape", input))


@lowers("normalize")
def normalize(g: Graph, input: Operand, p: Any = 2.0, dim: Any = 1, eps: float = 1e-12) -> Any:
    """Write `normalize` as a quotient by a norm."""
    if p not in (1, 2):
        raise g.unsupported(f"of order {p}")
    length = reduced(g, "ReduceL2" if p == 2 else "ReduceL1", input, dim, True, input.ndim)
    return g.op("Div", input, g.op("Max", length, g.number(eps, input.dtype)))


@lowers("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout", "feature_dropout")
def dropout(g: Graph, input: Operand, p: float = 0.5, training: bool = True, train: bool = False) -> Any:
    """Write `dropout`, `dropout1d`, `dropout2d` and the like."""
    if (train if "train" in g.call.arguments else training) and p:
        raise g.unsupported("in training")
    return input
