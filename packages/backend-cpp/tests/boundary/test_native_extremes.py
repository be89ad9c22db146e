"""Arguments that every check let pass once: None for a vector, results over indices, layouts at the edge of 64 bits, no classes."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_operands import BACKEND, Layout, empty, flat_of, numpy_view, operand

from lamina_flatarray import FlatArray, Strided, dtype_of
from lamina_flatarray.backends.kernel_table import KernelTable

LOSS: dict[str, Any] = {"axis": 1, "ignored": -100, "reduction": "none"}
MARGINS: dict[str, Any] = {"p": 1, "margin": 1.0, "reduction": "none"}


def ones(*shape: int, dtype: Any = np.float32) -> Strided:
    return operand(np.ones(shape, dtype))


def over(x: Strided, dtype: str, shape: tuple[int, ...], at: int = 0) -> Strided:
    """An array over the memory of another, from item `at` on."""
    return Strided(FlatArray(x.flat.memory, 0, 64, KernelTable.of(BACKEND, 0, dtype_of(dtype))), Layout(shape, None, at))


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes a kernel refuse what it would hand on."""

    def kernel_of(op: str) -> Any:
        kernel: Any = BACKEND.kernel(op)

        def refuse(*_: Any, **__: Any) -> None:
            raise LookupError(op)

        monkeypatch.setattr(kernel, "inherited", refuse)
        return kernel

    return kernel_of


@pytest.mark.parametrize("missing", [0, 1])
def test_moments_and_their_results_may_not_be_none(missing: int) -> None:
    vectors: list[Any] = [ones(3), ones(3)]
    vectors[missing] = None
    with pytest.raises(AttributeError):
        BACKEND.kernel("batch_norm")(ones(2, 3), ones(2, 3), *vectors, None, None, eps=0.0)
    with pytest.raises(AttributeError):
        BACKEND.kernel("channel_moments")(tuple(vectors), ones(2, 3))
    with pytest.raises(AttributeError):
        BACKEND.kernel("batch_norm_gradient")(
            (ones(2, 3), *vectors), ones(2, 3), ones(2, 3), ones(3), ones(3), None, eps=0.0, training=True
        )
    with pytest.raises(AttributeError):
        BACKEND.kernel("group_norm_gradient")(
            (ones(2, 3), *vectors), ones(2, 3), ones(2, 3), None, ones(2, 1), ones(2, 1), eps=0.0, groups=1
        )


def test_layouts_end_before_their_bytes_overflow() -> None:
    far = Strided(flat_of("complex128", 1), Layout((1,), (1,), 2**59 - 1))
    for op, inputs in (("add", (far, far)), ("copy", (ones(1, dtype=complex),))):
        with pytest.raises(ValueError, match="layout"):
            BACKEND.kernel(op)(far, *inputs)


def test_a_broadcast_row_without_end_is_out_of_memory() -> None:
    x = Strided(flat_of("float32", 1), Layout((1, 2**61), (1, 0)))
    with pytest.raises(MemoryError):
        BACKEND.kernel("cross_entropy")(
            (empty((1,), "float32"), empty((1,), "float64")), x, operand(np.zeros(1, np.int64)), None, smoothing=0.0, **LOSS
        )


def test_channels_without_items_are_not_walked() -> None:
    def many() -> Strided:
        return Strided(flat_of("float32", 0), Layout((2**40, 3, 0)))

    BACKEND.kernel("batch_norm")(many(), many(), ones(3), ones(3), None, None, eps=0.0)


def test_an_axis_beyond_32_bits_is_no_axis() -> None:
    with pytest.raises(ValueError, match="axis"):
        BACKEND.kernel("nll_loss")(empty((2,), "float32"), ones(2, 3), operand(np.zeros(2, np.int64)), None, **{**LOSS, "axis": 2**32 + 1})


@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_losses_without_classes_are_zeros(reduction: str, smoothing: float) -> None:
    loss, logs = empty((4,) if reduction == "none" else (), "float32"), empty((4,), "float64")
    for x in (loss, logs):
        numpy_view(x)[...] = 7
    BACKEND.kernel("cross_entropy")(
        (loss, logs),
        operand(np.zeros((4, 0), np.float32)),
        operand(np.full(4, -100)),
        None,
        smoothing=smoothing,
        **{**LOSS, "reduction": reduction},
    )
    np.testing.assert_array_equal(numpy_view(loss), np.nan if reduction == "mean" else 0)
    np.testing.assert_array_equal(numpy_view(logs), -np.inf)


def test_results_over_the_memory_of_indices_are_left_to_others(refusing: Any) -> None:
    """Indices are checked first: what is written over them would be read as indices that nobody checked."""
    target = operand(np.zeros(64, np.int64))
    rows, x, each = over(target, "int64", (6,)), ones(6, 3, dtype=float), ones(6, dtype=float)
    for calls in (
        lambda: refusing("cross_entropy")(
            (empty((6,), "float64"), over(target, "float64", (6,), 1)), x, rows, None, smoothing=0.0, **LOSS
        ),
        lambda: refusing("cross_entropy")(
            (over(target, "float64", (6,), 1), empty((6,), "float64")), x, rows, None, smoothing=0.0, **LOSS
        ),
        lambda: refusing("cross_entropy_gradient")(
            over(target, "float64", (6, 3)), each, x, rows, None, each, smoothing=0.0, **LOSS
        ),
        lambda: refusing("nll_loss")(over(target, "float64", (6,), 1), x, rows, None, **LOSS),
        lambda: refusing("nll_loss_gradient")(over(target, "float64", (6, 3)), each, rows, None, classes=3, **LOSS),
        lambda: refusing("multi_margin_loss")(over(target, "float64", (6,), 1), x, rows, None, **MARGINS),
        lambda: refusing("multi_margin_loss_gradient")(over(target, "float64", (6, 3)), each, x, rows, None, **MARGINS),
        lambda: refusing("max_pool_gradient")(
            over(target, "float64", (1, 1, 8)), ones(1, 1, 8, dtype=float), over(target, "int64", (1, 1, 8)), lengths=(8,)
        ),
    ):
        with pytest.raises(LookupError):
            calls()
        assert not numpy_view(target).any(), "something was written first"


def test_threads_without_memory_leave_a_product_to_the_caller() -> None:
    program = """
import resource, sys, time, numpy as np
sys.path.insert(0, sys.argv[1])
from native_operands import BACKEND, empty, numpy_view, operand, run
x, out = operand(np.ones((600, 600), np.float32)), empty((600, 600), "float32")
BACKEND.set_num_threads(1)
run("matmul", out, x, x)  # the caller has its memory,
BACKEND.set_num_threads(4)
run("add", out, x, x)
time.sleep(0.5)  # and the threads have started, on a busy machine, too
held = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (held + 2**20, resource.RLIM_INFINITY))  # too little for a second thread
BACKEND.kernel("matmul")(out, x, x)
assert (numpy_view(out) == 600).all()
"""
    if not os.path.exists("/proc/self/statm"):
        pytest.skip("the memory of a process can only be limited to what it holds where /proc tells that")
    done = subprocess.run([sys.executable, "-c", program, os.path.dirname(os.path.dirname(__file__))], timeout=60)
    assert done.returncode == 0
