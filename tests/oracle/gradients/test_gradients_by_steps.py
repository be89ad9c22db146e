"""Gradients that change only by steps require gradients, and pass zeros, as PyTorch's: a penalty on them may be added to any loss."""

import pytest
import torch

import lamina

CALLS = [
    "F.relu(x)", "F.relu6(x)", "F.hardtanh(x)", "F.leaky_relu(x)", "F.hardshrink(x)", "F.softshrink(x)", "x.abs()",
    "x.sign()", "x.clamp(-1, 1)", "F.glu(x)", "x.sum()", "x.max()", "F.prelu(x, x[:1].detach())",
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_required_as_in_pytorch(call):
    def passed(t):
        x = t.tensor([1.0, -2.0, 0.5, 3.0], requires_grad=True)
        (g,) = t.autograd.grad(eval(call, {"x": x, "F": t.nn.functional}).sum(), x, create_graph=True)
        if g.requires_grad:
            (g * g).sum().backward()
        return g.requires_grad, g.tolist(), None if x.grad is None else (x.grad + 0).tolist()  # PyTorch's may be zeros without memory

    assert passed(lamina) == passed(torch)


@pytest.mark.parametrize("call", ["x.prod()", "x.prod(1)", "x.prod(0)", "x.sum(1)", "(x * x).prod(-1, keepdim=True)"])
def test_of_no_items(call):
    def passed(t):
        x = t.zeros(2, 0, requires_grad=True)
        (g,) = t.autograd.grad((eval(call, {"x": x}) ** 2).sum(), x, create_graph=True)
        return g.requires_grad, tuple(g.shape)

    assert passed(lamina) == passed(torch)


def test_of_complex_numbers_made_finite_in_place():
    def passed(t):
        x = t.tensor([1 + 2j, 3.0], requires_grad=True)
        (x * 1).nan_to_num_().abs().sum().backward()
        return x.grad

    assert lamina.allclose(passed(lamina), lamina.tensor(passed(torch).numpy()))


@pytest.mark.parametrize("shape", [(2, 0), (2, 3)])
def test_repeated_items_are_passed_twice(shape):
    x = lamina.ones(shape, requires_grad=True)
    y = x.repeat_interleave(2, 1)
    y.sum().backward()
    y.cos().sum().backward()
    assert x.grad.shape == shape
