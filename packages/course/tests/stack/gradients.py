"""Chapter 5. Gradients: what is computed leaves a trail, and the trail is walked back.

A `Tensor` is an array that remembers which tensors it was made of, and a rule: given the gradient of the result, what is the gradient of
each of them? `backward` visits every tensor after all that were made of it, when its gradient is complete, and hands it on.

Fill what ends in `# task`, from top to bottom, then run: python -m lamina_course check 5
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from .arrays import Array, array, items, map_items, matmul, reduce_items
from .strides import Layout, Shape, size_of, transposed

Rule = Callable[[Array], Sequence[Array]]
"""From the gradient of a result to one gradient for each parent, in their order and of their shape."""


class Tensor:
    """An array, the tensors that it was made of, the rule of its gradient; and of a leaf (one without parents) that asks for it: `grad`."""

    def __init__(self, data: Array, parents: Sequence[Tensor] = (), rule: Rule | None = None, requires_grad: bool = False) -> None:
        self.array = data
        self.parents = tuple(parents)
        self.rule = rule
        self.requires_grad: bool = requires_grad or any(parent.requires_grad for parent in parents)
        self.grad: Array | None = None

    @property
    def shape(self) -> Shape:
        return self.array.shape


def unbroadcast(gradient: Array, shape: Shape) -> Array:  # task
    """Return the gradient of what was broadcast from `shape` to the gradient's shape: of what `shape` is.

    An item that was read many times has as its gradient the sum of the gradients of all these times. So sum over each axis that was
    added in front, and over each that was of length 1; these keep a length of 1.

    >>> summed = unbroadcast(array([1, 2, 3, 4, 5, 6], (2, 3)), (1, 3))
    >>> summed.shape, items(summed)
    ((1, 3), [5.0, 7.0, 9.0])
    """
    new = len(gradient.shape) - len(shape)
    axes = [axis for axis in range(len(gradient.shape)) if axis < new or shape[axis - new] == 1]
    return array(items(reduce_items(lambda a, b: a + b, 0.0, gradient, axes)), shape, gradient.dtype)


def in_order(root: Tensor) -> list[Tensor]:  # task
    """Return `root` and all tensors that it was made of, each once, and each after every tensor that was made of it. `root` is the first.

    Do it without recursion: a program of 10,000 steps leaves a trail of 10,000 tensors, and Python allows 1,000 calls within each other.

    >>> x = Tensor(array([1], ()))
    >>> y = Tensor(array([2], ()), (x, x))
    >>> z = Tensor(array([3], ()), (x, y))
    >>> [["x", "y", "z"][[x, y, z].index(tensor)] for tensor in in_order(z)]
    ['z', 'y', 'x']
    """
    finished: list[Tensor] = []
    seen: set[int] = set()
    waiting = [(root, False)]
    while waiting:
        tensor, parents_done = waiting.pop()
        if parents_done:
            finished.append(tensor)
        elif id(tensor) not in seen:
            seen.add(id(tensor))
            waiting.append((tensor, True))
            waiting += [(parent, False) for parent in tensor.parents]
    return finished[::-1]


def backward(root: Tensor, gradient: Array | None = None) -> None:  # task
    """Give every leaf that asks for it (`requires_grad`, no parents) the gradient of `root`; `gradient` is that of root, ones by default.

    A tensor that was used twice gets the sum of two gradients. A leaf that has a `grad` from before gets the sum of that and the new one:
    arrays that others may hold are not written to, so make new ones.

    >>> x = Tensor(array([3], (1,)), requires_grad=True)
    >>> backward(add(x, x))
    >>> items(x.grad)
    [2.0]
    """
    ones = array([1.0] * size_of(root.shape), root.shape, root.array.dtype)
    gradients: dict[int, Array] = {id(root): ones if gradient is None else gradient}
    for tensor in in_order(root):
        if not tensor.requires_grad or id(tensor) not in gradients:
            continue
        whole = gradients.pop(id(tensor))
        if tensor.rule is None:
            tensor.grad = whole if tensor.grad is None else map_items(lambda a, b: a + b, tensor.grad, whole)
            continue
        for parent, part in zip(tensor.parents, tensor.rule(whole), strict=True):
            before = gradients.get(id(parent))
            gradients[id(parent)] = part if before is None else map_items(lambda a, b: a + b, before, part)


def add(a: Tensor, b: Tensor) -> Tensor:
    """Return a + b. (This one is given: the others are written alike.)"""
    result = map_items(lambda p, q: p + q, a.array, b.array)
    return Tensor(result, (a, b), lambda g: (unbroadcast(g, a.shape), unbroadcast(g, b.shape)))


def multiply(a: Tensor, b: Tensor) -> Tensor:  # task
    """Return a * b, item by item, after broadcasting. A small step of a moves the result by b times as much, and the other way round."""

    def rule(g: Array) -> Sequence[Array]:
        to_a = map_items(lambda p, q: p * q, g, b.array)
        to_b = map_items(lambda p, q: p * q, g, a.array)
        return unbroadcast(to_a, a.shape), unbroadcast(to_b, b.shape)

    return Tensor(map_items(lambda p, q: p * q, a.array, b.array), (a, b), rule)


def total(x: Tensor) -> Tensor:  # task
    """Return the sum of all items, of shape (). Each item moves it by as much as it moves itself."""
    result = reduce_items(lambda a, b: a + b, 0.0, x.array, range(len(x.shape)))
    return Tensor(result, (x,), lambda g: (array(items(g) * size_of(x.shape), x.shape, g.dtype),))


def exp(x: Tensor) -> Tensor:  # task
    """Return e to the power x, item by item. The slope of exp at x is exp(x): the result itself."""
    result = map_items(math.exp, x.array)
    return Tensor(result, (x,), lambda g: (map_items(lambda p, y: p * y, g, result),))


def log(x: Tensor) -> Tensor:  # task
    """Return the natural logarithm, item by item. Its slope at x is 1 / x."""
    return Tensor(map_items(math.log, x.array), (x,), lambda g: (map_items(lambda p, v: p / v, g, x.array),))


def tanh(x: Tensor) -> Tensor:  # task
    """Return the hyperbolic tangent, item by item. Where its value is y, its slope is 1 - y * y."""
    result = map_items(math.tanh, x.array)
    return Tensor(result, (x,), lambda g: (map_items(lambda p, y: p * (1 - y * y), g, result),))


def product(a: Tensor, b: Tensor) -> Tensor:  # task
    """Return the product of two matrices: (m, k) and (k, n) give (m, n).

    The gradient of a is g @ b transposed, that of b is a transposed @ g: of all ways to multiply them, these alone have shapes that fit.
    """

    def flipped(x: Array) -> Array:
        layout: Layout = transposed(x.layout, (1, 0))
        return Array(x.flat, layout)

    def rule(g: Array) -> Sequence[Array]:
        return matmul(g, flipped(b.array)), matmul(flipped(a.array), g)

    return Tensor(matmul(a.array, b.array), (a, b), rule)
