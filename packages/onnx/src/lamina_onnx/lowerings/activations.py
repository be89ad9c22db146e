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
    """Write `relu` as Relu."""
    return g.op("Relu", input)


@lowers("relu6")
def relu6(g: Graph, input: Operand) -> Any:
    """Write `relu6` as Clip."""
    return between(g, input, 0, 6)


def between(g: Graph, x: Any, low: float, high: float, dtype: Any = None) -> Any:
    """No less than `low` and no more than `high`."""
    kind = x.dtype if dtype is None else dtype
    return g.op("Clip", x, g.number(low, kind), g.number(high, kind))


@lowers("hardtanh")
def hardtanh(g: Graph, input: Operand, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    """Write `hardtanh` as Clip."""
    return between(g, input, min_val, max_val)


@lowers("leaky_relu")
def leaky_relu(g: Graph, input: Operand, negative_slope: float = 0.01) -> Any:
    """Write `leaky_relu` as LeakyRelu."""
    return g.op("LeakyRelu", input, alpha=float(negative_slope))


@lowers("rrelu")
def rrelu(g: Graph, input: Operand, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False) -> Any:
    """Write `rrelu` as LeakyRelu."""
    if training:
        raise g.unsupported("in training")
    return g.op("LeakyRelu", input, alpha=(lower + upper) / 2)


@lowers("prelu")
def prelu(g: Graph, input: Operand, weight: Operand) -> Any:
    """Write `prelu` as PRelu and Unsqueeze."""
    slope: Any = weight
    if input.ndim > 2 and weight.shape != (1,):
        slope = g.op("Unsqueeze", weight, np.arange(1, input.ndim - 1))
    return g.op("PRelu", input, slope)


@lowers("elu")
def elu(g: Graph, input: Operand, alpha: float = 1.0) -> Any:
    """Write `elu` as Elu."""
    return g.op("Elu", input, alpha=float(alpha))


@lowers("celu")
def celu(g: Graph, input: Operand, alpha: float = 1.0) -> Any:
    """Write `celu` as Celu."""
    return g.op("Celu", input, alpha=float(alpha))


@lowers("selu")
def selu(g: Graph, input: Operand) -> Any:
    """Write `selu` as Selu."""
    return g.op("Selu", input)


@lowers("gelu")
def gelu(g: Graph, input: Operand, approximate: str = "none") -> Any:
    """Write `gelu` as Gelu, or before its opset by Erf or Tanh."""
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
    """Write `silu` as Mul and Sigmoid."""
    return g.op("Mul", input, g.op("Sigmoid", input))


@lowers("mish")
def mish(g: Graph, input: Operand) -> Any:
    """Write `mish` as Mul, Tanh and Softplus."""
    return g.op("Mul", input, g.op("Tanh", g.op("Softplus", input)))


@lowers("hardswish")
def hardswish(g: Graph, input: Operand) -> Any:
    """Write `hardswish` as HardSwish."""
    return g.op("HardSwish", input)


@lowers("hardsigmoid")
def hardsigmoid(g: Graph, input: Operand) -> Any:
    """Write `hardsigmoid` as HardSigmoid."""
    return g.op("HardSigmoid", input, alpha=1 / 6, beta=0.5)


@lowers("softplus")
def softplus(g: Graph, input: Operand, beta: float = 1, threshold: float = 20) -> Any:
    """Write `softplus` as Softplus, and the input where it is steep."""
    if beta == 1:
        curve = g.op("Softplus", input)
        steep: Any = input
    else:
        steep = g.op("Mul", input, g.number(beta, input.dtype))
        curve = g.op("Div", g.op("Softplus", steep), g.number(beta, input.dtype))
    return g.op("Where", g.op("Greater", steep, g.number(threshold, input.dtype)), input, curve)


@lowers("softsign")
def softsign(g: Graph, input: Operand) -> Any:
    """Write `softsign` as Softsign."""
    return g.op("Softsign", input)


@lowers("softshrink")
def softshrink(g: Graph, input: Operand, lambd: float = 0.5) -> Any:
    """Write `softshrink` as Shrink."""
    return g.op("Shrink", input, lambd=float(lambd), bias=float(lambd))


@lowers("hardshrink")
def hardshrink(g: Graph, input: Operand, lambd: float = 0.5) -> Any:
    """Write `hardshrink` as Shrink."""
    return g.op("Shrink", input, lambd=float(lambd), bias=0.0)


@lowers("tanhshrink")
def tanhshrink(g: Graph, input: Operand) -> Any:
    """Write `tanhshrink` as Sub and Tanh."""
    return g.op("Sub", input, g.op("Tanh", input))


@lowers("threshold")
def threshold(g: Graph, input: Operand, threshold: float, value: float) -> Any:
    """Write `threshold` as Where and Greater."""
    dtype = input.dtype
    return g.op("Where", g.op("Greater", input, g.number(threshold, dtype)), input, g.number(value, dtype))


@lowers("logsigmoid")
def logsigmoid(g: Graph, input: Operand) -> Any:
    """Write `logsigmoid` as Neg and Softplus."""
    return g.op("Neg", g.op("Softplus", g.op("Neg", input)))


@lowers("glu")
def glu(g: Graph, input: Operand, dim: int = -1) -> Any:
    """Write `glu` as Split, Mul and Sigmoid."""
    half = int(g.result.shape[dim])
    first, second = g.op("Split", input, np.array([half, half]), axis=dim, outputs=2)
    return g.op("Mul", first, g.op("Sigmoid", second))


@lowers("log1p")
def log1p(g: Graph, input: Operand) -> Any:
    """Write `log1p` as Log and Add."""
    return g.op("Log", g.op("Add", g.cast(input, g.result.dtype), g.number(1, g.result.dtype)))


@lowers("expm1")
def expm1(g: Graph, input: Operand) -> Any:
    """Write `expm1` as Sub and Exp."""
    return g.op("Sub", g.op("Exp", g.cast(input, g.result.dtype)), g.number(1, g.result.dtype))
