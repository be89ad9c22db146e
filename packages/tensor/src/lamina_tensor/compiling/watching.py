"""What a function does in Python while its kernel calls are recorded: which code runs, what it reads of tensors and writes into them."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, FunctionType
from typing import Any, Final

from lamina_flatarray import FlatArray
from lamina_flatarray.dlpack import exported, imported, shared
from lamina_flatarray.random import Generator
from lamina_ndarray.array_fields import ArrayFields
from lamina_ndarray.creation import conversion, sequences

from ..autograd import engine
from .own_code import is_own_file, is_standard
from .recorder import Recorder

__all__ = ["Watch", "watched"]

_READ: Final = "reads a value of a tensor"
_SEEDS: Final = "sets or reads the state of a random generator"
_SHARES: Final = "shares memory with an object that is no tensor"
_DECIDING: Final = {"random", "time", "datetime", "secrets", "uuid", "os", "posix", "io", "threading", "queue", "socket", "subprocess"}
"""Modules of the standard library whose functions give something else at each call, or do something that a tensor does not show."""
_SILENT: Final = {builtins.print, builtins.open, builtins.input, builtins.exec, builtins.eval}


def _codes(reason: str, *functions: Any) -> dict[CodeType, str]:
    return {function.__code__: reason for function in functions if isinstance(function, FunctionType)}


_TROUBLE: Final[dict[CodeType, str]] = {
    **_codes(_READ, conversion.item, conversion.tolist, conversion.numpy, FlatArray.bytes_view, FlatArray.tolist),
    **_codes(_SEEDS, Generator.manual_seed, Generator.seed, Generator.get_state, Generator.set_state),
    **_codes(_SHARES, exported, imported, shared, FlatArray.from_buffer.__func__),  # type: ignore[attr-defined]
    **_codes("runs a backward pass", engine.backward),
}
"""What lamina's own functions mean for a recording. They say nothing while a kernel runs."""

_WRITERS: Final = set(_codes("", sequences.packed_numbers))
"""Functions whose result holds numbers that Python wrote."""


class Watch:
    """What was seen while a recorder was installed.

    Attributes:
        codes: the globals of each code of the user's that ran.
        trouble: why the recorded calls alone do not do the same again, and where; None if nothing was seen that says so.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.codes: dict[CodeType, dict[str, Any]] = {}
        self.trouble: str | None = None
        self._kinds: dict[CodeType, str] = {}

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """Take one event of `sys.setprofile`."""
        if self.recorder.within:
            return
        code = frame.f_code
        if event == "return":
            if code in _WRITERS and isinstance(argument, ArrayFields):
                self._written(argument.flat)
            return
        kind = self._kinds.get(code)
        if kind is None:
            kind = self._kinds[code] = _kind(frame)
            if kind == "user":
                self.codes[code] = frame.f_globals
        if event == "call":
            if kind not in ("user", "own") and not (kind == _READ and self._reads_what_is_fixed(frame)):
                self._note(kind, frame)
        elif event == "c_call" and kind == "user":
            module = getattr(argument, "__module__", None) or type(getattr(argument, "__self__", None)).__module__
            if argument in _SILENT or module.lstrip("_").partition(".")[0] in _DECIDING or module.startswith("numpy.random"):
                self._note(f"calls {argument.__qualname__}", frame)

    def _note(self, reason: str, frame: FrameType | None) -> None:
        if self.trouble is None:
            while frame is not None and self._kinds.get(frame.f_code) != "user":
                frame = frame.f_back
            self.trouble = reason if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}: {reason}"

    def _reads_what_is_fixed(self, frame: FrameType) -> bool:
        """Whether a read gives the same at each call: of `arange(3)`, say."""
        array = frame.f_locals.get("x", frame.f_locals.get("self"))
        flat = getattr(array, "flat", array)
        return isinstance(flat, FlatArray) and self.recorder.is_fixed(flat)

    def _written(self, flat: FlatArray) -> None:
        self.recorder.within = True
        try:
            storage = self.recorder.storages[self.recorder.number_of(flat)]
            storage.numbers = flat.bytes_view().tobytes()
        finally:
            self.recorder.within = False


def _kind(frame: FrameType) -> str:
    """ "user", "own" for lamina's and other code that is trusted, or why the code cannot be done again."""
    trouble = _TROUBLE.get(frame.f_code)
    if trouble is not None:
        return trouble
    module, code = str(frame.f_globals.get("__name__", "")), frame.f_code
    if not is_own_file(module, code.co_filename):
        return "user"
    root = module.partition(".")[0]
    return f"calls {root}.{code.co_qualname}" if root in _DECIDING and is_standard(code.co_filename) else "own"


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Have a watch see what this thread runs in a `with` block."""
    before: Callable[..., Any] | None = sys.getprofile()
    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(before)
