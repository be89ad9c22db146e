"""CuPy: the one file that imports it, and not before something is asked of it."""

from __future__ import annotations

import struct
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from ctypes import addressof, c_char, c_double, c_float, c_void_p
from functools import cached_property
from importlib import metadata
from typing import Any, Final
from weakref import WeakSet

import numpy as np

from lamina_flatarray.disk_cache import DiskCache, cache_folder
from lamina_flatarray.errors import DeviceError
from lamina_flatarray.fork_safety import fork_safe

from .interface import Facts, Function, Port, Product, Properties

__all__ = ["CupyPort"]

_OPTIONS: Final = ("--std=c++17", "-default-device")
_PORTABLE: Final = "compute_90"  # code that drivers compile for what is newer
_PINNED: Final = 64  # copies whose host memory is kept until they are done, at most

# cudaDataType, cublasComputeType, and 1 and 0 in the type of the factors that cuBLAS takes
_ONE_AND_ZERO: Final = {letter: ((letter * 2)(1, 0), (letter * 2)(0, 0)) for letter in (c_float, c_double)}
_PRODUCTS: Final = {
    "float16": (2, 68, _ONE_AND_ZERO[c_float]),
    "bfloat16": (14, 68, _ONE_AND_ZERO[c_float]),
    "float32": (0, 68, _ONE_AND_ZERO[c_float]),
    "float64": (1, 70, _ONE_AND_ZERO[c_double]),
    "complex64": (4, 68, _ONE_AND_ZERO[c_float]),  # a real and an imaginary part
    "complex128": (5, 70, _ONE_AND_ZERO[c_double]),
}


class _Memory:
    """A block of the pool, which goes back to it when nobody uses this any more."""

    __slots__ = ("_block", "address", "nbytes")

    def __init__(self, block: Any, nbytes: int) -> None:
        self._block = block
        self.address = block.ptr
        self.nbytes = nbytes


class _Stream:
    """A stream, the device that it belongs to, and the pool of the memory that is used on it."""

    __slots__ = ("__weakref__", "device", "handle", "index", "number", "pool")

    def __init__(self, handle: Any, device: Any, index: int, pool: Any) -> None:
        self.handle = handle
        self.device = device
        self.index = index
        self.number = int(handle.ptr)
        self.pool = pool


class _Foreign:
    """A stream of another library, whose owner keeps it alive."""

    __slots__ = ("device", "number")

    def __init__(self, number: int, device: Any) -> None:
        self.number = number
        self.device = device


