"""`override`: a program's own kernel for one op of a backend that is running, in force until it is removed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from ..contract import Kernel
from ..dtype_rules import DTYPE_RULES
from ..dtypes import DTYPES, DType, dtype_of
from ..errors import ArgumentTypeError, DTypeError, OpNotImplemented
from ..ops import OPS
from . import registry, replacements
from .kernel_table import given_compact

__all__ = ["override"]


class override:
    """Put a kernel before the one that a backend has for an op, until `remove`, or for a `with` block.

    It holds in the whole process, for arrays that exist and for new ones; of several the latest goes first, and each may be
    removed at any time. A kernel that runs in another thread meanwhile is not stopped. `capabilities` and `explain` call the
    op "overridden", and `status` and the doctor list it.

    Args:
        backend: the backend's name; it is loaded.
        op: the op's name in the op table.
        dtypes: for which dtypes (of the op's first input), one or several; None for all that the op is defined for.
        kernel: `kernel(out, *inputs, **params)`, as FAMILIES in `ops` describes; on the memory of that backend.
        reads_strides: whether the kernel reads any layout. If not, its operands are row-major from the start of their memory.

    Attributes:
        backend, op, dtypes, kernel: as given, dtypes by name.

    Raises:
        BackendError: nobody offers the backend, or it cannot be loaded.
        OpNotImplemented: there is no such op.
        DTypeError: the op is not defined for a dtype.
        ArgumentTypeError: the kernel cannot be called.

    >>> from lamina_flatarray import FlatArray, Row, Strided
    >>> def twice(out, x):
    ...     out.flat.numpy()[...] = 2 * x.flat.numpy()
    >>> x = FlatArray.from_items([1.0, 2.0])
    >>> with override(x.backend.name, "negative", "float32", twice):
    ...     x.kernels["negative"](Strided(x, Row(2)), Strided(x, Row(2)))
    >>> x.tolist()
    [2.0, 4.0]
    """

    __slots__ = ("_in_force", "backend", "dtypes", "kernel", "op")

    backend: str
    op: str
    dtypes: tuple[str, ...]
    kernel: Kernel

    def __init__(
        self,
        backend: str,
        op: str,
        dtypes: str | DType | Iterable[str | DType] | None,
        kernel: Kernel,
        *,
        reads_strides: bool = False,
    ) -> None:
        registry.loaded(backend)
        if op not in OPS:
            raise OpNotImplemented(f"override: there is no op {op!r} in the table")
        if not callable(kernel):
            raise ArgumentTypeError(f"override: {kernel!r} given for {op}; it wants a function kernel(out, *inputs, **params)")
        self.backend, self.op, self.kernel = backend, op, kernel
        self.dtypes = _names(op, dtypes)
        self._in_force = True
        with replacements.lock:
            replacements.put(self, backend, op, self.dtypes, kernel if reads_strides else given_compact(kernel, op))
            _forget(op)

    def remove(self) -> None:
        """Take the kernel back; a second time, nothing happens."""
        with replacements.lock:
            if self._in_force:
                self._in_force = False
                replacements.take_back(self)
                _forget(self.op)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.remove()

    def __repr__(self) -> str:
        return f"<override of {self.op} ({', '.join(self.dtypes)}) on {self.backend}{'' if self._in_force else ', removed'}>"


def _names(op: str, dtypes: str | DType | Iterable[str | DType] | None) -> tuple[str, ...]:
    rule = DTYPE_RULES[OPS[op].rule]
    defined = [dtype.name for dtype in DTYPES.values() if (rule(dtype) or (None,))[0] is dtype]
    if dtypes is None:
        return tuple(defined)
    is_single = isinstance(dtypes, (str, DType))
    names = tuple(dict.fromkeys(dtype_of(d).name for d in ([dtypes] if is_single else dtypes)))  # type: ignore[union-attr]
    for name in names:
        if name not in defined:
            raise DTypeError(f"override: {op} is not computed in {name}, but in {', '.join(defined)}")
    return names


def _forget(op: str) -> None:
    """Have tables make their entry for an op anew when it is next wanted."""
    for table in registry.every_table():
        table.pop(op, None)
