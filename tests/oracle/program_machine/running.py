"""A program run in two libraries in step: each line under PyTorch, then under lamina, then everything is compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch

import lamina

from .deliberate import (
    alike,
    are_wrong,
    asks_of_whole_numbers,
    counts_versions,
    has_no_slope,
    is_of_pytorch_alone,
    refuses,
)
from .rounding import Shaken
from .states import Difference, compared, shares, tensors

__all__ = ["Pair", "difference"]

ENDS = ("backward(", "autograd.grad(")
"""What ends a program if it fails: how far gradients had come by then is nobody's promise."""
_RUNS = 4
_WRITES = re.compile(r"\w_\(|(\]|^\w+) [^ ]+= |\] = ")


def _ran(line: str, values: dict[str, Any]) -> Exception | None:
    try:
        exec(line, values)
    except Exception as error:
        return error
    return None


def _renewed(values: dict[str, Any]) -> None:
    """Renew the history of views: PyTorch 2.13 crashes where `register_hook` is the first to ask for it."""
    for name, x in list(tensors(values).items()):
        try:
            x.is_leaf
        except RuntimeError:  # a view that another write has made unusable
            del values[name]


class Pair:
    """The variables of a program in both libraries.

    >>> pair = Pair()
    >>> pair.run("a = torch.ones(2)"), pair.run("a[5]"), pair.difference
    (True, True, None)
    """

    def __init__(self) -> None:
        torch.manual_seed(0)
        lamina.manual_seed(0)
        self.lines: list[str] = []
        self.names: set[str] = set()
        self.theirs: dict[str, Any] = {"torch": torch, "F": torch.nn.functional}
        self.ours: dict[str, Any] = {"torch": lamina, "F": lamina.nn.functional}
        self.ahead: dict[str, int] = {}
        self.histories: dict[str, tuple[Any, Any]] = {}
        self.renewed: set[str] = set()
        self.difference: Difference | None = None

    def run(self, line: str) -> bool:
        """Run a line in both; whether the program may go on."""
        if _WRITES.search(line) and any(t.is_inference() for t in tensors(self.theirs).values()):
            return False  # PyTorch lets what shares memory with results of inference mode record nothing
        if "autograd.grad(" in line and any(f"[{name}]" in line for name in self.renewed):
            return False
        self.lines.append(line)
        expected, observed = _ran(line, self.theirs), _ran(line, self.ours)
        self.names |= tensors(self.theirs).keys()
        _renewed(self.theirs)
        for name in tensors(self.ours).keys() - tensors(self.theirs).keys():
            if name in self.names:
                del self.ours[name]
        if expected is None and observed is None:
            self._note_histories()
        if is_of_pytorch_alone(line, expected, observed, self.theirs) or asks_of_whole_numbers(self.theirs):
            return False
        if expected is None and observed is not None and refuses(self.lines, observed, self.theirs):
            return False
        if expected is not None and observed is not None:  # how much a refused call has drawn or counted is nobody's promise
            lamina.set_rng_state(lamina.tensor(torch.get_rng_state().numpy()))
            self.ahead.clear()
        if (expected is None) != (observed is None):
            self.difference = ("error", f"PyTorch raises {expected!r}, lamina {observed!r}")
        elif expected is not None and observed is not None and not alike(expected, observed):
            self.difference = (
                "error",
                f"PyTorch raises {expected!r}, lamina {observed!r}, which is no {type(expected).__name__}",
            )
        elif expected is not None and "out=" in line:  # how much of it is written or resized by then is nobody's promise
            return False
        else:
            ended = expected is not None and any(end in line for end in ENDS)
            self._note_versions(exactly=expected is None)
            self._forget_retained()
            self.difference = compared(self.theirs, self.ours, not ended, self._moved, self._ahead)
            if self.difference and self.difference[0].startswith("requires_grad of") and has_no_slope(self.lines):
                self.difference = None
                return False
            if self.difference and self.difference[0].startswith("items of"):
                what, told = self.difference
                if are_wrong(what[9:], self.lines, "nan" in told.partition(", lamina ")[2]):
                    self.difference = None
                    return False
            return self.difference is None and not ended
        return False

    def _ahead(self, name: str) -> int | None:
        base = name.partition(".")[0]
        counts = counts_versions(name, self.lines) and not self.theirs[base].is_inference()
        return self.ahead.get(base, 0) if counts else None

    def _note_versions(self, exactly: bool) -> None:
        """Note by how much PyTorch's versions are ahead: its functions write to some results before they give them away.

        What is new here has version 0, or what the line itself has written; views and what else shares memory have one version.
        """
        known = tensors(self.theirs)
        for name, x in known.items():
            if name in self.ahead or name not in tensors(self.ours):
                continue
            alias = next((n for n in self.ahead if n in known and shares(known[n], x)), None)
            ahead = 0 if x.is_inference() else x._version - self.ours[name]._version
            self.ahead[name] = self.ahead[alias] if alias else max(ahead, 0) if exactly else ahead

    def _note_histories(self) -> None:
        """Note which views have got another history in PyTorch alone, which looks for writes that were not recorded.

        So it is with what is a view in PyTorch alone, as the result of `instance_norm`: a write through another view of the memory gives
        PyTorch's two a history each, and lamina's the one of the other.
        """
        ours = tensors(self.ours)
        for name, x in tensors(self.theirs).items():
            if name in ours:
                history = (x.grad_fn, ours[name].grad_fn)
                before = self.histories.get(name, history)
                alone = history[1] is before[1] or (x._is_view() and not ours[name]._is_view())
                if (history[0] is not before[0] and alone) or any(x is self.theirs.get(other) for other in self.renewed):
                    self.renewed.add(name)
                self.histories[name] = history

    def _forget_retained(self) -> None:
        """Drop the gradients that views retain which have another history in PyTorch alone: they are of that one."""
        for name in self.renewed:
            for values in (self.theirs, self.ours):
                if name in tensors(values) and not values[name].is_leaf:
                    values[name].grad = None

    def _moved(self, name: str) -> Iterator[np.ndarray[Any, Any]]:
        """How far rounding moves a variable or a gradient, by more and more runs; ends where one does something else altogether."""
        base, _, grad = name.partition(".")
        exact = self.theirs[base].grad if grad else self.theirs[base]
        exact = exact.detach()
        is_inexact = exact.is_floating_point() or exact.is_complex()
        # A unit for each library: PyTorch's own, of `gelu` where it is small, is that of numbers about 1.
        room = 2 * torch.finfo(exact.dtype).eps * (1 + exact.abs().double()) if is_inexact else 0
        wide = torch.complex128 if exact.is_complex() else torch.float64
        shift = torch.zeros(exact.shape, dtype=torch.float64)
        yield (shift + room).numpy()
        for seed in range(_RUNS):
            x = self._shaken(seed).get(base)
            x = x.grad if grad and isinstance(x, torch.Tensor) else x
            if not isinstance(x, torch.Tensor) or x.shape != exact.shape:
                return
            shift = torch.maximum(shift, (x.detach().to(wide) - exact.to(wide)).abs())
            yield (8 * shift + room).numpy()

    def _shaken(self, seed: int) -> dict[str, Any]:
        """The variables of PyTorch after a run whose roundings are others."""
        values: dict[str, Any] = {"torch": torch, "F": torch.nn.functional}
        state = torch.get_rng_state()
        with Shaken(seed):
            for line in self.lines:
                _ran(line, values)
        torch.set_rng_state(state)
        return values


def difference(lines: Sequence[str]) -> tuple[int, Difference] | None:
    """Where the two libraries part: the line's number from 0, and what differs; None where they agree to the end.

    >>> difference(["a = torch.ones(2)", "b = a * len(torch.__name__)"])[0]
    1
    """
    pair = Pair()
    for number, line in enumerate(lines):
        on = pair.run(line)
        if pair.difference is not None:
            return number, pair.difference
        if not on:
            return None
    return None
