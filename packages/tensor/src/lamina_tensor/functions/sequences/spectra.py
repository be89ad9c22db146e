"""Short-time Fourier transforms, and their inverse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lamina_ndarray as nd

from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["istft", "stft"]


@torch_function(autocast="float32")
def stft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Tensor:
    """Compute the Fourier transforms of overlapping frames of a signal, each times a window.

    Args:
        input: the signal (time,) or signals (batch, time), real or complex.
        n_fft: the number of samples in a frame.
        hop_length: the distance between the starts of frames; n_fft // 4 by default.
        win_length: the window's length; n_fft by default. The window stands in the middle of the frame.
        window: the weights (win_length,); ones by default.
        center: whether frame t is centered at `t * hop_length`, for which the signal is padded on both sides.
        pad_mode: how: "reflect", "constant" (zeros), "replicate" or "circular".
        normalized: whether to multiply by `n_fft ** -0.5`.
        onesided: whether to return only the frequencies 0 to n_fft // 2; by default where signal and window are real.
        return_complex: whether to return complex numbers; otherwise real and imaginary parts as a last dim of length 2.
            It must be given unless signal or window are complex.
        align_to_window: without `center`, whether frames are as long as the window, and padded to n_fft.

    Returns:
        The transforms (frequency, frame) or (batch, frequency, frame).

    Raises:
        ShapeError: lengths do not fit together, or `return_complex` is missing.
        DTypeError: the signal is neither floating-point nor complex.

    >>> torch.stft(torch.ones(8), n_fft=4, return_complex=True).shape
    lamina.Size([3, 9])
    """
    result: Tensor = nd.stft(
        input, n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided, return_complex, align_to_window
    )  # fmt: skip
    return result


@torch_function
def istft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> Tensor:
    """Compute the signal that has given short-time Fourier transforms, or comes nearest to having them.

    The inverse of `stft`; where there is none, the least squares estimate of Griffin and Lim (1984).

    Args:
        input: the transforms (frequency, frame) or (batch, frequency, frame), complex.
        n_fft: as given to `stft`, like the next four.
        hop_length: the distance between the starts of frames.
        win_length: the window's length.
        window: the weights (win_length,).
        center: whether frame t is centered at `t * hop_length`.
        normalized: whether `stft` multiplied by `n_fft ** -0.5`.
        onesided: whether there are only the frequencies 0 to n_fft // 2; by default as their number says.
        length: the number of samples to return, with zeros where the frames do not reach; by default as far as they do.
        return_complex: whether the signal is complex, for which all frequencies are needed.

    Returns:
        The signal (time,) or signals (batch, time).

    Raises:
        ShapeError: lengths do not fit together, or some sample is covered by no window.
        DTypeError: the transforms are not complex, or the window is and the signal is not.

    >>> window = torch.hann_window(4)
    >>> transforms = torch.stft(torch.arange(8.0), 4, window=window, return_complex=True)
    >>> torch.istft(transforms, 4, window=window)
    tensor([0., 1., 2., 3., 4., 5., 6., 7.])
    """
    result: Tensor = nd.istft(
        input, n_fft, hop_length, win_length, window, center, normalized, onesided, length, return_complex
    )
    return result
