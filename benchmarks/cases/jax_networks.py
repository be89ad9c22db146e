"""The training steps of `compiled.py`, written for jax.jit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
from jax import lax, nn
from jax import numpy as jnp

from cases.jax_functions import keys, layer_norm, normal

__all__ = ["steps"]


def _sgd(rate: float) -> tuple[Any, Any]:
    return (lambda weights: ()), lambda weights, slopes, state: (jax.tree.map(lambda w, g: w - rate * g, weights, slopes), state)


def _adam(rate: float, decay: float = 0.0) -> tuple[Any, Any]:
    def update(weights: Any, slopes: Any, state: Any) -> Any:
        first, second, count = state
        count = count + 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, slopes)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, slopes)

        def moved(w: Any, m: Any, v: Any) -> Any:
            return w * (1 - rate * decay) - rate * (m / (1 - 0.9**count)) / (jnp.sqrt(v / (1 - 0.999**count)) + 1e-8)

        return jax.tree.map(moved, weights, first, second), (first, second, count)

    return (lambda weights: (jax.tree.map(jnp.zeros_like, weights), jax.tree.map(jnp.zeros_like, weights), jnp.zeros(()))), update


def _trained(weights: Any, loss: Callable[[Any, Any], Any], optimizer: tuple[Any, Any]) -> Callable[[], Any]:
    begin, update = optimizer

    def step(weights: Any, state: Any, key: Any) -> Any:
        key, own = jax.random.split(key)
        value, slopes = jax.value_and_grad(loss)(weights, own)
        return *update(weights, slopes, state), key, value

    compiled = jax.jit(step, donate_argnums=(0, 1, 2))
    held = [weights, begin(weights), jax.random.key(1)]

    def once() -> Any:
        *held[:], value = compiled(*held)
        return jax.block_until_ready(value)

    return once


def _linear(into: int, out: int) -> tuple[Any, Any]:
    return normal(into, out) / math.sqrt(into), jnp.zeros(out)


def _dense(x: Any, layer: tuple[Any, Any]) -> Any:
    return x @ layer[0] + layer[1]


def _entropy(scores: Any, target: Any) -> Any:
    return -jnp.take_along_axis(nn.log_softmax(scores), target[..., None], -1).mean()


def _classes(count: int, *shape: int) -> Any:
    return jax.random.randint(next(keys), shape, 0, count)


def _kernel(out: int, into: int, size: int) -> Any:
    return normal(out, into, size, size) / (size * math.sqrt(into))


def _conv(x: Any, kernel: Any, padding: int = 0, stride: int = 1) -> Any:
    return lax.conv(x, kernel, (stride, stride), "VALID") if not padding else lax.conv_general_dilated(
        x, kernel, (stride, stride), [(padding, padding)] * 2
    )


def _pooled(x: Any) -> Any:
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")


def _batch_norm(x: Any, layer: tuple[Any, Any]) -> Any:
    mean, variance = x.mean((0, 2, 3), keepdims=True), x.var((0, 2, 3), keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * layer[0][:, None, None] + layer[1][:, None, None]


def _scales(count: int) -> tuple[Any, Any]:
    return jnp.ones(count), jnp.zeros(count)


def _moons() -> Callable[[], Any]:
    x, y = normal(32, 2), normal(32, 1)

    def loss(weights: Any, key: Any) -> Any:
        hidden = nn.relu(_dense(nn.relu(_dense(x, weights[0])), weights[1]))
        return jnp.square(_dense(hidden, weights[2]) - y).mean()

    return _trained([_linear(2, 16), _linear(16, 16), _linear(16, 1)], loss, _sgd(0.01))


def _tiny() -> Callable[[], Any]:
    x, y = normal(8, 2), normal(8, 1)
    return _trained(
        [_linear(2, 4), _linear(4, 1)],
        lambda weights, key: jnp.square(_dense(jnp.tanh(_dense(x, weights[0])), weights[1]) - y).mean(), _adam(0.01),
    )  # fmt: skip


def _mlp() -> Callable[[], Any]:
    x, y = normal(64, 784), _classes(10, 64)

    def loss(weights: Any, key: Any) -> Any:
        hidden = nn.relu(_dense(x, weights[0]))
        hidden = jnp.where(jax.random.bernoulli(key, 0.8, hidden.shape), hidden / 0.8, 0)
        return _entropy(_dense(nn.relu(_dense(hidden, weights[1])), weights[2]), y)

    return _trained([_linear(784, 256), _linear(256, 128), _linear(128, 10)], loss, _adam(1e-3))


def _lenet() -> Callable[[], Any]:
    x, y = normal(64, 1, 28, 28), _classes(10, 64)

    def loss(weights: Any, key: Any) -> Any:
        hidden = _pooled(nn.relu(_conv(x, weights["a"], 2) + weights["b"][:, None, None]))
        hidden = _pooled(nn.relu(_conv(hidden, weights["c"]) + weights["d"][:, None, None])).reshape(64, -1)
        for layer in weights["e"][:-1]:
            hidden = nn.relu(_dense(hidden, layer))
        return _entropy(_dense(hidden, weights["e"][-1]), y)

    weights = {
        "a": _kernel(6, 1, 5), "b": jnp.zeros(6), "c": _kernel(16, 6, 5), "d": jnp.zeros(16),
        "e": [_linear(400, 120), _linear(120, 84), _linear(84, 10)],
    }  # fmt: skip
    return _trained(weights, loss, _sgd(1e-3))


def _resnet() -> Callable[[], Any]:
    x, y = normal(32, 3, 32, 32), _classes(10, 32)
    strides = (1, 2, 2)

    def block(x: Any, weights: Any, stride: int) -> Any:
        hidden = nn.relu(_batch_norm(_conv(x, weights["a"], 1, stride), weights["b"]))
        short = x if stride == 1 else _conv(x, weights["e"], 0, stride)
        return nn.relu(_batch_norm(_conv(hidden, weights["c"], 1), weights["d"]) + short)

    def loss(weights: Any, key: Any) -> Any:
        hidden = nn.relu(_batch_norm(_conv(x, weights["a"], 1), weights["b"]))
        for each, stride in zip(weights["blocks"], strides, strict=True):
            hidden = block(hidden, each, stride)
        return _entropy(_dense(hidden.mean((2, 3)), weights["out"]), y)

    def made(into: int, out: int) -> Any:
        first = {"a": _kernel(out, into, 3), "b": _scales(out), "c": _kernel(out, out, 3), "d": _scales(out)}
        return first if into == out else {**first, "e": _kernel(out, into, 1)}

    blocks = [made(16, 16), made(16, 32), made(32, 64)]
    return _trained({"a": _kernel(16, 3, 3), "b": _scales(16), "blocks": blocks, "out": _linear(64, 10)}, loss, _sgd(1e-3))


def _lstm_layer(x: Any, weights: Any) -> Any:
    """(length, batch, features) to (length, batch, hidden)."""
    inputs, width = _dense(x, weights["in"]), weights["again"][0].shape[0]

    def cell(state: Any, given: Any) -> Any:
        hidden, memory = state
        i, f, g, o = jnp.split(given + _dense(hidden, weights["again"]), 4, -1)
        memory = nn.sigmoid(f) * memory + nn.sigmoid(i) * jnp.tanh(g)
        hidden = nn.sigmoid(o) * jnp.tanh(memory)
        return (hidden, memory), hidden

    zeros = jnp.zeros((x.shape[1], width))
    return lax.scan(cell, (zeros, zeros), inputs)[1]


def _gru_layer(x: Any, weights: Any) -> Any:
    """(length, batch, features) to (length, batch, hidden)."""
    inputs, width = _dense(x, weights["in"]), weights["again"][0].shape[0]

    def cell(hidden: Any, given: Any) -> Any:
        (r, z, n), (own_r, own_z, own_n) = jnp.split(given, 3, -1), jnp.split(_dense(hidden, weights["again"]), 3, -1)
        r, z = nn.sigmoid(r + own_r), nn.sigmoid(z + own_z)
        hidden = (1 - z) * jnp.tanh(n + r * own_n) + z * hidden
        return hidden, hidden

    return lax.scan(cell, jnp.zeros((x.shape[1], width)), inputs)[1]


def _tagger(layer: Callable[[Any, Any], Any], gates: int, layers: int) -> Callable[[], Any]:
    ids = _classes(1000, 36, 20)

    def loss(weights: Any, key: Any) -> Any:
        hidden = weights["words"][ids[:-1]]
        for each in weights["layers"]:
            hidden = layer(hidden, each)
        return _entropy(_dense(hidden, weights["out"]), ids[1:])

    made = [{"in": _linear(128 if i else 64, gates * 128), "again": _linear(128, gates * 128)} for i in range(layers)]
    return _trained({"words": normal(1000, 64), "layers": made, "out": _linear(128, 1000)}, loss, _adam(1e-3))


def _attention(x: Any, weights: Any, heads: int, is_causal: bool) -> Any:
    n, length, width = x.shape
    q, k, v = (
        part.reshape(n, length, heads, width // heads).swapaxes(1, 2) for part in jnp.split(_dense(x, weights["all"]), 3, -1)
    )
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(width // heads)
    if is_causal:
        scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -jnp.inf)
    return _dense((nn.softmax(scores) @ v).swapaxes(1, 2).reshape(n, length, width), weights["out"])


def _transformer(x: Any, layers: Any, is_causal: bool) -> Any:
    for each in layers:
        x = x + _attention(layer_norm(x, *each["norm1"]), each, 4, is_causal)
        x = x + _dense(nn.gelu(_dense(layer_norm(x, *each["norm2"]), each["up"]), approximate=False), each["down"])
    return x


def _transformer_layer(width: int, inner: int) -> Any:
    return {
        "norm1": _scales(width), "norm2": _scales(width), "all": _linear(width, 3 * width), "out": _linear(width, width),
        "up": _linear(width, inner), "down": _linear(inner, width),
    }  # fmt: skip


def _gpt() -> Callable[[], Any]:
    ids = _classes(256, 8, 65)

    def loss(weights: Any, key: Any) -> Any:
        hidden = _transformer(weights["words"][ids[:, :-1]] + weights["places"], weights["layers"], True)
        return _entropy(layer_norm(hidden, *weights["norm"]) @ weights["out"], ids[:, 1:])

    weights = {
        "words": normal(256, 128), "places": normal(64, 128), "layers": [_transformer_layer(128, 512) for _ in range(4)],
        "norm": _scales(128), "out": _linear(128, 256)[0],
    }  # fmt: skip
    return _trained(weights, loss, _adam(1e-3, 0.01))


def _vit() -> Callable[[], Any]:
    x, y = normal(8, 3, 32, 32), _classes(10, 8)

    def loss(weights: Any, key: Any) -> Any:
        patches = (_conv(x, weights["patches"], 0, 4) + weights["bias"][:, None, None]).reshape(8, 64, -1).swapaxes(1, 2)
        first = jnp.broadcast_to(weights["first"], (8, 1, 64))
        hidden = _transformer(jnp.concatenate([first, patches], 1) + weights["places"], weights["layers"], False)
        return _entropy(_dense(hidden[:, 0], weights["out"]), y)

    weights = {
        "patches": _kernel(64, 3, 4), "bias": jnp.zeros(64), "first": jnp.zeros((1, 1, 64)), "places": normal(65, 64) * 0.02,
        "layers": [_transformer_layer(64, 128) for _ in range(4)], "out": _linear(64, 10),
    }  # fmt: skip
    return _trained(weights, loss, _adam(1e-3, 0.01))


def _vae() -> Callable[[], Any]:
    x = jax.random.uniform(next(keys), (128, 784))

    def loss(weights: Any, key: Any) -> Any:
        hidden = nn.relu(_dense(x, weights["into"]))
        mean, spread = _dense(hidden, weights["mean"]), _dense(hidden, weights["spread"])
        z = mean + jax.random.normal(key, mean.shape) * jnp.exp(0.5 * spread)
        made = nn.sigmoid(_dense(nn.relu(_dense(z, weights["back"])), weights["out"]))
        entropy = -(x * jnp.maximum(jnp.log(made), -100) + (1 - x) * jnp.maximum(jnp.log(1 - made), -100)).sum()
        return entropy - 0.5 * (1 + spread - jnp.square(mean) - jnp.exp(spread)).sum()

    sizes = {"into": (784, 400), "mean": (400, 20), "spread": (400, 20), "back": (20, 400), "out": (400, 784)}
    return _trained({name: _linear(*each) for name, each in sizes.items()}, loss, _adam(1e-3))


def _unet() -> Callable[[], Any]:
    x, y = normal(4, 1, 32, 32), (normal(4, 1, 32, 32) > 0).astype("float32")

    def pair(x: Any, weights: Any) -> Any:
        for kernel, bias, scales in weights:
            x = nn.relu(_batch_norm(_conv(x, kernel, 1) + bias[:, None, None], scales))
        return x

    def up(x: Any, weights: Any) -> Any:
        return lax.conv_transpose(x, weights[0], (2, 2), "VALID", dimension_numbers=("NCHW", "IOHW", "NCHW")) + weights[1][:, None, None]

    def loss(weights: Any, key: Any) -> Any:
        first = pair(x, weights["down1"])
        second = pair(_pooled(first), weights["down2"])
        hidden = up(pair(_pooled(second), weights["bottom"]), weights["up2"])
        hidden = up(pair(jnp.concatenate([second, hidden], 1), weights["across2"]), weights["up1"])
        hidden = pair(jnp.concatenate([first, hidden], 1), weights["across1"])
        scores = _conv(hidden, weights["out"]) + weights["bias"]
        return (jnp.maximum(scores, 0) - scores * y + jnp.log1p(jnp.exp(-abs(scores)))).mean()

    def made(into: int, out: int) -> Any:
        return [(_kernel(out, channels, 3), jnp.zeros(out), _scales(out)) for channels in (into, out)]

    pairs = {"down1": (1, 8), "down2": (8, 16), "bottom": (16, 32), "across2": (32, 16), "across1": (16, 8)}
    weights = {
        **{name: made(*each) for name, each in pairs.items()}, "up2": (_kernel(32, 16, 2), jnp.zeros(16)),
        "up1": (_kernel(16, 8, 2), jnp.zeros(8)), "out": _kernel(1, 8, 1), "bias": jnp.zeros(()),
    }  # fmt: skip
    return _trained(weights, loss, _adam(1e-3))


def steps() -> dict[str, Callable[[], Any]]:
    """Name to one step that has ended when it returns, for the names of `cases.compiled.steps`."""
    return {
        "tiny MLP on moons, 32x2": _moons(),
        "MNIST MLP with dropout, 64x784": _mlp(),
        "LeNet, 64x1x28x28": _lenet(),
        "ResNet of 3 blocks, 32x3x32x32": _resnet(),
        "LSTM of 2 layers, 35x20 words": _tagger(_lstm_layer, 4, 2),
        "GPT of 4 layers, 8x64 tokens": _gpt(),
        "VAE, 128x784": _vae(),
        "tiny model of 17 parameters, 8x2": _tiny(),
        "GRU, 35x20 words": _tagger(_gru_layer, 3, 1),
        "ViT of 4 layers, 8x3x32x32": _vit(),
        "U-Net, 4x1x32x32": _unet(),
    }
