"""Gradients of views, copies and joins: each puts the items back where they came from."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import lamina_ndarray as nd
from lamina_ndarray.indexing import selection

from ..autograd.rules import not_differentiable, rule
from ..autograd.saved_index import index_as_saved
from ..dispatch.dispatched import dispatched

reshape, permute, transpose, flip, astype, to_device, take_part, put_part, contiguous, view_as_real, view_as_complex = (
    dispatched(n)
    for n in (
        "reshape", "permute", "transpose", "flip", "astype", "to_device", "getitem", "put_into_zeros", "contiguous",
        "view_as_real", "view_as_complex",
    )
)  # fmt: skip


def _inverse(axes: Sequence[int]) -> list[int]:
    ndim = len(axes)
    order = [axis % ndim for axis in axes]
    return sorted(range(ndim), key=order.__getitem__)


not_differentiable("all_slices")  # for looks at the values, by which an input is refused
rule("reshape", x=lambda g, x_shape: reshape(g, x_shape), node_name="ViewBackward0")
rule("unsqueeze", x=lambda g, x_shape: reshape(g, x_shape))
rule("squeeze", x=lambda g, x_shape: reshape(g, x_shape))
rule("permute", x=lambda g, axes: permute(g, _inverse(axes)))
rule("transpose", x=lambda g, a, b: transpose(g, a, b))
rule("t", x=lambda g: transpose(g, 0, 1) if g.ndim == 2 else g, node_name="TBackward0")
rule("broadcast_to", x=lambda g: g, node_name="ExpandBackward0")  # the engine sums over what was repeated
rule("to_device", x=lambda g, x_device: to_device(g, x_device), node_name="ToCopyBackward0")
rule("flip", x=lambda g, axes: flip(g, axes))
rule("copy", x=lambda g: g, node_name="CloneBackward0")
rule("astype", x=lambda g, x_dtype: astype(g, x_dtype), node_name="ToCopyBackward0")
rule("getitem", x=lambda g, x_shape, index: put_part(g, x_shape, index_as_saved(index)), node_name="IndexBackward0")
for _op in ("select", "slice", "unbind", "split", "split_with_sizes", "unsafe_split", "unsafe_split_with_sizes"):  # of each part
    rule(_op, x=lambda g, x_shape, index: put_part(g, x_shape, index), within=lambda whole, x_shape, index: take_part(whole, index))
rule("put_into_zeros", x=lambda g, index: take_part(g, index), node_name="IndexPutBackward0")

region, put_region, without_region, zeros_like, new_zeros, diagonal, put_diagonal, tril, triu, constant_pad, roll, border_pad_gradient = (
    dispatched(n)
    for n in (
        "region", "put_region", "without_region", "zeros_like", "new_zeros", "diagonal", "put_diagonal", "tril", "triu", "constant_pad",
        "roll", "border_pad_gradient",
    )
)  # fmt: skip
real, imag, cos, sin = (dispatched(n) for n in ("real", "imag", "cos", "sin"))

rule(
    "region",  # of one without items, zeros have no history in PyTorch
    x=lambda g, outer, inner: put_region(g, outer, inner) if inner.size else new_zeros(g, outer.shape),
    node_name="AsStridedBackward0",
)
rule("put_region", x=lambda g, outer, inner: region(g, outer, inner), node_name="AsStridedBackward0")
rule("without_region", x=lambda g, outer, inner: without_region(g, outer, inner), node_name="CopySlices")
rule(
    "written_region",  # what an in-place op on a view makes of the base: `part` is written over a region of x
    inputs="part x",
    part=lambda g, outer, inner: region(g, outer, inner),
    x=lambda g, outer, inner: without_region(g, outer, inner),
    node_name="CopySlices",
)


def _assigned(g: Any, value_shape: tuple[int, ...]) -> Any:
    """With the axes of length 1 in front that assignment drops."""
    missing = len(value_shape) - g.ndim
    return reshape(g, (1,) * missing + tuple(g.shape)) if missing > 0 else g


rule("overwritten", inputs="x value", x=lambda g: zeros_like(g), value=_assigned, node_name="CopyBackwards")


# -- views by position: what the view of the items' numbers shows is where the gradient goes ------------------------------


def _put_back(g: Any, shape: tuple[int, ...], view: Callable[[Any], Any]) -> Any:
    """Zeros of a shape with g added where a view of it looks."""
    count = math.prod(shape)
    places = view(nd.reshape(nd.arange(count, device=g.device), shape))
    return reshape(put_part(g, (count,), (places,)), shape)


def _strided_back(g: Any, x_layout: nd.Layout, shape: Any, strides: Any, offset: int | None) -> Any:
    """By way of the memory that both see. Where x shows an item of it several times, these share its gradient."""
    layout = nd.Layout.of(tuple(shape), tuple(strides), x_layout.offset if offset is None else offset)
    if not layout.size:
        return new_zeros(g, x_layout.shape)
    count = max(x_layout.extent()[1], layout.extent()[1]) + 1
    numbers = nd.arange(count, device=g.device)
    written, read = (nd.as_strided(numbers, v.shape, v.strides, v.offset) for v in (layout, x_layout))
    memory = put_part(g, (count,), (written,))
    if x_layout.overlaps:
        times = selection.put_into_zeros(nd.ones(x_layout.shape, dtype=g.dtype, device=g.device), (count,), (read,))
        memory = memory / nd.maximum(times, 1)
    return take_part(memory, (read,))


rule("view", x=lambda g, x_shape: reshape(g, x_shape))
rule("diagonal", x=lambda g, x_shape, offset, axis1, axis2: put_diagonal(g, x_shape, offset, axis1, axis2))
rule("diag_embed", x=lambda g, offset, axis1, axis2: diagonal(g, offset, axis1, axis2))
rule("put_diagonal", inputs="values", values=lambda g, offset, axis1, axis2: diagonal(g, offset, axis1, axis2))
rule("roll", x=lambda g, shift, axis: roll(g, [-n for n in shift] if isinstance(shift, (list, tuple)) else -shift, axis))
rule("tril", x=lambda g, k: tril(g, k))
rule("triu", x=lambda g, k: triu(g, k))
rule("constant_pad", x=lambda g, pad: constant_pad(g, [-n for n in pad]), node_name="ConstantPadNdBackward0")


def _with_border(border: str) -> Callable[..., Any]:
    return lambda g, x_shape, pad: border_pad_gradient(g, x_shape, pad, border)


rule("reflect_pad", x=_with_border("reflect"), node_name="ReflectionPad2DBackward0")
rule("replicate_pad", x=_with_border("replicate"), node_name="ReplicationPad2DBackward0")
rule("circular_pad", x=_with_border("circular"))
rule("border_pad_gradient", inputs="gradient", gradient=lambda g, pad, border: dispatched(f"{border}_pad")(g, pad))
rule("unfold", x=lambda g, x_shape, axis, size, step: _put_back(
    g, x_shape, lambda p: nd.unfold(p, axis, size, step)))
rule("as_strided", x=_strided_back)
rule("real", x=lambda g: g)  # the engine makes it complex
rule("imag", x=lambda g: g * 1j)
rule("complex", a=lambda g: real(g), b=lambda g: imag(g), node_name="ComplexBackward0")


def _length(g: Any, b: Any) -> Any:
    return real(g) * cos(b) + imag(g) * sin(b)


def _angle(g: Any, a: Any, b: Any) -> Any:
    return (imag(g) * cos(b) - real(g) * sin(b)) * a


rule("polar", a=_length, b=_angle, node_name="PolarBackward0")
rule("view_as_real", x=lambda g: view_as_complex(contiguous(g)))
rule("view_as_complex", x=lambda g: view_as_real(g))
