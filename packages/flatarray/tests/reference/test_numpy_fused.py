"""The reference's draws and fused kernels, by hand-written steps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from reference_operands import FLOATS, INEXACT, LAYOUTS, MANY, TOLERANCE, Layout, filled, made, operand, run, table

from lamina_flatarray import DTYPES, Strided
from lamina_flatarray.numpy_backend.view import view
from lamina_flatarray.random import Generator, uniform

pytestmark = pytest.mark.usefixtures("no_warnings")


@pytest.mark.parametrize("dtype", FLOATS)
def test_draws_follow_the_order_of_items(dtype: str) -> None:
    generator, again = Generator("cpu"), Generator("cpu")
    generator.manual_seed(3)
    again.manual_seed(3)
    out = made(dtype, Layout((3, 4), (1, 3)))
    table(dtype)["random_uniform"](out, generator=generator, low=-1.0, high=2.0)
    expected = np.empty(12, DTYPES[dtype].numpy)
    uniform(expected, again, -1.0, 2.0)
    assert np.array_equal(view(out).ravel(), expected)


def test_the_other_draws() -> None:
    generator = Generator("cpu")
    generator.manual_seed(0)
    out = made("int64", Layout((1000,)))
    table("int64")["random_integers"](out, generator=generator, low=-2, high=3)
    assert set(view(out).tolist()) == {-2, -1, 0, 1, 2}
    table("int64")["random_integers"](out, generator=generator, low=0, high=None)
    assert view(out).max() > 2**40
    table("int64")["random_permutation"](out, generator=generator)
    assert sorted(view(out).tolist()) == list(range(1000))
    table("int64")["random_bernoulli"](out, generator=generator, probability=0.25)
    assert 200 < view(out).sum() < 300
    out = made("float64", Layout((1000,)))
    table("float64")["random_normal"](out, generator=generator, mean=5.0, std=0.1)
    assert abs(view(out).mean() - 5) < 0.02


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("axis", [0, 1])
def test_softmax(dtype: str, axis: int) -> None:
    x = operand([[1000, 1000, 999], [-1000, 0, 1], [3, 3, 3]], dtype)
    wide = view(x).astype(np.float64)
    with np.errstate(under="ignore"):
        powers = np.exp(wide - wide.max(axis, keepdims=True))
    expected = powers / powers.sum(axis, keepdims=True)
    np.testing.assert_allclose(run("softmax", x, axis=axis).astype(float), expected, TOLERANCE.get(dtype, 1e-14), 1e-7)
    found = run("log_softmax", x, axis=axis).astype(float)
    difference = wide - wide.max(axis, keepdims=True) - np.log(powers.sum(axis, keepdims=True))
    np.testing.assert_allclose(found, difference, TOLERANCE.get(dtype, 1e-14), 1e-6)
    assert np.isnan(run("softmax", operand([-math.inf, -math.inf], dtype), axis=0).astype(float)).all()
    assert run("softmax", operand(np.zeros((2, 0)), dtype), axis=1).shape == (2, 0)


@pytest.mark.parametrize("dtype", INEXACT)
@pytest.mark.parametrize("shape", [(), (3,), (MANY,)])
def test_sgd_by_hand(dtype: str, shape: tuple[int, ...]) -> None:
    def full(value: float) -> Strided:
        return operand(np.full(shape, value), dtype)

    def first_item(x: Strided) -> complex:
        assert (view(x) == view(x).flat[0]).all()
        return complex(view(x).flat[0])

    tolerance = TOLERANCE.get(dtype, 1e-12)
    p, buffer = full(2.0), full(math.nan)  # a first step must not read the buffer
    step = table(dtype)["sgd_step"]
    options: dict[str, Any] = {"momentum": 0.5, "weight_decay": 0.25, "nesterov": False, "maximize": False, "lr": 0.5}
    step([p], full(1.0), buffers=[buffer], dampening=0.5, first=True, **options)
    assert first_item(p) == pytest.approx(2 - 0.5 * 1.5, rel=tolerance)
    step([p], full(1.0), buffers=[buffer], dampening=0.5, first=False, **options)
    sums = 0.5 * 1.5 + 0.5 * (1 + 0.25 * 1.25)
    assert first_item(buffer) == pytest.approx(sums, rel=tolerance)
    assert first_item(p) == pytest.approx(1.25 - 0.5 * sums, rel=tolerance)
    p, g = full(2.0), full(1.0)
    step([p], g, buffers=[full(1.0)], dampening=0.0, first=False, **{**options, "nesterov": True, "maximize": True})
    assert first_item(p) == pytest.approx(2 - 0.5 * (-0.5 + 0.5 * (0.5 - 0.5)), rel=tolerance)
    assert first_item(g) == 1  # a gradient is never written


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "complex64"])
@pytest.mark.parametrize("decoupled", [False, True])
@pytest.mark.parametrize("amsgrad", [False, True])
def test_adam_by_hand(dtype: str, decoupled: bool, amsgrad: bool) -> None:
    p, m, v, most = [operand(np.full(3, x), dtype) for x in (2.0, 0.0, 0.0, 0.0)]
    value, mean, square, greatest = 2.0, 0.0, 0.0, 0.0
    for step, gradient in enumerate([4.0, 1.0, -0.5], 1):
        table(dtype)["adam_step"](
            [p], operand(np.full(3, gradient), dtype), firsts=[m], seconds=[v], maxima=[most] if amsgrad else None,
            lr=0.1, beta1=0.5, beta2=0.25, eps=1e-3, weight_decay=0.1, decoupled=decoupled, maximize=True, step=step,
        )  # fmt: skip
        g = -gradient
        if decoupled:
            value -= 0.1 * 0.1 * value
        else:
            g += 0.1 * value
        mean = 0.5 * mean + 0.5 * g
        square = 0.25 * square + 0.75 * g * g
        greatest = max(greatest, square)
        root = math.sqrt((greatest if amsgrad else square) / (1 - 0.25**step)) + 1e-3
        value -= 0.1 * mean / (1 - 0.5**step) / root
        np.testing.assert_allclose(view(p).astype(complex).real, value, 3 * TOLERANCE.get(dtype, 1e-12))


def test_an_optimizer_steps_over_strided_parameters() -> None:
    p, g = filled("float32", *LAYOUTS["sliced"]), filled("float32", *LAYOUTS["transposed"])
    expected = view(p) - np.float32(0.5) * view(g)
    options: dict[str, Any] = {"momentum": 0.0, "dampening": 0.0, "weight_decay": 0.0, "nesterov": False}
    table("float32")["sgd_step"]([p], g, buffers=None, lr=0.5, maximize=False, first=True, **options)
    assert np.array_equal(view(p), expected)
