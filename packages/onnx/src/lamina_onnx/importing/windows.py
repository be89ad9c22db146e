"""Pooling over windows, in every form that ONNX has: pads on two sides, dilations, a last window that is not whole."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

import lamina_nn.functional as F
import lamina_tensor as lt
from lamina_tensor import Tensor

from .layers import around, window_pads
from .node import Node, reads
from .shapes import padded

MAXIMA: Final[dict[int, Callable[..., Any]]] = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}
CONVOLUTIONS: Final[dict[int, Callable[..., Tensor]]] = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}


class Windows:
    """The windows of a pool.

    Args:
        node: the pool.
        x: its input, (batch, channels, *lengths).
    """

    def __init__(self, node: Node, x: Tensor) -> None:
        self.kernel = list(node.get("kernel_shape"))
        n = len(self.kernel)
        self.strides, self.dilations = list(node.get("strides", [1] * n)), list(node.get("dilations", [1] * n))
        self.before, self.after = window_pads(node, x.shape[2:], self.kernel, self.strides, self.dilations)
        self.more = [0] * n
        if not node.get("ceil_mode", 0):
            return
        for i, length in enumerate(x.shape[2:]):
            span = self.dilations[i] * (self.kernel[i] - 1) + 1
            whole = length + self.before[i] + self.after[i]
            count = -(-(whole - span) // self.strides[i]) + 1
            if (count - 1) * self.strides[i] >= length + self.before[i]:  # it would start behind the input
                count -= 1
            self.more[i] = max(0, (count - 1) * self.strides[i] + span - whole)


def over(x: Tensor, windows: Windows) -> Tensor:
    """The sums of the windows of an input that has its pads: a convolution with ones."""
    function = CONVOLUTIONS[len(windows.kernel)]
    planes = x.reshape(-1, 1, *x.shape[2:])
    sums = function(
        planes, lt.ones((1, 1, *windows.kernel), dtype=x.dtype), None, windows.strides, 0, windows.dilations
    )
    return sums.reshape(*x.shape[:2], *sums.shape[2:])


def with_dims(node: Node, x: Tensor) -> None:
    """Refuse inputs of more than three spatial dims."""
    if x.ndim - 2 not in CONVOLUTIONS:
        raise node.unsupported(f"of {x.ndim - 2} spatial dims")


@reads("AveragePool")
def average_pool(node: Node, x: Tensor) -> Tensor:
    """Run AveragePool."""
    with_dims(node, x)
    windows = Windows(node, x)
    counted = lt.ones((1, 1, *x.shape[2:]), dtype=x.dtype)
    counted = around(counted, windows.before, windows.after, 1 if node.get("count_include_pad", 0) else 0)
    counted = around(counted, [0] * len(windows.more), windows.more, 0)
    full = around(x, windows.before, [a + m for a, m in zip(windows.after, windows.more, strict=True)], 0)
    return lt.div(over(full, windows), over(counted, windows))


@reads("LpPool")
def lp_pool(node: Node, x: Tensor) -> Tensor:
    """Run LpPool."""
    with_dims(node, x)
    windows, p = Windows(node, x), node.get("p", 2)
    full = around(x, windows.before, [a + m for a, m in zip(windows.after, windows.more, strict=True)], 0)
    return lt.pow(over(lt.pow(lt.abs(full), p), windows), 1 / p)


@reads("MaxPool")
def max_pool(node: Node, x: Tensor) -> Any:
    """Run MaxPool."""
    with_dims(node, x)
    windows = Windows(node, x)
    least = -math.inf if x.dtype.is_floating_point else int(np.iinfo(x.dtype.numpy).min)
    full = around(x, windows.before, [a + m for a, m in zip(windows.after, windows.more, strict=True)], least)
    kind = x.dtype
    if not kind.is_floating_point:
        full = full.double()
    pooled = MAXIMA[len(windows.kernel)](
        full, windows.kernel, windows.strides, 0, windows.dilations, False, len(node.outputs) > 1
    )
    if len(node.outputs) < 2:
        return pooled.to(kind)
    values, places = pooled
    return values.to(kind), in_whole(node, places, x, full, windows.before)


def in_whole(node: Node, places: Tensor, x: Tensor, full: Tensor, before: Sequence[int]) -> Tensor:
    """Positions in a padded plane as ONNX counts them: in the whole input, without pads."""
    own = []
    for n in reversed(full.shape[2:]):
        own.append(lt.remainder(places, n))
        places = lt.div(places, n, rounding_mode="floor")
    at = [lt.sub(part, pad) for part, pad in zip(reversed(own), before, strict=True)]
    lengths = list(x.shape[2:])
    order = list(range(len(at)))
    if node.get("storage_order", 0):
        order.reverse()
    flat = lt.zeros_like(at[0])
    for i in order:
        flat = lt.add(lt.mul(flat, lengths[i]), at[i])
    planes = lt.arange(x.shape[0] * x.shape[1]).reshape(*x.shape[:2], *[1] * len(lengths))
    return lt.add(flat, lt.mul(planes, math.prod(lengths)))


@reads("GlobalAveragePool")
def global_average_pool(node: Node, x: Tensor) -> Tensor:
    """Run GlobalAveragePool."""
    return lt.mean(x, tuple(range(2, x.ndim)), True)


@reads("GlobalMaxPool")
def global_max_pool(node: Node, x: Tensor) -> Tensor:
    """Run GlobalMaxPool."""
    return lt.amax(x, tuple(range(2, x.ndim)), True)


@reads("GlobalLpPool")
def global_lp_pool(node: Node, x: Tensor) -> Tensor:
    """Run GlobalLpPool."""
    p = node.get("p", 2)
    return lt.pow(lt.sum(lt.pow(lt.abs(x), p), tuple(range(2, x.ndim)), True), 1 / p)


@reads("MaxUnpool")
def max_unpool(node: Node, x: Tensor, places: Tensor, shape: Any = None) -> Tensor:
    """Run MaxUnpool."""
    if shape is not None:
        whole = [int(n) for n in shape.tolist()]
    else:
        n = x.ndim - 2
        strides, pads = node.get("strides", [1] * n), node.get("pads", [0] * 2 * n)
        lengths = [
            (x.shape[2 + i] - 1) * strides[i] + node.get("kernel_shape")[i] - pads[i] - pads[n + i] for i in range(n)
        ]
        whole = [*x.shape[:2], *lengths]
    natural = lt.zeros(math.prod(whole), dtype=x.dtype)
    if shape is not None and node.get("kernel_shape") is not None:  # places are counted in the plane that pooling had
        n = x.ndim - 2
        strides, pads = node.get("strides", [1] * n), node.get("pads", [0] * 2 * n)
        had = [
            (x.shape[2 + i] - 1) * strides[i] + node.get("kernel_shape")[i] - pads[i] - pads[n + i] for i in range(n)
        ]
        small = lt.zeros(math.prod([*x.shape[:2], *had]), dtype=x.dtype)
        planes = lt.scatter(small, 0, places.reshape(-1), x.reshape(-1)).reshape(*x.shape[:2], *had)
        for i, length in enumerate(whole[2:]):
            planes = padded(planes, 2 + i, 0, length - had[i], "constant", 0)
        return planes
    return lt.scatter(natural, 0, places.reshape(-1), x.reshape(-1)).reshape(whole)
