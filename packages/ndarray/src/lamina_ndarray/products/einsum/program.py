"""From an equation of `einsum` and shapes to the steps that compute it: all that can be known without the items."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from .contraction_order import contraction_order
from .equation import Label, parsed

__all__ = ["Product", "Program", "Step", "program"]

Labels = tuple[Label, ...]
Step = tuple[str, Any]
"""A function of one array, and what it is given besides: permute, reshape, sum, sum_in_dtype or every."""


class Product(NamedTuple):
    """Two operands are taken out of the list, and their product is put at its end.

    Attributes:
        left, right: their places.
        left_steps, right_steps: what is done to them first.
        function: "matmul" or "multiply".
        steps: what is done to the product.
    """

    left: int
    right: int
    left_steps: tuple[Step, ...]
    right_steps: tuple[Step, ...]
    function: str
    steps: tuple[Step, ...]


class Program(NamedTuple):
    """What is done to each operand, their products, and what is done to the last."""

    operands: tuple[tuple[Step, ...], ...]
    products: tuple[Product, ...]
    steps: tuple[Step, ...]


class _Sketch:
    """An array of which only the labels and lengths of axes are known, and the steps taken so far."""

    def __init__(self, labels: Labels, shape: Iterable[int]) -> None:
        self.labels = labels
        self.shape = tuple(shape)
        self.steps: list[Step] = []

    def taken(self) -> tuple[Step, ...]:
        """The steps since the last time."""
        steps, self.steps = tuple(self.steps), []
        return steps

    def arrange(self, labels: Labels) -> None:
        """The axes in this order."""
        if labels != self.labels:
            order = tuple(self.labels.index(label) for label in labels)
            self.steps.append(("permute", order))
            self.labels, self.shape = labels, tuple(self.shape[i] for i in order)

    def reshape(self, shape: Iterable[int]) -> None:
        """Another shape; the labels are no longer those of the axes."""
        shape = tuple(shape)
        if shape != self.shape:
            self.steps.append(("reshape", shape))
            self.shape = shape

    def read_diagonals(self) -> None:
        """One axis, in front, for all that have the same label: every (1 + n + n**2 ...)th item of them as one axis."""
        for label in dict.fromkeys(self.labels):
            axes = [i for i, other in enumerate(self.labels) if other == label]
            if len(axes) > 1:
                rest = [i for i in range(len(self.labels)) if i not in axes]
                n, others = self.shape[axes[0]], tuple(self.shape[i] for i in rest)
                self.steps += [
                    ("permute", (*axes, *rest)),
                    ("reshape", (n ** len(axes), *others)),
                    ("every", sum(n**k for k in range(len(axes)))),
                ]
                self.labels, self.shape = (label, *(self.labels[i] for i in rest)), (n, *others)

    def drop_broadcast(self, sizes: dict[Label, int]) -> None:
        """Without axes of length 1 that stand for a greater length: another operand has it."""
        axes = [i for i, label in enumerate(self.labels) if self.shape[i] == sizes[label]]
        labels = tuple(self.labels[i] for i in axes)
        self.reshape(self.shape[i] for i in axes)
        self.labels = labels

    def sum_out(self, remaining: Collection[Label], function: str = "sum_in_dtype") -> None:
        """Summed over the labels that nobody wants any more."""
        axes = tuple(i for i, label in enumerate(self.labels) if label not in remaining)
        if axes:
            self.steps.append((function, axes))
            self.labels = tuple(label for label in self.labels if label in remaining)
            self.shape = tuple(n for i, n in enumerate(self.shape) if i not in axes)


@lru_cache(1024)
def program(equation: str, shapes: tuple[tuple[int, ...], ...]) -> Program:
    """The steps for an equation and operands of these shapes.

    Raises:
        ShapeError: the equation is malformed, or does not suit the shapes.
    """
    terms, result, sizes = parsed(equation, shapes)
    present = [_Sketch(labels, shape) for labels, shape in zip(terms, shapes, strict=True)]
    for sketch in present:
        sketch.read_diagonals()
        sketch.drop_broadcast(sizes)
    operands = tuple(sketch.taken() for sketch in present)
    products = []
    for i, j in contraction_order([sketch.labels for sketch in present], result, sizes):
        a, b = present[i], present[j]
        present = [sketch for k, sketch in enumerate(present) if k not in (i, j)]
        remaining = set(result).union(*(sketch.labels for sketch in present))
        product, function = _product(a, b, remaining, sizes)
        products.append(Product(i, j, a.taken(), b.taken(), function, product.taken()))
        present.append(product)
    last = present[0]
    last.sum_out(result, "sum")
    last.arrange(result)
    return Program(operands, tuple(products), last.taken())


def _product(a: _Sketch, b: _Sketch, remaining: set[Label], sizes: dict[Label, int]) -> tuple[_Sketch, str]:
    """Labels of both that stay become leading axes, those that go the inner one of a matrix product. With none that go,
    it is a product item by item."""
    a.sum_out(remaining | set(b.labels))
    b.sum_out(remaining | set(a.labels))
    stack = tuple(label for label in a.labels if label in b.labels and label in remaining)
    rows = tuple(label for label in a.labels if label not in b.labels)
    columns = tuple(label for label in b.labels if label not in a.labels)
    greater = a if math.prod(a.shape) >= math.prod(b.shape) else b  # in its order, so that it need not be copied
    inner = tuple(x for x in greater.labels if x in a.labels and x in b.labels and x not in remaining)
    lead = tuple(sizes[label] for label in stack)

    def lengths(labels: Labels) -> tuple[int, ...]:
        return tuple(sizes[label] for label in labels)

    labels = (*stack, *rows, *columns)
    if inner:
        a.arrange((*stack, *rows, *inner))
        b.arrange((*stack, *inner, *columns))
        height, depth, width = (math.prod(lengths(group)) for group in (rows, inner, columns))
        a.reshape((*lead, height, depth))
        b.reshape((*lead, depth, width))
        product = _Sketch(labels, (*lead, height, width))
        product.reshape(lengths(labels))
        return product, "matmul"
    a.arrange((*stack, *rows))
    b.arrange((*stack, *columns))
    a.reshape((*lead, *lengths(rows), *(1,) * len(columns)))
    b.reshape((*lead, *(1,) * len(rows), *lengths(columns)))
    return _Sketch(labels, lengths(labels)), "multiply"
