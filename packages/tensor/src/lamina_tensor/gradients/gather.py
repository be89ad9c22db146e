"""Gradients of reading and writing at positions, and of sorting."""

from __future__ import annotations

from typing import Any

from ..either import either
from ..rules import not_differentiable, rule

gather, scatter_add, zeros, scatter = (either(n) for n in ("gather", "scatter_add", "new_zeros", "scatter"))
cummax, cummin = either("cummax"), either("cummin")

rule("gather", x=lambda g, x_shape, indices, axis: scatter_add(zeros(g, x_shape), indices, g, axis))
rule(
    "scatter_add",
    inputs="x indices values",
    x=lambda g: g,
    values=lambda g, indices, axis: gather(g, indices, axis),
)
rule(
    "scatter",
    inputs="x indices values",
    x=lambda g, indices, axis: scatter(g, indices, 0.0, axis),
    values=lambda g, indices, axis: gather(g, indices, axis),
)


def _from_places(g: Any, x_shape: tuple[int, ...], positions: Any, axis: int) -> Any:
    return scatter_add(zeros(g, x_shape), positions, g, axis)


rule("sort", inputs="x positions", x=_from_places)
rule("ranked", inputs="x positions", x=_from_places)
not_differentiable("searchsorted")


def _to_places(g: Any, x: Any, indices: Any, axis: int) -> Any:
    return scatter_add(zeros(g, x.shape), indices, g, axis)


rule("running_max", x=lambda g, x, axis: _to_places(g, x, cummax(x, axis).indices, axis))
rule("running_min", x=lambda g, x, axis: _to_places(g, x, cummin(x, axis).indices, axis))
