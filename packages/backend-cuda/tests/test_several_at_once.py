"""Emulated CUDA (two devices), OpenCL where it is installed, toy, hostile and the host alive together: none takes another's arrays."""

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


@pytest.fixture
def devices():
    """Of all backends that there are; OpenCL is one where its plug-in is installed and finds a device."""
    own = (CudaBackend(EmulatedPort()), ToyBackend(), HostileBackend())
    for backend in own:
        backends.register(backend)
    try:
        others = ["opencl"] if backends.backend("opencl") else []
    except BackendError:
        others = []
    yield ["cpu", "toy", "hostile:1", "cuda:0", "cuda:1", *others]
    for backend in own:
        backends.unregister(backend.name)


def test_all_are_alive_together(devices):
    arrays = {device: lt.arange(4.0, device=device).reshape(2, 2) for device in devices}
    products = {device: x @ x for device, x in arrays.items()}
    assert all(product.tolist() == [[2.0, 3.0], [6.0, 11.0]] for product in products.values())
    for one, other in permutations(devices, 2):
        assert (products[one].to(other) + arrays[other]).tolist() == [[2.0, 4.0], [8.0, 14.0]]
        with pytest.raises(DeviceError) as refusal:
            products[one] + arrays[other]
        a, b = arrays[one].device, arrays[other].device
        assert f" on {a}" in str(refusal.value) and f" on {b}" in str(refusal.value) and f".to('{a}')" in str(refusal.value)
