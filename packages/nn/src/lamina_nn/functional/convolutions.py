"""Convolutions as functions, and the blocks that they see: `unfold` and `fold`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lamina_flatarray import DTypeError, ShapeError
from lamina_tensor import Tensor
from lamina_tensor.dispatch import array_functions as af
from lamina_tensor.functions import fused
from lamina_tensor.precision.casts import switch

from .spatial_dims import batched, like, named, per_dim, settled

__all__ = [
    "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "fold", "unfold",
]  # fmt: skip

Numbers = int | Sequence[int]


@settled
def _settings(op: str, rank: int, dims: int, stride: Any, padding: Any, dilation: Any, groups: int) -> tuple[tuple[int, ...], ...]:
    if dims < 3:
        raise ShapeError(f"{op}: weight should have at least three dimensions, got {dims}")
    if groups <= 0:
        raise ShapeError(f"{op}: non-positive groups is not supported, got {groups}")
    steps, margins = per_dim(op, "stride", stride, rank), per_dim(op, "padding", padding, rank)
    dilations = per_dim(op, "dilation", dilation, rank)
    if min(steps) <= 0:
        raise ShapeError(f"{op}: non-positive stride is not supported, got {list(steps)}")
    if min(margins) < 0:
        raise ShapeError(f"{op}: negative padding is not supported, got {list(margins)}")
    if min(dilations) <= 0:
        raise ShapeError(f"{op}: dilation should be greater than zero, got {list(dilations)}")
    return steps, margins, dilations


def _checked(op: str, rank: int, input: Tensor, weight: Tensor) -> Tensor:
    """With a dim of examples.

    Raises:
        ShapeError: the number of dims is none that fits.
    """
    if input.ndim not in (rank + 1, rank + 2) or weight.ndim != rank + 2:
        raise ShapeError(
            f"{op}: Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input and a weight of {rank + 2} dims, Expected "
            f"{len(weight.shape)}-dimensional input for {len(weight.shape)}-dimensional weight {list(weight.shape)}, but got input "
            f"of size: {list(input.shape)}"
        )
    return batched(input, rank)


def _convolution(rank: int) -> Callable[..., Tensor]:
    op = f"conv{rank}d"

    def conv(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Numbers = 1,
        padding: str | Numbers = 0,
        dilation: Numbers = 1,
        groups: int = 1,
    ) -> Tensor:
        if switch.users:
            input, weight, bias = switch.lowered(input, weight, bias)
        around = 0 if isinstance(padding, str) else padding
        steps, margins, dilations = _settings(op, rank, weight.array.layout.ndim, stride, around, dilation, groups)
        x = _checked(op, rank, input, weight)
        if isinstance(padding, str):
            x, margins = _same(op, x, weight, padding, steps, dilations)
        made = fused.convolution(x, weight, bias, steps, margins, dilations, groups)
        return made if x.ndim == input.ndim else af.squeeze(made, 0)

    return named(
        conv, op,
        f"""Every output channel's weight slid over `input`, zeros around it, as dot products.

        Args:
            input: (N, C, *spatial) or (C, *spatial), {rank} spatial dims.
            weight: (outputs, C / groups, *kernel).
            bias: (outputs,), or None.
            stride: from one window to the next; this and the next two are a number, or one for each spatial dim.
            padding: how many zeros on each side; "valid" for none, "same" for as many as keep the spatial shape.
            dilation: from one item of a window to the next.
            groups: channels and outputs are cut into so many parts, each seeing its own only.

        Raises:
            ShapeError: the shapes do not fit, or a number is out of range.
            DTypeError: the dtypes differ.
        """,
    )  # fmt: skip


def _same(
    op: str, x: Tensor, weight: Tensor, padding: str, stride: tuple[int, ...], dilation: tuple[int, ...]
) -> tuple[Tensor, tuple[int, ...]]:
    """The input, and how many zeros on each side; of an odd number one more lies behind, and is put there."""
    if padding not in ("same", "valid"):
        raise ShapeError(f"{op}: Invalid padding string: '{padding}'")
    if padding == "valid":
        return x, (0,) * len(stride)
    if any(s != 1 for s in stride):
        raise ShapeError(f"{op}: padding='same' is not supported for strided convolutions")
    around = [d * (k - 1) for k, d in zip(weight.shape[2:], dilation, strict=True)]
    if any(n % 2 for n in around):
        x = af.constant_pad(x, [n for total in reversed(around) for n in (0, total % 2)])
    return x, tuple(n // 2 for n in around)


def _transposed(rank: int) -> Callable[..., Tensor]:
    op = f"conv_transpose{rank}d"

    def conv_transpose(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Numbers = 1,
        padding: Numbers = 0,
        output_padding: Numbers = 0,
        groups: int = 1,
        dilation: Numbers = 1,
    ) -> Tensor:
        steps, margins, dilations = _settings(op, rank, weight.array.layout.ndim, stride, padding, dilation, groups)
        more = per_dim(op, "output_padding", output_padding, rank)
        x = _checked(op, rank, input, weight)
        for extra, s, d in zip(more, steps, dilations, strict=True):
            if not 0 <= extra < max(s, d):
                raise ShapeError(
                    f"{op}: output padding must be smaller than either stride or dilation, and not negative, but got "
                    f"output_padding: {more}, stride: {steps} and dilation: {dilations}"
                )
        if x.shape[1] != weight.shape[0] or x.shape[1] % groups:
            raise ShapeError(
                f"{op}: Given transposed=1, weight of size {list(weight.shape)}, expected input{list(x.shape)} to have "
                f"{weight.shape[0]} channels, but got {x.shape[1]} channels instead"
            )
        if bias is not None:
            outputs = weight.shape[1] * groups
            if tuple(bias.shape) != (outputs,):
                raise ShapeError(f"{op}: expected bias to be 1-dimensional with {outputs} elements, got {list(bias.shape)}")
            if bias.dtype is not x.dtype:
                raise DTypeError(f"{op}: Input type ({x.dtype}) and bias type ({bias.dtype}) should be the same")
        lengths = tuple(
            (n - 1) * s - 2 * p + d * (k - 1) + extra + 1
            for n, k, s, p, d, extra in zip(x.shape[2:], weight.shape[2:], steps, margins, dilations, more, strict=True)
        )
        if min(lengths) < 1:
            raise ShapeError(f"{op}: Given input size per channel: {list(x.shape[2:])}. Calculated output size: {lengths}, too small")
        if any(extra >= s for extra, s in zip(more, steps, strict=True)):  # room for more inputs, which are 0
            room = [extra // s for extra, s in zip(more, steps, strict=True)]
            x = af.constant_pad(x, [n for extra in reversed(room) for n in (0, extra)])
        made: Tensor = af.convolution_input_gradient(x, weight, bias, lengths, steps, margins, dilations, groups)
        return like(made, input)

    return named(
        conv_transpose, op,
        f"""The transpose of a convolution: each item of `input` times the weight, added where the window lies.

        Args:
            input: (N, C, *spatial) or (C, *spatial), {rank} spatial dims.
            weight: (C, outputs / groups, *kernel).
            bias: (outputs,), or None.
            stride: from one window to the next; this and the next three are a number, or one for each spatial dim.
            padding: how much of the result is cut off on each side.
            output_padding: how much longer it is behind.
            groups: channels and outputs are cut into so many parts, each seeing its own only.
            dilation: from one item of a window to the next.

        Raises:
            ShapeError: the shapes do not fit, or a number is out of range.
            DTypeError: the dtypes differ.
        """,
    )  # fmt: skip


conv1d, conv2d, conv3d = map(_convolution, (1, 2, 3))
conv_transpose1d, conv_transpose2d, conv_transpose3d = map(_transposed, (1, 2, 3))


def _blocks(op: str, kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> list[tuple[int, ...]]:
    found = []
    for name, value, least in (
        ("kernel_size", kernel_size, 1), ("dilation", dilation, 1), ("padding", padding, 0), ("stride", stride, 1)
    ):  # fmt: skip
        numbers = per_dim(op, name, value, 2)
        if min(numbers) < least:
            raise ShapeError(f"{op}: {name} should be at least {least}, but got {numbers}")
        found.append(numbers)
    return found


def unfold(
    input: Tensor, kernel_size: Numbers, dilation: Numbers = 1, padding: Numbers = 0, stride: Numbers = 1
) -> Tensor:
    """Every block that slides over images as a column.

    Args:
        input: (N, C, H, W) or (C, H, W).
        kernel_size: the shape of a block; this and the others are a number, or one for each of the two dims.
        dilation: from one item of a block to the next.
        padding: zeros on each side.
        stride: from one block to the next.

    Returns:
        (N, C * items of a block, blocks).

    Raises:
        ShapeError: the shapes do not fit, or no block does.
    """
    kernel, dilations, margins, steps = _blocks("unfold", kernel_size, dilation, padding, stride)
    if input.ndim not in (3, 4) or 0 in input.shape[-3:]:
        raise ShapeError(f"unfold: Expected 3D or 4D (batch mode) tensor with non-zero dimensions, but got {list(input.shape)}")
    x = af.unsqueeze(input, 0) if input.ndim == 3 else input
    windows = af.sliding_windows(x, kernel, steps, margins, dilations)
    n, channels, *lengths = windows.shape
    made = af.reshape(windows, (n, channels * lengths[0] * lengths[1], lengths[2] * lengths[3]))
    return made if input.ndim == 4 else af.squeeze(made, 0)


def fold(
    input: Tensor,
    output_size: Numbers,
    kernel_size: Numbers,
    dilation: Numbers = 1,
    padding: Numbers = 0,
    stride: Numbers = 1,
) -> Tensor:
    """Columns put back as the blocks that `unfold` would have seen, added where they overlap.

    Args:
        input: (N, C * items of a block, blocks), or without N.
        output_size: the last two lengths of the result.
        kernel_size, dilation, padding, stride: as for `unfold`.

    Returns:
        (N, C, *output_size).

    Raises:
        ShapeError: the shapes do not fit.
    """
    kernel, dilations, margins, steps = _blocks("fold", kernel_size, dilation, padding, stride)
    lengths = per_dim("fold", "output_size", output_size, 2)
    size = kernel[0] * kernel[1]
    if input.ndim not in (2, 3) or 0 in input.shape[-2:] or input.shape[-2] % size:
        raise ShapeError(
            f"fold: Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got {list(input.shape)} "
            f"and kernel_size={kernel}"
        )
    x = af.unsqueeze(input, 0) if input.ndim == 2 else input
    counts = tuple(
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, s, p, d in zip(lengths, kernel, steps, margins, dilations, strict=True)
    )
    if min(counts) < 1 or x.shape[2] != counts[0] * counts[1]:
        raise ShapeError(
            f"fold: Given output_size={lengths}, kernel_size={kernel}, dilation={dilations}, padding={margins}, stride={steps}, "
            f"expected size of input's dimension 2 to match the calculated number of sliding blocks {counts[0]} * {counts[1]}, but "
            f"got {x.shape[2]}"
        )
    windows = af.reshape(x, (x.shape[0], x.shape[1] // size, *kernel, *counts))
    made: Tensor = af.overlap_add(windows, lengths, steps, margins, dilations)
    return made if input.ndim == 3 else af.squeeze(made, 0)
