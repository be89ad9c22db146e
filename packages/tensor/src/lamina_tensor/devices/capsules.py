"""DLPack's capsules by themselves: the older form of the exchange, in which no object stands beside one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import dlpack

from ..dispatch.tensor_functions import af

if TYPE_CHECKING:
    from lamina_flatarray import Device

    from ..tensor_class import Tensor

__all__ = ["from_dlpack", "to_dlpack"]


class _Holder:
    """What the newer form asks: an object that gives the capsule, and tells where its items are."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return dlpack.place_of(self._capsule)


def to_dlpack(tensor: Tensor) -> Any:
    """Make a DLPack capsule over a tensor's memory, which can be taken once.

    Args:
        tensor: the tensor.

    Returns:
        The capsule.

    >>> from lamina.utils.dlpack import from_dlpack, to_dlpack
    >>> from_dlpack(to_dlpack(torch.tensor([1.0, 2.0])))
    tensor([1., 2.])
    """
    return tensor.__dlpack__()


def from_dlpack(ext_tensor: Any, *, device: Device | str | int | None = None, copy: bool | None = None) -> Tensor:
    """Make a tensor of what another library hands over by DLPack.

    Args:
        ext_tensor: an object with `__dlpack__`, or a capsule; one of a device must have been made for our stream.
        device: the device; that of the items for None.
        copy: True for memory of its own, False to refuse when a copy is needed, None to share where possible.

    Returns:
        A tensor over the same memory; a copy for capsules of DLPack's first version, which do not tell whether it may be
        written to.

    Raises:
        BufferError: the memory cannot be reached, or `copy=False` and a copy is needed.

    >>> import numpy as np
    >>> torch.from_dlpack(np.array([1.0, 2.0]))
    tensor([1., 2.], dtype=lamina.float64)
    """
    source = ext_tensor if hasattr(ext_tensor, "__dlpack__") else _Holder(ext_tensor)
    return af.from_dlpack(source, device=device, copy=copy)
