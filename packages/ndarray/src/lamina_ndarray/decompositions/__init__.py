"""Every derived op, written with others: what a backend that lacks a kernel for it runs instead.

A decomposition takes the kernel's inputs and parameters (`axes` normalised, one dtype, one shape) and returns arrays. The
conformance kit compares each with the reference's own kernel. Those of special functions are
in `special`.
"""

from . import (
    counts,
    division,
    elementary,
    fourier,
    hyperbolic,
    in_place,
    joining,
    nan_to_num,
    order,
    sign,
    special_functions,
    triangles,
)
from .layers import (
    activation_gradients,
    activations,
    attentions,
    class_losses,
    convolution,
    dropouts,
    many_arrays,
    normalizations,
    optimizer_steps,
    pooling,
    recurrences,
    weighted_items,
)
from .registering import composed

__all__ = [
    "activation_gradients", "activations", "attentions", "class_losses", "composed", "convolution", "counts", "dropouts", "elementary",
    "fourier", "nan_to_num", "hyperbolic", "in_place", "joining", "many_arrays", "normalizations", "optimizer_steps", "order",
    "pooling", "recurrences", "sign", "special_functions", "triangles", "weighted_items",
]  # fmt: skip
