"""Gradients of attention: of query, key and value together, from the result and the sums of exponentials."""

from __future__ import annotations

from ...autograd.rules import joint_rule, not_differentiable
from ...dispatch.dispatched import fused_or_formula

_gradients = fused_or_formula("attention_gradient")

joint_rule("attention", "query key value", lambda g, y, query, key, value, mask, logsumexp, scale, causal: _gradients(
    g, query, key, value, mask, beside={"result": y, "logsumexp": logsumexp}, scale=scale, causal=causal,
), node_name="ScaledDotProductFlashAttentionForCpuBackward0")  # fmt: skip
not_differentiable("attention_gradient")  # recorded as what it is composed of
