"""Activations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph import Graph, Operand
from .registry import lowers

GELU = 20  # the opset from which ONNX has it


@lowers("relu")
def relu(g: Graph, input: Operand) -> Any:
    return g.op("Relu", input)


@lowers("relu6")
def relu6(g: Graph, input: Operand) -> Any:
    return between(g, input, 0, 6)


def between(g: Graph, x: Any, low: float, high: float, dtype: Any = None) -> Any:
    """No less than `low` and no more than `high`."""
    kind = x.dtype if dtype is None else dtype
    return g.op("Clip", x, g.number(low, kind), g.number(high, kind))


@lowers("hardtanh")
def hardtanh(g: Graph, input: Operand, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    return between(g, input, min_val, max_val)


@lowers("leaky_relu")
def leaky_relu(g: Graph, input: Operand, negative_slope: float = 0.01) -> Any:
    return g.op("LeakyRelu", input, alpha=float(negative_slope))


@lowers("rrelu")
def rrelu(g: Graph, input: Operand, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False) -> Any:
    if training:
        raise g.unsupported("in training")
    return g.op("LeakyRelu", input, alpha=(lower + upper) / 2)


@lowers("prelu")
def prelu(g: Graph, input: Operand, weight: Operand) -> Any:
    slope: Any = weight
    if input.ndim > 2 and weight.shape != (1,):
        slope = g.op("Unsqueeze", weight, np.arange(1, input.ndim - 1))
    return g.op("PRelu", input, slope)


@lowers("elu")
def elu(g: Graph, input: Operand, alpha: float = 1.0) -> Any:
    return g.op("Elu", input, alpha=float(alpha))


@lowers("celu")
def celu(g: Graph, input: Operand, alpha: float = 1.0) -> Any:
    return g.op("Celu", input, alpha=float(alpha))


@lowers("selu")
def selu(g: Graph, input: Operand) -> Any:
    return g.op("Selu", input)


@lowers("gelu")
def gelu(g: Graph, input: Operand, approximate: str = "none") -> Any:
    if g.opset >= GELU:
        return g.op("Gelu", input, approximate=approximate)
    dtype = input.dtype
    half, one = g.number(0.5, dtype), g.number(1, dtype)
    if approximate == "tanh":  # Hendrycks & Gimpel 2016
        cube = g.op("Mul", input, g.op("Mul", input, input))
        inner = g.op("Add", input, g.op("Mul", cube, g.number(0.044715, dtype)))
        curve = g.op("Tanh", g.op("Mul", inner, g.number(math.sqrt(2 / math.pi), dtype)))
    else:
        curve = g.op("Erf", g.op("Mul", input, g.number(math.sqrt(0.5), dtype)))
    return g.op("Mul", g.op("Mul", half, input), g.op("Add", one, curve))


@lowers("silu")
def silu(g: Graph, input: Operand) -> Any:
    return g.op("Mul", input, g.op("Sigmoid", input))


@lowers("mish")
def mish(g: Graph, input: Operand) -> Any:
    return g.op("Mul", input, g.op("Tanh", g.op("Softplus", input)))


@lowers("hardswish")
def hardswish(g: Graph, input: Operand) -> Any:
    return g.op("HardSwish", input)


@lowers("hardsigmoid")
def hardsigmoid(g: Graph, input: Operand) -> Any:
    return g.op("HardSigmoid", input, alpha=1 / 6, beta=0.5)


@lowers("softplus")
def softplus(g: Graph, input: Operand, beta: float = 1, threshold: float = 20) -> Any:
    if beta == 1:
        curve = g.op("Softplus", input)
        steep: Any = input
    else:
        steep = g.op("Mul", input, g.number(beta, input.dtype))
        curve = g.op("Div", g.op("Softplus", steep), g.number(beta, input.dtype))
    return g.op("Where", g.op("Greater", steep, g.number(threshold, input.dtype)), input, curve)


@lowers("softsign")
def softsign(g: Graph, input: Operand) -> Any:
    return g.op("Softsign", input)


@lowers("softshrink")
def softshrink(g: Graph, input: Operand, lambd: float = 0.5) -> Any:
    return g.op("Shrink", input, lambd=float(lambd), bias=float(lambd))


@lowers("hardshrink")
def hardshrink(g: Graph, input: Operand, lambd: float = 0.5) -> Any:
    return g.op("Shrink", input, lambd=float(lambd), bias=0.0)


@lowers("tanhshrink")
def tanhshrink(g: Graph, input: Operand) -> Any:
    return g.op("Sub", input, g.op("Tanh", input))


@lowers("threshold")
def threshold(g: Graph, input: Operand, threshold: float, value: float) -> Any:
    dtype = input.dtype
    return g.op("Where", g.op("Greater", input, g.number(threshold, dtype)), input, g.number(value, dtype))


@lowers("logsigmoid")
def logsigmoid(g: Graph, input: Operand) -> Any:
    return g.op("Neg", g.op("Softplus", g.op("Neg", input)))


@lowers("glu")
def glu(g: Graph, input: Operand, dim: int = -1) -> Any:
    half = int(g.result.shape[dim])  # type: ignore[arg-type]
    first, second = g.op("Split", input, np.array([half, half]), axis=dim, outputs=2)
    return g.op("Mul", first, g.op("Sigmoid", second))


@lowers("log1p")
def log1p(g: Graph, input: Operand) -> Any:
    return g.op("Log", g.op("Add", g.cast(input, g.result.dtype), g.number(1, g.result.dtype)))


@lowers("expm1")
def expm1(g: Graph, input: Operand) -> Any:
    return g.op("Sub", g.op("Exp", g.cast(input, g.result.dtype)), g.number(1, g.result.dtype))
