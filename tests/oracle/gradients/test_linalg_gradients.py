"""Gradients of factorizations and solvers, first and second, against real PyTorch's, real and complex.

The functions take any matrix and make the Hermitian or triangular one of it themselves: of such a matrix only part of the
gradient means something, and libraries differ in the rest.
"""

import numpy as np
import pytest
import torch

import lamina


def hermitian(x):
    return x + x.mH


def positive(t, x):
    return x @ x.mH + 3 * t.eye(x.shape[-1], dtype=x.dtype)


FUNCTIONS = {
    "cholesky": lambda t, x: t.linalg.cholesky(positive(t, x)),
    "cholesky upper": lambda t, x: t.linalg.cholesky(positive(t, x), upper=True),
    "cholesky_solve": lambda t, x: t.cholesky_solve(x, t.linalg.cholesky(positive(t, x))),
    "cond": lambda t, x: t.linalg.cond(x),
    "det": lambda t, x: t.linalg.det(x),
    "eigh": lambda t, x: (lambda r: (r[0], r[1].abs()))(t.linalg.eigh(hermitian(x))),
    "eigvalsh": lambda t, x: t.linalg.eigvalsh(hermitian(x)),
    "eig": lambda t, x: (lambda r: (r[0], r[1].abs()))(t.linalg.eig(x)),
    "eigvals": lambda t, x: t.linalg.eigvals(x),
    "inv": lambda t, x: t.linalg.inv(x),
    "lstsq": lambda t, x: t.linalg.lstsq(x[..., :, :2], x).solution,
    "lstsq wide": lambda t, x: t.linalg.lstsq(x[..., :2, :], x[..., :2, :2] ** 2).solution,
    "lstsq residuals": lambda t, x: t.linalg.lstsq(x[..., :, :2], x**2, driver="gels")[:2],
    "lu": lambda t, x: t.linalg.lu(x)[1:],
    "lu tall": lambda t, x: t.linalg.lu(x[..., :, :2])[1:],
    "lu wide": lambda t, x: t.linalg.lu(x[..., :2, :])[1:],
    "matrix_exp": lambda t, x: t.linalg.matrix_exp(x),
    "nuclear norm": lambda t, x: t.linalg.matrix_norm(x, "nuc"),
    "pinv": lambda t, x: t.linalg.pinv(x[..., :, :2]),
    "qr": lambda t, x: t.linalg.qr(x),
    "qr tall": lambda t, x: t.linalg.qr(x[..., :, :2]),
    "qr wide": lambda t, x: t.linalg.qr(x[..., :2, :]),
    "slogdet": lambda t, x: tuple(t.linalg.slogdet(x)),
    "solve": lambda t, x: t.linalg.solve(x, x * x),
    "solve left=False": lambda t, x: t.linalg.solve(x, x * x, left=False),
    "solve a vector": lambda t, x: t.linalg.solve(x[0] if x.ndim > 2 else x, (x[0] if x.ndim > 2 else x)[0]),
    "solve_triangular": lambda t, x: t.linalg.solve_triangular(x.triu() + 2 * t.eye(x.shape[-1], dtype=x.dtype), x, upper=True),
    "svd": lambda t, x: (lambda r: (r[0].abs(), r[1], r[2].abs()))(t.linalg.svd(x)),
    "svd tall": lambda t, x: (lambda r: (r[0].abs(), r[1]))(t.linalg.svd(x[..., :, :2], full_matrices=False)),
    "svd wide": lambda t, x: (lambda r: (r[1], r[2].abs()))(t.linalg.svd(x[..., :2, :], full_matrices=False)),
    "svdvals": lambda t, x: t.linalg.svdvals(x),
}


def gradients(t, function, values, second):
    """The gradient of a weighted sum of all results, and that of the gradient's own weighted sum."""
    x = t.tensor(values) if t is torch else t.tensor(values, dtype=str(values.dtype))
    x.requires_grad_(True)
    results = function(t, x)
    results = results if isinstance(results, tuple) else (results,)
    loss = 0
    for i, y in enumerate(results):
        weights = np.random.default_rng(i).uniform(0.5, 1.5, tuple(y.shape))
        total = (y * (t.tensor(weights) if t is torch else t.tensor(weights, dtype="float64"))).sum()
        loss = loss + (total.real if total.is_complex() else total)
    (g,) = t.autograd.grad(loss, x, create_graph=second)
    if not second:
        return (g,)
    size = (g * g.conj()).sum()
    return g, *t.autograd.grad(size.real if size.is_complex() else size, x)


@pytest.mark.parametrize("second", [False, True], ids=["first", "second"])
@pytest.mark.parametrize("kind", ["float64", "complex128", "stack"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradient(name, kind, second):
    rng = np.random.default_rng(3)
    shape = (2, 3, 3) if kind == "stack" else (3, 3)
    values = rng.normal(size=shape)
    if kind == "complex128":
        values = values + 1j * rng.normal(size=shape)
    values = values + 1.5 * np.eye(3)
    ours = gradients(lamina, FUNCTIONS[name], values, second)
    theirs = gradients(torch, FUNCTIONS[name], values, second)
    for g, h in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(
            g.detach().numpy(), h.detach().resolve_conj().resolve_neg().numpy(), rtol=1e-6, atol=1e-8
        )


def test_the_determinant_of_singular_matrices_has_gradient_zero():
    """As PyTorch has it, where the mathematics would have the adjugate; one of a stack that is regular keeps its own."""
    values = np.array([[[1.0, 2.0], [2.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]], [[0.0, 0.0], [0.0, 0.0]]])
    (expected,) = gradients(torch, lambda t, x: t.linalg.det(x), values, False)
    (found,) = gradients(lamina, lambda t, x: t.linalg.det(x), values, False)
    np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-12)


def test_norms_of_matrices_without_items():
    for t in (torch, lamina):
        x = t.zeros(2, 0, requires_grad=True)
        assert [t.linalg.matrix_norm(x, order).requires_grad for order in (1, 2, "fro", "nuc")] == [False, False, True, True]
        with pytest.raises(IndexError):
            t.linalg.matrix_norm(x, -1)


@pytest.mark.parametrize("shape", [(0, 0), (2, 0, 0), (0, 3, 3)])
def test_gradients_of_no_exponentials_have_gradients(shape):
    def of(t):
        x = t.zeros(shape, requires_grad=True)
        value, found = t.linalg.matrix_exp(x), []
        for _ in range(3):
            (value,) = t.autograd.grad(value.sum(), x, create_graph=True)
            found.append((value.requires_grad, tuple(value.shape)))
        return found, t.linalg.matrix_exp(x.mT).stride()

    assert of(lamina) == of(torch)
