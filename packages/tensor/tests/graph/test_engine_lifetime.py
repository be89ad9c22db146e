"""When graphs and what they save go away, and what threads that compute gradients at the same time have to do with each other."""

import gc
import inspect
import threading
import weakref

import numpy as np
import pytest

import lamina_tensor as lt
from lamina_flatarray import AutogradError
from lamina_ndarray import NDArray
from lamina_tensor.autograd.node import Node
from lamina_tensor.autograd.saving import saved_tensors_hooks
from lamina_tensor.transforms.checkpoint import checkpoint
from lamina_tensor.transforms.function import Function


@pytest.fixture
def without_collector():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def nodes(tensor):
    """Every node that a tensor depends on."""
    found, stack = set(), [tensor.grad_fn]
    while stack:
        node = stack.pop()
        if isinstance(node, Node) and node not in found:
            found.add(node)
            stack.extend(node.inputs)
    return found


def watched(*tensors):
    """Weak references to all that tensors keep alive: themselves, nodes, and saved arrays."""
    seen = [weakref.ref(t) for t in tensors] + [weakref.ref(t.array) for t in tensors]
    for node in set().union(*map(nodes, tensors)):
        seen.append(weakref.ref(node))
        seen += [weakref.ref(s) for s in node.saved or () if isinstance(s, NDArray)]
    return seen


class Scaled(Function):
    """Saves an input, its own result, and something else."""

    @staticmethod
    def forward(ctx, x, factor):
        y = x * factor
        ctx.save_for_backward(x, y, lt.ones(1))
        ctx.mark_non_differentiable(lt.ones(1))
        return y

    @staticmethod
    def backward(ctx, g):
        x, y, one = ctx.saved_tensors
        return g * (y / x) * one, None


class Doubled(Function):
    """Changes its input in place, and has two results."""

    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        twice = x * 1
        ctx.save_for_backward(x, twice)
        return x, twice

    @staticmethod
    def backward(ctx, g, h):
        return (g + h) * 2 * ctx.saved_tensors[0] / ctx.saved_tensors[1]


def views(x):
    y = (x * 2).reshape(2, 3)
    return [y, y[0], y.t()[1:], y[:, 1].unsqueeze(0)]


def writes(x):
    y = (x * 2).reshape(2, 3)
    row, part = y[0], y[:, 1:]
    row.mul_(y[1].detach() + 1).sub_(1)
    part[0, 0] = 3.0
    y.mul_(y[0].detach().clone())
    y[[0, 1], [1, 2]] = row[:2] * 2
    part.clamp_(0.1, 0.9)
    return [y, row, part]


def hooks(x):
    y = (x * 2).exp()
    y.register_hook(lambda g: g * 2)
    y.retain_grad()
    y.grad_fn.register_hook(lambda inputs, outputs: None)
    y.grad_fn.register_prehook(lambda outputs: None)
    z = y * y
    z.retain_grad()
    z.mul_(2)  # what it retains is now another node's
    return [y, z]


def several_results(x):
    values = (x * 1).sort().values
    a, b = (values * 2).split(3)
    return [a.exp(), b * a, values]


def checkpointed(x):
    return [checkpoint(lambda a: a.exp().sin() * a, x * 1)]


def packed(x):
    with saved_tensors_hooks(lambda a: a, lambda a: a):
        return [x.exp().sin()]


def second_gradients(x):
    y = x.exp() * x
    (g,) = lt.grad(y.sum(), x, create_graph=True)
    return [g * g, y]


GRAPHS = {
    "ops": lambda x: [(x * 2).tanh().softmax(0), x.sum()],
    "views": views,
    "writes": writes,
    "hooks": hooks,
    "several results": several_results,
    "a Function": lambda x: [Scaled.apply(x * 1, 3.0)],
    "a Function that writes": lambda x: list(Doubled.apply(x * 1)),
    "a checkpoint": checkpointed,
    "packed values": packed,
    "second gradients": second_gradients,
}


@pytest.mark.usefixtures("without_collector")
@pytest.mark.parametrize("then", ["backward", "backward twice", "nothing"])
@pytest.mark.parametrize("name", GRAPHS)
def test_graphs_go_without_the_cycle_collector(name, then):
    x = lt.arange(1.0, 7.0, dtype="float64", requires_grad=True)
    made = GRAPHS[name](x)
    seen = [ref for ref in watched(*made) if ref() is not x.array]
    assert all(ref() is not None for ref in seen)
    loss = sum(y.sum() for y in made)
    for _ in range(["nothing", "backward", "backward twice"].index(then)):
        loss.backward(retain_graph=then == "backward twice")
    del made, loss
    assert [ref() for ref in seen if ref() is not None] == []


CHAINS = {
    "ops": lambda z, x: z + 1.0,
    "writes": lambda z, x: z.add_(1.0),
    "views": lambda z, x: z.view(2),
    "writes into a view": lambda z, x: (z[0].add_(1.0), z)[1],
    "two ways that meet": lambda z, x: z + x,
}


