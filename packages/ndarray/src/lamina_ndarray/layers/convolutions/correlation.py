"""Convolution with every window as a dot product, and its transposes in either operand: shapes checked, one kernel call each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lamina_flatarray import DTypeError, ShapeError
from lamina_flatarray.dtype_rules import result_dtypes

from ...array_fields import empty_of
from ...dispatch.operands import common_kernels, described
from ...layouts.image_order import arranged, image_layout
from ...layouts.layout import Layout
from .sliding import window_counts

if TYPE_CHECKING:
    from ...array import NDArray

__all__ = ["convolution", "convolution_input_gradient", "convolution_weight_gradient", "convolved_layout"]

Lengths = tuple[int, ...]


def _kernels(op: str, operands: Sequence[NDArray]) -> Any:
    kernels = operands[0].flat.kernels
    if any(x.flat.kernels is not kernels for x in operands):
        kernels = common_kernels(op, operands)
        dtype = operands[0].dtype
        if any(x.dtype is not dtype for x in operands):
            raise DTypeError(f"{op}: {described(operands)}: input, weight and bias types should be the same")
        kernels = kernels.sibling(dtype)
    result_dtypes(op, kernels.dtype)
    return kernels


def convolved_layout(shape: Lengths, x: Layout, weight: Layout) -> Layout:
    """How the result of a convolution lies in PyTorch, and the gradients of its operands. It takes sequences for images of one row, and
    first copies those that have gaps or another order: only where they have one item do their strides still tell the order, those of
    weights always.

    Args:
        shape: of the result, or of the gradient.
        x, weight: layouts of the operands.
    """
    if len(shape) != 3:
        return image_layout(shape, x, weight)
    told = (x, weight) if x.contiguous else (weight,)
    rows = image_layout((*shape[:2], 1, shape[2]), *[layout.unsqueeze(2) for layout in told])
    return Layout.dense(shape) if rows.row_major else rows.squeeze(2)


def _in_order(result: NDArray, x: NDArray, weight: NDArray) -> NDArray:
    return arranged(result, convolved_layout(result.layout.shape, x.layout, weight.layout))


def convolution(
    x: NDArray, weight: NDArray, bias: NDArray | None, stride: Lengths, padding: Lengths, dilation: Lengths, groups: int
) -> NDArray:
    """Slide every output channel's weight over the input channels of its group, as dot products (a cross-correlation).

    Args:
        x: `(n, channels, *spatial)`, with zeros around.
        weight: `(outputs, channels / groups, *kernel)`.
        bias: `(outputs,)`, or None.
        stride: from one window to the next; this and the next two have one number per spatial axis.
        padding: how many zeros lie on each side.
        dilation: from one item of a window to the next.
        groups: the channels are cut into so many parts, each with its own part of the outputs.

    Returns:
        `(n, outputs, *counts)`, counts being the numbers of windows.

    Raises:
        ShapeError: the shapes do not fit, or no window does.
        DTypeError: the dtypes differ.

    >>> x = nd.asarray([[[1.0, 2.0, 4.0, 7.0]]])
    >>> nd.convolution(x, nd.asarray([[[-1.0, 1.0]]]), None, stride=(1,), padding=(0,), dilation=(1,), groups=1)
    NDArray([[[1., 2., 3.]]])
    """
    operands = [x, weight] if bias is None else [x, weight, bias]
    kernels = _kernels("convolution", operands)
    x_shape, filters = x.layout.shape, weight.layout.shape
    if len(x_shape) != len(filters) or len(x_shape) < 3 or len(stride) != len(x_shape) - 2:
        raise ShapeError(
            f"convolution: Expected {len(filters)}-dimensional input for {len(filters)}-dimensional weight {list(filters)}, but "
            f"got {len(x_shape)}-dimensional input of size {list(x_shape)} instead"
        )
    if groups < 1:
        raise ShapeError(f"convolution: non-positive groups is not supported, got groups={groups}")
    if filters[0] < groups:
        raise ShapeError(
            f"convolution: Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size "
            f"{list(filters)} instead"
        )
    if filters[0] % groups:
        raise ShapeError(
            f"convolution: Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of "
            f"size {list(filters)} instead"
        )
    if x_shape[1] != filters[1] * groups:
        raise ShapeError(
            f"convolution: Given groups={groups}, weight of size {list(filters)}, expected input{list(x_shape)} to have "
            f"{filters[1] * groups} channels, but got {x_shape[1]} channels instead"
        )
    if bias is not None and bias.layout.shape != filters[:1]:
        raise ShapeError(
            f"convolution: Given weight of size {list(filters)}, expected bias to be 1-dimensional with {filters[0]} elements, but "
            f"got bias of size {list(bias.layout.shape)} instead"
        )
    counts = window_counts(x_shape[2:], filters[2:], stride, padding, dilation)
    if min(counts) < 1:
        around = tuple(n + 2 * p for n, p in zip(x_shape[2:], padding, strict=True))
        raise ShapeError(
            f"convolution: Calculated padded input size per channel: {around}. Kernel size: {filters[2:]}, dilation {dilation}. "
            "Kernel size can't be greater than actual input size"
        )
    result = empty_of(kernels, Layout.dense((x_shape[0], filters[0], *counts)))
    kernels["convolution"](result, x, weight, bias, stride=stride, padding=padding, dilation=dilation, groups=groups)
    return result if x.layout.row_major and weight.layout.row_major else _in_order(result, x, weight)


def convolution_input_gradient(
    gradient: NDArray, weight: NDArray, bias: NDArray | None, lengths: Lengths, stride: Lengths, padding: Lengths,
    dilation: Lengths, groups: int,
) -> NDArray:
    """The transpose of `convolution` in its input: each item times the weight, laid over the window that it came from and
    added. With a bias it is what is called a transposed convolution.

    Args:
        gradient: (n, outputs, *counts).
        weight: (outputs, channels / groups, *kernel).
        bias: (channels,), added to every item of the result, or None.
        lengths: the spatial lengths of the result.
        stride, padding, dilation, groups: as for `convolution`.

    Returns:
        (n, channels, *lengths).

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ.
    """
    op = "convolution_input_gradient"
    kernels = _kernels(op, [gradient, weight] if bias is None else [gradient, weight, bias])
    gradient_shape, filters = gradient.layout.shape, weight.layout.shape
    if len(gradient_shape) != len(filters) or len(lengths) != len(gradient_shape) - 2 or gradient_shape[1] != filters[0]:
        raise ShapeError(
            f"{op}: Given transposed=1, weight of size {list(filters)}, expected input{list(gradient_shape)} to have "
            f"{filters[0]} channels, but got {gradient_shape[1] if len(gradient_shape) > 1 else 0} channels instead"
        )
    if bias is not None and bias.layout.shape != (filters[1] * groups,):
        raise ShapeError(f"{op}: a bias {list(bias.layout.shape)} for {filters[1] * groups} channels")
    _check_counts(op, lengths, filters[2:], gradient_shape[2:], stride, padding, dilation)
    result = empty_of(kernels, Layout.dense((gradient_shape[0], filters[1] * groups, *lengths)))
    kernels[op](
        result, gradient, weight, bias, lengths=lengths, stride=stride, padding=padding, dilation=dilation, groups=groups
    )
    return result if gradient.layout.row_major and weight.layout.row_major else _in_order(result, gradient, weight)


def convolution_weight_gradient(
    gradient: NDArray, x: NDArray, lengths: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths, groups: int
) -> NDArray:
    """The transpose of `convolution` in its weight: per item of the weight, the gradients times the inputs that it met.

    Args:
        gradient: (n, outputs, *counts).
        x: (n, channels, *spatial).
        lengths: the spatial lengths of the weight.
        stride, padding, dilation, groups: as for `convolution`.

    Returns:
        (outputs, channels / groups, *lengths).

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ.
    """
    op = "convolution_weight_gradient"
    kernels = _kernels(op, [gradient, x])
    gradient_shape, source = gradient.layout.shape, x.layout.shape
    if len(gradient_shape) != len(source) or len(lengths) != len(gradient_shape) - 2 or gradient_shape[0] != source[0]:
        raise ShapeError(f"{op}: a gradient {list(gradient_shape)} does not fit an input {list(source)}")
    _check_counts(op, source[2:], lengths, gradient_shape[2:], stride, padding, dilation)
    if groups < 1:
        raise ShapeError(f"{op}: non-positive groups is not supported, got groups={groups}")
    result = empty_of(kernels, Layout.dense((gradient_shape[1], source[1] // groups, *lengths)))
    kernels[op](result, gradient, x, lengths=lengths, stride=stride, padding=padding, dilation=dilation, groups=groups)
    return result


def _check_counts(
    op: str, lengths: Lengths, kernel: Lengths, counts: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths
) -> None:
    expected = window_counts(lengths, kernel, stride, padding, dilation)
    if expected != counts:
        raise ShapeError(
            f"{op}: an input of {lengths} has {expected} windows of {kernel} (stride {stride}, padding {padding}, dilation "
            f"{dilation}), but there are gradients for {counts}"
        )
