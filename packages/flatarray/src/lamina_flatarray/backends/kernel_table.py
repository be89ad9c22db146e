"""Kernel tables: one dict from op name to kernel per backend, device and dtype; all that an op looks up.

An entry is made when it is first wanted: the kernel that a program put there, else the backend's own, else that of the backend
it extends, else the op's decomposition, else the fallback policy decides. Instruments wrap entries while they are on, so they
cost nothing while off.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FunctionType, MethodType
from typing import Any, Final

from ..contract import Backend, Kernel, Strided
from ..devices import UNNUMBERED, Device
from ..dtypes import DTYPES, DType
from ..errors import BackendError, OpNotImplemented
from ..ops import OPS
from ..registrations import Registrations
from . import plugins, replacements
from .fallback import fall_back

__all__ = [
    "KernelTable", "Siblings", "compact", "decompositions", "given_compact", "joint", "origin", "tables", "wrappers",
]  # fmt: skip

decompositions: Final[Registrations[Kernel]] = Registrations()
"""Op name to a kernel that is written with other ops: the storey above has them, and they are imported when a backend first lacks one."""

tables: Final[dict[tuple[str, int, str], KernelTable]] = {}
"""Every table made so far, by backend name, device index and dtype name; bounded by the backends and devices that there are."""

wrappers: Final[list[Callable[[KernelTable, str, Kernel], Kernel]]] = []
"""What instruments that are on do to each entry, the first one innermost."""


class Siblings(dict[DType, "KernelTable"]):
    """The tables next to one, by dtype; asked for one that is new, it asks the table to make it."""

    __slots__ = ("table",)

    def __init__(self, table: KernelTable) -> None:
        super().__init__({table.dtype: table})
        self.table = table

    def __missing__(self, dtype: DType) -> KernelTable:
        table = self[dtype] = self.table._sibling(dtype)
        return table


class KernelTable(dict[str, Kernel]):
    """The kernels of one backend, on one device, for one dtype of the first input; an entry is made when it is first wanted.

    Args:
        backend, index, dtype: what the table is for; `of` gives the one table for them.

    Attributes:
        backend, device, dtype: what the table is for.
        index: which of the backend's devices that is.
        itemsize: bytes of one item.
        allocate: the backend's allocation for this device: `allocate(nbytes)` gives memory.
        read_item, read_items: the backend's readers of one item and of all; None where it has none.
        widest: float64, or float32 where the backend does not store float64: what sums that must not lose digits are kept in.
        sibling: from a dtype to the table of the same backend and device for it, looked up without a Python frame.

    Raises:
        OpNotImplemented: an op is looked up that the op table does not have.

    >>> from lamina_flatarray import backends, dtypes
    >>> kernels = backends.kernels("cpu", dtypes.float32)
    >>> kernels.dtype, callable(kernels["add"])
    (lamina.float32, True)
    """

    __slots__ = ("allocate", "backend", "device", "dtype", "index", "itemsize", "read_item", "read_items", "sibling", "widest")

    backend: Backend
    device: Device
    dtype: DType
    index: int
    itemsize: int
    allocate: Callable[[int], Any]
    read_item: Callable[[Any], Any] | None
    read_items: Callable[[Any], Any] | None
    sibling: Callable[[DType], KernelTable]
    widest: DType

    @staticmethod
    def of(backend: Backend, index: int, dtype: DType) -> KernelTable:
        """Return the one table for this backend, device index and dtype.

        Args:
            backend: the backend that has the kernels.
            index: which of its devices they run on.
            dtype: the dtype of the first input.

        Returns:
            The same object for the same arguments.
        """
        key = (backend.name, index, dtype.name)
        table = tables.get(key)
        if table is None:
            table = tables.setdefault(key, KernelTable(backend, index, dtype))
        if table.backend is not backend:  # made for an array of one that had the name before, and was unregistered
            table = tables[key] = KernelTable(backend, index, dtype)
        return table

    def __init__(self, backend: Backend, index: int, dtype: DType) -> None:
        super().__init__()
        self.backend = backend
        self.index = index
        self.device = Device(backend.device_type, None if backend.device_type in UNNUMBERED else index)
        self.dtype = dtype
        self.itemsize = dtype.itemsize
        self.sibling = Siblings(self).__getitem__
        self.allocate = backend.allocator(index)
        self.read_item = backend.reader(nested=False)
        self.read_items = backend.reader(nested=True)
        self.widest = DTYPES["float32" if origin(backend, "copy", DTYPES["float64"]) == "missing" else "float64"]

    def _sibling(self, dtype: DType) -> KernelTable:
        return KernelTable.of(self.backend, self.index, dtype)

    def over(self, other: KernelTable) -> KernelTable | None:
        """Return the table that serves operands of both, or None if this one's backend does not know the other's memory.

        Args:
            other: the table of another operand.

        Returns:
            This table or None.
        """
        return self if self.backend.extends == other.backend.name else None

    def __missing__(self, op: str) -> Kernel:
        while True:  # another thread may override the op, or switch an instrument on or off, before the entry is seen
            changes, instruments = replacements.changes(), list(wrappers)
            entry = _resolve(self, op)
            for wrap in instruments:
                entry = wrap(self, op, entry)
            with replacements.lock:
                if changes == replacements.changes():
                    self[op] = entry
                    if instruments == wrappers:
                        return entry

    __hash__ = object.__hash__  # type: ignore[assignment]  # a table stands for its key, not for its present entries

    def __eq__(self, other: object) -> bool:
        return self is other

    def __repr__(self) -> str:
        return f"<kernels of {self.backend.name} on {self.device} for {self.dtype.name}>"


def joint(a: KernelTable, b: KernelTable) -> KernelTable:
    """Return that of two tables for one device which serves operands of both: that of the backend that knows more."""
    for table in (a.over(b), b.over(a)):
        if table is not None:  # a table without entries yet is falsy
            return table
    return a


def origin(backend: Backend, op: str, dtype: DType) -> str:
    """Return where a kernel comes from: "overridden", "native", "inherited from NAME", "derived" or "missing"."""
    for provider in plugins.extended(backend):
        if replacements.replacement(provider.name, op, dtype.name) is not None:
            return "overridden" if provider is backend else f"inherited from {provider.name}"
        if dtype.name in provider.capabilities().get(op, ()):
            return "native" if provider is backend else f"inherited from {provider.name}"
    return "derived" if op in decompositions else "missing"


def _resolve(table: KernelTable, op: str) -> Kernel:
    for backend in plugins.extended(table.backend):
        replacement = replacements.replacement(backend.name, op, table.dtype.name)
        if replacement is not None:
            return replacement
        if table.dtype.name in backend.capabilities().get(op, ()):
            kernel = backend.kernel(op)
            stored = backend.capabilities()["copy"] if op == "copy" else ()
            if stored and not DTYPES.keys() <= set(stored):
                kernel = _into(stored, kernel, backend.name)
            if backend.name not in plugins.BUILT_IN and _is_of_python(kernel):
                kernel = _noted(kernel, op, backend.name)
            return kernel if backend.reads_strides or op == "copy" else given_compact(kernel, op)
    if op in decompositions:
        return decompositions[op]
    if op not in OPS:
        raise OpNotImplemented(f"{op}: there is no such op in the table")
    return _missing(table, op)


def _is_of_python(kernel: Kernel) -> bool:
    """Whether a call of a kernel runs Python: a function, a method, or an object with a `__call__` of its own."""
    call = getattr(type(kernel), "__call__", None)  # noqa: B004 - whose it is, not whether there is one
    return isinstance(kernel, (FunctionType, MethodType, partial)) or isinstance(call, FunctionType)


def _noted(kernel: Kernel, op: str, name: str) -> Kernel:
    """A plug-in's kernel in Python, whose exceptions say whose they are, and which ends no program."""

    def noted(out: Any, *inputs: Any, **params: Any) -> Any:
        try:
            return kernel(out, *inputs, **params)
        except Exception as error:
            error.add_note(f"in the kernel {op!r} of backend {name!r}")
            raise
        except SystemExit as error:
            raise BackendError(f"{op}: the kernel of backend {name!r} raised SystemExit: {error}") from error

    noted.__name__ = op
    return noted


