"""Attention with all scores at once, and its gradient."""

from __future__ import annotations

import math
from typing import Any

from ...dispatch.namespace import namespace
from ..registering import composed, widened

__all__: list[str] = []


def _scores(query: Any, key: Any, mask: Any, scale: float, causal: bool) -> Any:
    """-inf where a key is not seen."""
    xp = namespace(query)
    scores = (query * scale) @ xp.transpose(key)
    if mask is not None:
        scores = scores + widened(mask) if mask.dtype.is_floating_point else xp.where(mask, scores, -math.inf)
    if causal:
        rows, columns = (xp.arange(n, device=query.device) for n in scores.shape[-2:])
        scores = xp.where(xp.expand_dims(rows, 1) >= columns, scores, -math.inf)
    return scores


def _powers(scores: Any) -> tuple[Any, Any, Any]:
    """Exponentials less the greatest of a row, or 0 for one that sees nothing; the greatest, and whether it does not."""
    xp = namespace(scores)
    greatest = xp.max(scores.detach() if hasattr(scores, "detach") else scores, -1, True)
    blind = greatest == -math.inf
    greatest = xp.where(blind, 0.0, greatest)
    return xp.exp(scores - greatest), greatest, blind


@composed("attention")
def attention(query: Any, key: Any, value: Any, mask: Any, scale: float, causal: bool) -> tuple[Any, Any]:
    """Compute `softmax(scale * query @ key.T + mask) @ value`, and the logarithms of the sums of exponentials."""
    xp = namespace(query)
    query, key, value = widened(query), widened(key), widened(value)
    if not key.shape[-2]:
        nothing = query @ xp.transpose(key)
        return nothing @ value, xp.sum(nothing, -1) + math.inf
    powers, greatest, blind = _powers(_scores(query, key, mask, scale, causal))
    total = xp.sum(powers, -1, True)
    logs = xp.where(blind, math.inf, greatest + xp.log(total))
    return (powers / xp.where(blind, 1.0, total)) @ value, xp.squeeze(logs, -1)


@composed("attention_gradient")
def attention_gradient(
    gradient: Any, query: Any, key: Any, value: Any, mask: Any, result: Any, logsumexp: Any, scale: float, causal: bool
) -> tuple[Any, Any, Any]:
    """Without the result, it is found again."""
    xp = namespace(query)
    gradient, query, key, value = widened(gradient), widened(query), widened(key), widened(value)
    scores = _scores(query, key, mask, scale, causal)
    if result is None or logsumexp is None or not key.shape[-2]:
        if key.shape[-2]:
            powers, _, blind = _powers(scores)
            chances = powers / xp.where(blind, 1.0, xp.sum(powers, -1, True))
        else:
            chances = scores
        result = chances @ value
    else:
        chances = xp.exp(scores - xp.expand_dims(widened(logsumexp), -1))
    slopes = gradient @ xp.transpose(value) - xp.sum(gradient * widened(result), -1, True)
    slopes = chances * slopes * scale
    return slopes @ key, xp.transpose(slopes) @ query, xp.transpose(chances) @ gradient
