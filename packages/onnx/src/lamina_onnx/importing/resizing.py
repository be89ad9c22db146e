"""Resize: for each axis, a matrix of weights that is worked out on the host, and a product with it.

The coordinates and the kernels are those of https://onnx.ai/onnx/operators/onnx__Resize.html
"""

from __future__ import annotations

from typing import Any

import numpy as np

import lamina_nn.functional as F
import lamina_tensor as lt
from lamina_tensor import Tensor

from .node import Node, ints, reads


def coordinates(node: Node, have: int, length: int, scale: float, region: tuple[float, float] | None) -> Any:
    """Where in the input each item of the output lies."""
    at = np.arange(length, dtype=np.float64)
    kind = node.get("coordinate_transformation_mode", "half_pixel")
    if kind == "asymmetric":
        return at / scale
    if kind == "align_corners":
        whole = length if scale == length / have else scale * have
        return at * (have - 1) / (whole - 1) if whole != 1 else np.zeros(length)
    if kind == "tf_crop_and_resize":
        assert region is not None
        start, end = region
        if length == 1:
            return np.array([0.5 * (start + end) * (have - 1)])
        return start * (have - 1) + at * (end - start) * (have - 1) / (length - 1)
    if kind == "half_pixel_symmetric":
        adjusted = length / (scale * have)
        center = have / 2
        return center * (1 - adjusted) + (at + 0.5) / scale - 0.5
    if kind == "pytorch_half_pixel" and length == 1:
        return np.full(1, -0.5)
    return (at + 0.5) / scale - 0.5


def kernel(node: Node, distance: Any) -> Any:
    """The weight of an item at a distance."""
    d = np.abs(distance)
    if node.get("mode", "nearest") == "linear":
        return np.clip(1 - d, 0, None)
    a = node.get("cubic_coeff_a", -0.75)  # Keys 1981
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = (((d - 5) * d + 8) * d - 4) * a
    return np.where(d <= 1, near, np.where(d < 2, far, 0))


def weights(node: Node, have: int, length: int, scale: float, region: tuple[float, float] | None) -> Any:
    """A matrix (length, have): what each item of the input adds to each of the output."""
    at = coordinates(node, have, length, scale, region)
    made = np.zeros((length, have))
    rows = np.arange(length)
    if node.get("mode", "nearest") == "nearest":
        rounding = node.get("nearest_mode", "round_prefer_floor")
        near = {
            "round_prefer_floor": np.ceil(at - 0.5), "round_prefer_ceil": np.floor(at + 0.5), "floor": np.floor(at), "ceil": np.ceil(at),
        }[rounding]  # fmt: skip
        made[rows, np.clip(near, 0, have - 1).astype(int)] = 1
    else:
        stretch = min(scale, 1.0) if node.get("antialias", 0) else 1.0
        reach = (1 if node.get("mode") == "linear" else 2) / stretch
        for offset in range(-int(np.ceil(reach)) - 1, int(np.ceil(reach)) + 2):
            item = np.floor(at) + offset
            weight = kernel(node, (at - item) * stretch)
            if node.get("exclude_outside", 0):
                weight = np.where((item < 0) | (item >= have), 0, weight)
            np.add.at(made, (rows, np.clip(item, 0, have - 1).astype(int)), weight)
        made /= made.sum(1, keepdims=True)
    return made


def sizes_of(node: Node, x: Tensor, axes: list[int], scales: Any, sizes: Any) -> tuple[list[int], list[float]]:
    """The lengths of the output along axes, and by how much each is larger."""
    have = [x.shape[d] for d in axes]
    if sizes is None:
        factors = [float(s) for s in scales.tolist()]
        return [int(np.floor(n * s)) for n, s in zip(have, factors, strict=True)], factors
    asked = ints(sizes)
    policy = node.get("keep_aspect_ratio_policy", "stretch")
    if policy == "stretch":
        return asked, [a / n for a, n in zip(asked, have, strict=True)]
    factor = (min if policy == "not_larger" else max)(a / n for a, n in zip(asked, have, strict=True))
    return [int(np.floor(n * factor + 0.5)) for n in have], [factor] * len(have)


@reads("Resize", "Upsample")
def resize(node: Node, x: Tensor, roi: Any = None, scales: Any = None, sizes: Any = None) -> Tensor:
    """Run Resize and Upsample."""
    if node.opset < 11:  # (x, scales)
        scales, roi = roi if roi is not None else lt.tensor(np.asarray(node.get("scales"), np.float32)), None
        node.attributes.setdefault("coordinate_transformation_mode", "asymmetric")
        node.attributes.setdefault("nearest_mode", "floor")
    axes = [d % x.ndim for d in node.get("axes", range(x.ndim))]
    scales = None if scales is None or scales.numel() == 0 else scales
    lengths, factors = sizes_of(node, x, axes, scales, sizes)
    kind = x.dtype
    regions: list[float] = [] if roi is None else roi.tolist()
    result = x if kind.is_floating_point else x.double()
    outside = []
    for i, (d, length, factor) in enumerate(zip(axes, lengths, factors, strict=True)):
        crops = node.get("coordinate_transformation_mode") == "tf_crop_and_resize"
        region = (regions[i], regions[len(axes) + i]) if crops else None
        if (length == x.shape[d] and factor == 1 and not crops) or x.shape[d] == 0:
            continue
        matrix = lt.tensor(weights(node, x.shape[d], length, factor, region)).to(result.dtype)
        result = lt.movedim(lt.matmul(lt.movedim(result, d, -1), matrix.T), -1, d)
        if crops:
            at = coordinates(node, x.shape[d], length, factor, region)
            outside.append((d, (at < 0) | (at > x.shape[d] - 1)))
    for d, off in outside:
        shape = [-1 if i == d else 1 for i in range(x.ndim)]
        result = lt.where(lt.tensor(off).reshape(shape), node.get("extrapolation_value", 0.0), result)
    return result.to(kind)


@reads("GridSample")
def grid_sample(node: Node, x: Tensor, grid: Tensor) -> Tensor:
    """Run GridSample."""
    mode = {"linear": "bilinear", "cubic": "bicubic"}.get(node.get("mode", "linear"), node.get("mode", "linear"))
    return F.grid_sample(x, grid, mode, node.get("padding_mode", "zeros"), bool(node.get("align_corners", 0)))


@reads("AffineGrid")
def affine_grid(node: Node, theta: Tensor, size: Tensor) -> Tensor:
    """Run AffineGrid."""
    return F.affine_grid(theta, ints(size), bool(node.get("align_corners", 0)))