def _into(stored: tuple[str, ...], copy: Kernel, name: str) -> Kernel:
    """The `copy` of a backend that does not store all dtypes: none but those can be copied to."""

    def kernel(out: Any, x: Any) -> None:
        if out.flat.dtype.name not in stored:
            raise OpNotImplemented(f"copy: backend {name!r} does not store {out.flat.dtype.name}; it stores {', '.join(stored)}")
        copy(out, x)

    kernel.__name__ = "copy"
    return kernel


def _missing(table: KernelTable, op: str) -> Kernel:
    """What stands where there is no kernel: the fallback policy decides when it is called, as it may change."""

    def kernel(out: Any, *inputs: Any, **params: Any) -> None:
        if op in decompositions:  # a storey above came after this table's entry
            table.pop(op, None)
            table[op](out, *inputs, **params)
            return
        reference = plugins.backend("numpy")
        possible = reference is not table.backend and origin(reference, op, table.dtype) != "missing"
        fall_back(table, op, KernelTable.of(reference, 0, table.dtype) if possible else None, out, inputs, params)

    kernel.__name__ = op
    return kernel


def compact(operand: Any) -> Any:
    """Return the operand itself if it is row-major from the start of its memory, else a copy that is."""
    layout = operand.layout
    if layout is layout.compact or (layout.contiguous and layout.offset == 0):
        return operand
    dense = Strided(operand.flat.like(layout.size), layout.compact)
    operand.flat.kernels["copy"](dense, operand)
    return dense


def _all_compact(value: Any) -> Any:
    """An operand, or those of a list, as `compact`; anything else as it is."""
    if isinstance(value, list):
        return [_all_compact(x) for x in value]
    return compact(value) if hasattr(value, "layout") else value


def given_compact(kernel: Kernel, op: str) -> Kernel:
    """Return a kernel that hands another one, which does not read strides, row-major operands only."""
    reads_out = OPS[op].family in ("gather", "fused")  # these change parts of out: it must be copied in, too

    def adapted(out: Any, *inputs: Any, **params: Any) -> None:
        from_inputs = [_all_compact(x) for x in inputs]
        compacted = {name: _all_compact(value) for name, value in params.items()}
        outs = list(out) if isinstance(out, (tuple, list)) else [out]
        dense = [
            compact(o) if reads_out or (o.layout.contiguous and o.layout.offset == 0)
            else Strided(o.flat.like(o.layout.size), o.layout.compact)
            for o in outs
        ]
        kernel(type(out)(dense) if isinstance(out, (tuple, list)) else dense[0], *from_inputs, **compacted)
        for name in OPS[op].beside:
            outs, dense = [*outs, *(params[name] or ())], [*dense, *(compacted[name] or ())]
        for original, written in zip(outs, dense, strict=True):
            if original is not written:
                original.flat.kernels["copy"](original, written)

    adapted.__name__ = op
    return adapted
