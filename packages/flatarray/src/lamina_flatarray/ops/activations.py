"""Activations of neural networks and their gradients, item by item; those with numbers of their own take arrays for them, too."""

from typing import Final

from .op import Op

__all__ = ["ROWS"]

ROWS: Final = (
    # -- activations ---------------------------------------------------------------------------------------------
    Op("relu", "map", "x", "real", "Replace negative numbers by 0, item by item: max(x, 0); NaN stays."),
    Op("sigmoid", "map", "x", "float", "Compute the logistic function 1 / (1 + exp(-x)), item by item."),
    Op("silu", "map", "x", "float", "x * sigmoid(x)"),
    Op("gelu", "map", "x", "float_real", "x * (1 + erf(x / sqrt 2)) / 2"),
    Op("softplus", "map", "x", "float_real", "log(1 + exp(x)), without overflow"),
    # -- fused ---------------------------------------------------------------------------------------------------
    # Activations and their like item by item, whose numbers may be arrays as well.
    Op("leaky_relu", "fused", "x slope", "floating", "x where it is positive, else x * slope",
       aten="leaky_relu", samples="elementwise", batching="items"),
    Op("elu", "fused", "x positive negative rate", "floating",
       "x * positive where x is positive, else negative * (exp(x * rate) - 1)", aten="elu", samples="elementwise", batching="items"),
    Op("hardsigmoid", "fused", "x", "floating", "x + 3, held between 0 and 6, over 6", aten="hardsigmoid", samples="elementwise",
       batching="items"),
    Op("hardswish", "fused", "x", "floating", "x * hardsigmoid(x)", aten="hardswish", samples="elementwise", batching="items"),
    Op("hardshrink", "fused", "x size", "floating", "0 where -size <= x <= size, else x", aten="hardshrink", samples="elementwise",
       batching="items"),
    Op("softshrink", "fused", "x size", "floating", "x moved by size towards 0, and 0 where it would cross it; NaN stays",
       aten="softshrink", samples="elementwise", batching="items"),
    Op("huber", "fused", "x corner", "floating", "x**2 / 2 where -corner <= x <= corner, else corner * (|x| - corner / 2)",
       aten="huber_loss", samples="elementwise", batching="items"),
    Op("logsigmoid", "fused", "x", "floating", "log(sigmoid(x)), without overflow",
       aten="log_sigmoid_forward", samples="elementwise", batching="items"),
    Op("scaled_softplus", "fused", "x rate threshold", "floating",
       "softplus(x * rate) / rate, and x where x * rate is above a threshold", aten="", samples="elementwise", batching="items"),
    Op("binary_cross_entropy", "fused", "x target", "floating", "-target log(x) - (1 - target) log(1 - x), no logarithm below -100",
       aten="binary_cross_entropy", samples="elementwise", batching="items"),
    Op("mish", "fused", "x", "floating", "x * tanh(softplus(x))", aten="mish", samples="elementwise", batching="items"),
    Op("where_finite", "fused", "x nan posinf neginf", "floating", "x where it is finite, else what stands for NaN and infinities",
       aten="nan_to_num", samples="elementwise", batching="items"),
    # Gradients of activations, item by item; from the result where that is enough.
    Op("leaky_relu_gradient", "fused", "gradient x slope", "floating", "gradient where x is positive, else gradient * slope",
       aten="leaky_relu_backward", samples="elementwise", batching="items"),
    Op("elu_gradient", "fused", "gradient x positive negative rate", "floating",
       "gradient * (positive where x is positive, else negative * rate * exp(x * rate))",
       aten="elu_backward", samples="elementwise", batching="items"),
    Op("hardtanh_gradient", "fused", "gradient x low high", "floating", "0 where x <= low or x >= high, else gradient",
       aten="hardtanh_backward", samples="elementwise", batching="items"),
    Op("hardsigmoid_gradient", "fused", "gradient x", "floating", "gradient / 6 where -3 < x < 3, else 0",
       aten="hardsigmoid_backward", samples="elementwise", batching="items"),
    Op("hardswish_gradient", "fused", "gradient x", "floating",
       "gradient * (x / 3 + 1 / 2), but 0 where x <= -3, and gradient where x >= 3",
       aten="hardswish_backward", samples="elementwise", batching="items"),
    Op("shrink_gradient", "fused", "gradient x size", "floating", "0 where -size <= x <= size, else gradient: of both shrinks",
       aten="hardshrink_backward", samples="elementwise", batching="items"),
    Op("mish_gradient", "fused", "gradient x", "floating", "the gradient of mish", aten="mish_backward", samples="elementwise",
       batching="items"),
    Op("tanh_gradient", "fused", "gradient result", "floating", "gradient * (1 - result**2)",
       aten="tanh_backward", samples="elementwise", batching="items"),
    Op("sigmoid_gradient", "fused", "gradient result", "floating", "gradient * (1 - result) * result",
       aten="sigmoid_backward", samples="elementwise", batching="items"),
    Op("relu_gradient", "fused", "gradient result", "floating", "0 where result <= 0, else gradient",
       aten="threshold_backward", samples="elementwise", batching="items"),
    Op("silu_gradient", "fused", "gradient x", "floating", "gradient * s * (1 + x * (1 - s)), where s = sigmoid(x)",
       aten="silu_backward", samples="elementwise", batching="items"),
    Op("softplus_gradient", "fused", "gradient x", "floating", "gradient * sigmoid(x)",
       aten="softplus_backward", samples="elementwise", batching="items"),
    Op("gelu_gradient", "fused", "gradient x", "floating", "the gradient of gelu", aten="gelu_backward", samples="elementwise",
       batching="items"),
    Op("gelu_tanh", "fused", "x", "floating", "x * (1 + tanh((x + 0.044715 x**3) * sqrt(2 / pi))) / 2",
       aten="", samples="elementwise", batching="items"),
    Op("gelu_tanh_gradient", "fused", "gradient x", "floating", "the gradient of gelu_tanh", aten="", samples="elementwise",
       batching="items"),
)
