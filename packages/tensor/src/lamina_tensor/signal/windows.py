"""Windows: weights that fade samples in and out, as filters and spectral analysis multiply them by.

https://docs.pytorch.org/docs/stable/signal.html
"""

from .peaked import bartlett, cosine, exponential, gaussian, kaiser
from .sums_of_cosines import blackman, general_cosine, general_hamming, hamming, hann, nuttall

__all__ = [
    "bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine", "general_hamming", "hamming", "hann", "kaiser",
    "nuttall",
]  # fmt: skip
