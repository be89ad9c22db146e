"""CuPy: the one file that imports it, and not before something is asked of it."""

from __future__ import annotations

import struct
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from ctypes import addressof, c_char, c_void_p
from importlib import metadata
from typing import Any, Final

import numpy as np

from lamina_flatarray.fork_safety import fork_safe

from .binaries import Binaries, folder_of_binaries
from .interface import Facts, Function, Port, Product, Properties

__all__ = ["CupyPort"]

_OPTIONS: Final = ("--std=c++17", "-default-device")
_PORTABLE: Final = "compute_90"  # code that drivers compile for what is newer
_PINNED: Final = 64  # copies whose host memory is kept until they are done, at most

# cudaDataType, cublasComputeType, and the type of the factors that cuBLAS takes
_PRODUCTS: Final = {
    "float16": (2, 68, np.float32),
    "bfloat16": (14, 68, np.float32),
    "float32": (0, 68, np.float32),
    "float64": (1, 70, np.float64),
    "complex64": (4, 68, np.complex64),
    "complex128": (5, 70, np.complex128),
}


class _Memory:
    """A block of the pool, which goes back to it when nobody uses this any more."""

    __slots__ = ("_block", "address", "nbytes")

    def __init__(self, block: Any, nbytes: int) -> None:
        self._block = block
        self.address = block.ptr
        self.nbytes = nbytes


class _Stream:
    """A stream and the device that it belongs to."""

    __slots__ = ("device", "handle", "index")

    def __init__(self, handle: Any, device: Any, index: int) -> None:
        self.handle = handle
        self.device = device
        self.index = index


