"""Eight threads, each in a mode of its own, or with a model of its own, or with one for all: each gets what it gets alone.

The short form runs always. `LAMINA_LONG_RUNS=1` does 200 rounds of each.
"""

import os
import threading
from contextvars import copy_context

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray.random import Generator
from lamina_nn import functional as F
from lamina_nn import optim
from lamina_nn.profiling.profiler import profile
from lamina_tensor.autograd.debugging.anomaly import detect_anomaly
from lamina_tensor.autograd.saving import saved_tensors_hooks
from lamina_tensor.precision.autocasting import autocast
from lamina_tensor.testing import assert_close
from lamina_tensor.transforms.mapping.vmap import vmap
from lamina_tensor.transforms.record import record

ROUNDS = 200 if os.environ.get("LAMINA_LONG_RUNS") else 5
THREADS = 8


def together(work, count=THREADS):
    """What each thread's work gives; the backend is the caller's, which a new thread would not know."""
    results, errors = [None] * count, []

    def run(me):
        try:
            results[me] = work(me)
        except BaseException as error:
            errors.append(error)
            barrier.abort()

    barrier = threading.Barrier(count)
    work = work(barrier.wait)
    threads = [threading.Thread(target=copy_context().run, args=(run, me)) for me in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors
    return results


def gradients(x):
    """Values and gradients of something of many ops."""
    w = lt.arange(12.0).reshape(3, 4).requires_grad_()
    y = (x @ w).softmax(1)
    loss = (y * y).sum() + w.exp().mean()
    if loss.requires_grad:
        loss.backward()
    return str(loss.dtype), loss.item(), w.grad is not None and w.grad.tolist()


X = lt.arange(6.0).reshape(2, 3) / 6


def in_no_mode(wait):
    wait()
    return gradients(X)


def without_gradients(wait):
    with lt.no_grad():
        wait()
        return gradients(X)


def in_bfloat16(wait):
    with autocast("cpu", dtype="bfloat16"):
        wait()
        return gradients(X), (X @ X.mT).dtype.name


def strictly(wait):
    with lt.strict():
        wait()
        with pytest.raises(RuntimeError, match="strict"):
            X + lt.ones(3)
    return gradients(X)


def searching_for_nan(wait):
    w = lt.zeros(2, requires_grad=True)
    with detect_anomaly():
        wait()
        with pytest.raises(RuntimeError, match="nan"):
            (w.sqrt() * w).sum().backward()
    return gradients(X)


def recording(wait):
    x = lt.ones(3)
    with record() as history:
        wait()
        y = (x * x * 3.0).sum()
    assert not y.requires_grad
    return history.gradients(y).wrt(x).tolist(), gradients(X)


def mapping(wait):
    def function(row):
        wait()
        return (row * row).sum(), row.softmax(0)

    return [part.tolist() for part in vmap(function)(X)], gradients(X)


def profiling(wait):
    with profile() as profiler:
        wait()
        result = gradients(X)
    return result, {"matmul", "exp"} <= {event.key for event in profiler.key_averages()}


def saving_elsewhere(wait):
    saved = []
    with saved_tensors_hooks(lambda t: saved.append(t) or len(saved) - 1, lambda i: saved[i]):
        wait()
        result = gradients(X)
    return result, len(saved)


def drawing(wait):
    generator = Generator().manual_seed(5)
    wait()
    return [lt.randn(7, generator=generator).tolist(), F.dropout(lt.ones(3), 0.0).tolist()]


@pytest.mark.filterwarnings("ignore:Anomaly Detection")
def test_modes_are_of_their_thread():
    modes = [without_gradients, in_bfloat16, strictly, searching_for_nan, recording, mapping, profiling, saving_elsewhere, drawing]
    bodies = [in_no_mode, *modes, in_no_mode]
    alone = [body(lambda: None) for body in bodies]
    for _ in range(ROUNDS):
        assert together(lambda wait: lambda me: bodies[me](wait), len(bodies)) == alone
        assert in_no_mode(lambda: None) == alone[0]


def model():
    return nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.0), nn.Linear(8, 3))


def trained(module, x, steps=6):
    """Parameters and buffers after some steps, with hooks of both kinds on the way."""
    called = []
    handles = [
        module[0].register_forward_hook(lambda *_: called.append("forward")),
        module[0].weight.register_hook(lambda g: called.append("backward")),
    ]
    optimizer = optim.AdamW(module.parameters(), lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        F.cross_entropy(module(x), lt.tensor([0, 1, 2, 0])).backward()
        optimizer.step()
    for handle in handles:
        handle.remove()
    return {name: value.tolist() for name, value in module.state_dict().items()}, called


def test_models_of_their_own():
    start = model().state_dict()
    inputs = [lt.randn(4, 6) for _ in range(THREADS)]

    def own():
        module = model()
        module.load_state_dict(start)
        return module

    alone = [trained(own(), x) for x in inputs]
    for _ in range(ROUNDS):
        modules = [own() for _ in inputs]
        assert together(lambda wait, modules=modules: lambda me: (wait(), trained(modules[me], inputs[me]))[1]) == alone


def test_one_model_for_all():
    """In evaluation it gives each thread what it gives alone; the gradients of passes at once are summed, and one thread steps."""
    module, inputs = model().eval(), [lt.randn(4, 6) for _ in range(THREADS)]
    for x in inputs:
        module(x).sum().backward()
    summed = [p.grad.clone() for p in module.parameters()]
    alone = [module(x).tolist() for x in inputs]
    optimizer = optim.SGD(module.parameters(), lr=0.0)

    def work(wait):
        def of_thread(me):
            outputs = []
            for _ in range(ROUNDS):
                y = module(inputs[me])
                outputs.append(y.tolist())
                y.sum().backward()
                if wait() == 0:
                    for p, total in zip(module.parameters(), summed, strict=True):
                        assert_close(p.grad, total, rtol=1e-5, atol=1e-5)  # added in another order
                    optimizer.step()
                    optimizer.zero_grad()
                wait()
            return outputs

        return of_thread

    module.zero_grad()
    assert together(work) == [[y] * ROUNDS for y in alone]


def test_draws_of_all_threads_are_the_serial_ones():
    """Whose numbers are whose depends on the order; each draw is one piece of the stream."""
    count = 40 * ROUNDS
    for draw in (lambda: lt.rand(16), lambda: lt.randn(32), lambda: lt.randint(0, 1000, (5,)), lambda: F.dropout(lt.ones(20))):
        lt.manual_seed(3)
        serial = sorted(draw().tolist() for _ in range(THREADS * count))
        lt.manual_seed(3)
        drawn = together(lambda wait, draw=draw: lambda me: [draw().tolist() for _ in range(count)])
        assert sorted(piece for part in drawn for piece in part) == serial
