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
    raise NotImplementedError


def in_order(root: Tensor) -> list[Tensor]:  # task
    """Return `root` and all tensors that it was made of, each once, and each after every tensor that was made of it. `root` is the first.

    Do it without recursion: a program of 10,000 steps leaves a trail of 10,000 tensors, and Python allows 1,000 calls within each other.

    >>> x = Tensor(array([1], ()))
    >>> y = Tensor(array([2], ()), (x, x))
    >>> z = Tensor(array([3], ()), (x, y))
    >>> [["x", "y", "z"][[x, y, z].index(tensor)] for tensor in in_order(z)]
    ['z', 'y', 'x']
    """
    raise NotImplementedError


def backward(root: Tensor, gradient: Array | None = None) -> None:  # task
    """Give every leaf that asks for it (`requires_grad`, no parents) the gradient of `root`; `gradient` is that of root, ones by default.

    A tensor that was used twice gets the sum of two gradients. A leaf that has a `grad` from before gets the sum of that and the new one:
    arrays that others may hold are not written to, so make new ones.

    >>> x = Tensor(array([3], (1,)), requires_grad=True)
    >>> backward(add(x, x))
    >>> items(x.grad)
    [2.0]
    """
    raise NotImplementedError


def add(a: Tensor, b: Tensor) -> Tensor:
    """Return a + b. (This one is given: the others are written alike.)"""
    result = map_items(lambda p, q: p + q, a.array, b.array)
    return Tensor(result, (a, b), lambda g: (unbroadcast(g, a.shape), unbroadcast(g, b.shape)))


def multiply(a: Tensor, b: Tensor) -> Tensor:  # task
    """Return a * b, item by item, after broadcasting. A small step of a moves the result by b times as much, and the other way round."""
    raise NotImplementedError


def total(x: Tensor) -> Tensor:  # task
    """Return the sum of all items, of shape (). Each item moves it by as much as it moves itself."""
    raise NotImplementedError


def exp(x: Tensor) -> Tensor:  # task
    """Return e to the power x, item by item. The slope of exp at x is exp(x): the result itself."""
    raise NotImplementedError


def log(x: Tensor) -> Tensor:  # task
    """Return the natural logarithm, item by item. Its slope at x is 1 / x."""
    raise NotImplementedError


def tanh(x: Tensor) -> Tensor:  # task
    """Return the hyperbolic tangent, item by item. Where its value is y, its slope is 1 - y * y."""
    raise NotImplementedError


def product(a: Tensor, b: Tensor) -> Tensor:  # task
    """Return the product of two matrices: (m, k) and (k, n) give (m, n).

    The gradient of a is g @ b transposed, that of b is a transposed @ g: of all ways to multiply them, these alone have shapes that fit.
    """
    raise NotImplementedError
