"""The special functions that are ops of the table, and other functions that `special` lists, by PyTorch's names."""

from ..elementwise import special_functions
from ..elementwise.activations import sigmoid as expit
from ..elementwise.exponential import exp2, expm1, log1p
from ..elementwise.rounding import round
from ..elementwise.special_functions import (
    airy_ai,
    bessel_j0,
    bessel_j1,
    bessel_y0,
    bessel_y1,
    entr,
    erf,
    erfc,
    erfcx,
    erfinv,
    i0e,
    i1e,
    log_ndtr,
    modified_bessel_k0,
    modified_bessel_k1,
    ndtri,
    polygamma,
    scaled_modified_bessel_k0,
    scaled_modified_bessel_k1,
    sinc,
    xlog1py,
    xlogy,
    zeta,
)
from ..elementwise.special_functions import igamma as gammainc
from ..elementwise.special_functions import igammac as gammaincc
from ..elementwise.special_functions import lgamma as gammaln
from ..reductions.softmax import log_softmax, softmax
from ..reductions.sums import logsumexp

__all__ = [
    "airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "digamma", "entr", "erf", "erfc", "erfcx", "erfinv", "exp2",
    "expit", "expm1", "gammainc", "gammaincc", "gammaln", "i0", "i0e", "i1", "i1e", "log1p", "log_ndtr", "log_softmax",
    "logsumexp", "modified_bessel_i0", "modified_bessel_i1", "modified_bessel_k0", "modified_bessel_k1", "ndtri",
    "polygamma", "psi", "round", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "sinc", "softmax", "xlog1py", "xlogy",
    "zeta",
]  # fmt: skip

digamma = psi = special_functions.digamma
i0 = modified_bessel_i0 = special_functions.i0
i1 = modified_bessel_i1 = special_functions.i1
