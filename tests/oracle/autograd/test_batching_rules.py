"""Ops that take several arrays at once, or give results of a shape of their own, under vmap: as real PyTorch's, slice by slice."""

import numpy as np
import pytest
import torch
import torch.func
from torch.nn.utils import get_total_norm

import lamina

X = np.arange(24.0).reshape(2, 3, 4) / 7 - 1
Y = np.cos(np.arange(10.0)).reshape(2, 5) * 3


@pytest.mark.parametrize("order", [1.0, 2.0, 3.0, float("inf")])
@pytest.mark.parametrize("in_dims", [(0, 0), (0, None)])
def test_the_total_norm_is_one_per_slice(order, in_dims):
    y = Y if in_dims[1] == 0 else Y[0]
    theirs = torch.func.vmap(lambda a, b: get_total_norm([a, b], order, foreach=False), in_dims)(torch.tensor(X), torch.tensor(y))
    ours = lamina.func.vmap(lambda a, b: lamina.nn.utils.get_total_norm([a, b], order), in_dims)(lamina.tensor(X), lamina.tensor(y))
    assert tuple(ours.shape) == tuple(theirs.shape) == (2,)
    np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=1e-12)


def test_what_has_another_shape_for_each_slice_is_refused_by_both():
    with pytest.raises(RuntimeError, match="vmap"):
        torch.func.vmap(torch.nonzero)(torch.tensor(X))
    with pytest.raises(RuntimeError, match="vmap"):
        lamina.func.vmap(lamina.nonzero)(lamina.tensor(X))


AT = np.array([1, 2])
INDEXED = {
    "an item": lambda x, i, m: x[i],
    "a column": lambda x, i, m: x[:, i],
    "the last axis": lambda x, i, m: x[..., i],
    "beside a slice": lambda x, i, m: x[i, 1:3],
    "beside a new axis": lambda x, i, m: x[None, i],
    "twice": lambda x, i, m: x[i, i],
    "beside an array": lambda x, i, m: x[m.tensor([0, 2]), i],
    "from behind": lambda x, i, m: x[i - 3],
    "of int32": lambda x, i, m: x[i.int()],
    "one that is the same": lambda x, i, m: x[m.tensor(2)] + x[m.tensor([0, 1]), m.tensor(-1)].sum(),
    "the gradient": lambda x, i, m: m.func.grad(lambda y: (y[m.tensor([0]), i] ** 3).sum())(x),
}


@pytest.mark.parametrize("of", INDEXED.values(), ids=INDEXED)
@pytest.mark.parametrize("in_dims", [(0, 0), (None, 0)])
def test_an_index_may_be_another_one_in_each_slice(of, in_dims):
    """A number of a batch is no number that Python could know."""
    def indexed(m):
        x = m.tensor(X if in_dims[0] == 0 else X[0])
        return m.func.vmap(lambda a, i: of(a, i, m), in_dims)(x, m.tensor(AT))

    np.testing.assert_array_equal(indexed(lamina).numpy(), indexed(torch).numpy())
