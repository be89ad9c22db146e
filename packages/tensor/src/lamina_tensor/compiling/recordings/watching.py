"""What a function does in Python while its kernel calls are recorded: which code runs, what it reads of tensors and writes into them."""

from __future__ import annotations

import builtins
import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, FunctionType
from typing import Any, Final, NamedTuple
from weakref import WeakSet

from lamina_flatarray import FlatArray
from lamina_flatarray.dlpack import exported, imported, shared
from lamina_flatarray.modes import is_compiling
from lamina_flatarray.random import Generator
from lamina_ndarray import NDArray
from lamina_ndarray.array_fields import ArrayFields
from lamina_ndarray.creation import array_likes, conversion, sequences
from lamina_ndarray.programs.recorder import Recorder

from .effects import Action, Check, Effects
from .left_alone import left_alone
from .own_code import codes_of_backends, is_own_file, is_standard, packages_of_backends
from .state import ABSENT, contents

__all__ = ["Read", "Watch", "reading", "watched"]

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
    **_codes("calls a function that is to be left alone", left_alone(len)),
    **_codes(_SHARES, exported, imported, shared, FlatArray.from_buffer.__func__),  # type: ignore[attr-defined]
}
"""What lamina's own functions mean for a recording. They say nothing while a kernel runs."""

_READERS: Final = {conversion.item.__code__: False, conversion.tolist.__code__: True}
"""Functions that read items of an array, and whether all of them."""

_WRITERS: Final = set(_codes("", sequences.packed_numbers, array_likes.of_own))
"""Functions whose result holds numbers that Python wrote."""
_MOVER: Final = FlatArray.to.__code__


