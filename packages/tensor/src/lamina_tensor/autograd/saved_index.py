"""The index of a recorded read or write: arrays in a tuple, whose versions the node that saves the tuple does not see."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import AutogradError
from lamina_ndarray import NDArray

__all__ = ["SavedIndex", "index_as_saved", "saved_index"]


class SavedIndex:
    """An index of several parts, and the versions of the arrays among them.

    Args:
        index: the parts.
    """

    __slots__ = ("index", "versions")

    def __init__(self, index: tuple[Any, ...] | list[Any]) -> None:
        self.index = index
        self.versions = tuple([part.flat.version if isinstance(part, NDArray) else -1 for part in index])


def saved_index(index: Any) -> Any:
    """An index to save: of several parts, if one is an array, with the versions of these."""
    if (index.__class__ is tuple or index.__class__ is list) and any(isinstance(part, NDArray) for part in index):
        return SavedIndex(index)
    return index


def index_as_saved(saved: Any) -> Any:
    """The index that was saved.

    Raises:
        AutogradError: it was changed in place since.
    """
    if not isinstance(saved, SavedIndex):
        return saved
    for part, version in zip(saved.index, saved.versions, strict=True):
        if version >= 0 and part.flat.version != version:
            raise AutogradError(
                "one of the variables needed for gradient computation has been modified by an inplace operation: "
                f"[{part.dtype.name} {part.shape}], an index, is at version {part.flat.version}; expected version {version} instead."
            )
    return saved.index
