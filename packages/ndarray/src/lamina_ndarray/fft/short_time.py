"""Spectra of short stretches of a signal, one after another, and the signal that belongs to them."""

from __future__ import annotations

import warnings
from typing import Any

from lamina_flatarray import DTypeError, ShapeError

from ..dispatch.namespace import Array, Functions, generic, namespace

__all__ = ["istft", "stft"]


def _settled(op: str, n_fft: int, hop_length: int | None, win_length: int | None, window: Any) -> tuple[int, int]:
    """The hop and the window's length.

    Raises:
        ShapeError: they do not fit together.
    """
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    if hop <= 0:
        raise ShapeError(f"{op}: expected hop_length > 0, but got {hop}")
    if not 0 < width <= n_fft:
        raise ShapeError(f"{op}: expected 0 < win_length <= n_fft = {n_fft}, but got win_length = {width}")
    if window is not None and tuple(window.shape) != (width,):
        raise ShapeError(
            f"{op}: expected a 1D window tensor of size equal to win_length = {width}, but got {tuple(window.shape)}"
        )
    return hop, width


def _framed(xp: Functions[Array], x: Array, window: Array | None, width: int, n_fft: int, dtype: Any) -> Array:
    """The window in the middle of a frame, zeros around it; ones for None."""
    if window is None:
        window = xp.ones(width, dtype=dtype, device=x.device)
    left = (n_fft - width) // 2
    right = n_fft - width - left
    return xp.concat([xp.new_zeros(window, (left,)), window, xp.new_zeros(window, (right,))]) if left + right else window


def _extended(xp: Functions[Array], x: Array, by: int, mode: str) -> Array:
    """The last axis with `by` more items on both sides."""
    n = x.shape[-1]
    if mode in ("reflect", "circular") and by > n - (mode == "reflect"):
        raise ShapeError(f"stft: padding by {by} ({mode}) is more than a signal of {n} samples allows")
    if mode == "reflect":
        left, right = xp.flip(x[..., 1 : by + 1], -1), xp.flip(x[..., n - by - 1 : n - 1], -1)
    elif mode == "circular":
        left, right = x[..., n - by :], x[..., :by]
    elif mode == "replicate":
        shape = (*x.shape[:-1], by)
        left, right = xp.broadcast_to(x[..., :1], shape), xp.broadcast_to(x[..., n - 1 :], shape)
    elif mode == "constant":
        left = right = xp.new_zeros(x, (*x.shape[:-1], by))
    else:
        raise ShapeError(f"stft: pad_mode {mode!r} given; it wants 'constant', 'reflect', 'replicate' or 'circular'")
    return xp.concat([left, x, right], -1)


def _frames(xp: Functions[Array], x: Array, size: int, hop: int) -> Array:
    """Stretches of a size along the last axis, a hop apart: (batch, frame, item).

    The signal is cut into blocks of a hop each; block i of frame t is block t + i of the signal.
    """
    batch, n = x.shape
    count, blocks = 1 + (n - size) // hop, -(-size // hop)
    length = (count + blocks - 1) * hop
    if length > n:
        x = xp.concat([x, xp.new_zeros(x, (batch, length - n))], 1)
    pieces = xp.reshape(x[:, :length], (batch, -1, hop))
    return xp.concat([pieces[:, i : i + count] for i in range(blocks)], 2)[..., :size]


