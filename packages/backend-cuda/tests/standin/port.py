"""HostPort: the port on pretended devices. Work is done as soon as it is queued, and refused where a device could do it wrong."""

import ctypes
import re
import struct
from functools import cache
from itertools import accumulate

import ml_dtypes
import numpy as np

from lamina_backend_cuda.interface import Facts, Function, Port, Properties

from .compiler import compiled
from .memory import Space
from .order import HOST, ExternalStream, HostEvent, HostStream
from .refusals import Refused

__all__ = ["HostPort"]

_LETTERS = {"long long": "q", "unsigned long long": "Q", "int": "i", "unsigned": "I", "float": "f", "double": "d"}
_TYPES = {name: np.dtype(name) for name in ("float16", "float32", "float64", "complex64", "complex128")}
_TYPES["bfloat16"] = np.dtype(ml_dtypes.bfloat16)


class HostPort(Port):
    """Pretended devices of compute capability 9.0, which share the host's memory, but not its addresses."""

    def __init__(self, devices: int = 2, library: bool = True, limit: int = 1 << 32) -> None:
        self.devices = tuple(Properties(f"stand-in {i}", (9, 0), limit, 4) for i in range(devices))
        self.library = library  # whether there is a library of products
        self.space = Space()
        self.launches: list[str] = []
        self.own: dict[tuple[int, int], HostStream] = {}
        self.marks: list[str] = []  # what a profiler would show

    def facts(self):
        return Facts(("stand-in",), "", 12090, 12090, self.devices)

    def stream(self, index):
        return HostStream(index)

    def allocate(self, nbytes, stream):
        if nbytes > self.devices[stream.index].total_memory:
            raise MemoryError(f"{nbytes} bytes wanted of {self.devices[stream.index].total_memory}")
        return self.space.allocate(nbytes, stream)

    def _used(self, address, nbytes, stream, what, write):
        block, offset = self.space.find(address, nbytes, what)
        if block.index != stream.index:
            raise Refused(f"{what} on a stream of device {stream.index} uses memory of device {block.index}")
        (block.use.written_by if write else block.use.read_by)(stream, what)
        return block, offset

    def copy_in(self, address, source, stream):
        if not source.nbytes:
            return
        stream.queue()
        block, offset = self._used(address, source.nbytes, stream, "copy_in", write=True)
        block.bytes[offset : offset + source.nbytes] = np.frombuffer(source, np.uint8)

    def copy_out(self, address, target, stream):
        if not target.nbytes:
            return
        stream.queue()
        block, offset = self._used(address, target.nbytes, stream, "copy_out", write=False)
        np.frombuffer(target, np.uint8)[:] = block.bytes[offset : offset + target.nbytes]
        stream.waited_for()

    def compile(self, source, functions, stream):
        entries = self._entries(source, stream)
        if set(functions) - set(entries):
            raise Refused(f"the source has no kernel {', '.join(set(functions) - set(entries))}")
        for name, formats in functions.items():
            _check_formats(name, formats, entries[name])
        return {name: Function(name, formats, (entries[name], stream.index)) for name, formats in functions.items()}

    def launch(self, function, grid, block, values, stream):
        entry, index = function.handle
        what = function.name
        if index != stream.index:
            raise Refused(f"{what} was loaded on device {index}, and launched on device {stream.index}")
        if not (1 <= grid < 1 << 31 and 1 <= block <= 1024):
            raise Refused(f"{what}: a grid of {grid} blocks of {block} threads")
        stream.queue()
        given, used, packed = list(values), [], []
        for parameter, format in zip(entry.parameters, function.formats, strict=True):
            letters = _letters(format)
            own, given = given[: len(letters)], given[len(letters) :]
            for k, letter in enumerate(letters[: len(own)] if "P" in format else ()):
                if letter == "P" and own[k]:
                    place, offset = self._used(own[k], 0, stream, what, write=not parameter.startswith("const "))
                    used.append(place)
                    own[k] = self._address(own[k], place, offset)
            try:
                packed.append(struct.pack(format, *own))
            except struct.error as wrong:
                raise Refused(f"{what}: parameter {parameter!r} of format {format!r} given {own}: {wrong}") from None
        if given:
            raise Refused(f"{what}: {len(given)} numbers too many")
        if sum(map(len, packed)) > 4096:
            raise Refused(f"{what}: {sum(map(len, packed))} bytes of parameters; a device takes 4096")
        self.launches.append(what)
        self._run(entry, grid, block, packed)
        for place in used:
            place.check_guards(what)

    def _entries(self, source, stream):
        """The kernels of a source by name."""
        return compiled(source)

    def _address(self, address, block, offset):
        """What a kernel is given for an address."""
        return block.host + offset

    def _run(self, entry, grid, block, packed):
        """Run a kernel with the bytes of its parameters."""
        aligned = [p.ljust(-(-len(p) // 16) * 16, b"\0") for p in packed]
        offsets = (ctypes.c_longlong * len(packed))(*accumulate(map(len, aligned[:-1]), initial=0))
        if entry.run(grid, block, ctypes.create_string_buffer(b"".join(aligned)), offsets):
            raise Refused("some threads of a block wait at a barrier, and others have ended")

    def multiply(self, product, stream):
        if not self.library or product.dtype not in _TYPES:
            return False
        stream.queue()
        p, kind = product, _TYPES[product.dtype]
        a = self._matrices(p.a, kind, (p.batch, p.m, p.k), p.a_step, p.a_row, p.a_transposed, stream, write=False)
        b = self._matrices(p.b, kind, (p.batch, p.k, p.n), p.b_step, p.b_row, p.b_transposed, stream, write=False)
        c = self._matrices(p.c, kind, (p.batch, p.m, p.n), p.c_step, p.c_row, False, stream, write=True)
        wide = np.float32 if kind.itemsize == 2 else kind
        with np.errstate(all="ignore"):
            c[...] = np.matmul(a.astype(wide), b.astype(wide)) + (c.astype(wide) if p.added else 0)
        return True

    def _matrices(self, address, kind, shape, step, row, transposed, stream, write):
        """A view of what cuBLAS would read: rows that are at least as far apart as they are long."""
        rows, columns = shape[1:]
        if row < max(1, rows if transposed else columns):
            raise Refused(f"multiply: rows of {rows if transposed else columns} items lie {row} apart")
        strides = (step, 1, row) if transposed else (step, row, 1)
        reach = sum((n - 1) * s for n, s in zip(shape, strides, strict=True)) + 1
        block, offset = self._used(address, reach * kind.itemsize, stream, "multiply", write)
        items = block.bytes[offset : offset + reach * kind.itemsize].view(kind)
        return np.lib.stride_tricks.as_strided(items, shape, [s * kind.itemsize for s in strides])

    def record(self, stream):
        return HostEvent(stream.clock)

    def wait(self, stream, event):
        stream.meet(event.clock)

    def synchronize(self, stream):
        stream.waited_for()

    def done(self, event):
        return event.over()

    def finish(self, event):
        for number, tick in event.clock.items():
            HOST[number] = max(HOST.get(number, 0), tick)

    def elapsed_ms(self, start, end):
        if not (start.over() and end.over()):
            raise Refused("elapsed_ms: an event is perhaps not over, as the host has not waited for it")
        return (end.at - start.at) * 1e3

    def number(self, stream):
        return stream.number

    def stream_of(self, number, index):
        """Streams 1 and 2 of a device are CUDA's own; another number must be that of a stream that is still there."""
        if number in (1, 2):
            return self.own.setdefault((number, index), HostStream(index))
        stream = HostStream.known.get(number)
        if stream is None or stream.index != index:
            raise Refused(f"stream_of: device {index} has no stream {number}")
        return stream

    def external_stream(self, number, index):
        return ExternalStream(self.stream_of(number, index))

    def memory_info(self, index):
        total = self.devices[index].total_memory
        return total - self.space.kept[index], total

    def reaches(self, index, other):
        return index != other

    def mark(self, message):
        self.marks.append(message)

    def push_range(self, message):
        self.marks.append(f"begin {message}")

    def pop_range(self):
        if sum(mark.startswith("begin ") for mark in self.marks) <= self.marks.count("end"):
            raise Refused("pop_range: no range has begun")
        self.marks.append("end")

    def record_profile(self, wanted):
        self.marks.append("record" if wanted else "record no more")

    def held_bytes(self, index):
        return self.space.used[index], self.space.kept[index]

    def release(self, index):
        self.space.kept[index] = self.space.used[index]


@cache
def _letters(format):
    """One letter for each number of a format."""
    return "".join(letter * int(count or 1) for count, letter in re.findall(r"(\d*)(\D)", format))


def _check_formats(name, formats, entry):
    """The formats must say what the parameters are: how many, which of them pointers, how large, and of which type."""
    if len(formats) != len(entry.parameters):
        raise Refused(f"{name} has {len(entry.parameters)} parameters, and {len(formats)} formats were given")
    for parameter, format, size in zip(entry.parameters, formats, entry.sizes, strict=True):
        kind = parameter.rpartition(" ")[0].removeprefix("const ")
        if ("*" in parameter) != (format == "P") or struct.calcsize(format) != size or _LETTERS.get(kind, format) != format:
            raise Refused(f"{name}: parameter {parameter!r} of {size} bytes is given as {format!r}")
