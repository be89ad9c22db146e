"""Functions that a compiler should be good at, and whole training steps: what `compiled.py` times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cases import further_steps, training_steps

__all__ = ["steps"]


def _functions(lib: Any) -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Name to (a function, its arguments); gradients are taken of arguments that want them."""

    def chain(x: Any, y: Any) -> Any:
        return ((x * 1.5 + y) * x - y) * 0.5 + x

    def gelu(x: Any) -> Any:
        return 0.5 * x * (1 + lib.tanh(0.79788456 * (x + 0.044715 * x * x * x)))

    def softmax(x: Any) -> Any:
        e = (x - x.amax(-1, keepdim=True)).exp()
        return e / e.sum(-1, keepdim=True)

    def layer_norm(x: Any, w: Any, b: Any) -> Any:
        centred = x - x.mean(-1, keepdim=True)
        return centred * (centred.square().mean(-1, keepdim=True) + 1e-5).rsqrt() * w + b

    def rms_norm(x: Any, w: Any) -> Any:
        return x * (x.square().mean(-1, keepdim=True) + 1e-6).rsqrt() * w

    def heat(u: Any) -> Any:
        inner = u[1:-1, 1:-1]
        return inner + 0.1 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * inner)

    def oscillator(x: Any, v: Any) -> Any:
        for _ in range(5):
            v = v - 0.01 * (x + 0.1 * x * x * x)
            x = x + 0.01 * v
        return x, v

    def lennard_jones(r: Any) -> Any:
        s = (1 / r) ** 6
        return 4 * (s * s - s)

    def huber(x: Any, y: Any) -> Any:
        d = (x - y).abs()
        return lib.where(d < 1, 0.5 * d * d, d - 0.5).mean()

    def focal(x: Any, y: Any) -> Any:
        p = lib.sigmoid(x)
        q = p * y + (1 - p) * (1 - y)
        return -(((1 - q) ** 2) * (q + 1e-6).log()).mean()

    flat, rows = lib.randn(200_000), lib.randn(512, 768)
    learned, scale, shift = (lib.randn(*shape).requires_grad_() for shape in ((512, 768), (768,), (768,)))
    return {
        "chain of 5, 2e5 items": (chain, (flat, lib.randn(200_000))),
        "gelu by hand, 2e5 items": (gelu, (flat,)),
        "softmax by hand, 512x768": (softmax, (rows,)),
        "layer norm by hand, 512x768, with gradients": (layer_norm, (learned, scale, shift)),
        "rms norm by hand, 512x768": (rms_norm, (rows, lib.randn(768))),
        "heat on a grid, 400x400": (heat, (lib.rand(400, 400),)),
        "oscillator, 5 steps of 1e4": (oscillator, (lib.rand(10_000), lib.rand(10_000))),
        "Lennard-Jones, 1e5 pairs": (lennard_jones, (lib.rand(100_000) + 0.8,)),
        "Huber loss, 1e5 items, with gradients": (huber, (lib.randn(100_000).requires_grad_(), lib.randn(100_000))),
        "focal loss, 1e5 items, with gradients": (focal, (lib.randn(100_000).requires_grad_(), (lib.rand(100_000) > 0.5).float())),
        "chain of 5, 10 items": (chain, (lib.randn(10), lib.randn(10))),
    }


def steps(lib: Any, compile: Callable[[Any], Any], whole: bool) -> dict[str, Callable[[], Any]]:
    """Name to one step: a call of a function, backward where gradients are wanted; or a training step.

    Args:
        lib: the library.
        compile: makes a function a compiled one.
        whole: whether training steps are compiled whole, or what computes their losses.
    """
    lib.manual_seed(0)
    made: dict[str, Callable[[], Any]] = {}
    for name, (function, arguments) in _functions(lib).items():
        made[name] = _called(compile(function), arguments, [x for x in arguments if x.requires_grad])
    for name, make in {**training_steps.networks(lib), **further_steps.networks(lib)}.items():
        _, optimizer, loss = make()
        made[name] = compile(_trained(loss, optimizer)) if whole else _trained(compile(loss), optimizer)
    return made


def _called(function: Any, arguments: tuple[Any, ...], learned: list[Any]) -> Callable[[], Any]:
    def step() -> Any:
        result = function(*arguments)
        if learned:
            for x in learned:
                x.grad = None
            result.sum().backward()
        return result

    return step


def _trained(loss: Any, optimizer: Any) -> Callable[[], Any]:
    def step() -> Any:
        optimizer.zero_grad()
        value = loss()
        value.backward()
        optimizer.step()
        return value.detach()

    return step
