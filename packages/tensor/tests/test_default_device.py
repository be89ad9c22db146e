"""A device chosen by a context, or for the thread, is where creation functions put what they make."""

import os
import pickle
import threading
from multiprocessing.reduction import ForkingPickler

import numpy as np
import pytest

import lamina_tensor as lt
from lamina_flatarray import BackendError, Device, backends

toys = pytest.importorskip("lamina_testkit.toy", reason="the second device is the kit's")


@pytest.fixture
def toy():
    made = backends.register(toys.ToyBackend())
    yield Device(made.device_type)
    backends.unregister(made.name)


MAKERS = {
    "zeros": lambda **p: lt.zeros(2, **p),
    "ones": lambda **p: lt.ones(2, **p),
    "empty": lambda **p: lt.empty(2, **p),
    "full": lambda **p: lt.full((2,), 3.0, **p),
    "tensor": lambda **p: lt.tensor([1.0, 2.0], **p),
    "tensor of NumPy": lambda **p: lt.tensor(np.ones(2), **p),
    "as_tensor": lambda **p: lt.as_tensor([1.0], **p),
    "arange": lambda **p: lt.arange(3, **p),
    "linspace": lambda **p: lt.linspace(0, 1, 3, **p),
    "eye": lambda **p: lt.eye(2, **p),
    "logspace": lambda **p: lt.logspace(0, 1, 3, **p),
    "hann_window": lambda **p: lt.hann_window(4, **p),
    "scalar_tensor": lambda **p: lt.scalar_tensor(2, **p),
    "randperm": lambda **p: lt.randperm(3, **p),
    "randn": lambda **p: lt.randn(2, **p),
    "rand": lambda **p: lt.rand(2, **p),
    "randint": lambda **p: lt.randint(3, (2,), **p),
}


@pytest.mark.parametrize("name", MAKERS)
def test_what_is_made_goes_there(name, toy):
    with toy as entered:
        assert entered is toy is lt.get_default_device()
        assert MAKERS[name]().device.type == toy.type
        assert MAKERS[name](device="cpu").device.type == "cpu"
        with Device("cpu"):
            assert MAKERS[name]().device.type == "cpu"
        assert MAKERS[name]().device.type == toy.type
    assert MAKERS[name]().device.type == "cpu"


def test_what_is_made_like_another_stays_with_it(toy):
    x = lt.zeros(2)
    with toy:
        assert lt.zeros_like(x).device.type == x.new_ones(2).device.type == (x + 1).device.type == "cpu"
        assert lt.from_numpy(np.ones(2)).device.type == "cpu"


def test_a_thread_has_its_own(toy):
    seen = []
    lt.set_default_device(toy)
    try:
        assert lt.zeros(1).device.type == toy.type
        thread = threading.Thread(target=lambda: seen.append(lt.zeros(1).device.type))
        thread.start()
        thread.join()
    finally:
        lt.set_default_device(None)
    assert seen == ["cpu"]
    assert lt.zeros(1).device.type == "cpu"


def test_an_error_inside_leaves_the_context(toy):
    with pytest.raises(KeyError), toy:
        raise KeyError
    assert lt.get_default_device().type == "cpu"


def test_nobody_serves_it():
    with pytest.raises(BackendError):
        lt.set_default_device("nowhere")
    with pytest.raises(BackendError), Device("nowhere"):
        lt.zeros(1)
    assert lt.get_default_device().type == "cpu"


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="memory is sent by its file, and there are none in memory here")
def test_shared_memory_is_received_on_the_host(toy):
    shared = lt.ones(3).share_memory_()
    sent = ForkingPickler.dumps(shared)
    with toy:
        received = pickle.loads(sent)
    shared.mul_(2)
    assert received.device == Device("cpu") and received.tolist() == [2, 2, 2]