class Watch:
    """What was seen while a recorder was installed.

    Args:
        recorder: what records the kernel calls.
        effects: what records the rest that can be repeated.

    Attributes:
        codes: the globals of each code of the user's that ran.
        trouble: why the recorded calls alone do not do the same again, and where; None if nothing was seen that says so.
    """

    def __init__(self, recorder: Recorder, effects: Effects) -> None:
        self.recorder = recorder
        self.effects = effects
        self.codes: dict[CodeType, dict[str, Any]] = {}
        self._closures: WeakSet[FunctionType] = WeakSet()  # one made in the call is gone after it
        self.trouble: str | None = None
        self._kinds: dict[CodeType, str] = {}
        self._backends = codes_of_backends()
        self._packages = packages_of_backends()
        self._beneath: FrameType | None = None  # a frame that is not the function's, until it returns
        self._acting: tuple[FrameType, Action | Check] | None = None  # a frame that is called again as it is, until it returns
        self._functions: dict[CodeType, WeakSet[FunctionType]] = {}
        self._outside: set[CodeType] = set()  # code that ran elsewhere

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """Take one event of `sys.setprofile`."""
        if self._beneath is not None:
            if event == "return" and frame is self._beneath:
                self._beneath = None
            return
        if self._acting is not None:
            self._act(*self._acting, frame, event)
            return
        if self.recorder.within:
            return
        code = frame.f_code
        if event == "return":
            if code in _WRITERS and isinstance(argument, ArrayFields):
                self._written(argument.flat, argument.flat)
            elif code is _MOVER and argument is not None:
                self._moved(frame.f_locals["self"], argument, frame)
            else:
                self._note(self.effects.returned(frame), frame)
            return
        kind = self._kind_of(frame)
        if kind == "user" and event == "call":
            self.codes[code] = frame.f_globals
            if code.co_freevars:
                self._found(frame)
        if kind == "beside" and event == "call":
            self._beneath = frame
        elif event == "call":
            again = self.effects.again(frame)
            if again is not None:
                self._acting, self.recorder.within = (frame, again), True
                return
            self._outside.add(code)
            self._note(self.effects.called(frame), frame)
            if kind not in ("user", "own") and not (kind == _READ and self._reads_what_is_fixed(frame)):
                self._note(kind, frame)
        elif event == "c_call" and kind == "user":
            module = getattr(argument, "__module__", None) or type(getattr(argument, "__self__", None)).__module__
            if argument in _SILENT or module.lstrip("_").partition(".")[0] in _DECIDING or module.startswith("numpy.random"):
                self._note(f"calls {argument.__qualname__}", frame)

    def closures(self) -> list[FunctionType]:
        """Return the functions that ran, are there still, and refer to variables of others."""
        return list(self._closures)

    def asked(self) -> bool:
        """Return whether the function asked if it is called to be compiled."""
        return is_compiling.__code__ in self._outside

    def look_for_owners(self) -> None:
        """Tell the effects what other code ran, when all is over."""
        self.effects.look_for(self._outside, lambda code: self._kinds[code] != "user")

    def _act(self, acting: FrameType, action: Action | Check, frame: FrameType, event: str) -> None:
        """Take an event within what is called again."""
        if frame is acting and event == "return":
            self._acting, self.recorder.within = None, False
            self.effects.acted(action)
        elif event == "call":
            kind = self._kind_of(frame)
            if kind == "beside" or str(frame.f_globals.get("__name__")).partition(".")[0] in self._packages:
                self._beneath = frame
            elif kind == "user":
                self._note(f"{acting.f_code.co_qualname} calls code of the user's", frame)

    def _found(self, frame: FrameType) -> None:
        """Find the function that is called: one whose variables of others hold what is seen in its frame."""
        code, seen = frame.f_code, frame.f_locals
        for _ in range(2):
            for function in self._functions.get(code, ()):
                cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
                if all(contents(cell) is seen.get(name, ABSENT) for name, cell in cells):
                    self._closures.add(function)
                    return
            self._functions[code] = WeakSet(x for x in gc.get_referrers(code) if isinstance(x, FunctionType))
        self._closures.update(self._functions[code])

    def _kind_of(self, frame: FrameType) -> str:
        kind = self._kinds.get(frame.f_code)
        if kind is None:
            kind = self._kinds[frame.f_code] = self._kind(frame)
        return kind

    def _kind(self, frame: FrameType) -> str:
        """ "user", "own" for lamina's and other code that is trusted, "beside" for a backend's, and for what it does when memory goes; or
        why the code cannot be done again."""
        trouble = _TROUBLE.get(frame.f_code)
        if trouble is not None:
            return trouble
        module, code = str(frame.f_globals.get("__name__", "")), frame.f_code
        if is_own_file(module, code.co_filename):
            root = module.partition(".")[0]
            return f"calls {root}.{code.co_qualname}" if root in _DECIDING and is_standard(code.co_filename) else "own"
        goes = code.co_name == "__del__" and isinstance(frame.f_locals.get("self"), tuple(self.recorder.kinds_of_memory))
        return "beside" if goes or code in self._backends else "user"

    def _note(self, reason: str | None, frame: FrameType | None) -> None:
        if self.trouble is None and reason is not None:
            while frame is not None and self._kinds.get(frame.f_code) != "user":
                frame = frame.f_back
            self.trouble = reason if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}: {reason}"

    def _reads_what_is_fixed(self, frame: FrameType) -> bool:
        """Whether a read gives the same at each call: of `arange(3)`, say."""
        array = frame.f_locals.get("x", frame.f_locals.get("self"))
        flat = getattr(array, "flat", array)
        return isinstance(flat, FlatArray) and self.recorder.is_fixed(flat)

    def _moved(self, source: FlatArray, result: FlatArray, frame: FrameType) -> None:
        """A copy on another device is no kernel call; one of what is the same at each call need not be made again."""
        if result is source or not result.backend.holds_items:
            return
        on_host = source if source.backend.host else result
        if self.recorder.is_fixed(source) and on_host.backend.host:
            self._written(result, on_host)
        else:
            self._note("copies to another device", frame)

    def _written(self, flat: FlatArray, on_host: FlatArray) -> None:
        self.recorder.within = True
        try:
            self.recorder.made(flat.memory)
            storage = self.recorder.storages[self.recorder.number_of(flat)]
            storage.numbers = on_host.bytes_view().tobytes()
        finally:
            self.recorder.within = False


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Have a watch see what this thread runs in a `with` block.

    Garbage is not collected meanwhile: what that calls is not the function's.
    """
    with _profiled(watch):
        yield


class Read(NamedTuple):
    """An array whose items were read while a recorder was installed.

    Attributes:
        after: how many kernels had been called.
        array: the array.
        nested: whether all its items were read, as lists, and not its only one.
        value: what came of it.
    """

    after: int
    array: NDArray
    nested: bool
    value: Any


@contextmanager
def reading(recorder: Recorder) -> Iterator[list[Read | str]]:
    """See what this thread reads of arrays in a `with` block, or does else that kernel calls do not show.

    Args:
        recorder: what records the kernel calls; what a kernel reads is not seen.

    Returns:
        A context manager, which gives the list of reads, and of reasons why kernel calls alone do not do the same again.
    """
    seen: list[Read | str] = []

    def look(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if recorder.within or event not in ("call", "return"):
            return
        if code in _READERS:
            if event == "return":
                seen.append(Read(len(recorder.calls), frame.f_locals["x"], _READERS[code], argument))
        elif code in _TROUBLE or code in _WRITERS or code is _MOVER:
            seen.append(_TROUBLE.get(code, "fills new memory without a kernel"))

    with _profiled(look):
        yield seen


@contextmanager
def _profiled(look: Callable[[FrameType, str, Any], None]) -> Iterator[None]:
    before: Callable[..., Any] | None = sys.getprofile()
    collecting = gc.isenabled()
    gc.disable()
    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(before)
        if collecting:
            gc.enable()
