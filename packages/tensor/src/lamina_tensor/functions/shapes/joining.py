"""Tensors joined to a larger one: one after another along a dim, stacked along a new one, or as blocks of a matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_flatarray.modes import NO_GRAD, word
from lamina_ndarray import NDArray
from lamina_ndarray.array_fields import view_of
from lamina_ndarray.layouts.broadcast import normalize_axis
from lamina_ndarray.shapes.joining import PART_SHAPES, in_a_row, joining_axis

from ...autograd.recording import recorded
from ...autograd.rules import Rule
from ...dispatch.destinations import placed
from ...dispatch.tensor_functions import DEFINED, af, arrays_of, defined, plain
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor, tensor_of

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["block_diag", "cat", "column_stack", "concat", "concatenate", "dstack", "hstack", "row_stack", "stack", "vstack"]


# -- gradients: the parts of the result's ------------------------------------------------------------------------------------


@cache
def _rule(op: str, node_name: str, count: int, part: Callable[[int], Callable[..., Any]]) -> Rule:
    """The rule of a joining op for this many inputs."""
    names = tuple(f"part{i}" for i in range(count))
    return Rule(op, names, node_name, {name: part(i) for i, name in enumerate(names)})


def _span(i: int) -> Callable[..., Any]:
    return lambda g, axis, ends: _part(g, axis, slice(ends[i], ends[i + 1]))


def _slot(i: int) -> Callable[..., Any]:
    return lambda g, axis: _part(g, axis, i)


def _part(g: Any, axis: int, index: Any) -> Any:
    """The part of the result's gradient that belongs to one input: a view."""
    if g.__class__ is not NDArray:
        return g[(*(slice(None),) * axis, index)]
    layout = g.layout
    return view_of(g, layout.select(axis, index) if index.__class__ is int else layout.slice(axis, index.start, index.stop))


@lru_cache(4096)
def _ends(shapes: tuple[tuple[int, ...], ...], axis: int) -> tuple[int, ...]:
    """Where along an axis of a row each part begins, and the last one ends; a vector without items has no part in it."""
    return tuple(accumulate((0 if shape == (0,) else shape[axis] for shape in shapes), initial=0))


# -- what is joined ----------------------------------------------------------------------------------------------------------

_array = attrgetter("array")


def _arrays(tensors: Sequence[Tensor]) -> Any:
    """The arrays of a sequence of tensors; the function of arrays refuses anything else."""
    if tensors.__class__ is tuple or tensors.__class__ is list:
        try:
            return list(map(_array, tensors))
        except AttributeError:
            pass
    return arrays_of(tensors)


