"""The index of a checkpoint: which tensors there are, where their pieces lie, and what else was saved.

`index.json` names the folder of the pieces. It is replaced at once, and last, so that it always names whole ones.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from lamina_flatarray import ArgumentTypeError, CheckpointError
from lamina_ndarray.files.replacing import replacing
from lamina_tensor import Tensor

__all__ = ["FOLDER", "INDEX", "Index", "Leaf", "Piece", "leaves_of", "read_index", "write_index"]

INDEX: Final = "index.json"
FOLDER: Final = "pieces-"
"""What the name of a folder of pieces begins with."""

_FORMAT: Final = "lamina sharded checkpoint 1"

Path = tuple[str | int, ...]


class Leaf(NamedTuple):
    """A value in nested dicts and lists.

    Attributes:
        path: the keys that lead to it.
        container: the dict or list that it is in.
        value: a tensor, or plain data.
    """

    path: Path
    container: Any
    value: Any


class Piece(NamedTuple):
    """A box of a tensor.

    Attributes:
        file: in the folder of the pieces.
        name: in the file.
        begin: the place of its first item in the tensor.
        shape: of the box.
    """

    file: str
    name: str
    begin: tuple[int, ...]
    shape: tuple[int, ...]


class Index(NamedTuple):
    """What a checkpoint holds.

    Attributes:
        folder: of the pieces.
        tensors: for each path, the whole shape and the pieces.
        values: for each path, what was saved as JSON.
    """

    folder: str
    tensors: dict[Path, tuple[tuple[int, ...], list[Piece]]]
    values: dict[Path, Any]


def leaves_of(state: Any, name: str) -> Iterator[Leaf]:
    """Give what is in nested dicts, and in lists of dicts or tensors.

    Args:
        state: the outermost dict.
        name: the function that was called.

    Raises:
        ArgumentTypeError: it is no dict, or a key is neither a text nor an integer.
    """
    if not isinstance(state, dict):
        raise ArgumentTypeError(f"{name}: state_dict is a dict, not {type(state).__name__}")
    stack: list[tuple[Path, Any]] = [((), state)]
    while stack:
        path, container = stack.pop()
        nested: list[tuple[Path, Any]] = []
        for key, value in container.items() if isinstance(container, dict) else enumerate(container):
            if type(key) not in (str, int):
                raise ArgumentTypeError(f"{name}: keys are texts and integers; given {key!r} at {list(path)}")
            if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(part, (Tensor, dict)) for part in value)):
                nested.append(((*path, key), value))
            else:
                yield Leaf((*path, key), container, value)
        stack += reversed(nested)


def write_index(index: Index, folder: str) -> None:
    """Replace the index of a checkpoint at once.

    Args:
        index: the new one.
        folder: of the checkpoint.
    """
    tensors = [[list(path), list(shape), [list(piece) for piece in pieces]] for path, (shape, pieces) in index.tensors.items()]
    content = {"format": _FORMAT, "folder": index.folder, "tensors": tensors, "values": [[list(p), v] for p, v in index.values.items()]}
    with replacing(os.path.join(folder, INDEX)) as file:
        file.write(json.dumps(content, allow_nan=False).encode())


def read_index(folder: str, name: str) -> Index:
    """Read the index of a checkpoint.

    Args:
        folder: of the checkpoint.
        name: the function that was called.

    Raises:
        CheckpointError: it is damaged, or names what is not beside it.
        OSError: it cannot be opened.
    """
    path = os.path.join(folder, INDEX)
    with open(path, "rb") as file:
        content = file.read()
    try:
        read = json.loads(content)
        if read["format"] != _FORMAT:
            raise ValueError(f"its format is {read['format']!r:.80}")
        tensors = {
            tuple(keys): (tuple(shape), [Piece(_beside(file), str(key), tuple(begin), tuple(box)) for file, key, begin, box in pieces])
            for keys, shape, pieces in read["tensors"]
        }
        return Index(_beside(read["folder"]), tensors, {tuple(keys): value for keys, value in read["values"]})
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise CheckpointError(f"{name}: {path} is not the index of a checkpoint: {error!r:.200}") from error


def _beside(file: Any) -> str:
    if not isinstance(file, str) or file != os.path.basename(file) or file in ("", ".", "..") or "\0" in file:
        raise ValueError(f"it names {file!r:.80}, which is not beside it")
    return file
