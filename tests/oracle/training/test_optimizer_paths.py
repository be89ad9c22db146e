"""Optimizers over several steps of one problem in which small differences would grow: the same path as PyTorch's."""

import numpy as np
import pytest
import torch

import lamina

MATRIX = np.random.default_rng(0).normal(size=(6, 6))
TARGET = np.random.default_rng(1).normal(size=6)


def _lbfgs(t, search, iterations):
    matrix, target = t.tensor(MATRIX), t.tensor(TARGET)
    weight = t.zeros(6, dtype=t.float64, requires_grad=True)
    optimizer = t.optim.LBFGS([weight], max_iter=iterations, line_search_fn=search)

    def closure():
        optimizer.zero_grad()
        loss = ((matrix @ weight - target) ** 2).sum() + (weight**4).sum()
        loss.backward()
        return loss

    path = []
    for _ in range(7):
        optimizer.step(closure)
        path.append((weight.tolist(), optimizer.state[weight]["n_iter"], optimizer.state[weight]["func_evals"]))
    return path


@pytest.mark.parametrize("iterations", [1, 4])
@pytest.mark.parametrize("search", [None, "strong_wolfe"])
def test_lbfgs(search, iterations):
    for ours, theirs in zip(_lbfgs(lamina, search, iterations), _lbfgs(torch, search, iterations), strict=True):
        assert ours[0] == pytest.approx(theirs[0], abs=1e-13)
        assert ours[1:] == theirs[1:]


def _muon(t, coefficients, steps, shape):
    numbers = np.random.default_rng(0)
    weight = t.tensor(numbers.normal(size=shape), dtype=t.float32, requires_grad=True)
    optimizer = t.optim.Muon([weight], lr=0.1, ns_coefficients=coefficients, ns_steps=steps)
    for _ in range(4):
        weight.grad = t.tensor(numbers.normal(size=shape), dtype=t.float32)
        optimizer.step()
    return weight.detach().numpy()


@pytest.mark.parametrize("coefficients", [(1.5, -0.5, 0.0), (2.0, -1.5, 0.5), (3.0, -3.2, 1.2)])
@pytest.mark.parametrize("shape", [(4, 6), (6, 4), (16, 16)])
def test_muon_with_other_coefficients(coefficients, shape):
    """Products are rounded to bfloat16: one that is rounded the other way moves an item by 2**-8 of it, times the rate."""
    for steps in (1, 5):
        ours, theirs = (_muon(t, coefficients, steps, shape) for t in (lamina, torch))
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=0.1 * 2**-8)
