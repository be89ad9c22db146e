"""Gradients of views, copies and joins: each puts the items back where they came from."""

from __future__ import annotations

from collections.abc import Sequence

from ..either import either
from ..rules import rule

reshape, permute, transpose, flip, astype, to_device, take_part, put_part = (
    either(n) for n in ("reshape", "permute", "transpose", "flip", "astype", "to_device", "getitem", "put_into_zeros")
)


def _inverse(axes: Sequence[int]) -> list[int]:
    ndim = len(axes)
    order = [axis % ndim for axis in axes]
    return sorted(range(ndim), key=order.__getitem__)


rule("reshape", x=lambda g, x_shape: reshape(g, x_shape), node_name="ViewBackward0")
rule("unsqueeze", x=lambda g, x_shape: reshape(g, x_shape))
rule("squeeze", x=lambda g, x_shape: reshape(g, x_shape))
rule("permute", x=lambda g, axes: permute(g, _inverse(axes)))
rule("transpose", x=lambda g, a, b: transpose(g, a, b))
rule("t", x=lambda g: transpose(g, 0, 1), node_name="TBackward0")
rule("broadcast_to", x=lambda g: g, node_name="ExpandBackward0")  # the engine sums over what was repeated
rule("to_device", x=lambda g, x_device: to_device(g, x_device), node_name="ToCopyBackward0")
rule("flip", x=lambda g, axes: flip(g, axes))
rule("copy", x=lambda g: g, node_name="CloneBackward0")
rule("astype", x=lambda g, x_dtype: astype(g, x_dtype), node_name="ToCopyBackward0")
rule("getitem", x=lambda g, x_shape, index: put_part(g, x_shape, index), node_name="IndexBackward0")
rule("select", x=lambda g, x_shape, index: put_part(g, x_shape, index))
rule("slice", x=lambda g, x_shape, index: put_part(g, x_shape, index))
rule("put_into_zeros", x=lambda g, index: take_part(g, index), node_name="IndexPutBackward0")

region, put_region, without_region, without_index = (
    either(n) for n in ("region", "put_region", "without_region", "without_index")
)

rule("region", x=lambda g, outer, inner: put_region(g, outer, inner), node_name="AsStridedBackward0")
rule("put_region", x=lambda g, outer, inner: region(g, outer, inner), node_name="AsStridedBackward0")
rule("without_index", x=lambda g, index: without_index(g, index), node_name="IndexPutBackward0")
rule("without_region", x=lambda g, outer, inner: without_region(g, outer, inner), node_name="CopySlices")
rule(
    "written_region",  # what an in-place op on a view makes of the base: `part` is written over a region of x
    inputs="part x",
    part=lambda g, outer, inner: region(g, outer, inner),
    x=lambda g, outer, inner: without_region(g, outer, inner),
    node_name="CopySlices",
)
rule("overwritten", inputs="x value", value=lambda g, value_dtype: astype(g, value_dtype), node_name="CopyBackwards")
rule(
    "index_put",
    inputs="x values",
    x=lambda g, index: without_index(g, index),
    values=lambda g, index, values_dtype: astype(take_part(g, index), values_dtype),
    node_name="IndexPutBackward0",
)
rule("real", x=lambda g, x_dtype: astype(g, x_dtype))
rule("imag", x=lambda g, x_dtype: astype(g, x_dtype) * 1j)
