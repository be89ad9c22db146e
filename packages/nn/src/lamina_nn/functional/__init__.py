"""Layers and losses as functions."""

from lamina_tensor.precision import autocasting as _autocasting
from lamina_tensor.subclassing import overridable as _overridable

from . import (
    activations,
    attention,
    classification_losses,
    ctc,
    distances,
    dropping,
    embedding,
    indicators,
    linear_maps,
    normalization,
    ranking_losses,
    regression_losses,
)

_FAMILIES = (
    activations, attention, classification_losses, ctc, distances, dropping, embedding, indicators, linear_maps,
    normalization, ranking_losses, regression_losses,
)  # fmt: skip

__all__ = [name for _family in _FAMILIES for name in _family.__all__]
for _family in _FAMILIES:
    globals().update({_name: _autocasting(_name, vars(_family)[_name]) for _name in _family.__all__})
_overridable(globals())
