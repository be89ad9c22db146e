"""Telling autograd of writes that it cannot see: versions counted up by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["increment_version"]


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Say that the items of one or several tensors were changed by something else than an op of lamina.

    A backward pass that needs what was there before then fails, rather than compute wrong gradients.

    Args:
        tensor: the tensor whose memory was written to, or several of them.

    >>> x = torch.ones(2, requires_grad=True)
    >>> y = x.exp()
    >>> torch.autograd.graph.increment_version(y)
    >>> y._version
    1
    """
    for x in [tensor] if isinstance(tensor, AnyTensor) else tensor:
        x.array.flat.version += 1
