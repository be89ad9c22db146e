"""Chapter 3. An array is memory and a layout. Broadcasting is a stride of 0.

Two shapes that differ can still be added: an axis of length 1 is read again and again. Nothing is repeated in memory for that; the axis is
given the stride 0. With this one idea, a function of numbers becomes one of arrays of any layout, a sum needs no loop of its own, and
a product of matrices is a broadcast product and a sum.

Fill what ends in `# task`, from top to bottom, then run: python -m lamina_course check 3
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .memory import Flat, flat_of, zeros
from .strides import Layout, Shape, places, row_major


@dataclass(frozen=True)
class Array:
    """Flat memory, and how it is read."""

    flat: Flat
    layout: Layout

    @property
    def shape(self) -> Shape:
        return self.layout.shape

    @property
    def dtype(self) -> str:
        return self.flat.dtype


def array(values: Sequence[float], shape: Shape, dtype: str = "float64") -> Array:
    """Return the values, in the order in which one reads, as an array in memory of its own. (This one is given.)"""
    return Array(flat_of(values, dtype), row_major(shape))


def items(x: Array) -> list[float]:  # task
    """Return all items, in the order in which one reads: the last axis runs fastest, whatever the layout.

    >>> items(Array(flat_of([0, 1, 2, 3, 4, 5], "int64"), Layout((2, 3), (1, 2))))
    [0, 2, 4, 1, 3, 5]
    """
    return [x.flat.read(p) for p in places(x.layout)]


def broadcast_shapes(*shapes: Shape) -> Shape:  # task
    """Return the shape that all of these fit into.

    Shapes are put under each other so that their last axes meet, and an axis that is lacking in front counts as 1. On each axis, all
    lengths but 1 must be the same: that is the length of the result. Raise ValueError if they are not.

    >>> broadcast_shapes((2, 1), (3,)), broadcast_shapes((1, 0), ()), broadcast_shapes()
    ((2, 3), (1, 0), ())
    """
    ndim = max((len(shape) for shape in shapes), default=0)
    aligned = [(1,) * (ndim - len(shape)) + shape for shape in shapes]
    result = []
    for lengths in zip(*aligned, strict=True):
        wanted = set(lengths) - {1}
        if len(wanted) > 1:
            raise ValueError(f"shapes {shapes} do not fit together")
        result.append(wanted.pop() if wanted else 1)
    return tuple(result)


def broadcast_to(layout: Layout, shape: Shape) -> Layout:  # task
    """Return the layout spread to a shape: the same items, read with a stride of 0 along each axis that is new, or was of length 1.

    Raise ValueError if the layout's shape does not fit into that shape.

    >>> broadcast_to(Layout((3, 1), (1, 1), offset=4), (2, 3, 5))
    Layout(shape=(2, 3, 5), strides=(0, 1, 0), offset=4)
    """
    if broadcast_shapes(layout.shape, shape) != shape:
        raise ValueError(f"{layout.shape} does not fit into {shape}")
    new = len(shape) - len(layout.shape)
    strides = tuple(0 if length == 1 else stride for length, stride in zip(layout.shape, layout.strides, strict=True))
    return Layout(shape, (0,) * new + strides, layout.offset)


def map_items(function: Callable[..., float], *arrays: Array, dtype: str | None = None) -> Array:  # task
    """Return `function` of the arrays' items, item by item, after broadcasting: a new, row-major array.

    Its dtype is that of the first array, unless `dtype` says another. Memory of the arrays is only read.

    >>> rows, columns = array([10, 20], (2, 1)), array([1, 2, 3], (3,))
    >>> total = map_items(lambda a, b: a + b, rows, columns)
    >>> total.shape, items(total)
    ((2, 3), [11.0, 12.0, 13.0, 21.0, 22.0, 23.0])
    """
    shape = broadcast_shapes(*(x.shape for x in arrays))
    spread = [items(Array(x.flat, broadcast_to(x.layout, shape))) for x in arrays]
    values = [function(*numbers) for numbers in zip(*spread, strict=True)]
    return array(values, shape, dtype or arrays[0].dtype)


def reduce_items(function: Callable[[float, float], float], start: float, x: Array, axes: Sequence[int]) -> Array:  # task
    """Return what is left when some axes are folded to one item each: `function(so far, item)`, beginning with `start`.

    The result has x's shape without these axes, and its dtype. You need no new kind of loop: read the result with x's shape, with a stride
    of 0 along each axis that is folded. Then each item of x has its place in the result.

    >>> x = array([1, 2, 3, 4, 5, 6], (2, 3))
    >>> items(reduce_items(lambda a, b: a + b, 0, x, (0,))), items(reduce_items(max, float("-inf"), x, (0, 1)))
    ([5.0, 7.0, 9.0], [6.0])
    """
    kept = row_major(tuple(length for axis, length in enumerate(x.shape) if axis not in axes))
    strides = iter(kept.strides)
    spread = Layout(x.shape, tuple(0 if axis in axes else next(strides) for axis in range(len(x.shape))))
    folded = zeros(len(places(kept)), x.dtype)
    for p in range(folded.size):
        folded.write(p, start)
    for p, item in zip(places(spread), items(x), strict=True):
        folded.write(p, function(folded.read(p), item))
    return Array(folded, kept)


def matmul(a: Array, b: Array) -> Array:  # task
    """Return the product of matrices: (..., m, k) and (..., k, n) give (..., m, n). Axes in front are equal in both.

    Give both the shape (..., m, k, n), with a stride of 0 along the axis that each lacks; multiply, and sum over k.

    >>> items(matmul(array([1, 2, 3, 4], (2, 2)), array([10, 1], (2, 1))))
    [12.0, 34.0]
    """
    front, (m, k), n = a.shape[:-2], a.shape[-2:], b.shape[-1]
    left = Layout((*front, m, k, n), (*a.layout.strides, 0), a.layout.offset)
    *stack, along_k, along_n = b.layout.strides
    right = Layout((*front, m, k, n), (*stack, 0, along_k, along_n), b.layout.offset)
    products = map_items(lambda p, q: p * q, Array(a.flat, left), Array(b.flat, right))
    return reduce_items(lambda p, q: p + q, 0.0, products, (len(front) + 1,))
