"""Any convolution, as `torch.convolution`."""

from __future__ import annotations

from collections.abc import Sequence

from lamina_flatarray import ArgumentTypeError, ShapeError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.torch_function import torch_function

from ..functional.checking import check_tensor
from ..functional.convolutions.convolution import _convolved
from ..functional.convolutions.transposed import _transposed


@torch_function(autocast="lower")
def convolution(
    input: Tensor, weight: Tensor, bias: Tensor | None, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int], transposed: bool, output_padding: Sequence[int], groups: int,
) -> Tensor:  # fmt: skip
    """Convolve a batch over one, two or three spatial dims, or apply the transpose of a convolution.

    Args:
        input: (N, C, *spatial).
        weight: (outputs, C / groups, *kernel); if transposed, (C, outputs / groups, *kernel).
        bias: (outputs,), or None.
        stride: the step from one window to the next along each spatial dim.
        padding: the zeros added on each side; if transposed, the items cut off.
        dilation: the step from one item of a window to the next.
        transposed: whether the convolution is transposed.
        output_padding: the items added at the end, if transposed; otherwise it is not read.
        groups: the number of groups that the channels are split into, each with its own kernels.

    Returns:
        (N, outputs, *lengths).

    Raises:
        ArgumentTypeError: input or weight is not a tensor, or stride, padding, dilation or output_padding not a sequence.
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.

    >>> x, weight = torch.tensor([[[1.0, 2.0, 4.0]]]), torch.tensor([[[-1.0, 1.0]]])
    >>> torch.convolution(x, weight, None, [1], [0], [1], False, [0], 1)
    tensor([[[1., 2.]]])
    """
    check_tensor("convolution", input, weight)
    settings = {"stride": stride, "padding": padding, "dilation": dilation, "output_padding": output_padding}
    for name, value in settings.items():
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise ArgumentTypeError(f"convolution(): argument '{name}' must be tuple of ints, not {type(value).__name__}")
    rank = weight.ndim - 2
    if rank not in (1, 2, 3) or input.ndim != weight.ndim:
        raise ShapeError(
            f"convolution: expected an input and a weight of 3, 4 or 5 dims, got {list(input.shape)} and {list(weight.shape)}"
        )
    if transposed:
        return _transposed("convolution", rank, input, weight, bias, stride, padding, output_padding, groups, dilation)
    return _convolved("convolution", rank, input, weight, bias, stride, padding, dilation, groups)
