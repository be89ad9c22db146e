"""Layers and losses as functions."""

from lamina_tensor.dispatch.subclassing import overridable as _overridable
from lamina_tensor.precision.casts import autocasting as _autocasting

from . import (
    activations,
    adaptive_pooling,
    attention,
    classification_losses,
    convolutions,
    ctc,
    distances,
    dropping,
    embedding,
    indicators,
    linear_maps,
    multi_head_attention,
    normalization,
    padding,
    pooling,
    ranking_losses,
    regression_losses,
    resampling,
)
from . import strictness as _strictness

_FAMILIES = (
    activations, adaptive_pooling, attention, classification_losses, convolutions, ctc, distances, dropping, embedding,
    indicators, linear_maps, multi_head_attention, normalization, padding, pooling, ranking_losses, regression_losses, resampling,
)  # fmt: skip

__all__ = [name for _family in _FAMILIES for name in _family.__all__]
for _family in _FAMILIES:
    globals().update({_name: _autocasting(_name, vars(_family)[_name]) for _name in _family.__all__})
_overridable(globals())
