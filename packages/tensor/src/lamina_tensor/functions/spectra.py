"""Short-time spectra as functions and as methods."""

from __future__ import annotations

import lamina_ndarray as nd

from ..dispatch.spelling import spelled

__all__ = ["istft", "stft"]

stft, istft = spelled(nd.stft), spelled(nd.istft)
