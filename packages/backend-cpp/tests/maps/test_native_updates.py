"""The optimizer kernels against the formulas: written out in float64, or as they are derived of other ops."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")
pytest.importorskip("lamina_ndarray", reason="what it is compared with is composed a storey above the backends")

from native_operands import BACKEND, numpy_view, operand, run

from lamina_flatarray import dtype_of
from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.ops import OPS
from lamina_ndarray import NDArray
from lamina_ndarray.layouts.layout import Layout

SHAPES = [(3, 4), (1,), (), (0,), (70_000,)]

ADAM = {"lr": 0.01, "beta1": 0.9, "beta2": 0.99, "eps": 1e-8}
DERIVED: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    ("sgd_step", ("buffers",), {"lr": 0.1, "momentum": 0.9, "dampening": 0.2, "weight_decay": 0.1, "nesterov": False,
                                "first": False}),
    ("adam_step", ("firsts", "seconds", "maxima"), {**ADAM, "weight_decay": 0.1, "decoupled": True, "step": 7}),
    ("adamax_step", ("firsts", "greatest"), {**ADAM, "weight_decay": 0.1, "step": 3}),
    *[("nadam_step", ("firsts", "seconds"), {**ADAM, "beta1": beta1, "weight_decay": 0.1, "decoupled": decoupled, "momentum": 0.8,
                                             "next_momentum": 0.85, "product": 0.6, "step": 3})
      for beta1, decoupled in ((0.9, False), (0.3, True))],
    *[("radam_step", ("firsts", "seconds"), {**ADAM, "weight_decay": decay, "decoupled": decoupled, "step": step})
      for decay, decoupled, step in ((0.0, False, 1), (0.1, False, 9), (0.1, True, 20))],
    *[("rmsprop_step", names, {"lr": 0.01, "alpha": 0.9, "eps": 1e-3, "weight_decay": decay, "momentum": 0.7})
      for names, decay in ((("squares",), 0.0), (("squares", "means"), 0.1), (("squares", "buffers"), 0.0),
                           (("squares", "means", "buffers"), 0.1))],
    ("adagrad_step", ("sums",), {"lr": 0.01, "eps": 1e-8, "weight_decay": 0.1}),
    ("adadelta_step", ("squares", "changes"), {"lr": 0.5, "rho": 0.9, "eps": 1e-6, "weight_decay": 0.1}),
    *[("asgd_step", ("averages",), {"length": 0.01, "lambd": 0.1, "share": share, "weight_decay": 0.1}) for share in (1, 0.25)],
    ("rprop_step", ("previous", "step_sizes"), {"shrink": 0.5, "grow": 1.2, "shortest": 0.1, "longest": 0.9}),
]  # fmt: skip
"""An op, the lists that it is given of those that it may be given, and its settings."""


def arrays_of(dtype: str, lists: tuple[str, ...]) -> list[list[np.ndarray[Any, Any]]]:
    """Parameters, gradients, and what is kept of each: nowhere negative, as squares and maxima are, and squares the greatest."""
    rng, items = np.random.default_rng(0), dtype_of(dtype).numpy
    made = [[rng.standard_normal(s).astype(items) for s in SHAPES] for _ in range(2)]
    for name in lists:
        signed = name in ("buffers", "previous", "averages")
        made.append([
            (rng.standard_normal(s) if signed else (rng.random(s) + 0.1) * (0.1 if name == "means" else 1)).astype(items)
            for s in SHAPES
        ])
    return made


def array_of(x: np.ndarray[Any, Any]) -> NDArray:
    """An array that the ops of a composition take."""
    made = operand(x)
    return NDArray(made.flat, Layout.of(made.layout.shape, made.layout.strides, made.layout.offset))


def stepped(kernel: Any, op: str, lists: tuple[str, ...], arrays: Any, **settings: Any) -> list[np.ndarray[Any, Any]]:
    ps, gs, *states = [[array_of(x) for x in column] for column in arrays]
    optional = {"sgd_step": ("buffers",), "adam_step": ("maxima",), "rmsprop_step": ("means", "buffers")}.get(op, ())
    kernel(ps, *gs, **{**dict.fromkeys(optional), **dict(zip(lists, states, strict=True)), **settings})
    return [numpy_view(x).copy() for column in (ps, *states) for x in column]


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


TOLERANCES = {"float16": (2.0**-10, 2e-6), "bfloat16": (2.0**-7, 2e-6), "float32": (2e-4, 2e-6), "float64": (1e-11, 1e-13)}
"""Of 16 bits: one rounding."""


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize(("op", "lists", "settings"), DERIVED)
def test_steps_are_as_they_are_derived(op: str, lists: tuple[str, ...], settings: dict[str, Any], dtype: str) -> None:
    arrays = arrays_of(dtype, lists)
    rtol, atol = TOLERANCES[dtype]
    for maximize in (False, True):
        found = stepped(BACKEND.kernel(op), op, lists, arrays, maximize=maximize, **settings)
        wanted = stepped(decompositions[op], op, lists, arrays, maximize=maximize, **settings)
        for x, y in zip(found, wanted, strict=True):
            np.testing.assert_allclose(x.astype(float), y.astype(float), rtol=rtol, atol=atol)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_a_step_of_16_bits_is_computed_in_float32(dtype: str) -> None:
    """A gradient whose square is 0 in 16 bits moves the parameter as far as any other."""
    items = dtype_of(dtype).numpy
    p, g, first, second = (operand(np.full(3000, x).astype(items)) for x in (1.0, 1e-5, 0.0, 0.0))
    settings = {**ADAM, "eps": 1e-12, "weight_decay": 0.0, "decoupled": False, "maximize": False, "step": 1, "maxima": None}
    BACKEND.kernel("adam_step")([p], g, firsts=[first], seconds=[second], **settings)
    np.testing.assert_array_equal(numpy_view(p), np.full(3000, 0.99).astype(items))
    np.testing.assert_array_equal(numpy_view(second), (numpy_view(g).astype(np.float32) ** 2 * np.float32(0.01)).astype(items))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize(("op", "lists", "settings"), DERIVED)
def test_steps_have_the_same_bits_with_any_number_of_threads(
    op: str, lists: tuple[str, ...], settings: dict[str, Any], dtype: str
) -> None:
    arrays = arrays_of(dtype, lists)
    before, found = BACKEND.get_num_threads(), []
    try:
        for threads in (1, 2, 8):
            BACKEND.set_num_threads(threads)
            found.append([x.tobytes() for x in stepped(BACKEND.kernel(op), op, lists, arrays, maximize=False, **settings)])
    finally:
        BACKEND.set_num_threads(before)
    assert found[0] == found[1] == found[2]


def test_every_step_has_a_kernel_that_the_tests_know() -> None:
    native = BACKEND.capabilities()
    steps = {name for name, row in OPS.items() if row.name.endswith("_step")}
    assert steps == {op for op, _, _ in DERIVED}
    assert all(set(native[op]) == set(TOLERANCES) for op in steps)


def test_rprop_keeps_nan_and_adamax_the_greatest_of_all() -> None:
    g, p, previous, sizes = (operand(np.array([np.nan, 1.0], np.float32)) for _ in range(4))
    settings = {"shrink": 0.5, "grow": 1.2, "shortest": 1e-6, "longest": 50}
    BACKEND.kernel("rprop_step")([p], g, previous=[previous], step_sizes=[sizes], maximize=False, **settings)
    assert np.isnan(numpy_view(sizes)[0]) and numpy_view(sizes)[1] == np.float32(1.2)
    greatest = operand(np.array([np.nan, np.inf], np.float32))
    BACKEND.kernel("adamax_step")(
        [operand(np.ones(2, np.float32))], operand(np.ones(2, np.float32)), firsts=[operand(np.ones(2, np.float32))],
        greatest=[greatest], weight_decay=0.0, maximize=False, step=1, **ADAM,
    )  # fmt: skip
    assert np.isnan(numpy_view(greatest)[0]) and numpy_view(greatest)[1] == np.inf


def test_arrays_in_another_order_of_dimensions_are_stepped_where_they_lie() -> None:
    """Dense ones, all of one parameter in one order; `inherited` is not asked."""
    rng = np.random.default_rng(0)
    p0, g0 = rng.standard_normal((2, 3, 4)).astype(np.float32), rng.standard_normal((2, 3, 4)).astype(np.float32)
    settings = dict(lr=0.5, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, maximize=False, first=False)
    p, g = operand(p0.transpose(1, 0, 2)), operand(g0.transpose(1, 0, 2))
    kernel: Any = BACKEND.kernel("sgd_step")
    inherited, kernel.inherited = kernel.inherited, None
    try:
        kernel([p], g, buffers=None, **settings)
        with pytest.raises(NotImplementedError):
            kernel([p], operand(np.ascontiguousarray(g0.transpose(1, 0, 2))), buffers=None, **settings)
    finally:
        kernel.inherited = inherited
    np.testing.assert_allclose(numpy_view(p), (p0 - np.float32(0.5) * g0).transpose(1, 0, 2), rtol=1e-6)


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


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_no_moment_becomes_subnormal(dtype: str) -> None:
    least = np.finfo(dtype).tiny
    parameters, gradients = np.full(40, 0.5, dtype), np.zeros(40, dtype)
    firsts, seconds = np.full(40, 1.05 * least, dtype), np.full(40, least, dtype)
    settings = {**ADAM, "weight_decay": 0.0, "decoupled": False, "maximize": False, "step": 900}
    columns = [[parameters], [gradients], [firsts], [seconds]]
    found, moment, square = stepped(BACKEND.kernel("adam_step"), "adam_step", ("firsts", "seconds"), columns, **settings)
    np.testing.assert_array_equal(found, parameters)
    assert all(x == 0 or x >= least for x in (*moment, *square))  # without fused products a decay is nothing before the moment is
    halved = run("multiply", operand(np.zeros(40, dtype)), operand(firsts), 0.5)  # afterwards they are numbers as any others
    np.testing.assert_array_equal(halved, firsts * 0.5)
