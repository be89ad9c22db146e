"""Gradients that compiled steps give: little ones are made anew only where somebody has those of the step before."""

import weakref

import numpy as np
import pytest

import lamina as torch
from lamina import nn
from lamina_flatarray.twins import compiled as twins


def settled_step(width=4):
    """A model, and a compiled step that sets its gradients, after calls enough that it is repeated."""
    torch.manual_seed(1)
    model = nn.Linear(width, width)

    def step(x):
        model.zero_grad()
        model(x).square().sum().backward()

    compiled = torch.compile(step, fullgraph=True)
    for _ in range(6):
        compiled(torch.randn(3, width))
    assert compiled.explain()[0].kernels is not None
    return model, compiled


HOLDERS = {
    "itself": (lambda gradient: gradient, lambda kept: kept.tolist()),
    "detached": (lambda gradient: gradient.detach(), lambda kept: kept.tolist()),
    "a view": (lambda gradient: gradient.view(4, 4), lambda kept: kept.tolist()),
    "its array": (lambda gradient: gradient.array, lambda kept: kept.tolist()),
    "its flat array": (lambda gradient: gradient.array.flat, lambda kept: np.frombuffer(kept.memory, "f4", 16).reshape(4, 4).tolist()),
    "NumPy's": (lambda gradient: gradient.numpy(), lambda kept: kept.tolist()),
    "a capsule": (torch.utils.dlpack.to_dlpack, lambda kept: torch.utils.dlpack.from_dlpack(kept).tolist()),
}


@pytest.mark.parametrize(("hold", "items"), HOLDERS.values(), ids=HOLDERS)
def test_what_somebody_has_of_a_gradient_stays(hold, items):
    model, step = settled_step()
    step(torch.ones(3, 4))
    kept, before = hold(model.weight.grad), model.weight.grad.tolist()
    for _ in range(3):
        step(torch.full((3, 4), 7.0))
    assert model.weight.grad.tolist() != before
    assert items(kept) == before


def test_a_gradient_that_a_weak_reference_leads_to_ends():
    model, step = settled_step()
    step(torch.ones(3, 4))
    ended = weakref.ref(model.weight.grad)
    step(torch.ones(3, 4))
    step(torch.ones(3, 4))
    assert ended() is not model.weight.grad


def test_what_is_said_of_a_gradient_is_not_said_of_the_next():
    model, step = settled_step()
    step(torch.ones(3, 4))
    gradient = model.weight.grad
    gradient.note = "first"
    gradient.add_(1)
    gradient.requires_grad_()
    del gradient
    step(torch.ones(3, 4))
    assert not hasattr(model.weight.grad, "note")
    assert not model.weight.grad.requires_grad
    assert model.weight.grad._version == 0


@pytest.mark.skipif(twins is None, reason="only compiled code gives them again")
def test_little_gradients_are_given_again_and_great_ones_are_not_kept():
    model, step = settled_step()
    step(torch.ones(3, 4))
    first = id(model.weight.grad)
    step(torch.ones(3, 4))
    assert id(model.weight.grad) == first
    model, step = settled_step(256)
    step(torch.ones(3, 256))
    ended = weakref.ref(model.weight.grad.array.flat)
    model.zero_grad()
    assert ended() is None
