"""Sums of products in which only one product is summed: any dtype, any two dtypes, and PyTorch's order in memory."""

import pytest
import torch

import lamina

CALLS = [
    "t.einsum('ij,jk->ik', b, c)", "t.einsum('ij,kj->ik', b, b)", "t.einsum('ij,jk->ik', c.t(), c)", "t.einsum('ij,jk->ik', c.t(), b)",
    "t.einsum('bij,bjk->bik', c.t()[None], c[None])", "t.einsum('ij,jk->', b, b)", "t.einsum('i,j->ij', c[0], c[0])",
    "t.einsum('ij,jk->ik', x, y)", "t.einsum('ij,jk->ki', x, y)",
    "t.einsum('ij,jk->ik', x.double(), y.half())",
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_of_one_product(call):
    def found(t):
        names = {"t": t, "b": t.tensor([[True]]), "c": t.tensor([[True, False, True]]), "x": t.ones(3, 1), "y": t.ones(1, 4)}
        result = eval(call, names)
        lengths = [n for n in zip(result.shape, result.stride(), strict=True) if n[0] > 1]
        return result.tolist(), str(result.dtype).rpartition(".")[2], lengths

    assert found(lamina) == found(torch)
