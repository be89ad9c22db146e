"""Products of vectors, matrices and more, integrals and covariances, against NumPy and by definition."""

import itertools

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray.errors import ArgumentValueError, DTypeError, ShapeError, UsageError

RNG = np.random.default_rng(8)


def noise(*shape):
    return RNG.standard_normal(shape)


def close(found, expected, **tolerance):
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(found.numpy(), expected, **{"rtol": 1e-10, "atol": 1e-12, **tolerance})


A, B, V, W, S, T = noise(2, 3), noise(3, 4), noise(3), noise(3), noise(5, 2, 3), noise(5, 3, 4)
a, b, v, w, s, t = map(nd.asarray, (A, B, V, W, S, T))


def test_plain_products():
    close(nd.mm(a, b), A @ B)
    close(nd.bmm(s, t), S @ T)
    close(nd.mv(a, v), A @ V)
    close(nd.dot(v, w), V @ W)
    close(nd.outer(v, w), np.outer(V, W))
    close(nd.vdot(nd.asarray(V + 1j * W), nd.asarray(W + 2j * V)), np.vdot(V + 1j * W, W + 2j * V))
    close(nd.vecdot(s, v), S @ V)
    close(nd.vecdot(nd.asarray(A + 1j), a, axis=0), ((A - 1j) * A).sum(0))
    close(nd.inner(s, v), np.inner(S, V))
    close(nd.inner(s, a), np.inner(S, A))
    close(nd.inner(a, nd.asarray(2.0, dtype="float64")), 2 * A)


def test_sums_of_products():
    close(nd.addmm(nd.asarray(V[:1]), a, b, beta=0.5, alpha=2), 0.5 * V[0] + 2 * A @ B)
    close(nd.addmv(nd.asarray(V[:2]), a, v, alpha=-1), V[:2] - A @ V)
    close(nd.addr(nd.zeros((), dtype="float64"), v, w), np.outer(V, W))
    close(nd.baddbmm(nd.asarray(V[:1]), s, t, beta=3), 3 * V[0] + S @ T)
    close(nd.addbmm(nd.asarray(V[:1]), s, t), V[0] + (S @ T).sum(0))
    close(nd.addcmul(v, w, w, value=0.5), V + 0.5 * W * W)
    close(nd.addcdiv(v, w, v, value=2), V + 2 * W / V)
    nothing = nd.full((2, 4), float("nan"), dtype="float64")
    close(nd.addmm(nothing, a, b, beta=0), A @ B)
    whole = nd.ones((2, 2), dtype="int64")
    assert nd.addmm(whole, whole, whole, beta=2.9, alpha=0.9).tolist() == [[2, 2], [2, 2]]
    true = nd.asarray([True, False])
    assert nd.addr(true, true, true, alpha=2).tolist() == [[True, False], [True, False]]


def test_narrow_types_are_rounded_once():
    one = nd.full((1, 4096), 1.0, dtype="float16")
    made = nd.addmm(nd.full((1, 1), -4095.0, dtype="float16"), one, nd.full((4096, 1), 1.0, dtype="float16"))
    assert made.dtype is nd.float16
    assert made.tolist() == [[0.0]]  # -4095 is -4096 in float16


def test_tensordot():
    x, y = noise(3, 4, 5), noise(4, 3, 2)
    close(nd.tensordot(nd.asarray(x), nd.asarray(y), ((1, 0), (0, 1))), np.tensordot(x, y, ((1, 0), (0, 1))))
    close(nd.tensordot(nd.asarray(x), nd.asarray(x), 3), np.tensordot(x, x, 3))
    close(nd.tensordot(v, w, 0), np.outer(V, W))
    close(nd.tensordot(nd.asarray(x), nd.ones((1, 2), dtype="float64"), ((2,), (0,))), x.sum(2)[..., None].repeat(2, 2))
    assert nd.tensordot(nd.ones((2, 0)), nd.ones((0, 3)), 1).tolist() == [[0] * 3] * 2


def test_kron():
    for x, y in ((A, B), (V, A), (A, V), (noise(2, 1, 3), noise(2, 2)), (np.array(2.0), A)):
        close(nd.kron(nd.asarray(x), nd.asarray(y)), np.kron(x, y))
    assert nd.kron(nd.asarray([True, False]), nd.asarray([True])).tolist() == [True, False]


