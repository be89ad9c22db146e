"""One step of each optimizer over the parameters of a small and of a large network, and clipping of gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

TITLE = "Optimizer steps"

OPTIMIZERS: dict[str, tuple[str, dict[str, Any]]] = {
    "SGD": ("SGD", {"lr": 1e-3}),
    "SGD, momentum": ("SGD", {"lr": 1e-3, "momentum": 0.9}),
    "Adam": ("Adam", {"lr": 1e-3}),
    "AdamW": ("AdamW", {"lr": 1e-3}),
    "AdamW of bfloat16": ("AdamW", {"lr": 1e-3}),
    "RMSprop": ("RMSprop", {"lr": 1e-3}),
    "Adagrad": ("Adagrad", {"lr": 1e-3}),
}


def cases(lib: Any) -> dict[str, Callable[[], Any]]:
    """Steps over 20 parameters of 64 x 64, and over 8 of 1024 x 1024."""
    found: dict[str, Callable[[], Any]] = {}
    for label, count, side in (("20 of 64x64", 20, 64), ("8 of 1024x1024", 8, 1024)):
        lib.manual_seed(0)
        for name, (kind, settings) in OPTIMIZERS.items():
            dtype = lib.bfloat16 if name.endswith("bfloat16") else lib.float32
            parameters = [lib.nn.Parameter(lib.randn(side, side).to(dtype)) for _ in range(count)]
            for parameter in parameters:
                parameter.grad = lib.randn(side, side).to(dtype)
            found[f"{name}, {label}"] = getattr(lib.optim, kind)(parameters, **settings).step
        found[f"clip_grad_norm_, {label}"] = lambda parameters=parameters: lib.nn.utils.clip_grad_norm_(parameters, 1e9)
        found[f"zero_ of the gradients, {label}"] = lambda parameters=parameters: [p.grad.zero_() for p in parameters]
    return found