class CupyPort(Port):
    """CUDA by way of CuPy: memory from a pool of its own, kernels compiled by NVRTC and kept on disk.

    Args:
        binaries: what compiled kernels are kept in; the user's cache folder for None.

    >>> CupyPort().facts().import_error != "" or CupyPort().facts().runtime > 0
    True
    """

    def __init__(self, binaries: Binaries | None = None) -> None:
        self._binaries = Binaries(folder_of_binaries()) if binaries is None else binaries
        self._pool: Any = None
        self._lock = fork_safe(threading.RLock())
        self._uploads: deque[tuple[Any, Any]] = deque()  # events, and the pinned memory that is read until then

    @property
    def _cupy(self) -> Any:
        import cupy

        return cupy

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
        device = self._cupy.cuda.Device(index)
        with device:
            return _Stream(self._cupy.cuda.Stream(non_blocking=True), device, index)

    def allocate(self, nbytes: int, stream: Any) -> Any:
        """Return memory of the pool, of the part that belongs to the stream."""
        with self._lock:
            if self._pool is None:
                self._pool = self._cupy.cuda.MemoryPool()
        with stream.device, stream.handle:
            return _Memory(self._pool.malloc(nbytes), nbytes)

    def copy_in(self, address: int, source: memoryview, stream: Any) -> None:
        """Copy through pinned memory, which is kept until the copy is done."""
        cuda = self._cupy.cuda
        nbytes = source.nbytes
        if not nbytes:
            return
        with stream.device:
            pinned = cuda.alloc_pinned_memory(nbytes)
            np.frombuffer(pinned, np.uint8, nbytes)[:] = np.frombuffer(source, np.uint8)
            cuda.runtime.memcpyAsync(address, pinned.ptr, nbytes, cuda.runtime.memcpyHostToDevice, stream.handle.ptr)
            event = stream.handle.record()
        with self._lock:
            self._uploads.append((event, pinned))
            while self._uploads and (self._uploads[0][0].done or len(self._uploads) > _PINNED):
                self._uploads.popleft()[0].synchronize()

    def copy_out(self, address: int, target: memoryview, stream: Any) -> None:
        """Copy through pinned memory, and wait for it."""
        cuda = self._cupy.cuda
        nbytes = target.nbytes
        if not nbytes:
            return
        with stream.device:
            pinned = cuda.alloc_pinned_memory(nbytes)
            cuda.runtime.memcpyAsync(pinned.ptr, address, nbytes, cuda.runtime.memcpyDeviceToHost, stream.handle.ptr)
            stream.handle.synchronize()
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
        packed = (c_char * loaded.packer.size)()
        loaded.packer.pack_into(packed, 0, *values)
        begin = addressof(packed)
        parameters = (c_void_p * len(loaded.offsets))(*(begin + offset for offset in loaded.offsets))
        with stream.device:
            self._cupy.cuda.driver.launchKernel(
                loaded.kernel.ptr, grid, 1, 1, block, 1, 1, 0, stream.handle.ptr, addressof(parameters), 0
            )

    def multiply(self, product: Product, stream: Any) -> bool:
        """Queue cuBLAS's product. It counts columns first, so it is asked for b.T @ a.T, whose columns are our rows."""
        try:
            from cupy.cuda import cublas
        except ImportError:
            return False
        if product.dtype not in _PRODUCTS:
            return False
        kind, compute, factor = _PRODUCTS[product.dtype]
        one, zero = np.ones(1, factor), np.zeros(1, factor)
        p = product
        with stream.device:
            handle = self._cupy.cuda.device.get_cublas_handle()
            before = cublas.getStream(handle)
            cublas.setStream(handle, stream.handle.ptr)
            try:
                cublas.gemmStridedBatchedEx(
                    handle, int(p.b_transposed), int(p.a_transposed), p.n, p.m, p.k, one.ctypes.data,
                    p.b, kind, p.b_row, p.b_step, p.a, kind, p.a_row, p.a_step, zero.ctypes.data,
                    p.c, kind, p.c_row, p.c_step, p.batch, compute, -1,
                )  # fmt: skip
            finally:
                cublas.setStream(handle, before)
        return True

    def record(self, stream: Any) -> Any:
        """Return a new event of the stream."""
        with stream.device:
            return stream.handle.record()

    def wait(self, stream: Any, event: Any) -> None:
        """Have the stream wait for an event."""
        with stream.device:
            stream.handle.wait_event(event)

    def synchronize(self, stream: Any) -> None:
        """Wait for the stream."""
        stream.handle.synchronize()

    def done(self, event: Any) -> bool:
        """Ask the event."""
        return bool(event.done)

    def finish(self, event: Any) -> None:
        """Wait for the event."""
        event.synchronize()

    def elapsed_ms(self, start: Any, end: Any) -> float:
        """Ask CUDA, whose events keep the time."""
        return float(self._cupy.cuda.get_elapsed_time(start, end))

    def number(self, stream: Any) -> int:
        """Return the handle."""
        return int(stream.handle.ptr)

    def stream_of(self, number: int, index: int) -> Any:
        """Wrap the handle; whose stream it is keeps it alive."""
        return _Stream(self._cupy.cuda.ExternalStream(number), self._cupy.cuda.Device(index), index)

    def held_bytes(self, index: int) -> tuple[int, int]:
        """Return the pool's bytes in use, and all that it holds."""
        if self._pool is None:
            return 0, 0
        with self._cupy.cuda.Device(index):
            return self._pool.used_bytes(), self._pool.total_bytes()

    def release(self, index: int) -> None:
        """Empty the pool."""
        if self._pool is not None:
            with self._cupy.cuda.Device(index):
                self._pool.free_all_blocks()


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


class _Loaded:
    """A kernel's handle, and where each parameter lies among the packed ones."""

    __slots__ = ("kernel", "module", "offsets", "packer")

    def __init__(self, kernel: Any, formats: tuple[str, ...], module: Any) -> None:
        self.kernel = kernel
        self.module = module  # is unloaded with its last kernel
        self.packer = struct.Struct("".join(f"0q{format}" for format in formats))  # each parameter begins at 8 bytes
        self.offsets = [struct.calcsize("".join(f"0q{f}" for f in formats[:i]) + "0q") for i in range(len(formats))]


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
