"""PyTorch's `torch.masked`: reductions and normalisations of the items that a mask leaves.

https://docs.pytorch.org/docs/stable/masked.html
"""

from .along_a_dim import cumprod, cumsum, log_softmax, logaddexp, normalize, softmax, softmin
from .extremes import amax, amin, argmax, argmin, median
from .reductions import logsumexp, mean, norm, prod, std, sum, var

__all__ = [
    "amax", "amin", "argmax", "argmin", "cumprod", "cumsum", "log_softmax", "logaddexp", "logsumexp", "mean",
    "median", "norm", "normalize", "prod", "softmax", "softmin", "std", "sum", "var",
]  # fmt: skip
