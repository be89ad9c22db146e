"""Bags of rows against real PyTorch: values, and gradients of the table and of the weights."""

from itertools import product

import numpy as np
import pytest
import torch

import lamina

ROWS, COLUMNS = 11, 70
OFFSETS = {"from the beginning": [0, 3, 3, 10, 20], "to the end": [0, 3, 3, 10, 20, 24], "empty at both ends": [0, 0, 7, 24]}
CASES = [
    (mode, offsets, weighted, padding)
    for mode, offsets, weighted, padding in product(("sum", "mean", "max"), (None, *OFFSETS), (False, True), (None, 3))
    if mode == "sum" or not weighted
]


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize(("mode", "offsets", "weighted", "padding"), CASES)
def test_bags(mode, offsets, weighted, padding, dtype):
    drawn = np.random.default_rng(0)
    table, places = drawn.normal(size=(ROWS, COLUMNS)), drawn.integers(0, ROWS, 24)
    if offsets is None:
        places = places.reshape(6, 4)
    factors = drawn.normal(size=places.shape)

    def folded(m):
        weight = m.tensor(table).to(getattr(m, dtype)).requires_grad_()
        scale = m.tensor(factors).to(getattr(m, dtype)).requires_grad_() if weighted else None
        result = m.nn.functional.embedding_bag(
            m.tensor(places), weight, None if offsets is None else m.tensor(OFFSETS[offsets]), mode=mode, per_sample_weights=scale,
            include_last_offset=offsets == "to the end", padding_idx=padding,
        )  # fmt: skip
        wanted = [weight] if scale is None else [weight, scale]
        slopes = m.autograd.grad(result, wanted, m.tensor(np.cos(np.arange(result.numel()))).reshape(result.shape).to(result.dtype))
        return [x.detach().double().numpy() for x in (result, *slopes)]

    step = {"float16": 2.0**-10, "float32": 2.0**-23, "float64": 2.0**-52}[dtype]
    for found, wanted in zip(folded(lamina), folded(torch), strict=True):
        reach = 1 + np.abs(wanted).max()  # of up to 24 terms, or of as many as there are columns
        np.testing.assert_allclose(found, wanted, rtol=0, atol=8 * step * reach)


def test_bags_of_a_bag_have_gradients_of_their_gradients():
    def slopes(m):
        weight = m.tensor(np.arange(12.0).reshape(4, 3) / 7).requires_grad_()
        scale = m.tensor([0.5, -1.0, 2.0], dtype=m.float64).requires_grad_()
        result = m.nn.functional.embedding_bag(m.tensor([1, 3, 1]), weight, m.tensor([0, 2]), mode="sum", per_sample_weights=scale)
        (first,) = m.autograd.grad((result**2).sum(), weight, create_graph=True)
        return m.autograd.grad((first**3).sum(), weight)[0].numpy()

    drawn = slopes(lamina)
    table, picked = np.arange(12.0).reshape(4, 3) / 7, np.zeros((3, 4))
    picked[[0, 1, 2], [1, 3, 1]] = 1
    step = (np.array([[0.5, -1.0, 0.0], [0.0, 0.0, 2.0]]) @ picked).T @ (np.array([[0.5, -1.0, 0.0], [0.0, 0.0, 2.0]]) @ picked) * 2
    np.testing.assert_allclose(drawn, 3 * step @ (step @ table) ** 2, rtol=1e-12)  # PyTorch has no second derivative of it


@pytest.mark.parametrize("padding", [2, -3])
def test_a_padding_that_is_no_row_is_refused(padding):
    for m in (torch, lamina):
        with pytest.raises(RuntimeError, match="padding_idx must be within"):
            m.nn.functional.embedding_bag(m.tensor([[0, 1]]), m.zeros(2, 2), padding_idx=padding)
        with pytest.raises(AssertionError):
            m.nn.functional.embedding(m.tensor([[0, 1]]), m.zeros(2, 2), padding_idx=padding)
