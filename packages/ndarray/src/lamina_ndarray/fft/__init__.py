"""Discrete Fourier transforms over one axis or several."""

from .frequencies import fftfreq, fftshift, ifftshift, rfftfreq
from .one_axis import fft, hfft, ifft, ihfft, irfft, rfft
from .several_axes import fft2, fftn, hfft2, hfftn, ifft2, ifftn, ihfft2, ihfftn, irfft2, irfftn, rfft2, rfftn

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "hfft2", "hfftn", "ifft", "ifft2", "ifftn", "ifftshift",
    "ihfft", "ihfft2", "ihfftn", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted(__all__)