def test_choices():
    x, y, z = [1, 2, 3], [4, 5], [6, 7]
    assert nd.cartesian_prod(*map(nd.asarray, (x, y, z))).tolist() == list(map(list, itertools.product(x, y, z)))
    assert nd.cartesian_prod(nd.asarray(x)).tolist() == x
    for r, again in itertools.product(range(1, 5), (False, True)):
        choose = itertools.combinations_with_replacement if again else itertools.combinations
        expected = list(map(list, choose(x, r)))
        found = nd.combinations(nd.asarray(x), r, again)
        assert found.tolist() == expected
        assert found.shape == (len(expected), r)
    assert nd.combinations(nd.asarray(x), 0).shape == (0,)


def test_bilinear():
    x, y, weight, bias = noise(4, 2, 3), noise(4, 2, 5), noise(6, 3, 5), noise(6)
    expected = np.einsum("abi,kij,abj->abk", x, weight, y) + bias
    close(nd.bilinear(*map(nd.asarray, (x, y, weight, bias))), expected)


def test_integrals():
    y, x = noise(4, 6), np.cumsum(RNG.random(6))
    close(nd.trapezoid(nd.asarray(y)), np.trapezoid(y))
    close(nd.trapezoid(nd.asarray(y), nd.asarray(x)), np.trapezoid(y, x))
    close(nd.trapezoid(nd.asarray(y), dx=0.5, axis=0), np.trapezoid(y, dx=0.5, axis=0))
    parts = nd.cumulative_trapezoid(nd.asarray(y), nd.asarray(x))
    assert parts.shape == (4, 5)
    close(parts[:, -1], np.trapezoid(y, x))
    assert nd.trapezoid(nd.ones(1)).tolist() == 0


def test_covariance():
    x = noise(3, 7)
    counts, weights = RNG.integers(1, 4, 7), RNG.random(7)
    close(nd.cov(nd.asarray(x)), np.cov(x))
    close(nd.cov(nd.asarray(x), correction=0, fweights=nd.asarray(counts), aweights=nd.asarray(weights)),
          np.cov(x, ddof=0, fweights=counts, aweights=weights))  # fmt: skip
    close(nd.cov(nd.asarray(x[0] + 1j * x[1])), np.cov(x[0] + 1j * x[1]))
    close(nd.corrcoef(nd.asarray(x)), np.corrcoef(x))
    close(nd.corrcoef(nd.asarray(x + 1j * x[::-1])), np.corrcoef(x + 1j * x[::-1]))
    assert nd.corrcoef(nd.asarray(x[0])).tolist() == 1


def test_lengths_of_vectors():
    close(nd.cosine_similarity(a, nd.asarray(A[::-1].copy())), (A * A[::-1]).sum(1) / np.prod(np.linalg.norm(A, axis=1)))
    assert nd.cosine_similarity(nd.zeros((1, 3)), nd.ones((1, 3))).tolist() == [0]
    shortened = nd.renorm(nd.asarray(S), 2, 0, 1.0).numpy()
    lengths = np.linalg.norm(S.reshape(5, -1), axis=1)
    close(nd.asarray(np.linalg.norm(shortened.reshape(5, -1), axis=1)), np.minimum(lengths, 1), rtol=1e-6)
    close(nd.renorm(a, 1, 1, 1e9), A)


@pytest.mark.parametrize("periodic", [True, False])
def test_windows(periodic):
    for n in (2, 5, 8):
        cut = slice(None, -1) if periodic else slice(None)
        points = n + periodic
        for name, make in (("hann", np.hanning), ("hamming", np.hamming), ("blackman", np.blackman),
                           ("bartlett", np.bartlett), ("kaiser", lambda m: np.kaiser(m, 12.0))):  # fmt: skip
            made = getattr(nd, f"{name}_window")(n, periodic, dtype="float64")
            close(made, make(points)[cut], atol=1e-12)
    assert nd.hann_window(1).tolist() == [1]
    assert nd.hann_window(0).shape == (0,)
    assert nd.hann_window(3).dtype is nd.float32


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("normalized", [True, False])
def test_short_time_spectra_there_and_back(center, normalized):
    x = noise(2, 64)
    window = nd.hamming_window(16, dtype="float64")
    params = {"window": window, "center": center, "normalized": normalized}
    spectra = nd.stft(nd.asarray(x), 16, 4, return_complex=True, **params)
    assert spectra.shape == (2, 9, 17 if center else 13)
    if not center:
        frame = np.fft.rfft(x[:, 8:24] * window.numpy()) / (4 if normalized else 1)
        close(spectra[:, :, 2], frame)
    close(nd.istft(spectra, 16, 4, length=64, **params), x)


