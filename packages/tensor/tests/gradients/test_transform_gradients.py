"""Gradients through transforms and labelled products, against what is known of them."""

import numpy as np
import pytest

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_tensor.dispatch.tensor_functions import af

RNG = np.random.default_rng(1)


def leaf(*shape):
    return lt.tensor(RNG.standard_normal(shape), dtype="float64", requires_grad=True)


def energy(spectrum):
    """The sum of squared moduli."""
    return (af.real(spectrum) ** 2 + af.imag(spectrum) ** 2).sum()


@pytest.mark.parametrize("n", [1, 4, 7])
def test_parseval(n):
    """The energy of a spectrum is n times that of the signal, so its gradient is 2 n x."""
    x = leaf(3, n)
    energy(nd.fft.fft(x)).backward()
    np.testing.assert_allclose(x.grad.numpy(), 2 * n * x.numpy(force=True), rtol=1e-12)


@pytest.mark.parametrize(("n", "length"), [(6, 6), (6, 5), (5, 9), (1, 4)])
def test_half_spectra_are_linear(n, length):
    """The gradient of the inner product with w of a linear map is the map's adjoint, whatever x is."""
    x, w = leaf(n), RNG.standard_normal(length)
    back = nd.fft.irfft(nd.fft.rfft(x, 2 * n) * (1 + 2j), length)
    (back * lt.tensor(w)).sum().backward()
    columns = [np.fft.irfft(np.fft.rfft(e, 2 * n) * (1 + 2j), length) for e in np.eye(n)]
    np.testing.assert_allclose(x.grad.numpy(), np.stack(columns) @ w, atol=1e-12)


def test_gradients_keep_their_precision():
    x = lt.ones(5, requires_grad=True)
    energy(nd.fft.rfft(x)).backward()
    assert x.grad.dtype is nd.float32


def test_signal_out_of_its_spectra():
    """There and back is the identity, and so is its gradient."""
    x, w = leaf(40), RNG.standard_normal(40)
    window = lt.hann_window(8, dtype="float64")
    back = lt.istft(lt.stft(x, 8, 2, window=window, return_complex=True), 8, 2, window=window, length=40)
    (back * lt.tensor(w)).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), w, atol=1e-10)


def test_einsum():
    a, b, c = leaf(2, 3), leaf(3, 3), leaf(3)
    nd.einsum("ij,jj,j->", a, b, c).backward()
    A, B, C = (t.numpy(force=True) for t in (a, b, c))
    np.testing.assert_allclose(a.grad.numpy(), np.tile(np.diag(B) * C, (2, 1)))
    np.testing.assert_allclose(b.grad.numpy(), np.diag(A.sum(0) * C))
    np.testing.assert_allclose(c.grad.numpy(), A.sum(0) * np.diag(B))
