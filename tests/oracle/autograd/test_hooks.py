"""Hooks of tensors, of nodes and of saved values, and checkpointing: called alike, with the same values, in both."""

import numpy as np
import torch
import torch.utils.checkpoint

import lamina
import lamina.utils.checkpoint


def leaf(t):
    return t.tensor([1.0, 2.0], dtype=t.float64, requires_grad=True)


def backward_hooks(t):
    x, log = leaf(t), []
    y = x * x

    def doubled(g):
        log.append(("tensor", g.tolist()))
        return g * 2

    def before(outputs):
        log.append(("before", outputs[0].tolist()))
        return (outputs[0] + 1,)

    handle = y.register_hook(doubled)
    y.grad_fn.register_prehook(before)
    y.grad_fn.register_hook(lambda inputs, outputs: log.append(("after", [g.tolist() for g in (*inputs, *outputs)])))
    x.register_post_accumulate_grad_hook(lambda p: log.append(("accumulated", p.grad.tolist())))
    (y * 3).sum().backward(retain_graph=True)
    handle.remove()
    y.sum().backward()
    return log


def packed_values(t):
    x, shapes = leaf(t), []

    def pack(value):
        shapes.append(tuple(value.shape))
        return value.detach().clone()

    with t.autograd.graph.saved_tensors_hooks(pack, lambda value: value * 1):
        w = (x.exp() * x).sum()
    (g,) = t.autograd.grad(w, x, create_graph=True)
    (h,) = t.autograd.grad(g.sum(), x)
    with t.autograd.graph.save_on_cpu():
        w = (x.sin() * x).sum()
    (k,) = t.autograd.grad(w, x)
    return [shapes, g.tolist(), h.tolist(), k.tolist()]


def checkpointed(t, way):
    t.manual_seed(0)
    linear = t.nn.Linear(4, 4)
    x = t.randn(3, 4, requires_grad=True)
    calls = []

    def block(a):
        calls.append(1)
        return (t.nn.functional.dropout(linear(a).tanh(), 0.5, True) * a).exp()

    t.manual_seed(1)
    y = t.utils.checkpoint.checkpoint(block, x, use_reentrant=False) if way == "checkpoint" else block(x)
    (y * y).sum().backward()
    return len(calls), [x.grad, linear.weight.grad, linear.bias.grad]


def close(a, b):
    np.testing.assert_allclose(np.concatenate([np.ravel(v) for v in a]), np.concatenate([np.ravel(v) for v in b]), rtol=1e-9)


def test_backward_hooks():
    assert backward_hooks(lamina) == backward_hooks(torch)


def test_saved_values_in_other_hands():
    ours, theirs = packed_values(lamina), packed_values(torch)
    assert ours[0] == theirs[0]
    close(ours[1:], theirs[1:])


def test_checkpointing_computes_again_and_draws_the_same_numbers():
    calls, gradients = checkpointed(lamina, "checkpoint")
    plain_calls, plain = checkpointed(lamina, "plain")
    assert (calls, plain_calls) == (2, 1)
    for g, h, k in zip(gradients, plain, checkpointed(torch, "checkpoint")[1], strict=True):
        assert g.tolist() == h.tolist()
        np.testing.assert_allclose(g.numpy(), k.numpy(), rtol=2e-4, atol=1e-6)


def test_checkpointing_keeps_nothing_but_the_argument():
    shapes = []
    with lamina.autograd.graph.saved_tensors_hooks(lambda x: shapes.append(x.shape), lambda x: x):
        x = lamina.ones(3, requires_grad=True)
        y = x.exp().sin()
        assert shapes
        kept = len(shapes)
        z = lamina.utils.checkpoint.checkpoint(lambda a: a.exp().sin().cos(), y)
        assert len(shapes) == kept
    assert z.requires_grad
