"""The modes of a thread or task: one word of flags, 0 while none is on, so that an op on its fast path tests them all at once.

>>> from lamina_flatarray.modes import NO_GRAD, switched, word
>>> with switched(NO_GRAD, True):
...     word.get() == NO_GRAD
True
>>> word.get()
0
"""

from __future__ import annotations

from contextvars import ContextVar
from types import TracebackType
from typing import Any, Final, Self

__all__ = [
    "AUTOCAST", "COMPILING", "FUNCTION_MODES", "INFERENCE", "INSIDE", "INTERCEPTING", "MAPPED", "NO_GRAD", "NO_OVERRIDES",
    "RECORD", "STRICT", "UNCOMPILED", "WATCHED_MODULES", "WATCHED_NODES", "is_compiling", "region", "switch", "switched", "word",
]  # fmt: skip

word: Final[ContextVar[int]] = ContextVar("lamina_modes", default=0)
"""The flags that are on in this thread or task: a new thread begins with none, a task with those of its maker."""

NO_GRAD: Final = 1
"""Ops are not recorded."""
INFERENCE: Final = 2
"""Inference mode, of which NO_GRAD is a part."""
STRICT: Final = 4
"""Operands of other ranks are not spread, and items not copied, unless the program says so."""
INSIDE: Final = 8
"""A function of lamina's is running: what it does with operands is its own, so strict mode does not look at it."""
AUTOCAST: Final = 16
"""Listed ops run in another precision than their operands come in."""
FUNCTION_MODES: Final = 1024
"""Calls of functions of tensors are shown to those who intercept them."""
INTERCEPTING: Final = STRICT | AUTOCAST | FUNCTION_MODES
"""The modes in which a call of a function is more than its body."""
NO_OVERRIDES: Final = 32
"""Derived classes of tensors are taken for plain ones."""
WATCHED_NODES: Final = 128
"""New nodes are shown to those who watch them: anomaly mode, and hooks of saved tensors."""
RECORD: Final = 256
"""A record, not the tensors, keeps what was computed from what."""
WATCHED_MODULES: Final = 512
"""Calls of modules go through those who watch them."""
COMPILING: Final = 2048
"""A function is called to be compiled: programs that ask leave out what could not be."""
UNCOMPILED: Final = 4096
"""Compiled functions run eagerly."""
MAPPED: Final = 8192
"""A function is mapped over batches."""


def switch(flag: int, on: bool) -> bool:
    """Switch a flag on or off from now on, in this thread or task.

    Args:
        flag: one of the constants of this module.
        on: whether it is on from now on.

    Returns:
        Whether it was on.

    >>> switch(NO_GRAD, True), switch(NO_GRAD, False)
    (False, True)
    """
    flags = word.get()
    word.set(flags | flag if on else flags & ~flag)
    return bool(flags & flag)


def is_compiling() -> bool:
    """Return whether a function is called to be compiled: packages then leave out what could not be, such as checks of values.

    Returns:
        True in the calls that a compiled function makes of it, of which two are recorded; False elsewhere.

    >>> is_compiling()
    False
    """
    return bool(word.get() & COMPILING)


class switched:
    """Flags on or off within a `with` block, in this thread or task.

    Ctrl-C comes between the calls of Python functions, so also before the body of an `__exit__`, and then the flags would stay as they
    are in the block. It cannot where the compiled twin takes these two methods' place.

    Args:
        flags: one of the constants of this module, or several.
        on: whether they are on in the block.

    Attributes:
        flags: which.
        within: those of them that are on in the block.
        before: those that were on, for each block that is entered.

    >>> with switched(NO_GRAD | INSIDE, True), switched(NO_GRAD, False):
    ...     word.get() == INSIDE
    True
    """

    __slots__ = ("before", "flags", "within")

    def __init__(self, flags: int, on: bool) -> None:
        self.flags = flags
        self.within = flags if on else 0
        self.before: list[int] = []

    def __enter__(self) -> None:
        now = word.get()
        self.before.append(now & self.flags)
        word.set(now & ~self.flags | self.within)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        word.set(word.get() & ~self.flags | self.before.pop())


class region:
    """A `with` block in which a context variable has another value, and the flags that go with it are set, in this thread or task.

    A derived class says the value. What it does before it has said it changes nothing yet, and the two are set at once, and taken back
    at once, as by `switched`.

    Args:
        flags: which flags are the region's to set.
        variable: the variable; it has a default.

    >>> from lamina_flatarray.modes import RECORD, region
    >>> depth = ContextVar("depth", default=0)
    >>> class deeper(region):
    ...     def _entered(self, outer):
    ...         return RECORD, outer + 1
    >>> with deeper(RECORD, depth):
    ...     depth.get(), word.get() == RECORD
    (1, True)
    >>> depth.get(), word.get()
    (0, 0)
    """

    __slots__ = ("_before", "_flags", "_variable")

    def __init__(self, flags: int, variable: ContextVar[Any]) -> None:
        self._flags = flags
        self._variable = variable
        self._before: list[tuple[int, Any]] = []

    def _entered(self, outer: Any) -> tuple[int, Any]:
        """The flags that are on in the block, and the variable's value there.

        Args:
            outer: its value around the block.

        Raises:
            NotImplementedError: the derived class does not say.
        """
        raise NotImplementedError(f"{type(self).__name__} says no value")

    def _left(self) -> None:
        """Called after all is as it was around the block."""

    def __enter__(self) -> Self:
        outer = self._variable.get()
        flags, value = self._entered(outer)
        now = word.get()
        self._before.append((now & self._flags, outer))
        self._variable.set(value)
        word.set(now & ~self._flags | flags)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        flags, outer = self._before.pop()
        self._variable.set(outer)
        word.set(word.get() & ~self._flags | flags)
        self._left()
