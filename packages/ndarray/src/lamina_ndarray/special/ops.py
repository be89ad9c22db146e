"""The special functions that are ops of the table, and other functions that `special` lists, by PyTorch's names."""

from ..dispatch.functions import FUNCTIONS
from ..reductions.folds import logsumexp
from ..reductions.softmax import log_softmax, softmax

__all__ = [
    "airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "digamma", "entr", "erf", "erfc", "erfcx", "erfinv", "exp2",
    "expit", "expm1", "gammainc", "gammaincc", "gammaln", "i0", "i0e", "i1", "i1e", "log1p", "log_ndtr", "log_softmax",
    "logsumexp", "modified_bessel_i0", "modified_bessel_i1", "modified_bessel_k0", "modified_bessel_k1", "ndtri",
    "polygamma", "psi", "round", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "sinc", "softmax", "xlog1py", "xlogy",
    "zeta",
]  # fmt: skip

entr = FUNCTIONS["entr"]
sinc = FUNCTIONS["sinc"]
xlogy = FUNCTIONS["xlogy"]
xlog1py = FUNCTIONS["xlog1py"]
erf = FUNCTIONS["erf"]
erfc = FUNCTIONS["erfc"]
erfcx = FUNCTIONS["erfcx"]
erfinv = FUNCTIONS["erfinv"]
ndtri = FUNCTIONS["ndtri"]
log_ndtr = FUNCTIONS["log_ndtr"]
gammaln = FUNCTIONS["lgamma"]
digamma = psi = FUNCTIONS["digamma"]
polygamma = FUNCTIONS["polygamma"]
gammainc = FUNCTIONS["igamma"]
gammaincc = FUNCTIONS["igammac"]
zeta = FUNCTIONS["zeta"]
i0 = modified_bessel_i0 = FUNCTIONS["i0"]
i0e = FUNCTIONS["i0e"]
i1 = modified_bessel_i1 = FUNCTIONS["i1"]
i1e = FUNCTIONS["i1e"]
bessel_j0 = FUNCTIONS["bessel_j0"]
bessel_j1 = FUNCTIONS["bessel_j1"]
bessel_y0 = FUNCTIONS["bessel_y0"]
bessel_y1 = FUNCTIONS["bessel_y1"]
modified_bessel_k0 = FUNCTIONS["modified_bessel_k0"]
modified_bessel_k1 = FUNCTIONS["modified_bessel_k1"]
scaled_modified_bessel_k0 = FUNCTIONS["scaled_modified_bessel_k0"]
scaled_modified_bessel_k1 = FUNCTIONS["scaled_modified_bessel_k1"]
airy_ai = FUNCTIONS["airy_ai"]
expit = FUNCTIONS["sigmoid"]
exp2 = FUNCTIONS["exp2"]
expm1 = FUNCTIONS["expm1"]
log1p = FUNCTIONS["log1p"]
round = FUNCTIONS["round"]