@pytest.mark.parametrize("name", CHAINS)
def test_a_hundred_thousand_ops(name):
    x = lt.ones(2, requires_grad=True)
    z = x * 1.0
    first = weakref.ref(z.grad_fn)
    for _ in range(100_000 if name != "writes into a view" else 20_000):
        z = CHAINS[name](z, x)
    z.sum().backward()
    assert x.grad.tolist() == ([100_001.0] * 2 if name == "two ways that meet" else [1, 1])
    del z
    assert first() is None


def test_what_is_saved_is_freed_step_by_step():
    x = lt.ones(3, requires_grad=True)
    z, saved, alive = x, [], []

    def count(g):
        alive.append(sum(ref() is not None for ref in saved))

    for _ in range(20):
        z = z.exp().tanh()
        z.register_hook(count)
        saved += [weakref.ref(z.array), weakref.ref(z.grad_fn.inputs[0].saved[0])]
    loss = z.sum()
    del z
    loss.backward()
    assert alive == list(range(40, 0, -2))
    assert not any(ref() for ref in saved)


def test_with_retain_graph_nothing_is_freed():
    x = lt.ones(3, requires_grad=True)
    y = x.exp()
    saved = weakref.ref(y.array)
    loss = (y * 2).sum()
    del y
    loss.backward(retain_graph=True)
    assert saved() is not None
    loss.backward()
    assert saved() is None
    assert x.grad.tolist() == (x.exp() * 4).tolist()


@pytest.mark.parametrize("way", ["backward", "grad"])
def test_the_second_pass_is_told_where_the_first_was(way):
    x = lt.ones(3, requires_grad=True)
    loss = x.exp().sum()
    line = inspect.currentframe().f_lineno + 1
    loss.backward() if way == "backward" else lt.grad(loss, x)
    with pytest.raises(AutogradError, match=rf"test_engine_lifetime\.py:{line}\b"):
        loss.backward()


def test_what_saved_no_values_may_be_passed_again():
    x = lt.ones(2, 3, requires_grad=True)
    loss = (x.t() + 1.0).reshape(6)[1:].sum()
    loss.backward()
    loss.backward()
    assert x.grad.tolist() == [[0, 2, 2], [2, 2, 2]]


# -- threads ----------------------------------------------------------------------------------------------------------------


def trained(seed, steps=30):
    """The weights of a small model after some steps."""
    rng = np.random.default_rng(seed)
    x, y = (lt.tensor(rng.standard_normal(s), dtype="float64") for s in ((16, 4), (16, 2)))
    shapes = ((4, 8), (8,), (8, 2))
    weights = [lt.tensor(rng.standard_normal(s) * 0.5, dtype="float64", requires_grad=True) for s in shapes]
    for _ in range(steps):
        hidden = (x @ weights[0] + weights[1]).tanh() + 1.0
        hidden[:, 0].mul_(0.5)
        ((hidden @ weights[2] - y) ** 2).mean().backward()
        with lt.no_grad():
            for w in weights:
                w.sub_(w.grad * 0.05)
                w.grad = None
    return np.concatenate([w.numpy(force=True).ravel() for w in weights])


def test_threads_train_different_models_as_one_after_the_other():
    expected = [trained(seed) for seed in range(6)]
    found = [None] * 6

    def work(seed):
        found[seed] = trained(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_allclose(found, expected, rtol=1e-10)  # the last bit is BLAS's affair


def test_no_thread_waits_for_the_backward_pass_of_another():
    inside, others_are_done, results = threading.Event(), threading.Event(), []

    def stop(g):
        inside.set()
        assert others_are_done.wait(30)

    def slow():
        x = lt.ones(3, requires_grad=True)
        y = x * 2
        y.register_hook(stop)
        y.exp().sum().backward()
        results.append(x.grad.tolist())

    thread = threading.Thread(target=slow)
    thread.start()
    assert inside.wait(30)
    worker = threading.Thread(target=lambda: results.append(trained(1, steps=3)))
    worker.start()
    worker.join(30)
    finished = not worker.is_alive()
    others_are_done.set()
    thread.join()
    assert finished
    np.testing.assert_allclose(results[0], trained(1, steps=3), rtol=1e-10)
    np.testing.assert_allclose(results[1], 2 * np.exp([2.0] * 3), rtol=1e-6)


def test_leaves_with_hooks_that_go_while_a_pass_looks_for_them():
    threshold = gc.get_threshold()
    weight = lt.ones((3,), requires_grad=True)
    called = []
    weight.register_post_accumulate_grad_hook(called.append)
    gc.set_threshold(1)
    try:
        for _ in range(300):
            for _ in range(20):
                leaf = lt.ones((2,), requires_grad=True)
                leaf.register_post_accumulate_grad_hook(lambda _: None)
                leaf.itself = leaf  # only the collector takes it away
            (weight * weight).sum().backward()
    finally:
        gc.set_threshold(*threshold)
    assert len(called) == 300
