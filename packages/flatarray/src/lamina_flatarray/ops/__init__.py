"""The op table: one record per op, which holds all that is known of it below its shapes, gradients and batching.

All other lists of ops derive from this one. A storey above adds its own column by name: ndarray the function of arrays,
tensor the gradient.

Kernels are called `kernel(out, *inputs, **params)`; `params` are the names after the colon of an op's `signature`.
An op is looked up in the kernel table of the dtype that it computes in: that of its inputs after promotion (of the
values, not of a condition or of indices).

>>> OPS["tanh"].doc
'hyperbolic tangent'
"""

from .op import DOMAINS, FAMILIES, Op
from .table import OPS

__all__ = ["DOMAINS", "FAMILIES", "OPS", "Op"]
