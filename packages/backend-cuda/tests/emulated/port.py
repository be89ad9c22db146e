"""EmulatedPort: the stand-in, whose compiler is NVRTC and whose kernels are its PTX, run thread by thread."""

import numpy as np
from standin.compiler import Entry, parameters_of
from standin.port import HostPort
from standin.refusals import Refused

from .lanes import launch
from .memory import WatchedSpace
from .nvrtc import ptx_of
from .program import programs
from .ptx import parsed

__all__ = ["EmulatedPort"]


class EmulatedPort(HostPort):
    """Pretended devices that run PTX. There is no library of products unless one is wanted: kernels are what is looked at.

    Args:
        devices: how many there are.
        library: whether there is a library of products.
        limit: bytes of memory of each.
        architecture: what PTX is made for.
    """

    def __init__(self, devices: int = 2, library: bool = False, limit: int = 1 << 32, architecture: int = 75) -> None:
        super().__init__(devices, library, limit)
        self.architecture = architecture
        self.space = WatchedSpace()
        self._constants = []  # memory of modules, which are never unloaded

    def _used(self, address, nbytes, stream, what, write):
        block, offset = super()._used(address, nbytes, stream, what, write)
        if write:
            block.was_written(offset, nbytes)
        return block, offset

    def _entries(self, source, stream):
        module = parsed(ptx_of(source, self.architecture))
        constants = {}
        for name, values in module.constants.items():
            memory = self.space.allocate(len(values), stream)
            block, _ = self.space.find(memory.address, len(values), name)
            block.bytes[:] = np.frombuffer(values, np.uint8)
            block.was_written(0, len(values))
            self._constants.append(memory)
            constants[name] = memory.address
        written = parameters_of(source)
        return {
            name: Entry(program, written[name], tuple(size for _, size in program.parameters.values()))
            for name, program in programs(module, constants).items()
        }

    def _address(self, address, block, offset):
        return address

    def _run(self, entry, grid, block, packed):
        program = entry.run
        whole = bytearray(max((begin + size for begin, size in program.parameters.values()), default=0))
        for (begin, size), own in zip(program.parameters.values(), packed, strict=True):
            if len(own) != size:
                raise Refused(f"{program.name}: {len(own)} bytes are given for a parameter of {size}")
            whole[begin : begin + size] = own
        launch(program, grid, block, bytes(whole), self.space)
