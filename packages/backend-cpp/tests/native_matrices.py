"""Calls of kernels on stacks of matrices, and how these may lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from native_operands import BACKEND, empty, numpy_view, operand

Array = np.ndarray[Any, Any]

LAYOUTS: Final[dict[str, Callable[[Array], Array]]] = {
    "dense": lambda x: x,
    "turned": lambda x: np.ascontiguousarray(x.swapaxes(-1, -2)).swapaxes(-1, -2),
    "backwards": lambda x: np.ascontiguousarray(x[..., ::-1, :])[..., ::-1, :],
    "one for all": lambda x: np.broadcast_to(x[:1], x.shape),
}


def called(op: str, shapes: list[tuple[int, ...]], *inputs: Array, beside: str | None = None, **params: Any) -> list[Array]:
    """Results of the inputs' dtype, or all but the first of another."""
    made = tuple(empty(s, inputs[0].dtype if i == 0 or beside is None else beside) for i, s in enumerate(shapes))
    BACKEND.kernel(op)(made if len(made) > 1 else made[0], *map(operand, inputs), **params)
    return [np.array(numpy_view(o)) for o in made]
