"""Leaves are given their first gradients at once, by compiled code; all others as Python has it. What comes out is the same."""

import threading
from importlib import import_module

import pytest

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_tensor.autograd.accumulation import accumulating


def passes(x):
    """Two backward passes to a leaf, and what there is after each."""
    after = []
    for factor in (2.0, 3.0):
        (x * factor).sum().backward()
        after.append((x.grad.tolist(), x.grad.stride(), type(x.grad), x.grad.is_leaf, x.grad.requires_grad))
    return after


LEAVES = {
    "dense": lambda: lt.ones(2, 3),
    "no dims": lambda: lt.ones(()),
    "no items": lambda: lt.ones(0, 3),
    "transposed": lambda: lt.ones(3, 2).t(),
    "with gaps": lambda: lt.ones(4, 3)[::2],
    "repeated": lambda: lt.ones(1, 3).expand(2, 3),
    "float64": lambda: lt.ones(2, dtype=nd.float64),
    "complex": lambda: lt.ones(2, dtype=nd.complex64).real,
}


@pytest.mark.parametrize("name", LEAVES)
def test_as_python_adds_them(name, monkeypatch):
    found = passes(LEAVES[name]().detach().requires_grad_())
    monkeypatch.setattr(import_module("lamina_tensor.autograd.backward"), "give_first_gradients", lambda gradients, lock: None)
    assert found == passes(LEAVES[name]().detach().requires_grad_())


def test_one_memory_for_two_leaves():
    x, y = lt.ones(3, requires_grad=True), lt.ones(3, requires_grad=True)
    (x + y).sum().backward()
    x.grad.mul_(5)
    assert y.grad.tolist() == [1, 1, 1]


def test_a_gradient_that_is_the_callers():
    x, seed = lt.ones(3, requires_grad=True), lt.ones(3)
    x.view_as(x).backward(seed)
    x.grad.mul_(5)
    assert seed.tolist() == [1, 1, 1]


def test_hooks_of_both_kinds():
    x, y, seen = lt.ones(3, requires_grad=True), lt.ones(3, requires_grad=True), []
    x.register_hook(lambda g: g * 10)
    y.register_post_accumulate_grad_hook(lambda leaf: seen.append(leaf.grad.tolist()))
    (x * y).sum().backward()
    assert x.grad.tolist() == [10, 10, 10]
    assert seen == [[1, 1, 1]]


def test_a_leaf_that_has_stopped_asking():
    x, y = lt.ones(3, requires_grad=True), lt.ones(3, requires_grad=True)
    loss = (x * y).sum()
    x.requires_grad_(False)
    loss.backward()
    assert x.grad is None
    assert y.grad.tolist() == [1, 1, 1]


def test_a_leaf_that_is_none_any_more():
    x = lt.ones(3, requires_grad=True)
    loss = (x * 2).sum()
    x.requires_grad_(False)
    x.mul_(lt.ones(3, requires_grad=True))
    with pytest.raises(RuntimeError, match="moved into the graph interior"):
        loss.backward()


def test_where_another_thread_adds():
    """A thread that holds the lock for reading a `grad` and writing the sum is waited for."""
    x, held = lt.ones(3, requires_grad=True), threading.Event()

    def other():
        with accumulating:
            held.set()
            before = x.grad
            threading.Event().wait(0.1)
            assert x.grad is before
            x.grad = lt.full((3,), 5.0)

    thread = threading.Thread(target=other)
    thread.start()
    held.wait()
    (x * 2).sum().backward()
    thread.join()
    assert x.grad.tolist() == [7, 7, 7]
