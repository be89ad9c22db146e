"""All fused kernels, by op."""

from __future__ import annotations

from typing import Final

from lamina_flatarray.contract import Kernel

from . import (
    attentions,
    convolutions,
    dropouts,
    losses,
    many_arrays,
    normalizations,
    pooling,
    probabilities,
    recurrences,
    softmax,
)

__all__ = ["KERNELS"]

KERNELS: Final[dict[str, tuple[Kernel, tuple[str, ...]]]] = {
    **softmax.KERNELS,
    **normalizations.KERNELS,
    **losses.KERNELS,
    **probabilities.KERNELS,
    **attentions.KERNELS,
    **convolutions.KERNELS,
    **dropouts.KERNELS,
    **recurrences.KERNELS,
    **pooling.KERNELS,
    **many_arrays.KERNELS,
}
"""By op, its kernel and the dtypes that it serves."""
