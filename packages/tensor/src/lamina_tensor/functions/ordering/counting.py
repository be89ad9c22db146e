"""How many items fall where: counts of integers, and histograms."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import lamina_ndarray as nd

from ...autograd.recording import recorded_several
from ...autograd.rules import RULES
from ...dispatch import return_types
from ...dispatch.out import written
from ...dispatch.tensor_functions import af, arrays_of
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...tensor_class import Tensor

__all__ = ["bincount", "histc", "histogram", "histogramdd"]


@torch_function
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """Count how often each integer from 0 to the greatest occurs, or sum up the weights of its occurrences.

    Args:
        input: a vector of integers, none negative.
        weights: one number per integer.
        minlength: the least length of the result.

    Returns:
        The counts in int64; with weights their sums, in float32 if they are float32, else in float64.

    Raises:
        ShapeError: input is no vector or has negative items, weights have another shape, or minlength is negative.
        DTypeError: input does not hold integers.

    >>> torch.bincount(torch.tensor([0, 2, 2]))
    tensor([1, 0, 2])
    """
    return af.bincount(input, weights, minlength)


@torch_function
def histc(input: Tensor, bins: int = 100, min: float = 0, max: float = 0, *, out: Tensor | None = None) -> Tensor:
    """Count the items in bins of equal width between `min` and `max`, both included.

    Args:
        input: real numbers of any shape.
        bins: how many.
        min: the lower end; if both ends are equal, they are those of the items.
        max: the upper end.
        out: a tensor to write the result to.

    Returns:
        The counts in input's dtype, one per bin.

    Raises:
        ShapeError: there are no bins, or the ends are not finite or in the wrong order.
        DTypeError: input is complex or boolean.

    >>> torch.histc(torch.tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3)
    tensor([0., 2., 1., 0.])
    """
    result = af.histc(input, bins, min, max)
    return result if out is None else written("histc", out, result)


@overload
def histogram(
    input: Tensor, bins: Tensor, *, weight: Tensor | None = None, density: bool = False, out: Sequence[Tensor] | None = None
) -> return_types.histogram: ...
@overload
def histogram(
    input: Tensor, bins: int = 100, *, range: Sequence[float] | None = None, weight: Tensor | None = None,
    density: bool = False, out: Sequence[Tensor] | None = None,
) -> return_types.histogram: ...  # fmt: skip
@torch_function
def histogram(
    input: Tensor, bins: int | Tensor = 100, *, range: Sequence[float] | None = None, weight: Tensor | None = None,
    density: bool = False, out: Sequence[Tensor] | None = None,
) -> return_types.histogram:  # fmt: skip
    """Count the items in bins, or sum up their weights. The last bin includes its right edge.

    Args:
        input: float32 or float64 numbers of any shape.
        bins: how many bins of equal width, or their ascending edges.
        range: the first and the last edge; those of the items for None.
        weight: how much each item counts, of input's shape.
        density: whether to divide by the total and by the widths of the bins.
        out: two tensors to write the results to.

    Returns:
        What lies in each bin and the edges, as `hist` and `bin_edges`, in input's dtype.

    Raises:
        ShapeError: shapes do not fit, there are no bins, or the range is not finite or in the wrong order.
        DTypeError: input has another dtype, or bins or weight differ from it.

    >>> torch.histogram(torch.tensor([1.0, 2.0, 1.0]), bins=4, range=(0.0, 3.0)).hist
    tensor([0., 2., 1., 0.])
    """
    parts = af.histogram(input, bins, range=range, weight=weight, density=density)
    result = tuple.__new__(return_types.histogram, parts)
    return result if out is None else written("histogram", out, result)


@torch_function
def histogramdd(
    input: Tensor, bins: int | Sequence[int] | Sequence[Tensor], range: Sequence[float] | None = None,
    weight: Tensor | None = None, density: bool = False,
) -> return_types.histogramdd:  # fmt: skip
    """Count points in boxes, or sum up their weights.

    Args:
        input: float32 or float64 points (..., D).
        bins: how many bins of equal width along every coordinate, or along each; or the ascending edges along each.
        range: the first and the last edge along each coordinate, 2 D numbers; those of the points for None.
        weight: how much each point counts.
        density: whether to divide by the total and by the volumes of the boxes.

    Returns:
        What lies in each box, with D dims, and the edges along each coordinate, as `hist` and `bin_edges`.

    Raises:
        ShapeError: shapes do not fit, there are no bins, or a range is not finite or in the wrong order.
        DTypeError: input has another dtype, or bins or weight differ from it.

    >>> torch.histogramdd(torch.tensor([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), bins=[2, 2]).hist
    tensor([[0., 1.],
            [1., 1.]])
    """
    hist, edges = nd.histogramdd(input.array, arrays_of(bins), range=range, weight=arrays_of(weight), density=density)
    counted, *bounds = recorded_several(RULES["histogramdd"], (hist, *edges), (input, weight))
    return tuple.__new__(return_types.histogramdd, (counted, tuple(bounds)))
