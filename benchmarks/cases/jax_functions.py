"""The functions of `compiled.py`, written for jax.jit: what that is measured with where jax is installed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
from jax import lax, nn
from jax import numpy as jnp

__all__ = ["keys", "layer_norm", "normal", "steps"]

keys = iter(jax.random.split(jax.random.key(0), 1000))


def normal(*shape: int) -> Any:
    return jax.random.normal(next(keys), shape)


def _chain(x: Any, y: Any) -> Any:
    return ((x * 1.5 + y) * x - y) * 0.5 + x


def _gelu(x: Any) -> Any:
    return 0.5 * x * (1 + jnp.tanh(0.79788456 * (x + 0.044715 * x * x * x)))


def _softmax(x: Any) -> Any:
    e = jnp.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def layer_norm(x: Any, w: Any, b: Any) -> Any:
    centred = x - x.mean(-1, keepdims=True)
    return centred * lax.rsqrt(jnp.square(centred).mean(-1, keepdims=True) + 1e-5) * w + b


def _rms_norm(x: Any, w: Any) -> Any:
    return x * lax.rsqrt(jnp.square(x).mean(-1, keepdims=True) + 1e-6) * w


def _heat(u: Any) -> Any:
    inner = u[1:-1, 1:-1]
    return inner + 0.1 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * inner)


def _oscillator(x: Any, v: Any) -> Any:
    for _ in range(5):
        v = v - 0.01 * (x + 0.1 * x * x * x)
        x = x + 0.01 * v
    return x, v


def _lennard_jones(r: Any) -> Any:
    s = (1 / r) ** 6
    return 4 * (s * s - s)


def _huber(x: Any, y: Any) -> Any:
    d = abs(x - y)
    return jnp.where(d < 1, 0.5 * d * d, d - 0.5).mean()


def _focal(x: Any, y: Any) -> Any:
    p = nn.sigmoid(x)
    q = p * y + (1 - p) * (1 - y)
    return -(((1 - q) ** 2) * jnp.log(q + 1e-6)).mean()


def _called(function: Any, arguments: tuple[Any, ...], learned: bool) -> Callable[[], Any]:
    def both(slopes: Any, *given: Any) -> Any:
        result, back = jax.vjp(function, *given)
        return result, back(slopes)

    if not learned:
        compiled = jax.jit(function)
        return lambda: jax.block_until_ready(compiled(*arguments))
    slopes = jnp.ones_like(function(*arguments))  # no constant, which would be folded: others are given it, too
    gradients = jax.jit(both)
    return lambda: jax.block_until_ready(gradients(slopes, *arguments))


def steps() -> dict[str, Callable[[], Any]]:
    """Name to one call that has ended when it returns, for the names of `cases.compiled.steps`."""
    flat, rows, uniform = normal(200_000), normal(512, 768), jax.random.uniform(next(keys), (400, 400))
    items, halves = normal(100_000), (normal(100_000) > 0).astype("float32")
    called: dict[str, tuple[Any, tuple[Any, ...], bool]] = {
        "chain of 5, 2e5 items": (_chain, (flat, normal(200_000)), False),
        "gelu by hand, 2e5 items": (_gelu, (flat,), False),
        "softmax by hand, 512x768": (_softmax, (rows,), False),
        "layer norm by hand, 512x768, with gradients": (layer_norm, (rows, normal(768), normal(768)), True),
        "rms norm by hand, 512x768": (_rms_norm, (rows, normal(768)), False),
        "heat on a grid, 400x400": (_heat, (uniform,), False),
        "oscillator, 5 steps of 1e4": (_oscillator, (normal(10_000), normal(10_000)), False),
        "Lennard-Jones, 1e5 pairs": (_lennard_jones, (abs(items) + 0.8,), False),
        "Huber loss, 1e5 items, with gradients": (_huber, (items, normal(100_000)), True),
        "focal loss, 1e5 items, with gradients": (_focal, (items, halves), True),
        "chain of 5, 10 items": (_chain, (normal(10), normal(10)), False),
    }
    return {name: _called(*each) for name, each in called.items()}
