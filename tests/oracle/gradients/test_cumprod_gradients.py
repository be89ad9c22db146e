"""The gradient of cumprod: at zeros, of any order, and in a number of kernel calls that does not grow with the length."""

import numpy as np
import pytest
import torch

import lamina
from lamina_flatarray.instruments import count_ops

RNG = np.random.default_rng(0)
ZEROS = {"none": [], "one": [3], "the first": [0], "the last": [6], "two": [2, 4], "neighbours": [3, 4], "all": list(range(7))}


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("name", ZEROS)
def test_first_and_second_gradients(name, dtype):
    x, g, h = RNG.normal(size=(3, 2, 7, 2)) + (1j * RNG.normal(size=(3, 2, 7, 2)) if dtype == "complex128" else 0)
    x[0, ZEROS[name]] = 0
    found = []
    for t in (lamina, torch):
        leaf = t.tensor(x, requires_grad=True)
        y = t.cumprod(leaf, 1)
        (plain,) = t.autograd.grad(y, leaf, t.tensor(g), retain_graph=True)
        (first,) = t.autograd.grad(y, leaf, t.tensor(g), create_graph=True)
        (second,) = t.autograd.grad(first, leaf, t.tensor(h))
        found.append([v.detach().resolve_conj().numpy() for v in (plain, first, second)])
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-11, atol=1e-12)


def test_the_number_of_kernel_calls():
    calls = []
    for n in (4, 400):
        x = lamina.ones(n, requires_grad=True)
        y = lamina.cumprod(x, 0).sum()
        with count_ops() as counts:
            y.backward()
        calls.append(sum(counts.values()))
    assert calls[0] == calls[1] < 40
