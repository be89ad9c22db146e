"""Einstein summation: products of any number of arrays, summed over the labels of axes that the result does not have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from lamina_flatarray import DTypeError

from ...dispatch.namespace import Array, Functions, generic, namespace
from .equation import labelled
from .program import Step, program

__all__ = ["einsum"]


@overload
def einsum(equation: str, arrays: Sequence[Array], /) -> Array: ...
@overload
def einsum(equation: str, /, *arrays: Array) -> Array: ...
@overload
def einsum(x: Array, labels: Sequence[Any], /, *more: Any) -> Array: ...
@generic
def einsum(*arguments: Any) -> Any:
    """Multiply arrays and sum over axes as an equation says (Einstein's convention): `einsum("ij,jk->ik", a, b)` is `a @ b`.

    An equation has one letter (of either case) per axis, a comma between arrays, and the result's labels after `->`.
    Axes with the same letter have the same length, or 1. A letter that comes twice for one array reads its diagonal;
    letters that the result lacks are summed over. `...` stands for the axes in the middle, which broadcast. Without
    `->` the result has the broadcast axes, and then the letters that come once, capitals first.

    The order of pairwise products is the cheapest for up to 8 arrays, and a greedy one for more
    (`contraction_order`); a product is a matrix product of permuted views, with no copy where strides allow it.

    Args:
        arguments: an equation, then the arrays (or a list of them); or each array followed by the list of its axes'
            labels, whole numbers below 52, and at last perhaps the list of the result's.

    Returns:
        An array with the axes that the result's labels name, in the arrays' common dtype.

    Raises:
        ShapeError: the equation is malformed, does not suit the arrays' axes, or lengths differ.
        DTypeError: arrays of different dtypes share a label that is summed over.

    >>> x = nd.asarray([[1.0, 2.0], [3.0, 4.0]])
    >>> nd.einsum("ij,j->i", x, nd.asarray([1.0, 10.0]))
    NDArray([21., 43.])
    >>> nd.einsum("ii", x)
    NDArray(5.)
    """
    equation, arrays = labelled(arguments)
    xp = namespace(*arrays)
    operands, products, steps = program(equation, tuple([tuple(x.shape) for x in arrays]))
    present = [_taken(xp, x, before) for x, before in zip(arrays, operands, strict=True)]
    for i, j, left, right, function, after in products:
        b, a = present.pop(j), present.pop(i)  # i < j
        a, b = _taken(xp, a, left), _taken(xp, b, right)
        if function == "matmul" and a.shape[-1] == 1:
            function = "multiply"
        elif a.dtype is not b.dtype and function == "matmul":
            raise DTypeError(f"einsum: expected operands of one dtype where they are summed over, but got {a.dtype} and {b.dtype}")
        product = getattr(xp, function)(a, b)
        present.append(_taken(xp, product, after))
    return _taken(xp, present[0], steps)


def _taken(xp: Functions[Array], x: Array, steps: tuple[Step, ...]) -> Array:
    """x after some steps."""
    for name, argument in steps:
        if name == "every":
            x = x[::argument]
        elif name == "sum_in_dtype":
            x = xp.sum(x, argument, dtype=x.dtype)
        else:
            x = getattr(xp, name)(x, argument)
    return x
