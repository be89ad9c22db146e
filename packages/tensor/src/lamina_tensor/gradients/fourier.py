"""Gradients of Fourier transforms: they are linear, so each is the adjoint, a transform in the other direction."""

from __future__ import annotations

from typing import Any

from ..autograd.rules import rule
from ..dispatch.dispatched import dispatched

c2c, r2c, c2r = dispatched("fft_c2c"), dispatched("fft_r2c"), dispatched("fft_c2r")


def _inner_times(half: Any, axis: int, n: int, factor: float) -> Any:
    """The items of a half spectrum that stand for two times a factor: all but the first and, of an even n, the last."""
    import lamina_ndarray as nd

    weights = nd.full((half.shape[axis],), factor, dtype=half.dtype.to_real(), device=half.device)
    weights[0] = 1
    if n % 2 == 0:
        weights[-1] = 1
    return half * nd.reshape(weights, (-1, *(1,) * (len(half.shape) - axis - 1)))


rule(
    "fft_c2c",
    x=lambda g, axis, inverse, scale: c2c(g, axis, inverse=not inverse, scale=scale),
    node_name="FftC2CBackward0",
)
rule(
    "fft_r2c",
    x=lambda g, x_shape, axis, scale: c2r(
        _inner_times(g, axis, x_shape[axis], 0.5), axis, n=x_shape[axis], scale=scale
    ),
    node_name="FftR2CBackward0",
)
rule(
    "fft_c2r",
    x=lambda g, axis, n, scale: _inner_times(r2c(g, axis, scale=scale), axis, n, 2.0),
    node_name="FftC2RBackward0",
)
