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
