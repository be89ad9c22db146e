"""Kernels of batches: every op's convention with one axis put in front, by its batching rule, and one call to the table underneath."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from lamina_flatarray import AutogradError, OpNotImplemented, ShapeError, int64
from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.contract import Kernel
from lamina_flatarray.ops import OPS

from ..array_fields import empty_of, view_of
from ..layouts.layout import Layout
from .crossing import slices
from .levels import Level
from .tables import BatchTable, use_rules

__all__ = ["batched"]


def _is_batch(x: Any, table: BatchTable) -> bool:
    kernels = x.flat.kernels
    return isinstance(kernels, BatchTable) and kernels.slot is table.slot


def _written(op: str, out: Any, table: BatchTable) -> Any:
    """The stack that a kernel writes.

    Raises:
        ShapeError: `out` is no batch, so that it has room for one slice only.
        AutogradError: it is an input of the mapped function that records gradients.
    """
    if not _is_batch(out, table):
        raise ShapeError(
            f"vmap: {op}: an in-place write of what differs from slice to slice into an array of shape "
            f"{tuple(out.layout.shape)} that is the same for all slices; it has no room for them. Make it from a mapped "
            "argument (x.new_zeros(...), zeros_like(x)) or use the function that is not in place"
        )
    if not out.flat.memory.writable:
        raise AutogradError(f"vmap: {op}: an in-place write to a mapped argument that requires gradients; clone() it first")
    stack = slices(out, table.level)
    stack.flat.version += 1
    return stack


def batched(table: BatchTable, op: str) -> Kernel:
    """The kernel of an op for batches of a table's level.

    Raises:
        OpNotImplemented: nobody has said what the op does with a stack.
    """
    adapt = _RULES.get(OPS[op].batching)
    if adapt is None:
        raise OpNotImplemented(f"vmap: op {op} has no batching rule")
    return adapt(table, op)


def _stacked(value: Any, level: Level) -> Any:
    """An operand with all its slices; numbers and parameters as they are."""
    if hasattr(value, "layout"):
        return slices(value, level)
    if isinstance(value, list):
        return [_stacked(v, level) for v in value]
    return value


def _all_written(op: str, out: Any, table: BatchTable) -> Any:
    if isinstance(out, (tuple, list)):
        return type(out)([_written(op, o, table) for o in out])
    return _written(op, out, table)


def _in_front(table: BatchTable, op: str) -> Kernel:
    """For families that leave leading axes alone, or treat all axes alike."""
    inner = table.inner

    def kernel(out: Any, *inputs: Any, **params: Any) -> None:
        level = table.level
        operands = [_stacked(x, level) for x in inputs]
        inner[op](_all_written(op, out, table), *operands, **{k: _stacked(v, level) for k, v in params.items()})

    return kernel


def _along_axis(table: BatchTable, op: str) -> Kernel:
    """For families with a parameter `axis`."""
    stacked = _in_front(table, op)

    def kernel(out: Any, *inputs: Any, axis: int, **params: Any) -> None:
        stacked(out, *inputs, axis=axis + 1 if axis >= 0 else axis, **params)

    return kernel


def _over_axes(table: BatchTable, op: str) -> Kernel:
    stacked = _in_front(table, op)

    def kernel(out: Any, x: Any, *, axes: tuple[int, ...], **params: Any) -> None:
        stacked(out, x, axes=tuple([axis + 1 for axis in axes]), **params)

    return kernel


def _extreme(table: BatchTable, op: str) -> Kernel:
    """`argmax` and `argmin`, which count along one axis or through all items: these in a row first."""
    along = _over_axes(table, op)

    def kernel(out: Any, x: Any, *, axes: tuple[int, ...]) -> None:
        if len(axes) != 1:
            dense = empty_of(table, Layout.dense(x.layout.shape))
            table["copy"](dense, x)
            x, axes = view_of(dense, Layout.dense((dense.layout.size,))), (0,)
        along(out, x, axes=axes)

    return kernel


def _counted(table: BatchTable, op: str) -> Kernel:
    """`arange` and `linspace` count along one axis: all slices are copies of it."""
    inner = table.inner

    def kernel(out: Any, **params: Any) -> None:
        result = empty_of(inner, Layout.dense(out.layout.shape))
        inner[op](result, **params)
        inner["copy"](_written(op, out, table), slices(result, table.level))

    return kernel


def _indices(table: BatchTable, op: str) -> Kernel:
    """`index` and `index_put`, whose positions count along the leading axes: the slice is one more position."""
    inner = table.inner

    def kernel(out: Any, x: Any, *indices: Any, **params: Any) -> None:
        level = table.level
        stack, source = _written(op, out, table), slices(x, level)
        index_stacks = [slices(index, level) for index in indices]
        shape = index_stacks[0].layout.shape
        numbers = empty_of(inner.sibling(int64), Layout.dense((level.length,)))
        numbers.flat.kernels["arange"](numbers, start=0, step=1)
        lined = Layout.of(shape, (1,) + (0,) * (len(shape) - 1), 0)
        inner[op](stack, source, view_of(numbers, lined), *index_stacks, **params)

    return kernel


def _affine(table: BatchTable, op: str) -> Kernel:
    """`linear` with one weight for all slices is one call; with a weight for each, a stack of products."""
    inner = table.inner

    def kernel(out: Any, x: Any, weight: Any, bias: Any) -> None:
        if _is_batch(weight, table) or (bias is not None and _is_batch(bias, table)):
            decompositions[op](out, x, weight, bias)
        else:
            inner[op](_written(op, out, table), slices(x, table.level), weight, bias)

    return kernel


def _searched(table: BatchTable, op: str) -> Kernel:
    """`searchsorted`: one axis for all slices is as it is; with one for each slice, or rows, these are rows of more."""
    inner = table.inner

    def kernel(out: Any, sequence: Any, values: Any, *, right: bool = False) -> None:
        level, stack = table.level, _written(op, out, table)
        queries = slices(values, level)
        if sequence.layout.ndim > 1:
            inner[op](stack, slices(sequence, level), queries, right=right)
        elif not _is_batch(sequence, table):
            inner[op](stack, sequence, queries, right=right)
        else:
            from ..shapes.views import reshape

            flat = reshape(queries, (level.length, queries.layout.size // max(level.length, 1)))
            positions = empty_of(inner.sibling(int64), Layout.dense(flat.layout.shape))
            inner[op](positions, slices(sequence, level), flat, right=right)
            inner.sibling(int64)["copy"](stack, reshape(positions, queries.layout.shape))

    return kernel


def _over_examples(table: BatchTable, op: str) -> Kernel:
    """Ops of (n, channels, *spatial), where slices are more examples; with a weight for each slice, what they are made of."""
    inner = table.inner

    def kernel(out: Any, x: Any, *weights: Any, **params: Any) -> None:
        if any(w is not None and _is_batch(w, table) for w in weights):
            decompositions[op](out, x, *weights, **params)
            return
        stacks = _all_written(op, out, table)
        targets = stacks if isinstance(out, tuple) else (stacks,)
        outs = tuple([empty_of(t.flat.kernels, Layout.dense(_joined(t.layout.shape))) for t in targets])
        from ..shapes.views import reshape

        source = slices(x, table.level)
        inner[op](outs if isinstance(out, tuple) else outs[0], reshape(source, _joined(source.layout.shape)), *weights, **params)
        for target, output in zip(targets, outs, strict=True):
            output.flat.kernels["copy"](target, reshape(output, target.layout.shape))

    return kernel


def _joined(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (shape[0] * shape[1], *shape[2:])


def _composed(table: BatchTable, op: str) -> Kernel:
    """What an op is made of, whose parts are batched."""
    return decompositions[op]


def _drawn(table: BatchTable, op: str) -> Kernel:
    inner = table.inner

    def kernel(out: Any, **params: Any) -> None:
        stack = _written(op, out, table)
        if table.level.randomness == "different" and op == "random_permutation":
            for i in range(table.level.length):
                inner[op](view_of(stack, stack.layout.select(0, i)), **params)
            return
        if table.level.randomness == "different":
            inner[op](stack, **params)
            return
        draw = empty_of(inner, Layout.dense(out.layout.shape))
        inner[op](draw, **params)
        inner["copy"](stack, slices(draw, table.level))

    return kernel


Adapter = Callable[[BatchTable, str], Kernel]

_RULES: Final[dict[str, Adapter]] = {
    "items": _in_front,
    "axis": _along_axis,
    "axes": _over_axes,
    "extreme": _extreme,
    "indices": _indices,
    "searched": _searched,
    "counted": _counted,
    "examples": _over_examples,
    "affine": _affine,
    "drawn": _drawn,
    "decomposed": _composed,
}
"""How each batching rule of the records makes a kernel."""

use_rules(batched)
