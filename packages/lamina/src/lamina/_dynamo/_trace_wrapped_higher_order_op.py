"""The mode under which PyTorch lets batches of `vmap` be indices; here they may be at any time."""

from contextlib import nullcontext
from typing import TYPE_CHECKING

from ..absent_names import explained

__all__ = ["TransformGetItemToIndex"]


class TransformGetItemToIndex(nullcontext[None]):
    """A context in which tensors may be indexed by batches within `vmap`, as they may outside of it.

    >>> from lamina._dynamo._trace_wrapped_higher_order_op import TransformGetItemToIndex
    >>> table = torch.tensor([10, 20])
    >>> with TransformGetItemToIndex():
    ...     torch.vmap(lambda i: table[i])(torch.tensor([1, 0]))
    tensor([20, 10])
    """


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
