"""Losses under strict mode: an input and a target of different shapes are refused before they broadcast."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import ShapeError
from lamina_ndarray.dispatch.strictness import exchanged, is_strict

from . import classification_losses, ranking_losses, regression_losses
from .checking import check_tensor

__all__: list[str] = []


def _checked_pair(op: str, *values: Any) -> None:
    check_tensor(op, *values)
    shapes = [tuple(x.shape) for x in values]
    if len(set(shapes)) > 1 and is_strict():
        raise ShapeError(
            f"{op}: shapes {' and '.join(map(str, shapes))} differ, which strict mode does not broadcast in a loss; bring the "
            "target into the shape of the input, as with target.view_as(input)"
        )


for _losses in (classification_losses, ranking_losses, regression_losses):
    exchanged(_losses, "check_pair", _checked_pair)
