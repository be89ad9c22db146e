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
    compute_capability = "90"

    def __init__(self, *given, **named):
        self.given, self.named = given, named

    def __enter__(self):
        self.inside.append(self)

    def __exit__(self, *failure):
        self.inside.remove(self)


class Pinned(bytearray):
    """Pinned memory, with an address."""

    @property
    def ptr(self):
        return ctypes.addressof((ctypes.c_char * len(self)).from_buffer(self))


class Compiler:
    """NVRTC: it knows of architectures up to 9.0, and a source is wrong where it says so."""

    class NVRTCError(RuntimeError):
        pass

    def __init__(self):
        self.version, self.compiled = (12, 9), []

    def getVersion(self):
        return self.version

    def createProgram(self, source, name, headers, names):
        return SimpleNamespace(source=source, log="")

    def compileProgram(self, program, options):
        self.compiled.append(options)
        architecture = int(options[0].rpartition("_")[2])
        if architecture > 90:
            program.log = "nvrtc: error: invalid value for --gpu-architecture (-arch)"
            raise self.NVRTCError("NVRTC_ERROR_INVALID_OPTION (5)")
        if "wrong" in program.source:
            program.log = "line 1: error: wrong"
            raise self.NVRTCError("NVRTC_ERROR_COMPILATION (6)")

    def getCUBIN(self, program):
        return b"cubin of " + program.source.encode()

    def getPTX(self, program):
        return b"ptx of " + program.source.encode()

    def getProgramLog(self, program):
        return program.log

    def destroyProgram(self, program):
        pass


@pytest.fixture
def cupy(monkeypatch, tmp_path):
    """The parts of CuPy that the port uses, over host memory."""
    cuda_marks = []
    calls = SimpleNamespace(marks=cuda_marks, launched=[], products=[], memory={}, waited=[], device=0, full=False)

    class CUDARuntimeError(RuntimeError):
        pass

    class MemoryPool:
        def malloc(self, nbytes):
            assert calls.device == 0 or Entered.inside, "the stream's device is to be current"
            if calls.full:
                calls.full = False
                raise MemoryError
            block = ctypes.create_string_buffer(max(nbytes, 1))
            calls.memory[ctypes.addressof(block)] = block
            return SimpleNamespace(ptr=ctypes.addressof(block))

        def free_all_blocks(self):
            calls.waited.append("freed")

        def used_bytes(self):
            return 64

        total_bytes = used_bytes

    class Event:
        ptr, done = 5, False

        def synchronize(self):
            calls.waited.append("event")

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
    class Module:
        def load(self, binary):
            self.binary = binary

        def get_function(self, name):
            return SimpleNamespace(ptr=hash(name))

    fake.cuda = cuda = ModuleType("cupy.cuda")
    cuda.Device = cuda.Stream = cuda.ExternalStream = Entered
    cuda.nvtx = SimpleNamespace(available=True, Mark=cuda_marks.append, RangePush=cuda_marks.append, RangePop=lambda: cuda_marks.pop())
    cuda.MemoryPool, cuda.Event = MemoryPool, Event
    cuda.nvrtc, cuda.function = Compiler(), SimpleNamespace(Module=Module)
    cuda.alloc_pinned_memory = Pinned
    cuda.driver = SimpleNamespace(launchKernel=launched)
    cuda.device = SimpleNamespace(get_cublas_handle=lambda: 5)
    cuda.runtime = SimpleNamespace(
        memcpyAsync=copied, memcpyHostToDevice=1, memcpyDeviceToHost=2, CUDARuntimeError=CUDARuntimeError,
        getDevice=lambda: calls.device, eventRecord=lambda event, stream: calls.waited.append(("recorded", event, stream)),
        streamWaitEvent=lambda stream, event: calls.waited.append(("waits", stream, event)),
        streamSynchronize=lambda stream: calls.waited.append("stream"), memGetInfo=lambda: (3, 8),
        deviceCanAccessPeer=lambda index, other: int(index != other), profilerStart=lambda: calls.waited.append("recording"),
        profilerStop=lambda: calls.waited.append("not recording"),
        runtimeGetVersion=lambda: 12090, driverGetVersion=lambda: 12040, getDeviceCount=lambda: 1,
        getDeviceProperties=lambda i: {"name": b"Fake", "major": 9, "minor": 0, "totalGlobalMem": 8, "multiProcessorCount": 3},
    )  # fmt: skip
    cuda.cublas = SimpleNamespace(gemmStridedBatchedEx=lambda *given: calls.products.append((given, list(Entered.inside))))
    monkeypatch.setenv("LAMINA_CUDA_CACHE", str(tmp_path))
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
    assert len(port._uploads) == 64 and cupy.waited.count("event") == 6
    target = np.zeros(250, np.float32)
    port.copy_out(memory.address, memoryview(target).cast("B"), stream)
    assert (target == np.arange(250)).all() and cupy.waited[-1] == "stream"
    port.copy_in(0, memoryview(b""), stream)
    assert len(port._uploads) == 64


