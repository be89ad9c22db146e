"""DLPack's capsules by themselves: the older form of the exchange, in which no object stands beside one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..dispatch import array_functions as af

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["from_dlpack", "to_dlpack"]


class _Holder:
    """What the newer form asks: an object that gives the capsule, and tells that it is on the CPU."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def to_dlpack(tensor: Tensor) -> Any:
    """A capsule over a tensor's memory, which can be taken once."""
    return tensor.__dlpack__()


def from_dlpack(ext_tensor: Any) -> Tensor:
    """A tensor of what an object with `__dlpack__`, or a capsule on the CPU, holds: over the same memory, but for capsules of
    DLPack's first version, which do not tell whether it may be written to; these are copied."""
    given = ext_tensor if hasattr(ext_tensor, "__dlpack__") else _Holder(ext_tensor)
    return af.from_dlpack(given)  # type: ignore[no-any-return]
