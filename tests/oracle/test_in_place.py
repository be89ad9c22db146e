"""In-place ops and views: programs that write through them, with the same values and gradients as real PyTorch."""

import numpy as np
import pytest
import torch

import lamina


def rows_columns_and_slices(t):
    a = t.arange(12.0, dtype=t.float64).reshape(3, 4).requires_grad_(True)
    b = t.ones(4, dtype=t.float64, requires_grad=True)
    x = a * 2
    v, w = x[1], x[:, 2]
    v *= 3
    x[0, 1:3] = b[:2] * 5
    w.add_(b[:3])
    y = (x * x).sum() + (v * w[0]).sum() + (w**2).sum()
    return t.autograd.grad(y, (a, b))


def a_base_without_gradients_gets_them(t):
    a = t.arange(6.0, dtype=t.float64).requires_grad_(True)
    x = t.zeros(2, 6, dtype=t.float64)
    v, r = x.view(-1), x[0]
    x[0] = a
    x[1] = r.clone() * a
    x.mul_(2)
    assert v.requires_grad
    assert r.requires_grad
    return t.autograd.grad((x.t() ** 2).sum() + (r * 3).sum() + v[3] * v[8], (a,))


def index_arrays_and_masks(t):
    a = t.arange(6.0, dtype=t.float64).requires_grad_(True)
    x = (a * 1).reshape(2, 3).t()
    x.mul_(1.5)
    x.add_(a[0])
    x[[0, 2]] = x[[1, 1]] * 2
    x[x > 100] = 0
    z = x.clone()
    z[0].zero_()
    z[1, 1] = 7.0
    z.sigmoid_()
    return t.autograd.grad(x.sum() + (z * x).sum(), (a,))


def views_of_views_and_second_gradients(t):
    a = t.arange(1.0, 7.0, dtype=t.float64).requires_grad_(True)
    x = a * 1
    e = x.view(2, 3)[:, :2]
    f = e.t()[1]
    f.mul_(a[:2])
    e.add_(1)
    e[0].copy_(a[3:5])
    g = x.view(3, 2)
    g.div_(a.view(3, 2) + 1)
    y = e.sum() * f.prod() + g.pow(2).sum()
    (first,) = t.autograd.grad(y, (a,), create_graph=True)
    return first.detach(), *t.autograd.grad((first**2).sum(), (a,))


def parts_of_complex_numbers(t):
    a = t.tensor([[1 + 2j, 3 - 1j], [0.5j, -2.0]], dtype=t.complex128, requires_grad=True)
    b = t.tensor([1.5, -0.5], dtype=t.float64, requires_grad=True)
    x = a * (1 + 2j)
    re, im, pairs = x.real, x.imag, t.view_as_real(x)
    re[0].mul_(b)
    pairs[1, :, 1] = b * 3
    x.t()[1].mul_(2j)
    im.add_(re.detach().clone())
    z = t.view_as_complex(pairs)
    z[0, 0] *= b[0]
    y = (pairs**3).sum() + (re * im).sum() + (x.abs() ** 2).sum() + (z.real**2).sum()
    return t.autograd.grad(y, (a, b))


def complex_numbers_over_pairs(t):
    a = t.arange(1.0, 9.0, dtype=t.float64).requires_grad_(True)
    x = (a * 2).reshape(2, 2, 2)
    z = t.view_as_complex(x)
    row = z[0]
    row.mul_(1 - 2j)
    x[1, :, 0].mul_(a[:2])
    z.imag[1] = a[3:5]
    return t.autograd.grad((x**2 * t.arange(8.0, dtype=t.float64).reshape(2, 2, 2)).sum() + (z.real * row.imag).sum(), (a,))


PROGRAMS = [
    parts_of_complex_numbers,
    complex_numbers_over_pairs,
    rows_columns_and_slices,
    a_base_without_gradients_gets_them,
    index_arrays_and_masks,
    views_of_views_and_second_gradients,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program):
    for ours, theirs in zip(program(lamina), program(torch), strict=True):
        np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=1e-10)


@pytest.mark.parametrize("lib", [lamina, torch])
def test_leaves_are_not_written(lib):
    leaf = lib.ones(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place"):
        leaf.add_(1)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad is being used in an in-place"):
        leaf[0] = 2
    with lib.no_grad():
        leaf[0] = 2
    assert leaf.tolist() == [2, 1, 1]


@pytest.mark.parametrize("lib", [lamina, torch])
def test_a_saved_value_that_is_written_through_a_view_is_noticed(lib):
    a = lib.ones(3, requires_grad=True)
    x = a * 2
    y = x * x
    x[1:].mul_(3)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_operands_that_are_written_themselves():
    """PyTorch refuses these gradients, as it keeps the operand and not a copy."""
    x = lamina.tensor([1.0, 2.0, 3.0], dtype=lamina.float64, requires_grad=True)
    y = x * 1
    y *= y
    y[1:].mul_(y[:2].detach())
    (g,) = lamina.autograd.grad(y.sum(), x)
    assert y.tolist() == [1, 4, 36]
    assert g.tolist() == [2, 4, 24]


@pytest.mark.parametrize("lib", [lamina, torch])
def test_views_made_without_recording_are_not_written_with_it(lib):
    x = lib.ones(3, requires_grad=True) * 2
    with lib.no_grad():
        view = x[:2]
        view.mul_(2)
    for write in (lambda: view.mul_(3), lambda: view.zero_(), lambda: view.exp_()):
        with pytest.raises(RuntimeError, match="A view was created in no_grad mode and is being modified inplace"):
            write()
    assert x.tolist() == [4, 4, 2]


@pytest.mark.parametrize("lib", [lamina, torch])
def test_what_does_not_fit_is_not_written(lib):
    counts = lib.arange(3)
    for write in (lambda: counts.clamp_min_(0.5), lambda: counts.lerp_(lib.ones(3), 0.5), lambda: counts.sin_()):
        with pytest.raises(RuntimeError):
            write()
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        lib.ones(3).clamp_min_(lib.ones(2, 3))
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        lib.ones(3).copy_(lib.ones(1, 3))
    assert counts.tolist() == [0, 1, 2]