def test_a_kernel_gets_its_parameters_where_the_driver_looks_for_them(cupy):
    port = CupyPort()
    stream = port.stream(0)
    function = port.compile("source", {"f": ("P", "f", "2q")}, stream)["f"]
    assert function.handle._module.binary == b"cubin of source"
    port.launch(function, 3, 128, (2**40, 1.5, -1, 2**33), stream)
    ((given, _),) = cupy.launched
    assert given[:9] == (hash("f"), 3, 1, 1, 128, 1, 1, 0, 77)
    assert cupy.values == (2**40, 1.5, (-1, 2**33))
    with pytest.raises(struct.error):
        port.launch(function, 1, 1, (1, 1.0), stream)
    cupy.device = 1
    port.launch(function, 1, 1, (2**41, 2.5, -3, 4), stream)
    assert cupy.values == (2**41, 2.5, (-3, 4)) and not Entered.inside


def test_a_pool_that_is_full_takes_what_the_others_keep(cupy):
    port = CupyPort()
    stream, _ = port.stream(0), port.stream(0)
    cupy.full = True
    assert port.allocate(64, stream).nbytes == 64
    assert cupy.waited == ["freed", "freed"]


def test_a_kernel_is_compiled_once_for_a_source_an_architecture_and_a_compiler(cupy, monkeypatch):
    """Numbers below the smallest normal one stay what they are: nothing is said about flushing them."""
    nvrtc = cupy.cuda.nvrtc
    for _ in range(2):
        port = CupyPort()
        port.compile("source", {"f": ()}, port.stream(0))
    assert nvrtc.compiled == [("-arch=sm_90", "--std=c++17", "-default-device")]
    port.compile("other", {"f": ()}, port.stream(0))
    nvrtc.version = (13, 0)
    port.compile("source", {"f": ()}, port.stream(0))
    monkeypatch.setattr(Entered, "compute_capability", "75")
    port.compile("source", {"f": ()}, port.stream(0))
    assert len(nvrtc.compiled) == 4


def test_what_is_newer_than_the_compiler_gets_code_that_the_driver_goes_on_with(cupy, monkeypatch):
    monkeypatch.setattr(Entered, "compute_capability", "130")
    port = CupyPort()
    assert port.compile("source", {"f": ()}, port.stream(0))["f"].handle._module.binary == b"ptx of source"
    with pytest.raises(RuntimeError, match="does not compile for 130: line 1: error: wrong"):
        port.compile("wrong", {"f": ()}, port.stream(0))


def test_products_are_asked_for_with_columns_first(cupy):
    port = CupyPort()
    product = Product("float16", 2, 3, 4, 5, 100, 200, 300, 5, 4, 6, False, True, 15, 20, 18)
    stream = port.stream(0)
    assert port.multiply(product, stream)
    ((call, entered),) = cupy.products
    assert entered[-1] is stream.handle, "CuPy queues a product on the stream that is entered"
    assert call[:6] == (5, 1, 0, 4, 3, 5)
    assert call[7:11] == (200, 2, 4, 20) and call[11:15] == (100, 2, 5, 15) and call[16:] == (300, 2, 6, 18, 2, 68, -1)
    assert not port.multiply(product._replace(dtype="int32"), port.stream(0))


def test_without_cublas_the_kernel_in_tiles_is_left_to_it(cupy):
    del cupy.cuda.cublas
    product = Product("float32", 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, False, False, 0, 0, 0)
    assert not CupyPort().multiply(product, CupyPort().stream(0))


def test_events_and_other_libraries_streams(cupy):
    cupy.cuda.get_elapsed_time = lambda start, end: end.at - start.at
    port = CupyPort()
    stream = port.stream(0)
    event = port.record(stream)
    assert port.done(event) is False
    port.finish(event)
    assert cupy.waited == [("recorded", 5, 77), "event"]
    assert port.elapsed_ms(SimpleNamespace(at=1.5), SimpleNamespace(at=4.0)) == 2.5
    theirs = port.stream_of(12345, 1)
    assert (theirs.number, theirs.device.given) == (12345, (1,))
    port.wait(theirs, event)
    assert cupy.waited[-1] == ("waits", 12345, 5) and port.number(stream) == 77


def test_another_libraries_stream_has_a_pool_as_long_as_it_is_used(cupy, monkeypatch):
    port = CupyPort()
    theirs = port.external_stream(12345, 1)
    assert theirs.handle.given == (12345, 1) and theirs.index == 1  # before CuPy 14
    monkeypatch.setattr(Entered, "from_external", lambda stream: Entered(*stream.__cuda_stream__()), raising=False)
    theirs = port.external_stream(12345, 1)
    assert theirs.handle.given == (0, 12345)
    assert port.allocate(64, theirs).nbytes == 64 and port.held_bytes(1) == (64, 64)
    del theirs
    assert port.held_bytes(1) == (0, 0)


def test_what_the_driver_knows_of_devices(cupy):
    port = CupyPort()
    assert port.memory_info(0) == (3, 8)
    assert port.reaches(0, 1) and not port.reaches(1, 1)


def test_profilers_are_told(cupy):
    port = CupyPort()
    port.mark("a")
    port.push_range("b")
    assert cupy.marks == ["a", "b"]
    port.pop_range()
    assert cupy.marks == ["a"]
    port.record_profile(True)
    port.record_profile(False)
    assert cupy.waited == ["recording", "not recording"]
    cupy.cuda.nvtx = SimpleNamespace(available=False)
    with pytest.raises(RuntimeError, match="built without NVTX"):
        CupyPort().mark("a")
