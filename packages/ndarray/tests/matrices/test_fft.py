"""Fourier transforms against the sums that define them, by kernel and by decomposition."""

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.errors import DTypeError, IndexOutOfRange, ShapeError
from lamina_ndarray import fft

RNG = np.random.default_rng(5)


def defined(x, inverse=False):
    """The transform along the last axis, by its definition in double precision."""
    n = x.shape[-1]
    turns = np.outer(np.arange(n), np.arange(n)) % n / n
    return x @ np.exp((2j if inverse else -2j) * np.pi * turns)


def noise(shape, dtype="complex128"):
    real = RNG.standard_normal(shape)
    return (real + 1j * RNG.standard_normal(shape) if "complex" in dtype else real).astype(dtype)


@pytest.mark.parametrize("n", [1, 2, 3, 8, 12, 30, 37, 49, 64, 97, 128, 211, 1009, 2 * 1009])
@pytest.mark.parametrize("inverse", [False, True])
def test_composition_of_any_length(n, inverse):
    x = noise((3, n))
    made = nd.empty((3, n), dtype="complex128")
    decompositions["fft_c2c"](made, nd.asarray(x), axis=1, inverse=inverse, scale=0.5)
    np.testing.assert_allclose(made.numpy(), defined(x, inverse) / 2, atol=2e-12 * n)


@pytest.mark.parametrize("n", [1, 2, 7, 10, 74])
def test_compositions_of_half_spectra(n):
    x = noise((n, 2), "float64")
    half, back = nd.empty((n // 2 + 1, 2), dtype="complex128"), nd.empty((n, 2), dtype="float64")
    decompositions["fft_r2c"](half, nd.asarray(x), axis=0, scale=1.0)
    np.testing.assert_allclose(half.numpy(), defined(x.T).T[: n // 2 + 1], atol=1e-12)
    decompositions["fft_c2r"](back, half, axis=0, n=n, scale=1 / n)
    np.testing.assert_allclose(back.numpy(), x, atol=1e-13)


def test_composition_in_single_precision():
    x = noise((4, 1009), "complex64")
    made = nd.empty(x.shape, dtype="complex64")
    decompositions["fft_c2c"](made, nd.asarray(x), axis=1, inverse=False, scale=1.0)
    exact = defined(x.astype("complex128"))
    assert np.linalg.norm(made.numpy() - exact) < 2e-6 * np.linalg.norm(exact)


@pytest.mark.parametrize("norm", [None, "backward", "ortho", "forward"])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
@pytest.mark.parametrize("n", [None, 4, 9])
def test_one_axis_as_numpy(name, norm, n):
    x = noise((6, 3), "float64" if name in ("rfft", "ihfft") else "complex128")
    found = getattr(fft, name)(nd.asarray(x), n, 0, norm)
    np.testing.assert_allclose(found.numpy(), getattr(np.fft, name)(x, n, 0, norm), atol=1e-12)


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft"])
def test_several_axes_as_numpy(name, norm):
    x = noise((4, 5, 6), "float64" if name == "rfft" else "complex128")
    for axes, s in ((None, None), ((0, 2), (3, 8)), ((2, 1), (7, 5))):
        given = {} if axes is None else {"axes": axes, "s": s}
        found = getattr(fft, f"{name}n")(nd.asarray(x), norm=norm, **given)
        np.testing.assert_allclose(found.numpy(), getattr(np.fft, f"{name}n")(x, norm=norm, **given), atol=1e-12)
    found = getattr(fft, f"{name}2")(nd.asarray(x), norm=norm)
    np.testing.assert_allclose(found.numpy(), getattr(np.fft, f"{name}2")(x, norm=norm), atol=1e-12)


def test_hermitian_transforms_of_several_axes_undo_each_other():
    x = noise((4, 5, 6), "float64")
    half = fft.ihfftn(nd.asarray(x))
    np.testing.assert_allclose(half.numpy(), np.conj(np.fft.rfftn(x)) / 120, atol=1e-12)
    np.testing.assert_allclose(fft.hfftn(half, (4, 5, 6)).numpy(), x, atol=1e-12)
    np.testing.assert_allclose(fft.hfft2(fft.ihfft2(nd.asarray(x)), (5, 6)).numpy(), x, atol=1e-12)


def test_precision_is_kept():
    x = nd.ones(6, dtype="float32")
    assert fft.fft(x).dtype is nd.complex64
    assert fft.rfftn(x).dtype is nd.complex64
    assert fft.irfft(fft.rfft(x)).dtype is nd.float32
    assert fft.fft(nd.ones(6, dtype="int64")).dtype is nd.complex64
    assert fft.fft(nd.ones(6, dtype="float64")).dtype is nd.complex128
    assert fft.fftfreq(4).dtype is nd.float32


def test_frequencies_and_their_order():
    for n in (1, 4, 5):
        np.testing.assert_array_equal(fft.fftfreq(n, 0.5, dtype="float64").numpy(), np.fft.fftfreq(n, 0.5))
        np.testing.assert_array_equal(fft.rfftfreq(n, 0.5, dtype="float64").numpy(), np.fft.rfftfreq(n, 0.5))
    x = np.arange(20).reshape(4, 5)
    for axes in (None, 1, (0,), (1, 0)):
        moved = fft.fftshift(nd.asarray(x), axes)
        np.testing.assert_array_equal(moved.numpy(), np.fft.fftshift(x, axes))
        np.testing.assert_array_equal(fft.ifftshift(moved, axes).numpy(), x)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ShapeError, lambda: fft.fft(nd.ones(3), 0)),
        (ShapeError, lambda: fft.fft(nd.ones(3), norm="none")),
        (ShapeError, lambda: fft.irfft(nd.ones(1))),
        (ShapeError, lambda: fft.fftn(nd.ones((2, 2)), (2,), (0, 1))),
        (ShapeError, lambda: fft.fftn(nd.ones((2, 2)), axes=(0, -2))),
        (ShapeError, lambda: fft.rfftn(nd.ones((2, 2)), axes=())),
        (ShapeError, lambda: fft.fftfreq(4, dtype="int64")),
        (ShapeError, lambda: nd.fft_c2r(nd.ones(3, dtype="complex64"), n=6)),
        (DTypeError, lambda: fft.rfft(nd.ones(3, dtype="complex64"))),
        (DTypeError, lambda: fft.fft(nd.ones(3, dtype="float16"))),
        (DTypeError, lambda: nd.fft_c2c(nd.ones(3))),
        (IndexOutOfRange, lambda: fft.fft(nd.ones(3), axis=1)),
        (IndexOutOfRange, lambda: fft.fft(nd.ones(()))),
    ],
)
def test_refused(error, call):
    with pytest.raises(error):
        call()
