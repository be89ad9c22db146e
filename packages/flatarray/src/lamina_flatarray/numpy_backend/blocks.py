"""Functions of several steps, run block by block: temporaries stay small and in the cache, whatever the layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from .view import wide

__all__ = ["in_blocks", "updated_blocks"]

Array = np.ndarray[Any, Any]

_BLOCK: Final = 1 << 15


def in_blocks(function: Callable[..., Any], target: Array, *sources: Array) -> None:
    """`target = function(*sources)`, item by item; sources have target's shape or none. Narrow sources come in
    float32. `target` may be one of the sources, if its items lie in the same order."""
    dtypes = [wide(x.dtype) for x in sources]
    if target.size <= _BLOCK:
        target[...] = function(*[x.astype(d, copy=False) for x, d in zip(sources, dtypes, strict=True)])
        return
    for out, *inputs in _blocks([target, *sources], [target.dtype, *dtypes], 1):
        out[...] = function(*inputs)


def updated_blocks(targets: Sequence[Array], *sources: Array) -> Iterator[tuple[Array, ...]]:
    """Blocks of targets, to be changed in place, and of sources, all of one shape; narrow ones come in float32."""
    arrays = [*targets, *sources]
    dtypes = [wide(x.dtype) for x in arrays]
    if targets[0].size > _BLOCK or any(x.dtype != d for x, d in zip(arrays, dtypes, strict=True)):
        yield from _blocks(arrays, dtypes, len(targets), "readwrite")
    else:
        yield tuple(np.atleast_1d(*arrays))  # in-place operators do not reach 0-d arrays' memory


def _blocks(
    arrays: Sequence[Array], dtypes: Sequence[np.dtype[Any]], written: int, mode: str = "writeonly"
) -> Iterator[tuple[Array, ...]]:
    iterator: Any = np.nditer  # its stubs want the flags spelled out
    with iterator(
        arrays,
        flags=["external_loop", "buffered", "zerosize_ok"],
        op_flags=[[mode] if i < written else ["readonly"] for i in range(len(arrays))],
        op_dtypes=dtypes,
        casting="unsafe",
        buffersize=_BLOCK,
    ) as blocks:
        yield from blocks
