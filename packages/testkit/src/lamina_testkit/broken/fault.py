"""What a fault is, and the backend that has it: the reference with one thing wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.contract import Kernel
from lamina_flatarray.numpy_backend import NumpyBackend

__all__ = ["FAULTS", "BrokenBackend", "Fault", "fault", "faulty_backend", "memory_order"]

Wrong = Callable[[Kernel], Kernel]


class BrokenBackend(NumpyBackend):
    """The reference with one thing wrong; `op` names the one op whose kernel `wrong` replaces, if it is a kernel.

    Attributes:
        op: the op that has the fault, or None.
        wrong: from the right kernel to the one in its place.
    """

    op: str | None = None
    wrong: Wrong | None = None

    def capabilities(self) -> Mapping[str, tuple[str, ...]]:
        """Return the reference's declarations, and the op that has the fault in float32, should the reference derive it."""
        declared = super().capabilities()
        return declared if self.op is None or self.op in declared else {**declared, self.op: ("float32",)}

    def kernel(self, op: str) -> Kernel:
        """Return the reference's kernel, or what the fault makes of it."""
        right = super().kernel(op) if op in super().capabilities() else decompositions[op]
        return right if op != self.op or self.wrong is None else self.wrong(right)


class Fault(NamedTuple):
    """One fault.

    Attributes:
        name: what is wrong, as an identifier.
        caught_by: the test of the kit that must find it: file and name.
        make: makes the backend that has it.
        right: makes one without it, which serves what the test asks about; None where the reference does.
    """

    name: str
    caught_by: str
    make: Callable[[], BrokenBackend]
    right: Callable[[], BrokenBackend] | None = None


FAULTS: Final[dict[str, Fault]] = {}
"""Every fault by name."""


def fault(op: str, caught_by: str, device_type: str = "cpu") -> Callable[[Wrong], Wrong]:
    """Decorate what makes a wrong kernel of the right one; the function's name is the fault's.

    Args:
        op: the op whose kernel is wrong.
        caught_by: the test of the kit that must find it, such as "test_kernels.py::test_kernel[add-float32]".
        device_type: what the backend serves.
    """

    def register(wrong: Wrong) -> Wrong:
        def make() -> BrokenBackend:
            backend = BrokenBackend()
            backend.name = f"broken_{wrong.__name__}"
            backend.device_type = device_type
            backend.op, backend.wrong = op, wrong
            return backend

        FAULTS[wrong.__name__] = Fault(wrong.__name__, caught_by, make)
        return wrong

    return register


def faulty_backend(
    caught_by: str, right: Callable[[], BrokenBackend] | None = None
) -> Callable[[type[BrokenBackend]], type[BrokenBackend]]:
    """Decorate a backend whose fault is not one kernel's; its `name` is the fault's, with `broken_` in front.

    Args:
        caught_by: the test of the kit that must find it.
        right: makes a backend without the fault, where the reference does not serve what the test asks about.
    """

    def register(kind: type[BrokenBackend]) -> type[BrokenBackend]:
        name = kind.name.removeprefix("broken_")
        FAULTS[name] = Fault(name, caught_by, kind, right)
        return kind

    return register


def memory_order(operand: Any) -> Any:
    """An operand's items in the order of memory, as if its layout were row-major at its offset."""
    memory = operand.flat.memory.view(np.uint8)
    itemsize = operand.flat.dtype.itemsize
    start = operand.layout.offset * itemsize
    whole = memory[start:][: max(0, (memory.size - start) // itemsize) * itemsize].view(operand.flat.dtype.numpy)
    return np.resize(whole, operand.layout.size).reshape(operand.layout.shape) if whole.size else whole
