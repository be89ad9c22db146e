"""Emulated CUDA (two devices), OpenCL where it is installed, toy, hostile, NumPy and cpp alive together: none takes another's arrays."""

from itertools import permutations

import pytest
from emulated import EmulatedPort
from emulated.nvrtc import available

import lamina_tensor as lt
from lamina_backend_cuda import CudaBackend
from lamina_flatarray import BackendError, DeviceError, backends
from lamina_testkit.hostile import HostileBackend
from lamina_testkit.toy import ToyBackend

pytestmark = pytest.mark.skipif(not available(), reason="NVRTC is not installed: pip install nvidia-cuda-nvrtc-cu12")


def absent(name):
    """Why a backend is not here, or None."""
    try:
        backends.backend(name)
    except BackendError as why:
        return str(why).splitlines()[0]
    return None


@pytest.fixture
def arrays():
    """A matrix of each backend that there is, by backend and device."""
    own = (CudaBackend(EmulatedPort()), ToyBackend(), HostileBackend())
    for backend in own:
        backends.register(backend)
    matrices = {}
    for name in ("numpy", "cpp"):
        if absent(name) is None:
            with backends.use_backend(name):
                matrices[name] = lt.arange(4.0, device="cpu").reshape(2, 2)
    others = [] if absent("opencl") else ["opencl"]
    matrices |= {device: lt.arange(4.0, device=device).reshape(2, 2) for device in ("toy", "hostile:1", "cuda:0", "cuda:1", *others)}
    yield matrices
    for backend in own:
        backends.unregister(backend.name)


def check(arrays):
    """Each multiplies in its own memory, takes what is moved to it, and refuses the rest, naming both devices and what mends it."""
    products = {name: x @ x for name, x in arrays.items()}
    assert all(product.tolist() == [[2.0, 3.0], [6.0, 11.0]] for product in products.values())
    for one, other in permutations(arrays, 2):
        a, b = arrays[one].device, arrays[other].device
        assert (products[one].to(b) + arrays[other]).tolist() == [[2.0, 4.0], [8.0, 14.0]]
        if a == b:  # numpy's and cpp's memory is the host's
            assert (products[one] + arrays[other]).tolist() == [[2.0, 4.0], [8.0, 14.0]]
            continue
        for call in (lambda x, y: x + y, lambda x, y: x @ y, lambda x, y: lt.cat([x, y]), lambda x, y: lt.where(x > 0, x, y)):
            with pytest.raises(DeviceError) as refusal:
                call(products[one], arrays[other])
            text = str(refusal.value)
            assert f" on {a}" in text and f" on {b}" in text, text
            assert f".to('{a}')" in text or f".to('{b}')" in text, text
    assert all(x.tolist() == [[0.0, 1.0], [2.0, 3.0]] for x in arrays.values())


def test_all_that_are_here_are_alive_together(arrays):
    check(arrays)


def test_all_six_are_alive_together(arrays):
    missing = {name: absent(name) for name in ("numpy", "cpp", "opencl") if absent(name)}
    if missing:
        pytest.skip("; ".join(missing.values()))
    assert {x.array.flat.backend.name for x in arrays.values()} == {"numpy", "cpp", "opencl", "cuda", "toy", "hostile"}
    gradients = {}
    for name, x in arrays.items():
        w = x.detach().clone().requires_grad_()
        (w @ w).sum().backward()
        gradients[name] = w.grad.tolist()
    assert all(gradient == gradients["numpy"] for gradient in gradients.values())
