"""The backend on the stand-in: memory and its statistics, copies, devices, streams, and the door that it comes in by."""

import gc
import tomllib
from pathlib import Path

import numpy as np
import pytest
from standin import HostPort, Refused

from lamina_backend_cuda import CudaBackend, lamina_backend
from lamina_backend_cuda.interface import Properties
from lamina_flatarray import FlatArray
from lamina_flatarray.backends import registry
from lamina_flatarray.backends.loading import BACKENDS
from lamina_flatarray.device_services import MemoryStats
from lamina_flatarray.errors import BackendError, DeviceError, OpNotImplemented
from lamina_flatarray.ops import OPS
from lamina_flatarray.plugin_points.loading import admit

MANIFEST = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]


@pytest.fixture
def registered(cuda):
    registry.register(cuda)
    yield cuda
    registry.unregister("cuda")


def test_it_keeps_to_the_contract():
    """The hook gives it, admitted as loading admits it, and no device is touched for its declarations."""
    backend = admit(BACKENDS, lamina_backend())
    assert (backend.name, backend.device_type) == ("cuda", "cuda")
    assert MANIFEST["entry-points"]["lamina.backends"] == {"cuda": "lamina_backend_cuda"}
    assert MANIFEST["entry-points"]["lamina.protocol"] == {"cuda": "v1_0:cuda"}
    assert not any("cupy" in requirement for requirement in MANIFEST["dependencies"])
    assert set(MANIFEST["optional-dependencies"]) == {"cuda12", "cuda13"}
    assert backend.capabilities()["add"]


def test_every_required_op_has_a_kernel(cuda):
    assert {name for name, row in OPS.items() if row.required} <= set(cuda.capabilities())


def test_status_tells_what_is_missing():
    """As `lamina doctor` shows it."""
    port = HostPort(devices=0)
    backend = CudaBackend(port)
    registry.register(backend)
    try:
        (line,) = (s for s in registry.status() if s.name == "cuda")
        assert line.state == "no hardware" and "CUDA_VISIBLE_DEVICES" in line.reason
        with pytest.raises(BackendError, match="shows no device"):
            registry.backend("cuda")
        port.devices = HostPort().devices
        assert registry.backend("cuda").device_count() == 2
    finally:
        registry.unregister("cuda")


def test_arrays_live_on_the_device_until_they_are_copied(registered):
    x = FlatArray.from_items([1.0, 2.0, 3.0], device="cuda")
    assert str(x.device) == "cuda:0" and x.tolist() == [1.0, 2.0, 3.0]
    with pytest.raises(DeviceError):
        x.numpy()
    x[1:].fill(7.0)
    assert x.tolist() == [1.0, 7.0, 7.0]
    assert x.cast("int32").tolist() == [1, 7, 7]
    with pytest.raises(TypeError):
        memoryview(x.memory)


def test_several_devices(registered):
    x = FlatArray.from_items([1, 2], device="cuda:1")
    assert str(x.device) == "cuda:1" and x.memory.device.index == 1
    y = x.to("cuda:0")
    assert y.memory.device.index == 0 and y.tolist() == [1, 2]
    assert registered.memory_stats(1).allocated == 16
    with pytest.raises(DeviceError, match="2 device"):
        FlatArray.empty(1, device="cuda:2")


def test_operands_on_two_devices_are_refused_by_the_port(registered):
    """Were the layers above ever to mix them, nothing is read across."""
    from lamina_flatarray.contract import Row, Strided

    x, y = (FlatArray.from_items([1.0], device=f"cuda:{i}") for i in (0, 1))
    with pytest.raises(Refused, match="device 1"):
        x.kernels["negative"](Strided(x, Row(1)), Strided(y, Row(1)))


def test_memory_is_counted(cuda):
    kept = [cuda.allocate(1000, 0) for _ in range(3)]
    del kept[1:]
    gc.collect()
    stats = cuda.memory_stats()
    assert stats == MemoryStats(1000, 3000, 3000, 3000, 1, 3)
    cuda.empty_cache()
    assert cuda.memory_stats() == MemoryStats(1000, 3000, 1000, 3000, 1, 3)
    cuda.reset_peak_memory_stats()
    assert cuda.memory_stats() == MemoryStats(1000, 1000, 1000, 1000, 1, 3)
    assert cuda.memory_stats(1) == MemoryStats(0, 0, 0, 0, 0, 0)


def test_too_much_memory_is_refused():
    with pytest.raises(MemoryError):
        CudaBackend(HostPort(limit=1000)).allocate(1001, 0)
    with pytest.raises(ValueError, match="0 or more"):
        CudaBackend(HostPort()).allocate(-1, 0)


def test_bytes_outside_of_memory_are_not_copied(cuda):
    memory = cuda.allocate(8, 0)
    with pytest.raises(ValueError, match="bytes 4 to 12"):
        cuda.copy_in(memory, 4, memoryview(bytes(8)))
    with pytest.raises(ValueError, match="bytes -1"):
        cuda.copy_out(memory, -1, memoryview(bytearray(2)))


def test_host_bytes_may_change_once_they_are_copied_in(cuda):
    memory, source = cuda.allocate(4, 0), bytearray(b"abcd")
    cuda.copy_in(memory, 0, memoryview(source))
    source[:] = b"wxyz"
    target = bytearray(4)
    cuda.copy_out(memory, 0, memoryview(target))
    assert target == b"abcd"


def test_a_device_that_is_too_old_is_refused_beside_one_that_serves():
    port = HostPort()
    port.devices = (Properties("Old", (6, 1), 1 << 30, 4), port.devices[0])
    backend = CudaBackend(port)
    assert backend.unavailable() is None and backend.device_count() == 2
    with pytest.raises(RuntimeError, match=r"Old \(6\.1\) is older"):
        backend.allocate(4, 0)
    assert backend.allocate(4, 1).nbytes == 4


def test_another_stream_must_wait_for_ours(cuda):
    """As a consumer of DLPack would: an event orders the two."""
    memory, port = cuda.allocate(4, 0), cuda.port
    cuda.copy_in(memory, 0, memoryview(b"abcd"))
    theirs = port.stream(0)
    with pytest.raises(Refused, match="has not waited"):
        port.copy_out(memory.address, memoryview(bytearray(4)), theirs)
    cuda.synchronize(0)
    port.copy_out(memory.address, memoryview(bytearray(4)), theirs)


def test_what_has_no_kernel_is_an_error_and_never_moves_to_the_host(registered):
    from lamina_flatarray.contract import Row, Strided

    x, out = FlatArray.from_items([4.0], device="cuda"), FlatArray.empty(1, device="cuda")
    with pytest.raises(OpNotImplemented, match="cholesky_ex"):
        out.kernels["cholesky_ex"](Strided(out, Row(1)), Strided(x, Row(1)), upper=False)


def test_kernels_are_compiled_once(registered):
    x = FlatArray.from_items(np.arange(4.0).tolist(), device="cuda")
    device = registered.device(0)
    before = len(device._modules)
    for _ in range(3):
        x.fill(2.0)
    assert len(device._modules) == before + 1
