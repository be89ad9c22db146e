"""The optimizer kernels against the formulas, written out in float64."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_operands import BACKEND, numpy_view, operand, run

SHAPES = [(3, 4), (1,), (), (0,), (70_000,)]


def sgd(p: Any, g: Any, b: Any, *, lr: float, momentum: float, dampening: float, weight_decay: float, nesterov: bool,
        maximize: bool, first: bool) -> tuple[Any, Any]:  # fmt: skip
    g = (-g if maximize else g) + weight_decay * p
    if momentum:
        b = g if first else momentum * b + (1 - dampening) * g
        g = g + momentum * b if nesterov else b
    return p - lr * g, b


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("momentum", "nesterov"), [(0.0, False), (0.9, False), (0.9, True)])
@pytest.mark.parametrize("weight_decay", [0.0, 0.1])
def test_sgd(dtype: str, momentum: float, nesterov: bool, weight_decay: float) -> None:
    rng = np.random.default_rng(0)
    for maximize, first in itertools.product([False, True], repeat=2):
        arrays = [[rng.standard_normal(s).astype(dtype) for s in SHAPES] for _ in range(3)]
        ps, gs, bs = [[operand(x) for x in column] for column in arrays]
        settings = dict(lr=0.1, momentum=momentum, dampening=0.2 * (not nesterov), weight_decay=weight_decay,
                        nesterov=nesterov, maximize=maximize, first=first)  # fmt: skip

        BACKEND.kernel("sgd_step")(ps, *gs, buffers=bs if momentum else None, **settings)
        for p, b, p0, g0, b0 in zip(ps, bs, *arrays, strict=True):
            wanted, buffer = sgd(*(x.astype(float) for x in (p0, g0, b0)), **settings)
            np.testing.assert_allclose(numpy_view(p), wanted, rtol=2e-6, atol=1e-6)
            np.testing.assert_allclose(numpy_view(b), buffer, rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("decoupled", [False, True])
@pytest.mark.parametrize("amsgrad", [False, True])
@pytest.mark.parametrize("beta1", [0.9, 0.3])
def test_adam(dtype: str, decoupled: bool, amsgrad: bool, beta1: float) -> None:
    rng = np.random.default_rng(0)
    lr, beta2, eps, decay, step = 0.01, 0.99, 1e-8, 0.1, 7

    for maximize in (False, True):
        arrays = [[rng.standard_normal(s).astype(dtype) for s in SHAPES] for _ in range(3)]
        arrays += [[rng.random(s).astype(dtype) for s in SHAPES] for _ in range(2)]
        ps, gs, ms, vs, tops = [[operand(x) for x in column] for column in arrays]
        BACKEND.kernel("adam_step")(
            ps, *gs, firsts=ms, seconds=vs, maxima=tops if amsgrad else None, lr=lr, beta1=beta1, beta2=beta2, eps=eps,
            weight_decay=decay, decoupled=decoupled, maximize=maximize, step=step,
        )  # fmt: skip
        for p, m, v, top, *before in zip(ps, ms, vs, tops, *arrays, strict=True):
            p0, g, m0, v0, t0 = (x.astype(float) for x in before)
            g = -g if maximize else g
            p0, g = (p0 * (1 - lr * decay), g) if decoupled else (p0, g + decay * p0)
            m0, v0 = beta1 * m0 + (1 - beta1) * g, beta2 * v0 + (1 - beta2) * g * g
            t0 = np.maximum(t0, v0) if amsgrad else t0
            root = np.sqrt(t0 if amsgrad else v0) / math.sqrt(1 - beta2**step) + eps
            for found, wanted in zip(
                (p, m, v, top), (p0 - lr / (1 - beta1**step) * m0 / root, m0, v0, t0), strict=True
            ):
                np.testing.assert_allclose(numpy_view(found), wanted, rtol=3e-6, atol=1e-6)


def test_without_decay_infinite_parameters_stay() -> None:
    p = operand(np.array([np.inf, 1.0], np.float32))
    run_settings = dict(
        lr=0.1, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, maximize=False, first=False
    )

    BACKEND.kernel("sgd_step")([p], operand(np.ones(2, np.float32)), buffers=None, **run_settings)
    assert numpy_view(p).tolist() == [np.inf, np.float32(0.9)]


def test_an_update_that_is_refused_changes_nothing() -> None:

    ps = [operand(np.ones(3, np.float32)), operand(np.ones(3, np.float32))]
    gs = [operand(np.ones(3, np.float32)), operand(np.ones(4, np.float32))]
    settings = dict(lr=0.1, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, maximize=False, first=False)
    with pytest.raises(ValueError, match="sgd_step"):
        BACKEND.kernel("sgd_step")(ps, *gs, buffers=None, **settings)
    assert all((numpy_view(p) == 1).all() for p in ps)
    with pytest.raises(TypeError, match="parameters given"):
        BACKEND.kernel("sgd_step")(ps, *gs)


def test_rare_layouts_take_the_inherited_kernel() -> None:
    x = np.asfortranarray(np.ones((3, 4), np.float32))
    p = operand(x)
    settings = dict(lr=0.5, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, maximize=False, first=False)

    BACKEND.kernel("sgd_step")([p], operand(x), buffers=None, **settings)
    assert (numpy_view(p) == 0.5).all()
    assert run("add", operand(np.zeros(1)), operand(np.ones(1)), 1.0).tolist() == [2.0]