class _Handle:
    """A stream's number, as CUDA's libraries for Python hand streams to each other."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self._number


class CupyPort(Port):
    """CUDA by way of CuPy: memory from pools of its own, kernels compiled by NVRTC and kept on disk.

    Args:
        binaries: what compiled kernels are kept in; the user's cache folder for None.

    >>> CupyPort().facts().import_error != "" or CupyPort().facts().runtime > 0
    True
    """

    def __init__(self, binaries: DiskCache | None = None) -> None:
        self._binaries = DiskCache(cache_folder("cuda")) if binaries is None else binaries
        self._streams: WeakSet[_Stream] = WeakSet()
        self._lock = fork_safe(threading.RLock())
        self._uploads: deque[tuple[Any, Any]] = deque()  # events, and the pinned memory that is read until then

    @cached_property
    def _cuda(self) -> Any:
        from cupy import cuda

        return cuda

    @cached_property
    def _device(self) -> Any:
        """The function that tells which device is current: entering one takes longer than asking."""
        return self._cuda.runtime.getDevice

    @cached_property
    def _launch(self) -> Any:
        return self._cuda.driver.launchKernel

    def facts(self) -> Facts:
        """Return what is installed and found here, without an exception whatever is wrong."""
        distributions = _distributions()
        try:
            from cupy.cuda import runtime
        except Exception as failure:
            return Facts(distributions, f"{type(failure).__name__}: {failure}".splitlines()[0])
        facts = Facts(distributions, "", 0, runtime.runtimeGetVersion())
        try:
            facts = facts._replace(driver=runtime.driverGetVersion())
            properties = [runtime.getDeviceProperties(index) for index in range(runtime.getDeviceCount())]
        except runtime.CUDARuntimeError:
            return facts
        return facts._replace(devices=tuple(map(_properties, properties)))

    def stream(self, index: int) -> Any:
        """Return a new stream of device `index`."""
        device = self._cuda.Device(index)
        with device:
            return self._with_pool(self._cuda.Stream(non_blocking=True), device, index)

    def external_stream(self, number: int, index: int) -> Any:
        """Wrap the handle, with a pool for what is allocated there."""
        device, kind = self._cuda.Device(index), self._cuda.Stream
        with device:
            if hasattr(kind, "from_external"):  # since CuPy 14
                handle = kind.from_external(_Handle(number))
            else:
                handle = self._cuda.ExternalStream(number, index)
        return self._with_pool(handle, device, index)

    def _with_pool(self, handle: Any, device: Any, index: int) -> _Stream:
        stream = _Stream(handle, device, index, self._cuda.MemoryPool())
        with self._lock:
            self._streams.add(stream)
        return stream

    def _pools(self, index: int) -> list[Any]:
        with self._lock:
            return [stream.pool for stream in self._streams if stream.index == index]

    def allocate(self, nbytes: int, stream: Any) -> Any:
        """Return memory of the stream's own pool, so that what is given back is used on the same stream again."""
        if self._device() == stream.index:
            try:
                return _Memory(stream.pool.malloc(nbytes), nbytes)
            except MemoryError:
                self.release(stream.index)  # other pools may keep what this one lacks
        with stream.device:
            return _Memory(stream.pool.malloc(nbytes), nbytes)

    def copy_in(self, address: int, source: memoryview, stream: Any) -> None:
        """Copy through pinned memory, which is kept until the copy is done."""
        cuda = self._cuda
        nbytes = source.nbytes
        if not nbytes:
            return
        with stream.device:
            pinned = cuda.alloc_pinned_memory(nbytes)
            np.frombuffer(pinned, np.uint8, nbytes)[:] = np.frombuffer(source, np.uint8)
            cuda.runtime.memcpyAsync(address, pinned.ptr, nbytes, cuda.runtime.memcpyHostToDevice, stream.number)
            event = self.record(stream)
        with self._lock:
            self._uploads.append((event, pinned))
            while self._uploads and (self._uploads[0][0].done or len(self._uploads) > _PINNED):
                self._uploads.popleft()[0].synchronize()

    def copy_out(self, address: int, target: memoryview, stream: Any) -> None:
        """Copy through pinned memory, and wait for it."""
        cuda = self._cuda
        nbytes = target.nbytes
        if not nbytes:
            return
        with stream.device:
            pinned = cuda.alloc_pinned_memory(nbytes)
            cuda.runtime.memcpyAsync(pinned.ptr, address, nbytes, cuda.runtime.memcpyDeviceToHost, stream.number)
            cuda.runtime.streamSynchronize(stream.number)
        np.frombuffer(target, np.uint8)[:] = np.frombuffer(pinned, np.uint8, nbytes)

    def compile(self, source: str, functions: Mapping[str, tuple[str, ...]], stream: Any) -> dict[str, Function]:
        """Compile with NVRTC, or take what is kept on disk of the same source, architecture and compiler.

        CuPy's own way to compile would flush numbers below the smallest normal one to 0.

        Raises:
            RuntimeError: the source does not compile.
        """
        from cupy.cuda import function, nvrtc

        architecture = str(stream.device.compute_capability)
        key = (source, architecture, *map(str, nvrtc.getVersion()), *_OPTIONS)
        binary = self._binaries.get(key, lambda: _binary(nvrtc, source, architecture))
        with stream.device:
            module = function.Module()
            module.load(binary)
            return {
                name: Function(name, formats, _Loaded(module.get_function(name), formats, module))
                for name, formats in functions.items()
            }

    def launch(self, function: Function, grid: int, block: int, values: Sequence[Any], stream: Any) -> None:
        """Queue a kernel by the driver's own call."""
        loaded = function.handle
        try:
            frame = loaded.frames.pop()
        except IndexError:
            frame = loaded.frame()
        loaded.pack(frame.packed, 0, *values)
        if self._device() == stream.index:
            self._launch(loaded.kernel.ptr, grid, 1, 1, block, 1, 1, 0, stream.number, frame.address, 0)
        else:
            with stream.device:
                self._launch(loaded.kernel.ptr, grid, 1, 1, block, 1, 1, 0, stream.number, frame.address, 0)
        loaded.frames.append(frame)  # the driver has copied the values

    def multiply(self, product: Product, stream: Any) -> bool:
        """Queue cuBLAS's product. It counts columns first, so it is asked for b.T @ a.T, whose columns are our rows."""
        known, cublas, p = _PRODUCTS.get(product.dtype), self._cublas, product
        if known is None or cublas is None:
            return False
        kind, compute, (one, zero) = known
        with stream.device, stream.handle:  # CuPy queues products on the stream that is entered, whatever the handle's is
            cublas.gemmStridedBatchedEx(
                self._cuda.device.get_cublas_handle(), int(p.b_transposed), int(p.a_transposed), p.n, p.m, p.k,
                addressof(one), p.b, kind, p.b_row, p.b_step, p.a, kind, p.a_row, p.a_step, addressof(one if p.added else zero),
                p.c, kind, p.c_row, p.c_step, p.batch, compute, -1,
            )  # fmt: skip
        return True

    @cached_property
    def _cublas(self) -> Any:
        try:
            from cupy.cuda import cublas
        except ImportError:
            return None
        return cublas

    def record(self, stream: Any) -> Any:
        """Return a new event of the stream."""
        with stream.device:
            event = self._cuda.Event()
            self._cuda.runtime.eventRecord(event.ptr, stream.number)
        return event

    def wait(self, stream: Any, event: Any) -> None:
        """Have the stream wait for an event."""
        with stream.device:
            self._cuda.runtime.streamWaitEvent(stream.number, event.ptr)

    def synchronize(self, stream: Any) -> None:
        """Wait for the stream."""
        with stream.device:
            self._cuda.runtime.streamSynchronize(stream.number)

    def done(self, event: Any) -> bool:
        """Ask the event."""
        return bool(event.done)

    def finish(self, event: Any) -> None:
        """Wait for the event."""
        event.synchronize()

    def elapsed_ms(self, start: Any, end: Any) -> float:
        """Ask CUDA, whose events keep the time."""
        return float(self._cuda.get_elapsed_time(start, end))

    def number(self, stream: Any) -> int:
        """Return the handle."""
        number: int = stream.number
        return number

    def stream_of(self, number: int, index: int) -> Any:
        """Wrap the handle; whose stream it is keeps it alive."""
        return _Foreign(number, self._cuda.Device(index))

    def held_bytes(self, index: int) -> tuple[int, int]:
        """Return the pools' bytes in use, and all that they hold."""
        with self._cuda.Device(index):
            pools = self._pools(index)
            return sum(pool.used_bytes() for pool in pools), sum(pool.total_bytes() for pool in pools)

    def release(self, index: int) -> None:
        """Empty the pools."""
        with self._cuda.Device(index):
            for pool in self._pools(index):
                pool.free_all_blocks()

    def memory_info(self, index: int) -> tuple[int, int]:
        """Ask the driver, which knows of all programs."""
        with self._cuda.Device(index):
            free, total = self._cuda.runtime.memGetInfo()
        return int(free), int(total)

    def reaches(self, index: int, other: int) -> bool:
        """Ask the driver."""
        return bool(self._cuda.runtime.deviceCanAccessPeer(index, other))

    def mark(self, message: str) -> None:
        """Tell NVTX."""
        self._nvtx.Mark(message)

    def push_range(self, message: str) -> None:
        """Tell NVTX."""
        self._nvtx.RangePush(message)

    def pop_range(self) -> None:
        """Tell NVTX."""
        self._nvtx.RangePop()

    @cached_property
    def _nvtx(self) -> Any:
        nvtx = self._cuda.nvtx
        if not nvtx.available:
            raise DeviceError("cuda: CuPy was built without NVTX, so that there is nothing to mark")
        return nvtx

    def record_profile(self, wanted: bool) -> None:
        """Tell the runtime."""
        runtime = self._cuda.runtime
        runtime.profilerStart() if wanted else runtime.profilerStop()


