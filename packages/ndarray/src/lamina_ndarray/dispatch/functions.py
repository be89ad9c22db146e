"""The storey's column of the op table: op name to the function of arrays that users call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from lamina_flatarray.ops import OPS

from .. import linalg
from ..elementwise import (
    activation_gradients,
    activations,
    binary_parts,
    closeness,
)
from ..elementwise import (
    operations as elementwise,
)
from ..fft import operations as fourier
from ..indexing import bag_sums, gathering, selection
from ..indexing import nonzero as finding
from ..layers import (
    attention as attentions,
)
from ..layers import (
    class_losses,
    convolutions,
    normalizations,
    pooling,
    quantized_products,
    recurrences,
)
from ..layers import (
    dropout as dropouts,
)
from ..layers.resampling import grid_sampling, weighting
from ..products import matmul as products
from ..reductions import extremes, logic, order_statistics, scans, softmax, sums
from ..shapes import joining, triangles
from ..sorting import counting, searching, sets
from ..sorting import order as sorting

__all__ = ["FUNCTIONS", "RANKED"]

FUNCTIONS: Final[dict[str, Callable[..., Any]]] = dict(elementwise.FUNCTIONS)
"""Every op of the map, reduce, scan, matmul, fft, linalg, gather, sort and fused families that is a function of arrays."""

for _module in (
    sums, extremes, logic, scans, products, fourier, softmax, gathering, convolutions, pooling, class_losses, normalizations,
    recurrences, activation_gradients, activations, attentions, dropouts, grid_sampling, weighting, triangles, quantized_products, bag_sums,
):  # fmt: skip
    FUNCTIONS.update({name: getattr(_module, name) for name in _module.__all__ if name in OPS})
FUNCTIONS["concat"] = joining.concat
FUNCTIONS["sort"] = sorting.order
FUNCTIONS["sorted_values"] = sorting.sort
FUNCTIONS["ranked"] = sorting.ranked
FUNCTIONS.update({name: getattr(order_statistics, name) for name in ("median", "mode")})
FUNCTIONS["distinct"] = sets.unique_all
FUNCTIONS["frexp"] = binary_parts.frexp
FUNCTIONS["array_equal"] = closeness.array_equal
FUNCTIONS["cross"] = linalg.cross
FUNCTIONS.update({name: getattr(counting, name) for name in ("bincount", "histc", "histogram")})
FUNCTIONS["nonzero"] = finding.nonzero
FUNCTIONS["searchsorted"] = searching.searchsorted
FUNCTIONS.update({name: getattr(linalg, name) for name, row in OPS.items() if row.family == "linalg"})
FUNCTIONS["index"] = selection.getitem
FUNCTIONS["index_put"] = selection.setitem

RANKED: Final[dict[str, Callable[..., Any]]] = {**FUNCTIONS, **elementwise.RANKED}
"""The same, with PyTorch's type promotion where arrays without axes meet others."""
