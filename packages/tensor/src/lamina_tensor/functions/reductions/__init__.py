"""Reductions: functions whose result has fewer dims than their input."""

from .extremes import amax, amin, aminmax, argmax, argmin, max, min
from .hashes import hash_tensor
from .logic import all, any
from .moments import corrcoef, cov, std, std_mean, var, var_mean
from .norms import norm, renorm
from .sums import count_nonzero, logsumexp, mean, nanmean, nansum, prod, sum

__all__ = [
    "all", "amax", "amin", "aminmax", "any", "argmax", "argmin", "corrcoef", "count_nonzero", "cov", "hash_tensor",
    "logsumexp", "max", "mean", "min", "nanmean", "nansum", "norm", "prod", "renorm", "std", "std_mean", "sum", "var",
    "var_mean",
]  # fmt: skip
