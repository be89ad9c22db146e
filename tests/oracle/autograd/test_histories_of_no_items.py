"""What is written into views without items, and read through them: which gradients have a history themselves, as in PyTorch."""

import pytest
import torch

import lamina

WRITES = {
    "copy_": lambda view, x: view.copy_(x),
    "mul_": lambda view, x: view.mul_(x),
    "addcmul_": lambda view, x: view.addcmul_(x, x),
    "[...] =": lambda view, x: view.__setitem__(..., x),
}
VIEWS = {
    "slice": lambda base: base[:0],
    "view of a slice": lambda base: base[1:1].view(0, 1),
    "one item": lambda base: base[:1],
}
LOSSES = {"square": lambda y: (y * y).sum(), "exp": lambda y: y.exp().sum()}
WRITTEN = {"a leaf": lambda x: x, "its square": lambda x: x * x, "its multiple": lambda x: 3 * x}
BASES = {"constant": lambda y: y.detach() * 1, "product": lambda y: y * 1, "square": lambda y: y * y}


def histories(t, write, view, loss, written, base, through_view):
    """Whether the gradients of both leaves have one, of the first order to the third: None where there is no gradient."""
    y = t.ones(3, requires_grad=True)
    whole = BASES[base](y)
    part = VIEWS[view](whole)
    x = t.ones(tuple(part.shape), requires_grad=True)
    WRITES[write](part, WRITTEN[written](x))
    value, found = LOSSES[loss](part if through_view else whole), []
    for _ in range(3):
        gradients = t.autograd.grad(value, (x, y), create_graph=True, allow_unused=True)
        found.append([None if g is None else g.requires_grad for g in gradients])
        further = [g.sum() for g in gradients if g is not None and g.requires_grad]
        if not further:
            break
        value = sum(further)
    return found


@pytest.mark.parametrize("through_view", [True, False])
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("write", WRITES)
def test_histories_of_gradients(write, view, through_view):
    for loss in LOSSES:
        for written in WRITTEN:
            for base in BASES:
                case = write, view, loss, written, base, through_view
                assert histories(lamina, *case) == histories(torch, *case), case


@pytest.mark.parametrize("shape", [(0,), (2,)])
def test_reading_by_strides(shape):
    def of(t):
        x = t.ones(3, requires_grad=True)
        part = x.as_strided(shape, (1,), 1)
        (gradient,) = t.autograd.grad((part * part).sum(), x, create_graph=True)
        return gradient.requires_grad, gradient.tolist()

    assert of(lamina) == of(torch)