def test_shorter_window_stands_in_the_middle():
    x = noise(40)
    window = np.hanning(9)
    made = nd.stft(nd.asarray(x), 16, 8, 9, nd.asarray(window), center=False, return_complex=True)
    close(made[:, 1], np.fft.rfft(x[8:24] * np.pad(window, (3, 4))))


@pytest.mark.parametrize("mode", ["reflect", "constant", "replicate", "circular"])
def test_signals_are_extended(mode):
    x = noise(20)
    made = nd.stft(nd.asarray(x), 8, 4, pad_mode=mode, return_complex=True)
    padded = np.pad(x, 4, {"replicate": "edge", "circular": "wrap"}.get(mode, mode))
    close(made[:, 0], np.fft.rfft(padded[:8]))
    close(made[:, -1], np.fft.rfft(padded[-8:]))


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ShapeError, lambda: nd.mm(a, a)),
        (ShapeError, lambda: nd.mm(a, v)),
        (DTypeError, lambda: nd.mm(a, nd.ones((3, 2)))),
        (ShapeError, lambda: nd.bmm(s, t[:4])),
        (ShapeError, lambda: nd.dot(v, nd.ones(4, dtype="float64"))),
        (ShapeError, lambda: nd.outer(a, v)),
        (ShapeError, lambda: nd.inner(a, b)),
        (ShapeError, lambda: nd.addmm(v, a, b)),
        (DTypeError, lambda: nd.addmm(v, a, nd.ones((3, 3), dtype="float64"), alpha=1j)),
        (DTypeError, lambda: nd.addr(nd.ones(2, dtype="int64"), nd.asarray([1, 2]), nd.asarray([1, 2]), alpha=0.5)),
        (ShapeError, lambda: nd.tensordot(a, b, 2)),
        (UsageError, lambda: nd.tensordot(a, b, ((0, 0), (0, 1)))),
        (UsageError, lambda: nd.tensordot(a, b, ((0,), (0, 1)))),
        (ShapeError, lambda: nd.cartesian_prod(a)),
        (DTypeError, lambda: nd.cartesian_prod(v, nd.ones(2))),
        (UsageError, lambda: nd.combinations(v, -1)),
        (DTypeError, lambda: nd.trapezoid(nd.asarray([True, False]))),
        (ShapeError, lambda: nd.trapezoid(v, nd.ones(4))),
        (ShapeError, lambda: nd.cov(s)),
        (UsageError, lambda: nd.cov(a, fweights=nd.asarray([1, -1, 2]))),
        (DTypeError, lambda: nd.cov(a, fweights=v)),
        (ShapeError, lambda: nd.renorm(v, 2, 0, 1.0)),
        (UsageError, lambda: nd.renorm(a, 0, 0, 1.0)),
        (UsageError, lambda: nd.renorm(a, 2, 0, -1.0)),
        (UsageError, lambda: nd.cartesian_prod()),
        (UsageError, lambda: nd.cdist(a, a, -1)),
        (ArgumentValueError, lambda: nd.cdist(a, a, compute_mode="fast")),
        (ShapeError, lambda: nd.hann_window(-1)),
        (DTypeError, lambda: nd.hann_window(3, dtype="int64")),
        (ShapeError, lambda: nd.stft(v, 4)),
        (ShapeError, lambda: nd.stft(v, 8, return_complex=True)),
        (ShapeError, lambda: nd.istft(nd.ones((5, 4), dtype="complex64"), 8, window=nd.zeros(8))),
        (DTypeError, lambda: nd.istft(a, 2)),
    ],
)
def test_refused(error, call):
    with pytest.raises(error):
        call()


@pytest.mark.parametrize("op", ["mm", "bmm", "mv", "dot", "vdot", "addmm", "addmv", "baddbmm", "addbmm"])
def test_lengths_that_differ_are_told_by_the_op_itself(op):
    ndims = {"mm": (2, 2), "mv": (2, 1), "dot": (1, 1), "vdot": (1, 1)}.get(op.removeprefix("add"), (3, 3))
    a, b = (nd.ones((2, 2, 3)[3 - n :] if n > 1 else (5 - i,)) for i, n in enumerate(ndims))
    given = (nd.ones(1), a, b) if "add" in op else (a, b)
    with pytest.raises(ShapeError, match=rf"^{op}: .* disagree on the inner length"):
        getattr(nd, op)(*given)