@plain(in_a_row)
def _in_a_row(op: str, tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors joined as an op of `in_a_row` joins arrays, recorded where one of them wants gradients."""
    arrays = _arrays(tensors)
    several = isinstance(arrays, (list, tuple)) and not word.get() & NO_GRAD  # else refused, or without gradients
    wants = several and True in [isinstance(x, AnyTensor) and x.requires_grad for x in tensors]
    if wants and op in PART_SHAPES:
        return _recorded_row(op, tensors)
    result = in_a_row(op, arrays, dim)
    if not wants:
        return tensor_of(result)
    at = normalize_axis(dim, result.layout.ndim, op)
    if op == "stack":
        return recorded(_rule("stack", "StackBackward0", len(tensors), _slot), result, tuple(tensors), axis=at)
    ends = _ends(tuple([a.layout.shape for a in arrays]), at)
    return recorded(_rule("concat", "CatBackward0", len(tensors), _span), result, tuple(tensors), axis=at, ends=ends)


def _recorded_row(op: str, tensors: Sequence[Tensor]) -> Tensor:
    """Tensors of which one wants gradients, with at least as many dims as the op wants, one after another: a `cat` of views."""
    shape_in_row = PART_SHAPES[op]
    shapes = [(x, shape_in_row(x.array.layout.shape)) for x in tensors]
    parts = [x if shape == x.array.layout.shape else af.reshape(x, shape) for x, shape in shapes]
    return cat(parts, joining_axis(op, parts[0].array.layout.ndim))


@torch_function(autocast="widest")
def cat(tensors: Sequence[Tensor], dim: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Concatenate tensors along a dim.

    Args:
        tensors: the tensors. Their shapes are the same but for the dim, or (0,); their dtypes are promoted.
        dim: the dim.
        out: where to write the result.

    Returns:
        The tensors one after another, or `out`.

    Raises:
        ShapeError: there are no tensors, or they differ in another dim; or `out` shares memory with one.
        DTypeError: one is no tensor.
        IndexOutOfRange: there is no such dim.

    >>> torch.cat([torch.tensor([1, 2]), torch.tensor([3])])
    tensor([1, 2, 3])
    """
    joined = _in_a_row("cat", tensors, dim)
    return joined if out is None else placed("cat", out, joined, tensors, casts=True)


concat = cat
concatenate = cat


@defined
@torch_function(autocast="widest")
def stack(tensors: Sequence[Tensor], dim: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Stack tensors along a new dim.

    Args:
        tensors: tensors of one shape; their dtypes are promoted.
        dim: which dim of the result the new one is.
        out: where to write the result.

    Returns:
        The tensors side by side, or `out`.

    Raises:
        ShapeError: there are no tensors, or their shapes differ; or `out` shares memory with one.
        DTypeError: one is no tensor.
        IndexOutOfRange: the result has no such dim.

    >>> torch.stack([torch.tensor([1, 2]), torch.tensor([3, 4])], dim=1)
    tensor([[1, 3],
            [2, 4]])
    """
    stacked = _in_a_row("stack", tensors, dim)
    return stacked if out is None else placed("stack", out, stacked, tensors, casts=True, row_major=True)


@defined
@torch_function(autocast="widest")
def hstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Concatenate tensors along the second dim, vectors along their only one.

    Args:
        tensors: the tensors; one without dims counts as a vector of one item. Their dtypes are promoted.
        out: where to write the result.

    Returns:
        The tensors side by side, or `out`.

    Raises:
        ShapeError: there are no tensors, or they differ in another dim; or `out` shares memory with one.
        DTypeError: one is no tensor.

    >>> torch.hstack([torch.tensor([[1], [2]]), torch.tensor([[3], [4]])])
    tensor([[1, 3],
            [2, 4]])
    """
    joined = _in_a_row("hstack", tensors)
    return joined if out is None else placed("hstack", out, joined, tensors, casts=True)


@defined
@torch_function(autocast="widest")
def vstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Concatenate tensors along the first dim, vectors as rows.

    Args:
        tensors: the tensors. Their dtypes are promoted.
        out: where to write the result.

    Returns:
        The tensors one below another, or `out`.

    Raises:
        ShapeError: there are no tensors, or they differ in another dim; or `out` shares memory with one.
        DTypeError: one is no tensor.

    >>> torch.vstack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    joined = _in_a_row("vstack", tensors)
    return joined if out is None else placed("vstack", out, joined, tensors, casts=True)


row_stack = vstack


@defined
@torch_function(autocast="widest")
def dstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Concatenate tensors along the third dim.

    Args:
        tensors: the tensors, which get three dims as by `atleast_3d`. Their dtypes are promoted.
        out: where to write the result.

    Returns:
        The tensors one behind another, or `out`.

    Raises:
        ShapeError: there are no tensors, or they differ in another dim; or `out` shares memory with one.
        DTypeError: one is no tensor.

    >>> torch.dstack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[[1, 3],
             [2, 4]]])
    """
    joined = _in_a_row("dstack", tensors)
    return joined if out is None else placed("dstack", out, joined, tensors, casts=True)


@defined
@torch_function(autocast="widest")
def column_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Concatenate tensors along the second dim, vectors as columns.

    Args:
        tensors: the tensors. Their dtypes are promoted.
        out: where to write the result.

    Returns:
        The tensors side by side, or `out`.

    Raises:
        ShapeError: there are no tensors, or they differ in another dim; or `out` shares memory with one.
        DTypeError: one is no tensor.

    >>> torch.column_stack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[1, 3],
            [2, 4]])
    """
    joined = _in_a_row("column_stack", tensors)
    return joined if out is None else placed("column_stack", out, joined, tensors, casts=True)


DEFINED.update({"concat": cat, "row_stack": vstack})


@torch_function
def block_diag(*tensors: Tensor) -> Tensor:
    """Make the matrix with matrices along its diagonal, and zeros elsewhere.

    Args:
        tensors: the matrices; a vector counts as a row. Their dtypes are promoted.

    Returns:
        The matrix; without any, one of shape (1, 0).

    Raises:
        ShapeError: a tensor has more than two dims.
        DTypeError: one is no tensor.

    >>> torch.block_diag(torch.tensor([[1, 2]]), torch.tensor([[3], [4]]))
    tensor([[1, 2, 0],
            [0, 0, 3],
            [0, 0, 4]])
    """
    return af.block_diag(*tensors) if tensors else tensor_of(nd.empty((1, 0)))
