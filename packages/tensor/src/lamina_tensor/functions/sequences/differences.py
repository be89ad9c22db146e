"""Differences of neighbours along a dim, estimates of derivatives, and integrals by the trapezoidal rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import ArgumentTypeError, IndexOutOfRange

from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...tensor_class import Tensor

__all__ = ["cumulative_trapezoid", "diff", "gradient", "trapezoid", "trapz"]


@torch_function
def diff(
    input: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None, *,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Subtract each item along a dim from the next one, n times; of booleans, tell whether they differ.

    Args:
        input: a tensor with at least one dim.
        n: how many times; 0 for a copy.
        dim: the dim of the neighbours.
        prepend: what to put before input along the dim first.
        append: what to put behind it.
        out: a tensor to write the result to.

    Returns:
        The differences: input's shape, but n shorter along the dim.

    Raises:
        ShapeError: input has no dims, n is negative, or what to prepend or append does not fit.
        IndexOutOfRange: input has no such dim.

    >>> torch.diff(torch.tensor([1, 3, 6]))
    tensor([2, 3])
    """
    result = af.diff(input, n, dim, prepend, append)
    return result if out is None else written("diff", out, result)


@torch_function
def gradient(
    input: Tensor, *, spacing: complex | Sequence[complex] | Sequence[Tensor] | None = None,
    dim: int | Sequence[int] | None = None, edge_order: int = 1,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Estimate the partial derivatives of a sampled function, by central differences inside and one-sided ones at the edges.

    Args:
        input: the samples, at least `edge_order + 1` along each of the dims.
        spacing: the distance of the samples: a number (1 for None), one per dim, or per dim a vector of coordinates.
        dim: the dim or dims to differentiate along; all for None.
        edge_order: the order of accuracy at the edges, 1 or 2.

    Returns:
        One tensor of input's shape per dim.

    Raises:
        ShapeError: there are too few samples, a dim comes twice, `spacing` does not fit, or the order is another one.
        IndexOutOfRange: input has no such dim.

    >>> torch.gradient(torch.tensor([1.0, 4.0, 9.0, 16.0]))
    (tensor([3., 4., 6., 7.]),)
    """
    return af.gradient(input, spacing=spacing, axis=dim, edge_order=edge_order)


def _distance(op: str, y: Tensor, x: Tensor | None, dx: float) -> float | None:
    """The even distance of samples; None where x says where they are.

    Raises:
        ArgumentTypeError: both are given.
        IndexOutOfRange: y has no dims.
    """
    if not y.ndim:
        raise IndexOutOfRange(f"{op}(): y has no dims; it wants samples along one")
    if x is None:
        return dx
    if dx != 1:
        raise ArgumentTypeError(f"{op}(): x and dx given; it takes one of them")
    return None


@torch_function(left_out=("x",))
def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float = 1, dim: int = -1) -> Tensor:
    """Integrate samples along a dim by the trapezoidal rule.

    Args:
        y: the samples.
        x: where they were taken: one vector for the dim, or a tensor that broadcasts with y; None for an even distance.
        dx: the distance of neighbours, if no x is given.
        dim: the dim to integrate along.

    Returns:
        The integrals: y's shape without `dim`.

    Raises:
        ShapeError: x does not fit y.
        DTypeError: x or y is boolean.
        ArgumentTypeError: both x and dx are given.
        IndexOutOfRange: y has no such dim.

    >>> torch.trapezoid(torch.tensor([1.0, 2.0, 3.0]))
    tensor(4.)
    """
    return af.trapezoid(y, x, dx=_distance("trapezoid", y, x, dx), axis=dim)


trapz = trapezoid


@torch_function(left_out=("x",))
def cumulative_trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float = 1, dim: int = -1) -> Tensor:
    """Integrate samples along a dim by the trapezoidal rule, from the first one up to each other one.

    Args:
        y: the samples.
        x: where they were taken: one vector for the dim, or a tensor that broadcasts with y; None for an even distance.
        dx: the distance of neighbours, if no x is given.
        dim: the dim to integrate along.

    Returns:
        The integrals: y's shape, but one shorter along the dim.

    Raises:
        ShapeError: x does not fit y.
        DTypeError: x or y is boolean.
        ArgumentTypeError: both x and dx are given.
        IndexOutOfRange: y has no such dim.

    >>> torch.cumulative_trapezoid(torch.tensor([1.0, 2.0, 3.0]))
    tensor([1.5000, 4.0000])
    """
    return af.cumulative_trapezoid(y, x, dx=_distance("cumulative_trapezoid", y, x, dx), axis=dim)
