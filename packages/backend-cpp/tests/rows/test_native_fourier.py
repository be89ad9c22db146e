"""Fourier transforms are native for every length, layout and axis: as exact as their dtype, and the same for any number of threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from hypothesis import given, settings
from hypothesis import strategies as st
from native_operands import BACKEND, alone, empty, numpy_view, operand

from lamina_backend_cpp import threads

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(0)
OPS = ("fft_c2c", "fft_r2c", "fft_c2r")
PRECISIONS = {"complex64": "float32", "complex128": "float64"}
# Each radix and their products, primes of their own and those that are convolutions, rows that are matrices, and both at once.
LENGTHS = (*range(1, 34), 61, 64, 67, 97, 100, 134, 256, 509, 1000, 1009, 1024, 2 * 1009, 4096, 61 * 61, 67 * 67, 10007)
LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "dense": lambda x: x,
    "turned": lambda x: np.ascontiguousarray(x.T).T,
    "backwards": lambda x: np.ascontiguousarray(x[::-1, :, ::-1])[::-1, :, ::-1],
    "every second": lambda x: np.repeat(x, 2, 2)[..., ::2],
    "one for all": lambda x: np.broadcast_to(x[:, :1], x.shape),
}


@pytest.fixture(autouse=True)
def _alone() -> Iterator[None]:
    """Nothing is left to the inherited kernels."""
    with alone(OPS):
        yield


def called(op: str, x: Array, axis: int, laid: Callable[[Array], Array] = np.asarray, **params: Any) -> Array:
    """The result, in a layout of its own."""
    shape, dtype = list(x.shape), np.dtype(x.dtype)
    if op == "fft_r2c":
        shape[axis], dtype = shape[axis] // 2 + 1, np.result_type(dtype, np.complex64)
    elif op == "fft_c2r":
        shape[axis], dtype = params["n"], np.dtype(PRECISIONS[dtype.name])
    out = operand(laid(np.zeros(shape, dtype)))
    BACKEND.kernel(op)(out, operand(x), axis=axis, **params)
    return np.array(numpy_view(out))


def noise(shape: tuple[int, ...], dtype: str) -> Array:
    real = RNG.standard_normal(shape)
    return (real + 1j * RNG.standard_normal(shape) if "complex" in dtype else real).astype(dtype)


def near(found: Array, wanted: Array, n: int) -> None:
    """Rows within a few roundings of each pass, in the norm."""
    off, size = np.linalg.norm(found.astype("clongdouble") - wanted), np.linalg.norm(wanted)
    assert off <= np.finfo(found.dtype).eps * (3 + np.log2(n)) * size, (off / size, n)


def check(shape: tuple[int, ...], axis: int, dtype: str, lay: Callable[[Array], Array] = np.asarray) -> None:
    """All three kernels, forwards and backwards, against the reference in a wider dtype."""
    n, real = shape[axis], PRECISIONS[dtype]
    half = (*shape[:axis], n // 2 + 1, *shape[axis + 1 :])
    x = lay(noise(shape, dtype))
    wide = x.astype("clongdouble")
    laid = (lambda a: a) if lay is LAYOUTS["one for all"] else lay
    near(called("fft_c2c", x, axis, laid, inverse=False, scale=1.0), np.fft.fft(wide, axis=axis), n)
    near(called("fft_c2c", x, axis, laid, inverse=True, scale=0.5), np.fft.ifft(wide, axis=axis, norm="forward") / 2, n)
    x = lay(noise(shape, real))
    near(called("fft_r2c", x, axis, laid, scale=0.5), np.fft.rfft(x.astype("longdouble"), axis=axis) / 2, n)
    x = lay(noise(half, dtype))
    found = called("fft_c2r", x, axis, laid, n=n, scale=0.5)
    near(found, np.fft.irfft(x.astype("clongdouble"), n, axis=axis, norm="forward") / 2, n)


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("n", LENGTHS)
def test_any_length(n: int, dtype: str) -> None:
    for rows in (1, 3, 16, 37):
        if rows * n <= 100_000:
            check((rows, n), 1, dtype)
            check((n, rows), 0, dtype)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("n", (1, 2, 7, 12, 100, 257, 600))
def test_any_axis_of_any_layout(n: int, dtype: str, layout: str) -> None:
    for axis in range(3):
        for others in ((3, 5), (2, 21)):
            check((*others[:axis], n, *others[axis:]), axis, dtype, LAYOUTS[layout])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_shape(data: st.DataObject) -> None:
    shape = data.draw(st.lists(st.integers(1, 40), min_size=1, max_size=4).filter(lambda s: np.prod(s) < 20000))
    axis = data.draw(st.integers(0, len(shape) - 1))
    order = data.draw(st.permutations(range(len(shape))))
    back = np.argsort(order)

    def lay(x: Array) -> Array:
        return np.ascontiguousarray(x.transpose(order)).transpose(back)

    check(tuple(shape), axis, data.draw(st.sampled_from(sorted(PRECISIONS))), lay)


def test_what_half_a_spectrum_cannot_hold_does_not_count() -> None:
    for n in (2, 8, 9, 600, 1009):
        x = noise((3, n // 2 + 1), "complex128")
        other = x.copy()
        other[:, 0] += 7j
        if n % 2 == 0:
            other[:, -1] -= 5j
        found = [called("fft_c2r", a, 1, n=n, scale=1.0) for a in (x, other)]
        np.testing.assert_array_equal(*found)


def test_the_imaginary_parts_that_are_none_are_zeros() -> None:
    for n in (2, 8, 600, 2018):
        found = called("fft_r2c", noise((20, n), "float32"), 1, scale=1.0)
        assert not found[:, [0, -1]].imag.any()


def test_rows_do_not_see_each_other() -> None:
    for n in (5, 8, 97, 600):
        x = noise((20, n), "float64")
        clean = called("fft_r2c", x, 1, scale=1.0)
        x[3] = np.nan
        x[7] = 1e300
        x[9, 0] = np.inf
        found = called("fft_r2c", x, 1, scale=1.0)
        kept = [i for i in range(20) if i not in (3, 7, 9)]
        np.testing.assert_array_equal(found[kept], clean[kept])
        assert np.isnan(found[3]).all()


@pytest.mark.parametrize("shape", ((1, 1 << 17), (7, 3000), (500, 24), (3, 1, 10007), (64, 4, 64)))
def test_any_number_of_threads_gives_the_same_bits(shape: tuple[int, ...]) -> None:
    found, before = [], threads.get_num_threads()
    x, y = noise(shape, "float32"), noise(shape, "complex128")
    try:
        for number in (1, 2, 8):
            threads.set_num_threads(number)
            axis = len(shape) - 1
            made = [called("fft_r2c", x, axis, scale=1.0), called("fft_c2c", y, axis, inverse=True, scale=0.1)]
            made.append(called("fft_c2c", y, 0, inverse=False, scale=1.0))
            found.append([a.tobytes() for a in made])
    finally:
        threads.set_num_threads(before)
    assert found[0] == found[1] == found[2]


def test_more_lengths_than_plans_are_kept_by_many_threads() -> None:
    lengths = [*range(65, 200), 997, 1024]
    wanted = {n: np.fft.fft(np.arange(n)) for n in lengths}
    failed = []

    def transform(start: int) -> None:
        try:
            for i in range(len(lengths)):
                n = lengths[(i + start) % len(lengths)]
                near(called("fft_c2c", np.arange(n).astype("complex128"), 0, inverse=False, scale=1.0), wanted[n], n)
        except BaseException as error:
            failed.append(error)

    workers = [threading.Thread(target=transform, args=(17 * i,)) for i in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failed


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_child_transforms() -> None:
    x = noise((40, 1000), "complex64")
    wanted = called("fft_c2c", x, 1, inverse=False, scale=1.0)
    child = os.fork()
    if child == 0:
        try:
            assert (called("fft_c2c", x, 1, inverse=False, scale=1.0) == wanted).all()
            called("fft_c2c", x[:, :777], 1, inverse=False, scale=1.0)
        except BaseException:
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def test_nothing_to_transform() -> None:
    for shape, axis in (((0, 5), 1), ((5, 0, 2), 0)):
        assert called("fft_c2c", np.zeros(shape, "complex64"), axis, inverse=False, scale=1.0).shape == shape


def test_what_does_not_fit_is_refused() -> None:
    x = operand(noise((4, 6), "complex64"))
    real = operand(noise((4, 6), "float32"))
    run: Any = {op: BACKEND.kernel(op) for op in OPS}
    same = {"inverse": False, "scale": 1.0}
    for axis in (-1, 2, 2**40):
        with pytest.raises(ValueError, match="fft_c2c: axis"):
            run["fft_c2c"](empty((4, 6), "complex64"), x, axis=axis, **same)
    with pytest.raises(OverflowError):
        run["fft_c2c"](empty((4, 6), "complex64"), x, axis=2**70, **same)
    with pytest.raises(ValueError, match="fft_c2c: the shape of out"):
        run["fft_c2c"](empty((4, 7), "complex64"), x, axis=1, **same)
    with pytest.raises(TypeError, match="fft_c2c: out is complex128"):
        run["fft_c2c"](empty((4, 6), "complex128"), x, axis=1, **same)
    with pytest.raises(ValueError, match="fft_r2c: the shape of out"):
        run["fft_r2c"](empty((4, 3), "complex64"), real, axis=1, scale=1.0)
    for n in (-1, 0, 9, 12, 2**62):
        with pytest.raises(ValueError, match="fft_c2r: "):
            run["fft_c2r"](empty((4, 9), "float32"), x, axis=1, n=n, scale=1.0)
    with pytest.raises(ValueError, match="fft_c2c: 0 items"):
        run["fft_c2c"](empty((4, 0), "complex64"), operand(np.zeros((4, 0), "complex64")), axis=1, **same)
    with pytest.raises(TypeError):
        run["fft_r2c"](empty((4, 4), "complex64"), real, axis=1, scale="1")
    with pytest.raises(TypeError, match="parameters"):
        run["fft_r2c"](empty((4, 4), "complex64"), real, axis=1)
    with pytest.raises(ValueError, match="fft_c2c: axis"):
        run["fft_c2c"](empty((), "complex64"), operand(np.zeros((), "complex64")), axis=0, **same)