def _binary(nvrtc: Any, source: str, architecture: str) -> bytes:
    """Machine code for an architecture, or for one that is newer than the compiler, code that the driver goes on with."""
    program = nvrtc.createProgram(source, "kernels.cu", (), ())
    try:
        try:
            nvrtc.compileProgram(program, (f"-arch=sm_{architecture}", *_OPTIONS))
            return bytes(nvrtc.getCUBIN(program))
        except nvrtc.NVRTCError as failure:
            if "INVALID_OPTION" not in str(failure):
                raise
        nvrtc.compileProgram(program, (f"-arch={_PORTABLE}", *_OPTIONS))
        text = nvrtc.getPTX(program)
        return text if isinstance(text, bytes) else text.encode()
    except nvrtc.NVRTCError as failure:
        raise RuntimeError(f"cuda: a kernel does not compile for {architecture}: {nvrtc.getProgramLog(program)[:4000]}") from failure
    finally:
        nvrtc.destroyProgram(program)


class _Frame:
    """Room for a kernel's parameters, and the pointers to them that the driver wants."""

    __slots__ = ("_pointers", "address", "packed")

    def __init__(self, size: int, offsets: list[int]) -> None:
        self.packed = (c_char * size)()
        begin = addressof(self.packed)
        self._pointers = (c_void_p * len(offsets))(*(begin + offset for offset in offsets))
        self.address = addressof(self._pointers)


