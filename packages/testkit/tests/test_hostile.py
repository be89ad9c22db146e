"""The hostile backend is right, so the kit passes it, and layers train on it as they do on the reference."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_flatarray import DeviceError, OpNotImplemented, backends, dtypes
from lamina_flatarray.backends import registry
from lamina_testkit.hostile import HostileBackend
from lamina_testkit.placement import read
from lamina_testkit.programs import compare, written


@pytest.fixture
def hostile():
    yield registry.register(HostileBackend())
    registry.unregister("hostile")


def test_the_kit_passes_it():
    some = "test_memory or test_declarations or test_random or test_programs or add- or sum- or matmul- or sort- or softmax- or index"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "lamina_testkit", "--backend", "hostile"]
    done = subprocess.run([*command, "-k", some], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "reached: core +int +float16 +complex +random +autograd" in done.stdout


def test_results_come_late(hostile):
    x = lt.ones(3, device="hostile")
    y = x + 1
    held = y.array.flat.memory._bytes.view(np.float32)[:3]
    assert np.isnan(held).all()
    assert y.tolist() == [2.0, 2.0, 2.0] and held.tolist() == [2.0, 2.0, 2.0]


def test_what_a_call_looks_at_is_zero_where_nothing_is_run(hostile):
    """`explain` runs no kernels, and memory that none has written is full of -1, which is no position."""
    places = lt.zeros(2, dtype=dtypes.int64, device="hostile")
    assert "index" in str(nd.explain("take", lt.ones(4, 2, device="hostile").array, places.array, axis=0))


def test_threads_that_look_do_not_overtake_each_other(hostile):
    def counted(_):
        x = lt.zeros(20_000, device="hostile")
        for _ in range(30):
            x = x + 1
        return x.sum().item()

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(counted, range(64))) == {600_000.0}


def test_there_are_two_devices(hostile):
    x, y = lt.ones(3, device="hostile:0"), lt.ones(3, device="hostile:1")
    assert (x.to("hostile:1") + y).device.index == 1
    with pytest.raises(DeviceError, match=r"hostile:0 and float32\(3,\) on hostile:1; move one with \.to\('hostile:0'\)"):
        x + y
    with pytest.raises(DeviceError, match="finds 2 device"):
        lt.ones(3, device="hostile:2")


def test_an_absent_dtype_is_refused_by_name(hostile):
    with pytest.raises(OpNotImplemented, match="does not store float64; it stores bool"):
        lt.ones(3, device="hostile").to(dtypes.float64)
    with pytest.raises(OpNotImplemented, match="cannot run it for float64"):
        lt.ones(3, device="hostile", dtype=dtypes.float64)


@pytest.mark.parametrize("seed", range(60, 90))
def test_programs(seed, hostile):
    compare(written(seed), backend=hostile)


def test_layers_train(hostile):
    """A convolution, its normalisation, a recurrence, attention, losses, clipped gradients and every optimizer."""
    nn = pytest.importorskip("lamina_nn", reason="layers are those of nn")

    def losses(device, optimizer):
        lt.manual_seed(2)
        images, classes = lt.randn(6, 2, 6, 6).to(device), lt.tensor([0, 1, 2, 0, 1, 2]).to(device)
        front = nn.Sequential(nn.Conv2d(2, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2)).to(device)
        middle, attention, last = nn.LSTM(4, 6).to(device), nn.MultiheadAttention(6, 2).to(device), nn.Linear(6, 3).to(device)
        parameters = [p for module in (front, middle, attention, last) for p in module.parameters()]
        steps = getattr(nn.optim, optimizer)(parameters, lr=0.02)
        seen = []
        for _ in range(3):
            steps.zero_grad()
            items = front(images).flatten(2).permute(2, 0, 1)
            states = middle(items)[0]
            loss = nn.functional.cross_entropy(last(attention(states, states, states)[0].mean(0)), classes)
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, 1.0) if hasattr(nn, "utils") else nn.gradient_clipping.clip_grad_norm_(parameters, 1.0)
            steps.step()
            seen.append(loss.item())
        return seen

    for optimizer in ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adamax", "NAdam", "RAdam"):
        with backends.use_backend("numpy"):
            expected = losses("cpu", optimizer)
        assert losses("hostile:1", optimizer) == pytest.approx(expected, rel=2e-4), optimizer


def test_draws_are_those_of_the_reference(hostile):
    from lamina_flatarray.random import Generator, uniform

    ours, theirs = Generator("hostile").manual_seed(4), Generator("hostile").manual_seed(4)
    x = lt.empty(5, device="hostile").array
    x.flat.kernels["random_uniform"](x, generator=ours, low=0.0, high=1.0)
    wanted = np.empty(5, np.float32)
    uniform(wanted, theirs)
    assert read(x).tolist() == wanted.tolist() and ours.get_state().tolist() == theirs.get_state().tolist()
