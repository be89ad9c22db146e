"""In-place twins of functions that are not in the op table: a result written back, or a view taken over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lamina_ndarray as nd
from lamina_flatarray import ShapeError

from .in_place import check_writable, rewritten, setitem
from .modes import mode
from .tensor import Tensor, tensor_of

__all__ = ["fill_diagonal", "reshaped_in_place", "written_back"]


def written_back(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The in-place twin of a function whose result has its first input's shape.

    Raises (when called):
        AutogradError: it is a leaf that requires gradients, or a view of one.
        ShapeError: the result has another shape.
    """

    def in_place(self: Tensor, *args: Any, **params: Any) -> Tensor:
        check_writable(function.__name__, self)
        # A rule may save its input: let that be what was there before.
        before = tensor_of(nd.copy(self.array))
        before.requires_grad, before.node = self.requires_grad, self.node
        result = function(before, *args, **params)
        nd.setitem(self.array, ..., result.array)
        if mode.recording and result.requires_grad:
            rewritten(self, result.node)
        return self

    in_place.__name__ = in_place.__qualname__ = f"{function.__name__}_"
    in_place.__doc__ = f"`{function.__name__}`, written over the tensor itself."
    return in_place


def reshaped_in_place(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The in-place twin of a view: the tensor goes on as that view of its memory.

    Raises (when called):
        AutogradError: it is a leaf that requires gradients, or a view of one.
    """

    def in_place(self: Tensor, *args: Any, **params: Any) -> Tensor:
        check_writable(function.__name__, self)
        view = function(self, *args, **params)
        if view.requires_grad:
            self.node = view.node
        self.array = view.array
        return self

    in_place.__name__ = in_place.__qualname__ = f"{function.__name__}_"
    in_place.__doc__ = f"`{function.__name__}`, of the tensor itself: no item moves."
    return in_place


def fill_diagonal(tensor: Tensor, value: Any, wrap: bool = False) -> Tensor:
    """Set the main diagonal to a value, in place; with `wrap`, that of a tall matrix goes on below a row left out.

    Raises:
        ShapeError: there are fewer than two dims, or more of different lengths.
    """
    shape = tensor.array.layout.shape
    if len(shape) < 2 or (len(shape) > 2 and len(set(shape)) > 1):
        raise ShapeError(f"fill_diagonal_: shape {shape} given; it wants two dims, or several of one length")
    rows = nd.arange(shape[0] if wrap and len(shape) == 2 else min(shape), device=tensor.array.device)
    columns = rows % (shape[1] + 1)
    kept = columns < shape[1]
    setitem(tensor, (rows[kept], *[columns[kept]] * (len(shape) - 1)), value)
    return tensor
