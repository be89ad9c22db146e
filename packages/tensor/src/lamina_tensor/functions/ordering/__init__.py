"""Items in order: sorted, ranked, found, counted, and taken as a set."""

from .counting import bincount, histc, histogram, histogramdd
from .order_statistics import kthvalue, median, mode, nanmedian, nanquantile, quantile
from .searching import bucketize, isin, searchsorted
from .sets import unique, unique_consecutive
from .sorting import argsort, msort, sort, topk

__all__ = [
    "argsort", "bincount", "bucketize", "histc", "histogram", "histogramdd", "isin", "kthvalue", "median", "mode", "msort",
    "nanmedian", "nanquantile", "quantile", "searchsorted", "sort", "topk", "unique", "unique_consecutive",
]  # fmt: skip
