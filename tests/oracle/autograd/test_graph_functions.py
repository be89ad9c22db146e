"""`autograd.graph`: hooks of several tensors, writes announced by hand, and changing what was saved; alike in both."""

import numpy as np
import pytest
import torch

import lamina

BOTH = pytest.mark.parametrize("t", [lamina, torch], ids=["lamina", "torch"])


def listed(gradients):
    return [None if g is None else g.tolist() for g in gradients]


def leaves(t):
    return [t.tensor([float(i + 1)], requires_grad=True) for i in range(4)]


def all_hook(t):
    a, b, c, d = leaves(t)
    h = a * b
    log = []
    handle = t.autograd.graph.register_multi_grad_hook([a, h, c, d], lambda gs: log.append((listed(gs), a.grad is None)))
    (h * c).sum().backward(retain_graph=True)  # reaches all but d
    (b * d).sum().backward()
    (h * 2).sum().backward(retain_graph=True)
    b.exp().sum().backward()  # reaches none
    handle.remove()
    handle.remove()
    (a * d).sum().backward()
    return log


def any_hook(t):
    a, b, c, _ = leaves(t)
    h, log = a * b, []
    with t.autograd.graph.register_multi_grad_hook([h, a, c.detach()], lambda g: log.append(g.tolist()), mode="any"):
        (h * 3).sum().backward(retain_graph=True)
        t.autograd.grad((h * 4).sum(), a)
        c.sum().backward()
    (a * 5).sum().backward()
    return log


def nested(t):
    a, b, *_ = leaves(t)
    log = []
    handle = t.autograd.graph.register_multi_grad_hook([a, b], lambda gs: log.append(listed(gs)))

    def inner(g):
        with t.enable_grad():
            (b * b).sum().backward()

    h = a * 2
    h.register_hook(inner)
    (h * b).sum().backward()
    handle.remove()
    return sorted(log, key=str)


def test_passes_within_passes_are_told_apart():
    assert nested(lamina) == [[None, [4.0]], [[4.0], [2.0]]]  # in PyTorch the inner one makes the hook miss the outer one


@pytest.mark.parametrize("program", [all_hook, any_hook], ids=lambda f: f.__name__)
def test_hooks_of_several_tensors(program):
    assert program(lamina) == program(torch)


@BOTH
def test_errors_of_hooks(t):
    x = t.ones(1)
    with pytest.raises((RuntimeError, AssertionError)):
        t.autograd.graph.register_multi_grad_hook([x], print)
    with pytest.raises(ValueError, match="Expects mode to be one of"):
        t.autograd.graph.register_multi_grad_hook([x], print, mode="some")


@BOTH
def test_versions_by_hand(t):
    x = t.ones(2, requires_grad=True)
    y, z = x.exp(), x.sin()
    w = (y * y + z * z).sum()
    t.autograd.graph.increment_version(y)
    t.autograd.graph.increment_version([z])
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        w.backward()


def mutated(t):
    a = t.tensor([1.0, 2.0], requires_grad=True)
    with t.autograd.graph.allow_mutation_on_saved_tensors():
        b = a.clone()
        c = b.exp() * b
        b.sin_()
        d = c * b
        c.mul_(3)
        (d.sum() + c.sum()).backward()
        with pytest.raises(RuntimeError, match="cannot be nested"), t.autograd.graph.allow_mutation_on_saved_tensors():
            pass
    return a.grad


def test_what_was_saved_may_be_changed():
    np.testing.assert_allclose(mutated(lamina).numpy(), mutated(torch).numpy(), rtol=1e-5)
