"""Way: calls of a function that are alike, and what became of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, Final, NamedTuple

from lamina_flatarray.backends.replacements import changes
from lamina_flatarray.devices import get_default_device
from lamina_flatarray.dtypes import get_default_dtype
from lamina_ndarray.programs.arena import Arena
from lamina_ndarray.programs.program import KernelCall

from ..tensor_fields import AnyTensor
from .plain_calls import PlainCall, plain_call, same_kinds
from .plan import Compiled
from .recordings.recording import Recording
from .recordings.sizes import Sizes
from .recordings.trees import LEAF

__all__ = ["Explanation", "Way", "apart_from_sizes"]

_TRIALS: Final = 3
"""Calls of either kind that are timed before one is chosen."""
_AGAIN: Final = 8
"""Where eager calls were chosen, so many times as many calls later both are timed again, as other programs take time from either kind."""
_MOST_LOOKS: Final = 4


class Explanation(NamedTuple):
    """What became of one way through a compiled function.

    Attributes:
        given: the arguments, as text.
        calls: how often it was called so.
        trouble: why it runs eagerly; None where it does not, or not yet.
        kernels: how many kernel calls a run makes, and per backward pass; None as long as nothing is compiled.
        scratch_bytes: the bytes that hold what is over with a run, and what they would be if nothing shared memory.
        is_eager: whether it runs eagerly though it was compiled, because that was faster.
        methods: what a run calls beside kernels, such as an optimizer's step.
        steps: the kernel calls of a run, and those of a backward pass.
        sizes: between which sizes it was recorded, if its own was not; where two change, each by itself, of both.
        other_sizes: why it does not tell what happens at other sizes; None where nobody asked, or it does.
        seconds: how long it took to record and to plan it.
    """

    given: str
    calls: int
    trouble: str | None
    kernels: tuple[int, ...] | None
    scratch_bytes: tuple[int, int] | None
    is_eager: bool
    methods: tuple[str, ...] = ()
    steps: tuple[list[KernelCall], ...] = ()
    sizes: tuple[int | tuple[int, ...], int | tuple[int, ...]] | None = None
    other_sizes: str | None = None
    seconds: float = 0.0

    def __str__(self) -> str:
        told = f"{self.given}: {self.calls} call{'s' * (self.calls != 1)}; "
        if self.kernels is None or self.scratch_bytes is None:
            return told + ("runs eagerly: " + self.trouble if self.trouble else "not compiled yet")
        forward, *backward = self.kernels
        counts = f"{forward} kernel{'s' * (forward != 1)}" + (f", {backward[0]} backward" if backward else "")
        counts += "".join(f", {name}()" for name in self.methods)
        memory = "; scratch memory {} bytes instead of {}".format(*self.scratch_bytes)
        more = "; recorded at sizes {} to {}, and not at this one".format(*self.sizes) if self.sizes else ""
        more += f"; other sizes are recorded by themselves: {self.other_sizes}" if self.other_sizes else ""
        more += f"; recorded and planned in {self.seconds * 1e3:.0f} ms"
        return told + counts + memory + ("; eager calls were faster" if self.is_eager else "") + more


def apart_from_sizes(signature: Any) -> Any:
    """What stays of a signature if only sizes change; 0 and 1 are no sizes among others, as axes of one item are repeated."""
    tree, kinds, *modes = signature
    return tree, [(kernels, [min(length, 2) for length in layout.shape], wants) for kernels, layout, wants in kinds], modes


class Way:
    """Calls with arguments of the same kinds, in the same modes, with the same state."""

    def __init__(self, signature: Any) -> None:
        self.signature = signature
        self.calls = 0
        self.recording: Recording | None = None
        self.compiled: Compiled | None = None
        self.plain: PlainCall | None = None  # where that is all that a call needs
        self.trouble: str | None = None
        self.run: Callable[[Sequence[AnyTensor]], Any]
        self.trials = 0  # calls that are timed still
        self.best = [math.inf, math.inf]  # seconds of an eager call, and of a compiled one
        self.is_eager = False
        self.looks = 0  # how often eager calls were chosen
        self.next_look = math.inf  # at which call that is asked again
        self.asks = False
        self.seconds = 0.0  # that recording and planning took
        self.sizes: Sizes | None = None  # of the ways that it and those before it are
        self.other_sizes: str | None = None
        self.between: tuple[int | tuple[int, ...], int | tuple[int, ...]] | None = None
        tree, self.kinds, *self.modes = signature
        self.apart_from_sizes = apart_from_sizes(signature)
        self.is_plain = tree == (tuple, ((tuple, (LEAF,) * len(self.kinds)), (dict, (), ())))

    def holds(self, arguments: Sequence[AnyTensor]) -> bool:
        """Whether what the function refers to is as it was, and none of the arguments shares memory with what it writes.

        True before that was looked at.
        """
        if self.recording is None or self.compiled is None:
            return self.recording is None or self.recording.holds(arguments)
        written = self.compiled.written
        if written and any(x.array.flat.memory is flat.memory for x in arguments for flat, _ in written):
            return False
        return self.recording.holds(arguments)

    def compile(self, recording: Recording, arguments: Sequence[AnyTensor], arena: Arena, verify: bool) -> None:
        """Make programs of a recording. Where no gradients follow or are given, the next calls find out which is faster."""
        self.compiled, self.recording = Compiled(recording, arguments, arena), recording
        programs, is_recording = self.compiled, not self.modes[0]
        self.run = lambda arguments: programs.run(arguments, is_recording)
        self.asks = recording.asks
        if self.is_plain and not verify:
            self.plain = programs.plainly(recording, self.kinds, self.modes[0])
        if not (recording.carrying or recording.effects.any() or verify):
            self.trials = 2 * _TRIALS

    def repeated(self, args: tuple[Any, ...], tensors: Sequence[AnyTensor]) -> Any:
        """Repeat a call, all that it depends on being as it was.

        Args:
            args: the arguments by position.
            tensors: the tensors among all arguments.
        """
        done = None if self.plain is None else plain_call(self.plain, args)
        if done is None or self.plain is None or self.compiled is None:
            return self.run(tensors)
        return self.compiled.given_by(self.plain, args, done)

    def tried(self, eager: Callable[[], Any], compiled: Callable[[], Any]) -> Any:
        """Call eagerly or compiled, in turns; the last of these calls decides between the two, for a while where eager ones are faster."""
        self.trials -= 1
        chosen, began = self.trials % 2, perf_counter()
        result = (eager, compiled)[chosen]()
        self.best[chosen] = min(self.best[chosen], perf_counter() - began)
        self.is_eager = self.trials <= 0 and self.best[0] < self.best[1]
        if self.is_eager:
            self.looks += 1
            self.next_look = _AGAIN * self.calls if self.looks < _MOST_LOOKS else math.inf
        return result

    def look_again(self) -> None:
        """Have the next calls timed once more."""
        self.trials, self.is_eager = 2 * _TRIALS, False

    def explained(self) -> Explanation:
        """What became of it."""
        given = ", ".join(f"{kernels.dtype.name}{list(layout.shape)}" for kernels, layout, _ in self.kinds)
        if self.compiled is None:
            return Explanation(given, self.calls, self.trouble, None, None, self.is_eager)
        forward, backward = self.compiled.forward, [each.program for each in self.compiled.backward]
        kernels = forward.kernels, *[program.kernels for program in backward]
        scratch_bytes = forward.scratch_bytes, forward.unshared_bytes
        steps = forward.steps(), *[program.steps() for program in backward[:1]]
        return Explanation(given, self.calls, self.trouble, kernels, scratch_bytes, self.is_eager, self.compiled.methods, steps,
                           self.between, self.other_sizes, self.seconds)  # fmt: skip

    def takes(self, args: tuple[Any, ...], flags: int) -> bool:
        """Whether arguments, given by position alone, are tensors like those of the way: a quick look."""
        if not (self.is_plain and same_kinds(args, self.kinds)):
            return False
        now_on, dtype, device, replaced = self.modes
        return now_on == flags and dtype is get_default_dtype() and device is get_default_device() and replaced == changes()
