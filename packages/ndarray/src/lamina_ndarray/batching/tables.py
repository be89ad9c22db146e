"""The kernel tables of batches, and the backend that they name: whatever serves the memory underneath, on stacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from lamina_flatarray import Backend, DeviceError, DType, FlatArray
from lamina_flatarray.backends.kernel_table import KernelTable, Siblings, joint
from lamina_flatarray.contract import Kernel

from .levels import Level, Slot, Stack

__all__ = ["BatchTable", "table_of", "use_rules"]


class _Batches(Backend):
    """The backend of batches over another one's memory; it is found by no name. Kernels and memory are made by the tables, so
    it is never asked for them."""

    unreadable = (
        "vmap: items of a batch cannot be read by the program, as .item(), .numpy(), bool() and conditions on values do; they "
        "differ from slice to slice. Use where() to choose by value"
    )

    def __init__(self, inner: Backend) -> None:
        self.name = f"batches on {inner.name}"
        self.device_type = inner.device_type
        self.inner = inner

    def capabilities(self) -> Mapping[str, tuple[str, ...]]:
        return self.inner.capabilities()

    def kernel(self, op: str) -> Kernel:
        raise NotImplementedError(f"{op}: a batch's kernels are made by its table")

    def allocate(self, nbytes: int, index: int) -> Any:
        raise NotImplementedError("a batch's memory is allocated by its table")

    def copy_out(self, memory: Any, offset: int, target: memoryview) -> None:
        raise DeviceError(self.unreadable)

    def synchronize(self, index: int) -> None:
        self.inner.synchronize(index)


class BatchTable(KernelTable):
    """The kernels of batches over the memory of an inner table, for one dtype.

    Attributes:
        inner: the table of the memory underneath.
        slot: the slot of the level that these are batches of.
    """

    __slots__ = ("inner", "slot")

    def __init__(self, slot: Slot, inner: KernelTable) -> None:
        dict.__init__(self)
        self.slot = slot
        self.inner = inner
        self.backend = _Batches(inner.backend)
        self.index = inner.index
        self.device = inner.device
        self.dtype = inner.dtype
        self.itemsize = inner.itemsize
        self.sibling = Siblings(self).__getitem__
        self.allocate = self._stack
        self.read_item = self.read_items = None
        self.widest = inner.widest

    def _stack(self, nbytes: int) -> Stack:
        level = self.slot.level()
        return Stack(FlatArray.of(self.inner, level.length * nbytes // self.itemsize), nbytes, level)

    @property
    def level(self) -> Level:
        """What these are batches of now."""
        level: Level = self.slot.level()
        return level

    def _sibling(self, dtype: DType) -> KernelTable:
        return _table(self.slot, self.inner.sibling(dtype))

    def over(self, other: KernelTable) -> KernelTable | None:
        """The table of batches of the levels of both: later levels' lie around earlier ones'."""
        if isinstance(other, BatchTable):
            if other.slot is self.slot:
                return _table(self.slot, joint(self.inner, other.inner))
            if other.level.serial > self.level.serial:
                return None
        return _table(self.slot, joint(self.inner, other))

    def __missing__(self, op: str) -> Kernel:
        kernel = self[op] = _rules[0](self, op)
        return kernel


_rules: Final[list[Callable[[BatchTable, str], Kernel]]] = []


def use_rules(kernel_of: Callable[[BatchTable, str], Kernel]) -> None:
    """Name the function from a table and an op to the op's kernel. It is named once, by its own module, which needs this one."""
    _rules.append(kernel_of)


def _table(slot: Slot, inner: KernelTable) -> BatchTable:
    table = slot.tables.get(inner)
    result: BatchTable = slot.tables.setdefault(inner, BatchTable(slot, inner)) if table is None else table
    return result


def table_of(level: Level, inner: KernelTable) -> BatchTable:
    """The table of a level's batches over the memory that an inner table serves."""
    return _table(level.slot, inner)
