"""CupyPort's own work, with a pretended CuPy in CuPy's place: what it hands to the driver, and how long it keeps host memory."""

import ctypes
import struct
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from lamina_backend_cuda.interface import Product
from lamina_backend_cuda.port import CupyPort


class Entered:
    """A device or stream: which of them are entered is kept in `inside`."""

    inside: list[object] = []
    ptr = 77

    def __init__(self, *given, **named):
        self.given, self.named, self.waited = given, named, []

    def __enter__(self):
        self.inside.append(self)

    def __exit__(self, *failure):
        self.inside.remove(self)

    def record(self):
        return SimpleNamespace(done=False, synchronize=lambda: self.waited.append("event"))

    def wait_event(self, event):
        self.waited.append(event)

    def synchronize(self):
        self.waited.append("stream")


class Pinned(bytearray):
    """Pinned memory, with an address."""

    @property
    def ptr(self):
        return ctypes.addressof((ctypes.c_char * len(self)).from_buffer(self))


@pytest.fixture
def cupy(monkeypatch):
    """The parts of CuPy that the port uses, over host memory."""
    calls = SimpleNamespace(launched=[], products=[], memory={})

    class CUDARuntimeError(RuntimeError):
        pass

    class MemoryPool:
        def malloc(self, nbytes):
            assert [type(x) for x in Entered.inside] == [Entered, Entered], "a device and a stream are to be current"
            block = ctypes.create_string_buffer(max(nbytes, 1))
            calls.memory[ctypes.addressof(block)] = block
            return SimpleNamespace(ptr=ctypes.addressof(block))

    def copied(to, of, nbytes, kind, stream):
        assert stream == Entered.ptr and Entered.inside
        ctypes.memmove(to, of, nbytes)

    def launched(*given):
        calls.launched.append((given, [ctypes.c_void_p.from_address(given[9] + 8 * i).value for i in range(3)]))
        pointer, number, pair = calls.launched[-1][1]
        calls.values = (
            ctypes.c_uint64.from_address(pointer).value, ctypes.c_float.from_address(number).value,
            struct.unpack("2q", ctypes.string_at(pair, 16)),
        )  # fmt: skip

    fake = ModuleType("cupy")
    fake.RawModule = lambda **given: SimpleNamespace(
        given=given, get_function=lambda name: SimpleNamespace(kernel=SimpleNamespace(ptr=hash(name)))
    )
    fake.cuda = cuda = ModuleType("cupy.cuda")
    cuda.Device = cuda.Stream = Entered
    cuda.MemoryPool = MemoryPool
    cuda.alloc_pinned_memory = Pinned
    cuda.driver = SimpleNamespace(launchKernel=launched)
    cuda.device = SimpleNamespace(get_cublas_handle=lambda: 5)
    cuda.runtime = SimpleNamespace(
        memcpyAsync=copied, memcpyHostToDevice=1, memcpyDeviceToHost=2, CUDARuntimeError=CUDARuntimeError,
        runtimeGetVersion=lambda: 12090, driverGetVersion=lambda: 12040, getDeviceCount=lambda: 1,
        getDeviceProperties=lambda i: {"name": b"Fake", "major": 9, "minor": 0, "totalGlobalMem": 8, "multiProcessorCount": 3},
    )  # fmt: skip
    cuda.cublas = SimpleNamespace(
        getStream=lambda handle: 1, setStream=lambda *given: calls.products.append(given),
        gemmStridedBatchedEx=lambda *given: calls.products.append(given),
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, "cupy", fake)
    monkeypatch.setitem(sys.modules, "cupy.cuda", cuda)
    calls.cuda = cuda
    return calls


def test_facts_of_a_device(cupy):
    facts = CupyPort().facts()
    assert (facts.driver, facts.runtime, facts.devices) == (12040, 12090, (("Fake", (9, 0), 8, 3),))


def test_facts_where_the_driver_refuses(cupy):
    def refuse():
        raise cupy.cuda.runtime.CUDARuntimeError("cudaErrorInsufficientDriver")

    cupy.cuda.runtime.getDeviceCount = refuse
    assert CupyPort().facts().devices == () and CupyPort().facts().driver == 12040


def test_copies_go_through_pinned_memory_that_is_kept_until_they_are_done(cupy):
    port = CupyPort()
    stream = port.stream(0)
    memory = port.allocate(1000, stream)
    for _ in range(70):
        port.copy_in(memory.address, memoryview(np.arange(250, dtype=np.float32)).cast("B"), stream)
    assert len(port._uploads) == 64 and stream.handle.waited == ["event"] * 6
    target = np.zeros(250, np.float32)
    port.copy_out(memory.address, memoryview(target).cast("B"), stream)
    assert (target == np.arange(250)).all() and stream.handle.waited[-1] == "stream"
    port.copy_in(0, memoryview(b""), stream)
    assert len(port._uploads) == 64


def test_a_kernel_gets_its_parameters_where_the_driver_looks_for_them(cupy):
    port = CupyPort()
    stream = port.stream(0)
    function = port.compile("source", {"f": ("P", "f", "2q")}, stream)["f"]
    assert function.handle.module.given == {"code": "source", "options": ("--std=c++17", "-default-device"), "backend": "nvrtc"}
    port.launch(function, 3, 128, (2**40, 1.5, -1, 2**33), stream)
    ((given, _),) = cupy.launched
    assert given[:9] == (hash("f"), 3, 1, 1, 128, 1, 1, 0, 77)
    assert cupy.values == (2**40, 1.5, (-1, 2**33))
    with pytest.raises(struct.error):
        port.launch(function, 1, 1, (1, 1.0), stream)


def test_products_are_asked_for_with_columns_first(cupy):
    port = CupyPort()
    product = Product("float16", 2, 3, 4, 5, 100, 200, 300, 5, 4, 6, False, True, 15, 20, 18)
    assert port.multiply(product, port.stream(0))
    (before, call, after) = cupy.products
    assert before == (5, 77) and after == (5, 1)
    assert call[:6] == (5, 1, 0, 4, 3, 5)
    assert call[7:11] == (200, 2, 4, 20) and call[11:15] == (100, 2, 5, 15) and call[16:] == (300, 2, 6, 18, 2, 68, -1)
    assert not port.multiply(product._replace(dtype="int32"), port.stream(0))


def test_without_cublas_the_kernel_in_tiles_is_left_to_it(cupy):
    del cupy.cuda.cublas
    product = Product("float32", 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, False, False, 0, 0, 0)
    assert not CupyPort().multiply(product, CupyPort().stream(0))
