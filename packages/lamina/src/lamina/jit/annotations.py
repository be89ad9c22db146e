"""PyTorch's `torch.jit.annotations`: types that its compiler knows, as annotations."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Dict, List, Tuple, TypeAlias, TypeVar  # noqa: UP035  # names that PyTorch has here

from ..absent_names import explained

__all__ = ["Any", "BroadcastingList1", "BroadcastingList2", "BroadcastingList3", "Dict", "List", "Tuple"]

T = TypeVar("T")
BroadcastingList1: TypeAlias = T | Sequence[T]
BroadcastingList2: TypeAlias = T | Sequence[T]
BroadcastingList3: TypeAlias = T | Sequence[T]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
