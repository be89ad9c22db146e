"""Arena: memory for what is over with a run, which programs share that run one after the other."""

from __future__ import annotations

import threading
from typing import Any

from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.fork_safety import fork_safe

__all__ = ["Arena"]


class Arena:
    """Memory of each device, as large as the program that needs most.

    Attributes:
        lock: held while one of the programs runs.
    """

    def __init__(self) -> None:
        self.lock = fork_safe(threading.Lock())
        self._memories: dict[tuple[Any, int], tuple[int, Any]] = {}  # by backend and device: bytes, and the memory

    def memory(self, kernels: KernelTable, nbytes: int) -> Any:
        """Return memory that may be written during a run.

        Args:
            kernels: a table of the device.
            nbytes: how many bytes there are to be at least.
        """
        device = kernels.backend, kernels.index
        if device not in self._memories or self._memories[device][0] < nbytes:
            kernels.backend.empty_cache()  # what eager calls left would stay beside the arena, and no run needs it
            self._memories[device] = nbytes, kernels.allocate(nbytes)
        return self._memories[device][1]
