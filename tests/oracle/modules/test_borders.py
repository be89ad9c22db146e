"""Margins of a tensor's own items against real PyTorch: values, order in memory, and gradients of both orders."""

import numpy as np
import pytest
import torch

import lamina

SHAPES = ((2, 3, 5), (2, 3, 5, 6), (2, 3, 4, 5, 6))
FORMATS = {4: "channels_last", 5: "channels_last_3d"}


def margins(rank, mode, seed):
    """Numbers of which some cut off; not so much that nothing is left, where PyTorch reads what nobody wrote."""
    drawn = np.random.default_rng(seed).integers(-2, 4, (rank, 2))
    drawn[drawn.sum(1) < -3] = 0
    if mode == "circular":
        drawn = np.where(drawn.min(1, keepdims=True) < 0, np.minimum(drawn, 1), drawn)
    return tuple(drawn.reshape(-1).tolist())


@pytest.mark.parametrize("last", [False, True], ids=["row-major", "channels last"])
@pytest.mark.parametrize("shape", SHAPES, ids=len)
@pytest.mark.parametrize("mode", ["reflect", "replicate", "circular"])
@pytest.mark.parametrize("seed", range(6))
def test_margins_of_own_items(seed, mode, shape, last):
    if last and len(shape) not in FORMATS:
        pytest.skip("there is no such format of three dims")
    pad = margins(len(shape) - 2, mode, seed)
    values = np.random.default_rng(seed).normal(size=shape)

    def padded(m):
        x = m.tensor(values)
        x = (x.to(memory_format=getattr(m, FORMATS[x.ndim])) if last else x).requires_grad_()
        y = m.nn.functional.pad(x, pad, mode)
        weights = m.tensor(np.cos(np.arange(y.numel())).reshape(tuple(y.shape))).requires_grad_()
        (slope,) = m.autograd.grad(y, x, weights, create_graph=True)
        (back,) = m.autograd.grad((slope * x.detach()).sum(), weights)
        return y.detach(), tuple(y.stride()), slope.detach(), back

    found, wanted = padded(lamina), padded(torch)
    assert found[1] == wanted[1]
    for i in (0, 2, 3):
        np.testing.assert_allclose(found[i].numpy(), wanted[i].numpy(), rtol=1e-12, atol=1e-12)


def test_a_ring_is_not_shorter_than_its_margin():
    """PyTorch wraps what it has not written yet."""
    with pytest.raises(RuntimeError, match="wrapping around more than once"):
        lamina.nn.functional.pad(lamina.zeros(1, 1, 4), (3, -2), "circular")
