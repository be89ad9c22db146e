"""Writing into a tensor: at an index, everywhere, or with random numbers."""

from __future__ import annotations

from typing import Any

import lamina_ndarray as nd
from lamina_flatarray import AutogradError

from .lifting import arrays_of
from .modes import mode
from .node import made_node
from .recording import array_of, check_rewritable
from .rules import RULES
from .tensor import Tensor

__all__ = ["check_leaf", "setitem"]


def check_leaf(op: str, tensor: Tensor) -> None:
    """Refuse to write where a recorded value would be lost.

    Raises:
        AutogradError: recording is on and the tensor requires gradients.
    """
    if mode.recording and tensor.requires_grad:
        if tensor.node is None:
            raise AutogradError("a leaf Variable that requires grad is being used in an in-place operation.")
        raise AutogradError(
            f"{op}: recording a write into a tensor that requires gradients is not supported; use where"
        )


def setitem(tensor: Tensor, index: Any, value: Any) -> None:
    """`tensor[index] = value`, the value broadcast and cast; recorded where gradients are wanted.

    Raises:
        AutogradError: the tensor is a leaf that requires gradients, or a view, and the write would be recorded.
        ShapeError: the value does not broadcast to what is indexed.
    """
    wanted = (tensor.requires_grad, isinstance(value, Tensor) and value.requires_grad)
    plain = arrays_of(index)
    if not (mode.recording and True in wanted):
        nd.setitem(tensor.array, plain, array_of(value))
        return
    check_rewritable("setitem", tensor)
    edges = (tensor.node if wanted[0] else None, (value.node or value) if wanted[1] else None)
    plan = RULES["index_put"].plan(wanted)
    nd.setitem(tensor.array, plain, array_of(value))
    saved = plan.collect((tensor.array, array_of(value)), tensor.array, {"indices": plain, "accumulate": False})
    tensor.node = made_node(plan, edges, saved, tensor.array)
    tensor.requires_grad = True
