"""Memory stays flat, with the collector off: training, passes that fail half-way, shapes that never come again.

The short form runs always. `LAMINA_LONG_RUNS=1 pytest packages/nn/tests/test_long_runs.py -s` does 20,000 steps of each model,
10,000 failing passes and 1,000,000 shapes, and says what was left.
"""

import gc
import os
import resource
import signal
import sys

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray.twins import compiled
from lamina_nn import functional as F
from lamina_nn import optim
from lamina_tensor.autograd.backward import backward

LONG = bool(os.environ.get("LAMINA_LONG_RUNS"))
LEFT = 500 if not LONG else 5000
"""How many objects may be there after a run that were not there before it: what caches with a bound hold."""
MOST = 20 << 20


@pytest.fixture(autouse=True)
def _without_collector():
    gc.collect()
    gc.disable()
    yield
    gc.enable()
    gc.collect()


@pytest.fixture(autouse=True)
def _plans_are_found_early():
    """In the first quarter of a run, as all that is kept."""
    if compiled is None:
        yield
        return
    before = compiled.plan_calls_after(8)
    yield
    compiled.plan_calls_after(before)


def resident():
    """Bytes of this process that are in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def flat(step, rounds, left=LEFT):  # None: objects are not counted
    """Let a step run, and see that neither objects nor memory have grown; the first quarter fills what is kept."""
    for i in range(rounds // 4):
        step(i)
    linux = sys.platform == "linux"
    objects, memory = len(gc.get_objects()), resident() if linux else 0
    for i in range(rounds // 4, rounds):
        step(i)
    more_objects, more_memory = len(gc.get_objects()) - objects, resident() - memory if linux else 0
    if LONG:
        print(f"\n{rounds} rounds: {more_objects} more objects, {more_memory / (1 << 20):.1f} MiB", file=sys.stderr)
    assert left is None or more_objects < left
    assert more_memory < MOST


def perceptron():
    return nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.GELU(), nn.Dropout(0.1), nn.Linear(16, 3)), lt.randn(4, 8)


def convolutions():
    model = nn.Sequential(
        nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 3)
    )
    return model, lt.randn(4, 1, 8, 8)


def attention():
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1, batch_first=True)
    return nn.Sequential(layer, nn.Flatten(), nn.Linear(40, 3)), lt.randn(4, 5, 8)


class Recurrent(nn.Module):
    """Texts by an LSTM, whose result is a tuple."""

    def __init__(self):
        super().__init__()
        self.embedding, self.lstm, self.last = nn.Embedding(20, 6), nn.LSTM(6, 8, batch_first=True), nn.Linear(8, 3)

    def forward(self, texts):
        return self.last(self.lstm(self.embedding(texts))[0][:, -1])


def recurrence():
    return Recurrent(), lt.randint(0, 20, (4, 5))


def there_and_back():
    encoder = nn.Sequential(nn.Conv2d(1, 4, 3, stride=2), nn.GroupNorm(2, 4), nn.SiLU())
    decoder = nn.Sequential(nn.ConvTranspose2d(4, 2, 3, stride=2), nn.InstanceNorm2d(2), nn.Upsample(scale_factor=2.0), nn.Softplus())
    return nn.Sequential(encoder, decoder, nn.AvgPool2d(4), nn.Flatten(), nn.LazyLinear(3)), lt.randn(4, 1, 9, 9)


@pytest.mark.parametrize("make", [perceptron, convolutions, attention, recurrence, there_and_back])
def test_steps_of_models(make):
    model, x = make()
    model(x)  # lazy parameters have their shapes
    optimizer = optim.Adam(model.parameters(), lr=1e-4)
    target = lt.tensor([0, 1, 2, 0])

    def step(i):
        optimizer.zero_grad()
        F.cross_entropy(model(x), target).backward()
        optimizer.step()

    flat(step, 20_000 if LONG else 200)


def test_passes_that_fail_half_way():
    w = lt.ones(8, 8, requires_grad=True)

    def refuse(g):
        raise ArithmeticError("half-way")

    def step(i):
        middle = (w @ w).exp()
        middle.register_hook(refuse)
        with pytest.raises(ArithmeticError):
            backward((middle * middle).sum())
        assert lt.is_grad_enabled() and w.grad is None

    flat(step, 10_000 if LONG else 400)


def test_shapes_that_never_come_again():
    count = 1_000_000 if LONG else 24_000

    def step(i):
        a, b = i // 1000 + 1, i % 1000 + 1
        x = lt.zeros(1).expand(a, b)
        x.transpose(0, 1)[:1].sum()

    flat(step, count, left=None)  # the caches of layouts, with bounds up to 4,096, are half emptied and fill again: memory tells


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers for signals")
def test_interrupts_leave_all_whole():
    """Ctrl-C at random moments of ops, backward passes and draws: modes, gradients and locks are as before."""
    w = lt.ones(30, 30, requires_grad=True)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    arrived, caught = 0, 0

    def interrupt(*_):
        nonlocal arrived
        arrived += 1
        signal.raise_signal(signal.SIGINT)

    alarm = signal.signal(signal.SIGALRM, interrupt)
    try:
        for i in range(2000 if LONG else 200):
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0002 + (i * 37 % 100) * 2e-5)
                while arrived == i:
                    w.grad = None
                    ((w @ lt.randn(30, 30)).exp() * 0.0).sum().backward()
            except KeyboardInterrupt:
                caught += 1
            assert lt.is_grad_enabled()
            w.grad = None
            (w * 2.0).sum().backward()
            assert w.grad.tolist() == [[2.0] * 30] * 30
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, alarm)
        signal.signal(signal.SIGINT, before)
    assert caught  # not each: Python swallows one that comes within a callback of the collector
