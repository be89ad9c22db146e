"""CountingPort: the stand-in without compiled kernels. What is launched is noted, and what waits for the device can be refused."""

from contextlib import contextmanager

from standin import HostPort
from standin.compiler import Entry, parameters_of

from lamina_backend_cuda.interface import Function

__all__ = ["CountingPort", "Waited"]


class Waited(Exception):
    """The host waits for the device, where that is refused."""


class CountingPort(HostPort):
    """A pretended device that computes nothing: memory holds what the host has written, and 0 elsewhere.

    Attributes:
        launches: the kernels that were launched, one after another; a product of the vendor's library is "multiply".
        waits: how often the host has waited.
    """

    def __init__(self, devices=2):
        super().__init__(devices)
        self.waits = 0
        self._refused = False

    @contextmanager
    def refusing(self):
        """Raise `Waited` where the host would wait."""
        self._refused = True
        try:
            yield
        finally:
            self._refused = False

    def _wait(self):
        self.waits += 1
        if self._refused:
            raise Waited

    def allocate(self, nbytes, stream):
        memory = super().allocate(nbytes, stream)
        self.space.blocks[memory.address >> 32].bytes[:] = 0
        return memory

    def compile(self, source, functions, stream):
        kernels = parameters_of(source)
        return {name: Function(name, formats, (Entry(None, kernels[name], ()), stream.index)) for name, formats in functions.items()}

    def _run(self, entry, grid, block, packed):
        pass

    def multiply(self, product, stream):
        stream.queue()
        self.launches.append("multiply")
        return True

    def copy_out(self, address, target, stream):
        self._wait()
        super().copy_out(address, target, stream)

    def synchronize(self, stream):
        self._wait()
        super().synchronize(stream)

    def finish(self, event):
        self._wait()
        super().finish(event)
