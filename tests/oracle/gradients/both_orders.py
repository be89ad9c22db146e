"""A function in both libraries: its value, and its first and second gradients."""

import numpy as np
import torch

import lamina


def close(ours, theirs):
    theirs = theirs.detach().resolve_conj().numpy(force=True)
    assert tuple(ours.shape) == theirs.shape
    np.testing.assert_allclose(ours.numpy(force=True), theirs, rtol=1e-9, atol=1e-11)


def compare(function, arrays, second=True):
    """The same function in both libraries: its value, the gradients of a weighted sum, and those of their squares."""
    rng = np.random.default_rng(1)
    theirs = [torch.tensor(a, requires_grad=True) for a in arrays]
    ours = [lamina.tensor(a, dtype="float64", requires_grad=True) for a in arrays]
    y, z = function(lamina, *ours), function(torch, *theirs)
    close(y, z)
    weights = rng.uniform(-1, 1, z.shape)
    inner = (y * lamina.tensor(weights, dtype="float64")).sum(), (z * torch.tensor(weights)).sum()
    first = (
        lamina.autograd.grad(inner[0], ours, create_graph=second),
        torch.autograd.grad(inner[1], theirs, create_graph=second),
    )
    for g, h in zip(*first, strict=True):
        close(g, h)
    if not second or not any(h.requires_grad for h in first[1]):
        return
    squares = [sum((g * g).sum() for g in gradients) for gradients in first]
    again = (
        lamina.autograd.grad(squares[0], ours, allow_unused=True, materialize_grads=True),
        torch.autograd.grad(squares[1], theirs, allow_unused=True, materialize_grads=True),
    )
    for g, h in zip(*again, strict=True):
        close(g, h)
