"""`pad`: a margin around the last dims, of one value or of their own items."""

from __future__ import annotations

from collections.abc import Sequence

from lamina_flatarray import ShapeError, UsageError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function

from .checking import check_tensor
from .image_order import as_images_lie

__all__ = ["pad"]


@torch_function
def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Tensor:
    """Pad the last dims with one value, or with their own items.

    Args:
        input: any tensor; with modes other than "constant", (N, C, *spatial) or (C, *spatial).
        pad: how many before and after, in pairs, from the last dim backwards; negative ones cut off.
        mode: "constant", "reflect" (mirrored at the first and last item), "replicate" (these repeated) or "circular".
        value: what a constant margin holds; 0 by default.

    Returns:
        A tensor whose last dims are longer by the sums of their pairs.

    Raises:
        ShapeError: the numbers are not pairs, or too many, or reach further than the mode can.
        NotImplementedError: the mode is unknown or not for so many dims.
        UsageError: there is a value, and the mode is another than "constant".

    >>> torch.nn.functional.pad(torch.tensor([[1.0, 2.0, 3.0]]), (1, 2), mode="reflect")
    tensor([[2., 1., 2., 3., 2., 1.]])
    """
    check_tensor("pad", input)
    margins = tuple(map(int, pad))
    if mode == "constant":
        result: Tensor = af.constant_pad(input, margins, 0 if value is None else value)
        return result
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if value:
        raise UsageError(f'Padding mode "{mode}" doesn\'t take in value argument')
    if len(margins) % 2:
        raise ShapeError(f"pad: Padding length must be divisible by 2, got {len(margins)}")
    rank = len(margins) // 2
    if not 1 <= rank <= 3 or input.ndim not in (rank + 1, rank + 2):
        raise NotImplementedError(
            "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now; it wants a pair for each spatial dim, but "
            f"got length {len(margins)} for input {list(input.shape)}"
        )
    if mode == "circular":
        return af.circular_pad(input, margins)  # row-major, as PyTorch's
    return as_images_lie((af.reflect_pad if mode == "reflect" else af.replicate_pad)(input, margins), input)
