"""PyTorch's names of orders in memory, and of the layouts: constants to pass to functions."""

from __future__ import annotations

from typing import Final

__all__ = [
    "channels_last",
    "channels_last_3d",
    "contiguous_format",
    "layout",
    "memory_format",
    "preserve_format",
    "sparse_coo",
    "sparse_csc",
    "sparse_csr",
    "strided",
]


class memory_format(str):
    """The order of dims in memory; as a string, its name among `lamina_ndarray.layouts.memory_formats`.

    >>> torch.channels_last
    lamina.channels_last
    >>> x = torch.zeros(2, 3, 4, 5).to(memory_format=torch.channels_last)
    >>> x.stride()
    (60, 1, 15, 3)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"lamina.{_NAMES[str(self)]}"

    def __reduce__(self) -> str:
        """Pickled by its name."""
        return _NAMES[str(self)]


_NAMES: Final = {
    "contiguous": "contiguous_format",
    "preserve": "preserve_format",
    "channels_last": "channels_last",
    "channels_last_3d": "channels_last_3d",
}

contiguous_format: Final = memory_format("contiguous")
"""Row-major, the last dim innermost."""
preserve_format: Final = memory_format("preserve")
"""The order of the tensor that was given, where that is dense; else row-major."""
channels_last: Final = memory_format("channels_last")
"""(N, C, H, W) with C innermost."""
channels_last_3d: Final = memory_format("channels_last_3d")
"""(N, C, D, H, W) with C innermost."""


class layout:
    """How the items of a tensor are stored; `torch.strided`, `torch.sparse_coo` or `torch.sparse_csr`.

    Args:
        name: its name in `torch`.

    >>> torch.zeros(2).layout
    lamina.strided
    """

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"lamina.{self._name}"

    def __reduce__(self) -> str:
        """Pickled by its name."""
        return self._name


strided: Final = layout("strided")
"""In flat memory, found by strides."""

sparse_coo: Final = layout("sparse_coo")
"""By coordinates: those of the items that are not zero, and their values."""

sparse_csr: Final = layout("sparse_csr")
"""By rows: where each begins, the columns of the items that are not zero, and their values."""

sparse_csc: Final = layout("sparse_csc")
"""By columns. No tensor here is stored so; the name is there for programs that ask."""
