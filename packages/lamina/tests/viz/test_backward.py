"""A backward pass that is told of gives the gradients of one that is not; the steps are those of the engine."""

import math
import time

import pytest

import lamina as torch
from lamina import nn, viz


def passes(make):
    """The gradients of one program without and with being looked at, and the steps."""
    results = []
    for run in (lambda loss, names: loss.backward(), viz.backward_steps):
        torch.manual_seed(3)
        leaves, loss = make()
        told = run(loss, leaves)
        results.append({name: leaf.grad for name, leaf in leaves.items()})
    return *results, told.data


def network():
    model = nn.Sequential(nn.Conv2d(1, 3, 3), nn.BatchNorm2d(3), nn.ReLU(), nn.Flatten(), nn.Linear(48, 5))
    loss = nn.functional.cross_entropy(model(torch.randn(4, 1, 6, 6)), torch.tensor([0, 1, 2, 3]))
    return dict(model.named_parameters()), loss


def shared():
    x = torch.randn(3, requires_grad=True)
    y = x.sin()
    return {"x": x}, (y * x + y.exp() * y).sum()


def several_results():
    x = torch.randn(3, 3, requires_grad=True)
    u, s, _ = torch.linalg.svd(x)
    return {"x": x}, (s * s).sum() + u.abs().sum()


def complex_numbers():
    z = torch.randn(3, dtype=torch.complex64, requires_grad=True)
    return {"z": z}, (z * z).abs().sum()


def sparse():
    table = torch.randn(5, 2, requires_grad=True)
    return {"table": table}, nn.functional.embedding(torch.tensor([1, 3, 1]), table, sparse=True).sum()


@pytest.mark.parametrize("make", [network, shared, several_results, complex_numbers, sparse])
def test_gradients_are_those_of_backward_bit_for_bit(make):
    plain, looked_at, steps = passes(make)
    for name, gradient in plain.items():
        seen = looked_at[name]
        if gradient.is_sparse:
            gradient, seen = gradient.to_dense(), seen.to_dense()
        assert seen.dtype is gradient.dtype and torch.equal(seen, gradient), name
        (step,) = (step for step in steps if step.node == name)
        items = gradient.detach().reshape(-1).tolist()
        if make is not sparse:
            assert math.isclose(step.norm, math.hypot(*map(abs, items)), rel_tol=1e-6)  # abs of complex64 rounds
            assert step.gradients == ((gradient.dtype.name, tuple(gradient.shape)),)


def test_the_order_is_the_engines():
    leaves, loss = shared()
    drawing = viz.backward_steps(loss, leaves)
    nodes = [step.number for step in drawing.data if step.node not in leaves]
    assert nodes == sorted(nodes, reverse=True) and drawing.data[0].node == "SumBackward0"
    assert len(drawing.data) == len(viz.graph(shared()[1]).data.steps) and all(step.seconds > 0 for step in drawing.data)


def test_the_time_of_a_node_with_several_results_is_its_own():
    class Slow(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1, x * 2

        @staticmethod
        def backward(ctx, g, h):
            time.sleep(0.05)
            return g + 2 * h

    x = torch.ones(2, requires_grad=True)
    one, two = Slow.apply(x)
    steps = viz.backward_steps((one * two).sum()).data
    (slow,) = (step for step in steps if step.node == "SlowBackward")
    assert slow.seconds >= 0.05 and len(slow.gradients) == 2 and x.grad.tolist() == [4, 4]


def test_gradients_add_up_and_hooks_go():
    x = torch.ones(2, requires_grad=True)
    loss = (x * x).sum()
    viz.backward_steps(loss, retain_graph=True)
    viz.backward_steps(loss)
    assert x.grad.tolist() == [4, 4] and not x.hooks and not loss.grad_fn.hooks
    with pytest.raises(RuntimeError, match="second time"):
        viz.backward_steps(loss)
    assert not x.hooks and not loss.grad_fn.hooks


def test_a_gradient_to_begin_with_and_no_loss():
    x = torch.ones(2, requires_grad=True)
    assert viz.backward_steps(x * 3, gradient=torch.tensor([3.0, 4.0])).data[0].norm == 5
    with pytest.raises(RuntimeError, match="does not require grad"):
        viz.backward_steps(torch.ones(()))
    with pytest.raises(TypeError, match="int given"):
        viz.backward_steps(3)


def test_norms_that_are_0_or_not_finite_and_long_passes():
    x = torch.zeros(2, requires_grad=True)
    drawing = viz.backward_steps((x * float("inf") * 0).sum(), limit=2)
    assert math.isnan(drawing.data[-1].norm) and "... steps left out: 2" in drawing.text
    assert viz.backward_steps((x * 0).sum()).data[-1].norm == 0