def _overlapped(xp: Functions[Array], frames: Array, hop: int) -> Array:
    """The sum of stretches (batch, frame, item) that lie a hop apart: the adjoint of `_frames`."""
    batch, count, size = frames.shape
    blocks = -(-size // hop)
    if blocks * hop > size:
        frames = xp.concat([frames, xp.new_zeros(frames, (batch, count, blocks * hop - size))], -1)
    pieces = xp.reshape(frames, (batch, count, blocks, hop))
    total: Any = None
    for i in range(blocks):
        before, after = (xp.new_zeros(frames, (batch, n, hop)) for n in (i, blocks - 1 - i))
        part = xp.concat([before, pieces[:, :, i], after], 1)
        total = part if total is None else total + part
    return xp.reshape(total, (batch, -1))[:, : hop * (count - 1) + size]


@generic
def stft(
    input: Array,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Array | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Array:
    """Compute the short-time Fourier transform: the transforms of overlapping stretches of a signal, each times a window.

    Args:
        input: the signal, real or complex: `(time,)` or `(batch, time)`.
        n_fft: how many samples a stretch has.
        hop_length: how far apart stretches begin; n_fft // 4 by default.
        win_length: the window's length, which stands in the middle of a stretch; n_fft by default.
        window: win_length weights; ones by default.
        center: whether stretch t is centred at t * hop_length, for which the signal is extended on both sides.
        pad_mode: with what: "reflect", "constant" (zeros), "replicate" or "circular".
        normalized: whether to multiply by 1 / sqrt(n_fft).
        onesided: only the frequencies up to the half; by default where signal and window are real.
        return_complex: complex numbers, or else their parts as a last axis of length 2. Must be given for real ones.
        align_to_window: without `center`, whether stretches are as long as the window and n_fft only pads them.

    Returns:
        Spectra, `(frequency, frame)` or `(batch, frequency, frame)`, complex: `n_fft // 2 + 1` frequencies where onesided,
        else n_fft.

    Raises:
        ShapeError: lengths do not fit together, or return_complex is missing.
        DTypeError: the signal is neither floating nor complex.

    >>> signal = nd.sin(nd.linspace(0, 16 * nd.pi, 64, endpoint=False))  # a period of 8 samples
    >>> spectra = nd.stft(signal, 16, window=nd.hann_window(16), return_complex=True)
    >>> spectra.shape
    (9, 17)
    >>> nd.argmax(nd.abs(spectra[:, 8])).item()
    2
    """
    xp = namespace(input)
    if not input.dtype.is_inexact or input.ndim not in (1, 2):
        kind = DTypeError if input.ndim in (1, 2) else ShapeError
        raise kind(
            f"stft: expected a 1D or 2D tensor of floating point or complex values, but got {input.dtype.name}"
            f"{tuple(input.shape)}"
        )
    hop, width = _settled("stft", n_fft, hop_length, win_length, window)
    is_complex = input.dtype.is_complex or (window is not None and window.dtype.is_complex)
    if return_complex is None:
        if not is_complex:
            raise ShapeError("stft: requires the return_complex parameter be given for real inputs")
        return_complex = True
    if onesided and is_complex:
        raise ShapeError("stft: Cannot have onesided output if window or input is complex")
    if center and align_to_window is not None:
        raise ShapeError("stft: align_to_window should only be set when center = false")
    x = input if input.ndim == 2 else xp.unsqueeze(input, 0)
    if center:
        x = _extended(xp, x, n_fft // 2, pad_mode)
    stretch = width if align_to_window and not center else n_fft
    if n_fft <= 0 or x.shape[-1] < stretch:
        raise ShapeError(f"stft: expected 0 < n_fft <= {x.shape[-1]}, but got n_fft = {n_fft}")
    frames = _frames(xp, x, stretch, hop)
    if stretch < n_fft:
        left = (n_fft - stretch) // 2
        zeros = [xp.new_zeros(frames, (*frames.shape[:-1], n)) for n in (left, n_fft - stretch - left)]
        frames = xp.concat([zeros[0], frames, zeros[1]], -1)
    if window is not None or width < n_fft:
        frames = frames * _framed(xp, x, window, width, n_fft, x.dtype)
    norm = "ortho" if normalized else "backward"
    half = not is_complex if onesided is None else onesided
    result = xp.transpose((xp.fft.rfft if half else xp.fft.fft)(frames, norm=norm))
    if input.ndim == 1:
        result = result[0]
    if return_complex:
        return result
    return xp.view_as_real(result)


@generic
def istft(
    input: Array,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Array | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> Array:
    """Compute the inverse short-time Fourier transform: the signal that belongs to spectra.

    Where no signal has exactly these spectra, it is the least squares estimate of Griffin & Lim (1984).

    Args:
        input: spectra, complex: `(frequency, frame)` or `(batch, frequency, frame)`.
        n_fft: how many samples a stretch has, as given to `stft`.
        hop_length: how far apart stretches begin, as given to `stft`; n_fft // 4 by default.
        win_length: the window's length, as given to `stft`; n_fft by default.
        window: the window, as given to `stft`; ones by default.
        center: whether stretch t is centred at t * hop_length, as given to `stft`.
        normalized: whether the spectra were multiplied by 1 / sqrt(n_fft), as given to `stft`.
        onesided: whether there are only the frequencies up to the half; by default as their number says.
        length: of the signal to return; zeros come where the spectra do not reach. By default as far as they do.
        return_complex: whether the signal is complex; then all frequencies are needed.

    Returns:
        The signal, `(time,)` or `(batch, time)`: real unless `return_complex`.

    Raises:
        ShapeError: lengths do not fit together, or no window covers some sample.
        DTypeError: the spectra are not complex, or the window is and the signal is not.

    >>> signal, window = nd.arange(16, dtype=nd.float32), nd.hann_window(8)
    >>> spectra = nd.stft(signal, 8, window=window, return_complex=True)
    >>> nd.allclose(nd.istft(spectra, 8, window=window), signal, atol=1e-4)
    True
    """
    xp = namespace(input)
    if not input.dtype.is_complex or input.ndim not in (2, 3):
        kind = DTypeError if input.ndim in (2, 3) else ShapeError
        raise kind(f"istft: expected 2 or 3 axes of complex values, but got {input.dtype.name}{tuple(input.shape)}")
    hop, width = _settled("istft", n_fft, hop_length, win_length, window)
    spectra = input if input.ndim == 3 else xp.unsqueeze(input, 0)
    frequencies, count = spectra.shape[1:]
    half = frequencies != n_fft if onesided is None else onesided
    if not count or frequencies != (n_fft // 2 + 1 if half else n_fft):
        raise ShapeError(
            f"istft: expected the frequency dimension to match n_fft = {n_fft} (onesided = {half}) and at least one "
            f"frame, but got shape {tuple(input.shape)}"
        )
    if return_complex and half:
        raise ShapeError("istft: cannot have onesided input spectrum if return_complex is true")
    if window is not None and window.dtype.is_complex and not return_complex:
        raise DTypeError("istft: Complex windows are incompatible with return_complex=False")
    norm = "ortho" if normalized else "backward"
    turned = xp.transpose(spectra)
    frames: Array
    if return_complex:
        frames = xp.fft.ifft(turned, norm=norm)
    elif half:
        frames = xp.fft.irfft(turned, n_fft, norm=norm)
    else:
        frames = xp.fft.irfft(turned[..., : n_fft // 2 + 1], n_fft, norm=norm)
    weights = _framed(xp, input, window, width, n_fft, input.dtype.to_real())
    signal = _overlapped(xp, frames * weights, hop)
    squares = xp.broadcast_to(weights * weights, (1, count, n_fft))
    envelope = _overlapped(xp, squares, hop)
    reach = signal.shape[-1]
    start = n_fft // 2 if center else 0
    end = min(start + length, reach) if length is not None else reach - start
    signal, envelope = signal[:, start:end], envelope[:, start:end]
    if end > start and not bool(xp.min(xp.all_slices(xp.abs(envelope))) > 1e-11):
        raise ShapeError("istft: window overlap add min is below 1e-11: no window covers some sample")
    signal = signal / envelope
    if length is not None and start + length > reach:
        warnings.warn(
            f"istft: the spectra reach {reach - start} samples, but length = {length}: zeros are added", stacklevel=2
        )
        signal = xp.concat([signal, xp.new_zeros(signal, (signal.shape[0], length - signal.shape[1]))], 1)
    return signal if input.ndim == 3 else signal[0]
