"""The contract of fusing engines: what makes one loop of several steps that a backend of the CPU would take one by one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from ..dtypes import DType
from ..fused_steps import FusedStep

__all__ = ["PROTOCOL", "FusingEngine", "MachineLoop"]

PROTOCOL: Final = (2, 0)
"""The version of this contract, (major, minor). A plug-in is accepted when its major is equal and its minor is not newer."""


class MachineLoop(NamedTuple):
    """A loop in this process's memory.

    It is `void loop(char* const* slots, const int64_t* strides, const int64_t* row_strides, int64_t vectors, int64_t rows)`: it does its
    steps on rows of so many vectors of `width` items each. `slots` are the first vectors of the results, and then those of the inputs, with
    no alignment but that of an item. From each vector of a row to the next it is `strides` bytes; where these are 0, an input is one item,
    which stands for all of the row. From row to row it is `row_strides` bytes. A result may be an input, too, vector by vector. It raises
    nothing, needs no lock, and reads and writes nothing else.

    Attributes:
        address: where the function begins.
        width: items of a vector, at most 64.
        owner: the loop is there as long as this object.

    >>> MachineLoop._fields
    ('address', 'width', 'owner')
    """

    address: int
    width: int
    owner: Any


class FusingEngine(ABC):
    """What a plug-in subclasses: one object per process.

    Attributes:
        name: its own name, equal to its entry point's.
        protocol: the (major, minor) of the contract that it was written for.

    >>> class Nothing(FusingEngine):
    ...     name = "nothing"
    ...     def takes(self, step):
    ...         return False
    ...     def loop(self, steps, results, inputs, dtypes):
    ...         raise ValueError("loop: no step is taken")
    >>> Nothing()
    <fusing engine nothing>
    """

    name: str
    protocol: tuple[int, int] = PROTOCOL

    def unavailable(self) -> str | None:
        """Return why it cannot run here (no compiler for this processor), or None when it can.

        Returns:
            The reason, in one line, or None.
        """
        return None

    @abstractmethod
    def takes(self, step: FusedStep) -> bool:
        """Return whether a loop may have a step: an elementwise op, of which it then gives the reference's bits.

        Args:
            step: the step; its slots do not matter.

        Returns:
            Whether it may.
        """

    @abstractmethod
    def loop(self, steps: Sequence[FusedStep], results: Sequence[int], inputs: Sequence[int], dtypes: Mapping[int, DType]) -> MachineLoop:
        """Return a loop that does steps in their order.

        Args:
            steps: those that `takes` takes.
            results: the slots that are wanted afterwards.
            inputs: the slots that are read before they are written.
            dtypes: the dtype of each slot.

        Returns:
            A `MachineLoop`.

        Raises:
            ValueError: a step is not taken.
        """

    def __repr__(self) -> str:
        return f"<fusing engine {self.name}>"
