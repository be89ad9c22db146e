"""What kernels find wrong with items: noted on the device, and told when the host next waits for it."""

from __future__ import annotations

from typing import Any, Final
from weakref import ref

import numpy as np

from lamina_flatarray.errors import IndexOutOfRange, UsageError
from lamina_flatarray.ops import OPS

from .interface import Port

__all__ = ["LateErrors"]

_WORDS: Final = {op: 8 * place for place, op in enumerate(OPS)}
"""Op to its word's place in memory, in bytes."""


class LateErrors:
    """A word of device memory for each op, of the kernels of one stream that look at positions, classes or probabilities.

    Args:
        port: how the device is reached.
        stream: whose kernels these are.
        at_once: whether to wait after each kernel, so that the call that is wrong raises.
    """

    def __init__(self, port: Port, stream: Any, at_once: bool) -> None:
        self._port = port
        self._stream = ref(stream)  # another library's goes when nobody uses it any more
        self._at_once = at_once
        self._words = port.allocate(8 * len(_WORDS), stream)
        self._to_be_read = False
        self._clear(stream)

    def _clear(self, stream: Any) -> None:
        self._port.copy_in(self._words.address, memoryview(bytes(8 * len(_WORDS))), stream)

    @property
    def begin(self) -> int:
        """The address of the first word."""
        address: int = self._words.address
        return address

    @property
    def nbytes(self) -> int:
        """How many bytes the words have."""
        return 8 * len(_WORDS)

    def word(self, op: str) -> int:
        """Return where kernels of an op note what is wrong.

        Args:
            op: the op's name.

        Returns:
            An address.
        """
        address: int = self._words.address + _WORDS[op]
        return address

    def launched(self) -> None:
        """Have the words read when the host next waits, now that a kernel that may write to them is queued.

        Raises:
            IndexOutOfRange, UsageError: it is to be told at once, and something was wrong.
        """
        self._to_be_read = True
        if self._at_once:
            self.tell()

    def tell(self) -> None:
        """Wait for the stream, if such a kernel was queued since the last time, and tell what it has found.

        Raises:
            IndexOutOfRange: a position lay outside, or a target was no class.
            UsageError: an item was no probability.
        """
        stream = self._stream()
        if not self._to_be_read or stream is None:
            return
        self._to_be_read = False  # before words are read: a kernel that another thread queues meanwhile is looked at next time
        words = np.zeros(len(_WORDS), np.uint64)
        self._port.copy_out(self._words.address, words.view(np.uint8).data, stream)
        if not words.any():
            return
        self._clear(stream)
        at = int(np.flatnonzero(words)[0])
        op = list(_WORDS)[at]
        where = "" if self._at_once else f" in an earlier call of {op}; where, tells CUDA_LAUNCH_BLOCKING=1 in the environment"
        if OPS[op].domain == "probability":
            value = words[at : at + 1].view(np.float32)[0]
            raise UsageError(f"{op}: all elements of input and target should be between 0 and 1, but one is {value:g}{where}")
        position, length = int(words[at : at + 1].view(np.int32)[0]), int(words[at]) >> 32 & 0x7FFFFFFF
        there = f"size {length}" if OPS[op].family == "gather" else f"{length} classes"
        raise IndexOutOfRange(f"{op}: index {position} is out of bounds for {there}{where}")
