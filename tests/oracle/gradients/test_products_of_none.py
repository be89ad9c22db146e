"""Gradients of products of no items and of a tensor without dims: of every order, whether they have a history is PyTorch's answer."""

import pytest
import torch

import lamina

PRODUCTS = {
    "all": lambda x: x.prod(),
    "along the first dim": lambda x: x.prod(0),
    "along the last dim": lambda x: x.prod(-1, keepdim=True),
    "so far": lambda x: x.cumprod(0),
}


def history(library, shape, product, seeded):
    """Shapes of the gradients of three orders, and whether these have gradients; with `seeded`, of the seeds, too."""
    x = library.ones(shape, requires_grad=True)
    y, leaves, told = product(x), [x], []
    for _ in range(3):
        if y is None or not y.requires_grad:
            break
        seed = library.ones(y.shape, requires_grad=seeded)
        found = library.autograd.grad(y, leaves, seed, create_graph=True, allow_unused=True)
        told.append([None if g is None else (tuple(g.shape), g.requires_grad) for g in found])
        leaves += [seed] * seeded
        y = found[0]
    return told


@pytest.mark.parametrize("seeded", [False, True])
@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (3, 0), (2, 0, 3)])
@pytest.mark.parametrize("product", PRODUCTS)
def test_history(product, shape, seeded):
    wanted, observed = (history(library, shape, PRODUCTS[product], seeded) for library in (torch, lamina))
    assert observed == wanted
