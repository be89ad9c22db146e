"""Gradients of softmax and its logarithm, one pass each."""

from __future__ import annotations

from ...autograd.rules import rule
from ...dispatch.dispatched import dispatched

softmax_gradient, log_softmax_gradient = dispatched("softmax_gradient"), dispatched("log_softmax_gradient")
total, exp = (dispatched(n) for n in ("sum", "exp"))

rule("softmax", x=lambda g, y, axis: softmax_gradient(g, y, axis))
rule("log_softmax", x=lambda g, y, axis: log_softmax_gradient(g, y, axis))
rule(  # a symmetric map of the gradient
    "softmax_gradient",
    gradient=lambda g, result, axis: softmax_gradient(g, result, axis),
    result=lambda g, gradient, result, axis: (
        g * (gradient - total(gradient * result, axis, True)) - gradient * total(g * result, axis, True)
    ),
    node_name="SoftmaxBackwardDataBackward0",
)
rule(
    "log_softmax_gradient",
    gradient=lambda g, result, axis: g - total(g * exp(result), axis, True),
    result=lambda g, gradient, result, axis: -g * exp(result) * total(gradient, axis, True),
    node_name="LogSoftmaxBackwardDataBackward0",
)
