"""Ops item by item."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

import ml_dtypes

import lamina_nn.functional as F
import lamina_tensor as lt
from lamina_tensor import Tensor

from .node import Node, dtype_of, reads

UNARY: dict[str, Callable[[Tensor], Tensor]] = {
    "Abs": lt.abs, "Acos": lt.acos, "Acosh": lt.acosh, "Asin": lt.asin, "Asinh": lt.asinh, "Atan": lt.atan, "Atanh": lt.atanh,
    "Ceil": lt.ceil, "Cos": lt.cos, "Cosh": lt.cosh, "Erf": lt.erf, "Exp": lt.exp, "Floor": lt.floor, "Log": lt.log, "Neg": lt.neg,
    "Not": lt.logical_not, "Reciprocal": lt.reciprocal, "Relu": F.relu, "Round": lt.round, "Sigmoid": lt.sigmoid, "Sign": lt.sign,
    "Sin": lt.sin, "Sinh": lt.sinh, "Softplus": F.softplus, "Softsign": F.softsign, "Sqrt": lt.sqrt, "Tan": lt.tan, "Tanh": lt.tanh,
    "IsNaN": lt.isnan, "BitwiseNot": lt.bitwise_not, "Mish": F.mish,
}  # fmt: skip

BINARY: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "Add": lt.add, "Sub": lt.sub, "Mul": lt.mul, "Equal": lt.eq, "Less": lt.lt, "Greater": lt.gt, "LessOrEqual": lt.le,
    "GreaterOrEqual": lt.ge, "And": lt.logical_and, "Or": lt.logical_or, "Xor": lt.logical_xor, "BitwiseAnd": lt.bitwise_and,
    "BitwiseOr": lt.bitwise_or, "BitwiseXor": lt.bitwise_xor,
}  # fmt: skip


@reads(*UNARY)
def unary(node: Node, x: Tensor) -> Tensor:
    """A function of one tensor that lamina has."""
    return UNARY[node.op_type](x)


@reads(*BINARY)
def binary(node: Node, a: Tensor, b: Tensor) -> Tensor:
    """A function of two tensors that lamina has."""
    return BINARY[node.op_type](a, b)


@reads("Div")
def div(node: Node, a: Tensor, b: Tensor) -> Tensor:
    """Run Div."""
    return lt.div(a, b) if a.dtype.is_floating_point else lt.div(a, b, rounding_mode="trunc")


@reads("Mod")
def mod(node: Node, a: Tensor, b: Tensor) -> Tensor:
    """Run Mod."""
    return lt.fmod(a, b) if node.get("fmod", 0) else lt.remainder(a, b)


@reads("Pow")
def power(node: Node, a: Tensor, b: Tensor) -> Tensor:
    """Run Pow."""
    return lt.pow(a, b).to(a.dtype)


@reads("BitShift")
def bit_shift(node: Node, a: Tensor, b: Tensor) -> Tensor:
    """Run BitShift."""
    return lt.bitwise_left_shift(a, b) if node.get("direction") == "LEFT" else lt.bitwise_right_shift(a, b)


@reads("Max")
def maximum(node: Node, *xs: Tensor) -> Tensor:
    """Run Max."""
    return reduce(lt.maximum, xs)


@reads("Min")
def minimum(node: Node, *xs: Tensor) -> Tensor:
    """Run Min."""
    return reduce(lt.minimum, xs)


@reads("Sum")
def total(node: Node, *xs: Tensor) -> Tensor:
    """Run Sum."""
    return reduce(lt.add, xs)


@reads("Mean")
def mean(node: Node, *xs: Tensor) -> Tensor:
    """Run Mean."""
    return lt.div(reduce(lt.add, xs), len(xs))


@reads("Where")
def where(node: Node, condition: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """Run Where."""
    return lt.where(condition, a, b)


@reads("Clip")
def clip(node: Node, x: Tensor, low: Any = None, high: Any = None) -> Tensor:
    """Run Clip."""
    low, high = (given if given is not None else node.get(name) for given, name in ((low, "min"), (high, "max")))
    if low is not None:
        x = lt.clamp_min(x, low)
    return x if high is None else lt.clamp_max(x, high)


@reads("IsInf")
def isinf(node: Node, x: Tensor) -> Tensor:
    """Run IsInf."""
    found = lt.zeros_like(x, dtype=lt.isinf(x).dtype)
    if node.get("detect_positive", 1):
        found = lt.logical_or(found, lt.eq(x, math.inf))
    return lt.logical_or(found, lt.eq(x, -math.inf)) if node.get("detect_negative", 1) else found


@reads("Cast")
def cast(node: Node, x: Tensor) -> Tensor:
    """Run Cast."""
    return converted(node, x, dtype_of(node, node.get("to")))


@reads("CastLike")
def cast_like(node: Node, x: Tensor, like: Tensor) -> Tensor:
    """Run CastLike."""
    return converted(node, x, like.dtype)


def converted(node: Node, x: Tensor, dtype: Any) -> Tensor:
    """In another dtype; one of 8 bits takes its greatest number for those that are greater, unless the node says otherwise."""
    saturates = node.get("saturate", 1)
    if not dtype.name.startswith("float8"):
        return x.to(dtype)
    if dtype.name == "float8_e8m0fnu":
        raise node.unsupported(f"to {dtype}")
    if saturates:
        most = float(ml_dtypes.finfo(dtype.numpy).max)  # type: ignore[no-untyped-call]
        x = lt.clamp(x, -most, most)
    return x.to(dtype)


@reads("Identity")
def identity(node: Node, x: Any) -> Any:
    """Run Identity."""
    return x


@reads("Dropout")
def dropout(node: Node, x: Tensor, ratio: Any = None, training: Any = None) -> Any:
    """Run Dropout."""
    if training is not None and bool(training.item()) and (ratio is None or ratio.item()):
        raise node.unsupported("in training")
    return (x, lt.ones_like(x, dtype=lt.eq(x, x).dtype)) if len(node.outputs) > 1 else x


# -- activations --------------------------------------------------------------------------------------------------------


@reads("Elu")
def elu(node: Node, x: Tensor) -> Tensor:
    """Run Elu."""
    return F.elu(x, node.get("alpha", 1.0))


@reads("Celu")
def celu(node: Node, x: Tensor) -> Tensor:
    """Run Celu."""
    return F.celu(x, node.get("alpha", 1.0))


@reads("Selu")
def selu(node: Node, x: Tensor) -> Tensor:
    """Run Selu."""
    gamma, alpha = node.get("gamma", 1.0507009873554805), node.get("alpha", 1.6732632423543772)
    return lt.mul(F.elu(x, alpha), gamma)


@reads("LeakyRelu")
def leaky_relu(node: Node, x: Tensor) -> Tensor:
    """Run LeakyRelu."""
    return F.leaky_relu(x, node.get("alpha", 0.01))


@reads("PRelu")
def prelu(node: Node, x: Tensor, slope: Tensor) -> Tensor:
    """Run PRelu."""
    return lt.where(lt.lt(x, 0), lt.mul(x, slope), x)


@reads("ThresholdedRelu")
def thresholded_relu(node: Node, x: Tensor) -> Tensor:
    """Run ThresholdedRelu."""
    return F.threshold(x, node.get("alpha", 1.0), 0.0)


@reads("HardSigmoid")
def hard_sigmoid(node: Node, x: Tensor) -> Tensor:
    """Run HardSigmoid."""
    return lt.clamp(lt.add(lt.mul(x, node.get("alpha", 0.2)), node.get("beta", 0.5)), 0, 1)


@reads("HardSwish")
def hard_swish(node: Node, x: Tensor) -> Tensor:
    """Run HardSwish."""
    return lt.mul(x, lt.clamp(lt.add(lt.mul(x, 1 / 6), 0.5), 0, 1))


@reads("Swish")
def swish(node: Node, x: Tensor) -> Tensor:
    """Run Swish."""
    return lt.mul(x, lt.sigmoid(lt.mul(x, node.get("alpha", 1.0))))


@reads("Gelu")
def gelu(node: Node, x: Tensor) -> Tensor:
    """Run Gelu."""
    return F.gelu(x, approximate=node.get("approximate", "none"))


@reads("Shrink")
def shrink(node: Node, x: Tensor) -> Tensor:
    """Run Shrink."""
    limit, bias = node.get("lambd", 0.5), node.get("bias", 0.0)
    kept = lt.where(lt.gt(x, limit), lt.sub(x, bias), lt.add(x, bias))
    return lt.where(lt.le(lt.abs(x), limit), lt.zeros_like(x), kept).to(x.dtype)
