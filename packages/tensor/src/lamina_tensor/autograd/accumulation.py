"""Gradients added to `grad`, by passes of several threads to the same tensors."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final

import lamina_ndarray as nd
from lamina_flatarray import AutogradError
from lamina_flatarray.fork_safety import fork_safe
from lamina_flatarray.twins import compiled
from lamina_ndarray import NDArray
from lamina_ndarray.layouts.image_order import arranged

from ..tensor_fields import AnyTensor, tensor_of

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["accumulate", "accumulate_in_leaf", "accumulating", "give_first_gradients"]

accumulating: Final = fork_safe(threading.RLock())
"""Held from reading a `grad` to writing the sum; not while hooks run."""


def accumulate(tensor: Tensor, g: Any, own: bool, create_graph: bool) -> None:
    """Add to a tensor's `grad`: in place where it has one, else with memory of its own."""
    with accumulating:
        before = tensor._grad
        if before is None:
            if not isinstance(g, AnyTensor):  # it lies as the tensor does if that is without gaps, else row-major
                layout = tensor.array.layout
                if g.layout is not layout and not (g.layout.contiguous and layout.contiguous and layout.size):
                    wanted = layout.like if layout.is_dense() else layout.compact
                    if g.layout is not wanted:
                        g, own = arranged(g, wanted), True
                g = tensor_of(g if own else nd.copy(g))
            tensor._grad = g
        elif create_graph:
            tensor._grad = before + g
        elif g.__class__ is not NDArray:  # sparse
            tensor._grad = before.add_(g)
        elif before.is_sparse:
            tensor._grad = tensor_of(g) + before
        else:
            nd.add(before.array, g, out=before.array)
    for hook in list(tensor.__dict__.get("post_accumulate_hooks", {}).values()):
        hook(tensor)


def give_first_gradients(gradients: dict[Any, tuple[Any, bool]], lock: Any) -> None:
    """Give leaves the gradients that are all that there is of them, and take these away; in Python all are added alike.

    Args:
        gradients: by leaf, and whether they are nobody else's.
        lock: what is held meanwhile; where another thread holds it, nothing is given.
    """


if compiled is not None:
    give_first_gradients = compiled.give_first_gradients


def accumulate_in_leaf(leaf: Tensor, g: Any, own: bool, create_graph: bool) -> None:
    """Add to a leaf's `grad`, unless it has stopped asking since.

    Raises:
        AutogradError: it is none any more.
    """
    if leaf._node is not None:
        raise AutogradError("leaf variable has been moved into the graph interior: it was written to in place after it was used")
    if leaf.requires_grad:
        accumulate(leaf, g, own, create_graph)
