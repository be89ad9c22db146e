"""Mapping a function over a dimension of its arguments: as if called once for each slice, the results stacked.

The function is in fact called once for each slice. That is right for every function, and nests with every transform; what
it costs is that many calls.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from lamina_flatarray.random import default_generator
from lamina_ndarray.broadcast import normalize_axis

from .array_functions import getitem
from .func import check_length
from .joining import stack
from .tensor import Tensor
from .trees import flattened, rebuilt

__all__ = ["vmap"]


def vmap(
    func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:  # fmt: skip
    """A function over stacks of what `func` takes and gives.

    Args:
        func: takes tensors or trees of them, and returns tensors or a tree of them.
        in_dims: which dim of each argument is mapped over, None for one that is the same in all calls; a number for all
            arguments, or a tree with a number, or a tree of numbers, in the place of each.
        out_dims: where that dim is in the results; a number, or a tree of numbers.
        randomness: what random ops do: "error", "different" for each slice, or the "same".
        chunk_size: accepted; slices are computed one by one.

    Raises (when called):
        ShapeError: the mapped dims have different lengths, or there is none.
        RuntimeError: a random op was called and `randomness` is "error".
        ValueError: `in_dims` does not fit the arguments, or the function returns something else than tensors.
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")

    @wraps(func)
    def mapped_function(*args: Any, **kwargs: Any) -> Any:
        dims = _spread(in_dims, args)
        leaves = flattened(args)
        at = [None if d is None else _axis(x, d) for x, d in zip(leaves, dims, strict=True)]
        named = flattened(kwargs)  # arguments by name are mapped over dim 0
        at_named = [0 if isinstance(x, Tensor) else None for x in named]
        every = list(zip([*leaves, *named], [*at, *at_named], strict=True))
        length = check_length("vmap", [x.shape[d] for x, d in every if d is not None])
        before = default_generator.get_state() if randomness != "different" else None
        results = []
        for i in range(length):
            if randomness == "same":
                default_generator.set_state(before)
            sliced = [x if d is None else getitem(x, (*(slice(None),) * d, i)) for x, d in every]
            results.append(
                func(*rebuilt(args, sliced[: len(leaves)]), **rebuilt(kwargs, sliced[len(leaves) :]))
            )
        if randomness == "error" and (default_generator.get_state() != before).any():  # type: ignore[union-attr]
            raise RuntimeError(
                "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
                "'different' randomness flags on vmap or perform the randomness operation out of vmap"
            )
        return _stacked(results, out_dims)

    return mapped_function


def _axis(x: Any, d: int) -> int:
    if not isinstance(x, Tensor):
        raise ValueError(f"vmap: in_dim={d} given for an input of type {type(x).__name__}; only tensors can be mapped over")
    return normalize_axis(d, x.array.layout.ndim, "vmap")


def _spread(dims: Any, tree: Any) -> list[int | None]:
    """A dim for each leaf of a tree: a number counts for all leaves below the place where it stands."""
    if dims is None or isinstance(dims, int):
        return [dims if isinstance(x, Tensor) else None for x in flattened(tree)]
    parts = list(dims.values()) if isinstance(dims, dict) else list(dims)
    children = list(tree.values()) if isinstance(tree, dict) else list(tree)
    if len(parts) != len(children):
        raise ValueError(f"vmap: in_dims {dims!r} does not fit the inputs: {len(parts)} dims for {len(children)} of them")
    return [d for part, child in zip(parts, children, strict=True) for d in _spread(part, child)]


def _stacked(results: list[Any], out_dims: Any) -> Any:
    if not results:
        raise ValueError("vmap: the mapped dimension has length 0; the function cannot be called to learn its results' shape")
    first = flattened(results[0])
    for x in first:
        if not isinstance(x, Tensor):
            raise ValueError(f"vmap: the function must only return Tensors, got {type(x).__name__}")
    dims = _spread(out_dims, results[0])
    columns = zip(*[flattened(result) for result in results], strict=True)
    return rebuilt(results[0], [column[0] if d is None else stack(column, d) for column, d in zip(columns, dims, strict=True)])
