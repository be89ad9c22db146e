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