class _Loaded:
    """A kernel's handle, and where each parameter lies among the packed ones.

    Attributes:
        kernel: CuPy's handle.
        pack: writes the values of all parameters.
        frames: room for them that no launch uses now: as many as threads have launched this kernel at once.
    """

    __slots__ = ("_module", "_offsets", "_size", "frames", "kernel", "pack")

    def __init__(self, kernel: Any, formats: tuple[str, ...], module: Any) -> None:
        self.kernel = kernel
        self._module = module  # is unloaded with its last kernel
        packer = struct.Struct("".join(f"0q{format}" for format in formats))  # each parameter begins at 8 bytes
        self._offsets = [struct.calcsize("".join(f"0q{f}" for f in formats[:i]) + "0q") for i in range(len(formats))]
        self._size, self.pack = packer.size, packer.pack_into
        self.frames: deque[_Frame] = deque()

    def frame(self) -> _Frame:
        """Room for one launch."""
        return _Frame(self._size, self._offsets)


def _distributions() -> tuple[str, ...]:
    """Every installed distribution of CuPy, each of which brings the same package."""
    names = set()
    for distribution in metadata.distributions():
        try:
            name = distribution.metadata["Name"].lower()
        except Exception:
            continue
        if name == "cupy" or name.startswith(("cupy-cuda", "cupy-rocm")):
            names.add(name)
    return tuple(sorted(names))


def _properties(properties: dict[str, Any]) -> Properties:
    name = properties["name"]
    return Properties(
        name.decode() if isinstance(name, bytes) else str(name),
        (properties["major"], properties["minor"]), properties["totalGlobalMem"], properties["multiProcessorCount"],
    )  # fmt: skip
