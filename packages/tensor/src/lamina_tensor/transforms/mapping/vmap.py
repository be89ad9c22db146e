"""Mapping a function over a dimension of its arguments: called once, on batches that stand for all slices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from lamina_flatarray import ArgumentValueError, ShapeError, UsageError
from lamina_ndarray.batching import Level, levels_of, opened
from lamina_ndarray.layouts.broadcast import normalize_axis

from ...functions.shapes import concat
from ...tensor_fields import AnyTensor
from ..trees import flattened, rebuilt
from .batches import entered, left

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["vmap"]

P = ParamSpec("P")
Result = TypeVar("Result")


def vmap(
    func: Callable[P, Result],
    in_dims: int | Sequence[Any] | dict[Any, Any] | None = 0,
    out_dims: int | Sequence[Any] | dict[Any, Any] | None = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[P, Result]:
    """Map a function over a dim of its arguments, as if it were called once for each slice.

    Inside of `func`, mapped arguments have the shape of one slice. They can be used in every op, differentiated and mapped over
    again; their values cannot be read (`item`, `if x > 0`), and what is not mapped cannot be written with what is.

    Args:
        func: takes tensors or trees of them, and returns tensors or a tree of them.
        in_dims: which dim of each argument is mapped over, None for one that is the same in all calls; a number for all
            arguments, or a tree with a number, or a tree of numbers, in the place of each.
        out_dims: where that dim is in the results; a number, or a tree of numbers.
        randomness: what random ops do: "error", "different" for each slice, or the "same".
        chunk_size: how many slices to compute at a time; None for all.

    Returns:
        A function of stacks of what `func` takes, to stacks of what it returns.

    Raises:
        UsageError: `randomness` is something else.
        ArgumentValueError: `chunk_size` is not above 0. When called: `in_dims` does not fit the arguments, or the function
            returns something else than tensors.
        ShapeError: when called: the mapped dims have different lengths, or there is none.
        DeviceError: when called: a value is read.
        RuntimeError: when called: a random op was called, and `randomness` is "error".

    >>> torch.vmap(torch.dot)(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[1.0, 1.0], [1.0, 1.0]]))
    tensor([3., 7.])
    """
    if randomness not in ("error", "different", "same"):
        raise UsageError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and chunk_size <= 0:
        raise ArgumentValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @wraps(func)
    def mapped_function(*args: Any, **kwargs: Any) -> Any:
        leaves = [*flattened(args), *flattened(kwargs)]
        named = [0 if isinstance(x, AnyTensor) else None for x in flattened(kwargs)]  # these are mapped over dim 0
        dims = [None if d is None else _axis(x, d) for x, d in zip(leaves, [*_spread(in_dims, args), *named], strict=True)]
        length = _length([x.shape[d] for x, d in zip(leaves, dims, strict=True) if d is not None])

        def run(operands: Sequence[Any], count: int) -> Any:
            plain = len(flattened(args))
            with opened(count, randomness) as level:
                inside = [x if d is None else entered(x, d, level) for x, d in zip(operands, dims, strict=True)]
                result = func(*rebuilt(args, inside[:plain]), **rebuilt(kwargs, inside[plain:]))
                return rebuilt(result, _outside(result, out_dims, level))

        if chunk_size is None or chunk_size >= length:
            return run(leaves, length)
        parts = []
        for start in range(0, length, chunk_size):
            count = min(chunk_size, length - start)
            pieces = [
                x if d is None else x[(*(slice(None),) * d, slice(start, start + count))]
                for x, d in zip(leaves, dims, strict=True)
            ]
            parts.append(run(pieces, count))
        columns = zip(*map(flattened, parts), strict=True)
        outs = _spread(out_dims, parts[0])
        return rebuilt(parts[0], [c[0] if d is None else concat(c, d) for c, d in zip(columns, outs, strict=True)])

    return mapped_function


def _axis(x: Any, d: int) -> int:
    if not isinstance(x, AnyTensor):
        raise ArgumentValueError(f"vmap: in_dim={d} given for an input of type {type(x).__name__}; only tensors can be mapped over")
    return normalize_axis(d, x.array.layout.ndim, "vmap")


def _outside(result: Any, out_dims: Any, level: Level) -> list[Tensor]:
    """What the function has returned, with all slices."""
    leaves = flattened(result)
    for x in leaves:
        if not isinstance(x, AnyTensor):
            raise ArgumentValueError(f"vmap: the function must only return Tensors, got {type(x).__name__}")
    outputs = []
    for x, d in zip(leaves, _spread(out_dims, result), strict=True):
        if d is not None:
            outputs.append(left(x, normalize_axis(d, x.array.layout.ndim + 1, "vmap"), level))
        elif level in levels_of(x.array.flat.kernels):
            raise ArgumentValueError("vmap: a result differs from slice to slice, but its out_dim is None; give the dim of its slices")
        else:
            outputs.append(x)
    return outputs


def _spread(dims: Any, tree: Any) -> list[int | None]:
    """A dim for each leaf of a tree: a number counts for all leaves below the place where it stands."""
    if dims is None or isinstance(dims, int):
        return [dims if isinstance(x, AnyTensor) else None for x in flattened(tree)]
    parts = list(dims.values()) if isinstance(dims, dict) else list(dims)
    children = list(tree.values()) if isinstance(tree, dict) else list(tree)
    if len(parts) != len(children):
        counts = f"the number of dims ({len(parts)}) differs from that of the inputs ({len(children)})"
        raise ArgumentValueError(f"vmap: in_dims {dims!r} does not fit: {counts}")
    return [d for part, child in zip(parts, children, strict=True) for d in _spread(part, child)]


def _length(lengths: Sequence[int]) -> int:
    """The one length that all mapped dims have.

    Raises:
        ShapeError: they differ, or there is none.
    """
    if not lengths:
        raise ShapeError("vmap: no dimension to map over was given; at least one of in_dims must not be None")
    if len(set(lengths)) > 1:
        raise ShapeError(f"vmap: Expected all tensors to have the same size in the mapped dimension, got {list(lengths)}")
    return lengths[0]
