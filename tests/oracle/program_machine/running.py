"""A program run in two libraries in step: each line under PyTorch, then under lamina, then everything is compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

import lamina

from .deliberate import counts_versions, is_of_saved_tensors
from .rounding import Shaken
from .states import Difference, compared, tensors

__all__ = ["Pair", "difference"]

ENDS = ("backward(", "autograd.grad(")
"""What ends a program if it fails: how far gradients had come by then is nobody's promise."""
_RUNS = 4


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
        self.difference: Difference | None = None

    def run(self, line: str) -> bool:
        """Run a line in both; whether the program may go on."""
        self.lines.append(line)
        expected, observed = _ran(line, self.theirs), _ran(line, self.ours)
        _renewed(self.theirs)
        for name in tensors(self.ours).keys() - tensors(self.theirs).keys():
            if name in self.names:
                del self.ours[name]
        self.names |= tensors(self.theirs).keys()
        if is_of_saved_tensors(expected) != is_of_saved_tensors(observed) and None in (expected, observed):
            return False
        if expected is not None and observed is not None:  # how much a refused call has drawn is nobody's promise
            lamina.set_rng_state(lamina.tensor(torch.get_rng_state().numpy()))
        if (expected is None) != (observed is None):
            self.difference = ("error", f"PyTorch raises {expected!r}, lamina {observed!r}")
        elif expected is not None and not isinstance(observed, type(expected)):
            self.difference = (
                "error",
                f"PyTorch raises {expected!r}, lamina {observed!r}, which is no {type(expected).__name__}",
            )
        else:
            ended = expected is not None and any(end in line for end in ENDS)
            self.difference = compared(
                self.theirs, self.ours, not ended, self._moved, lambda name: counts_versions(name, self.lines)
            )
            return self.difference is None and not ended
        return False

    def _moved(self, name: str) -> np.ndarray[Any, Any] | None:
        """How far rounding moves a variable or a gradient, or None where a shaken run does something else altogether."""
        runs = []
        state = torch.get_rng_state()
        for seed in range(_RUNS):
            values: dict[str, Any] = {"torch": torch, "F": torch.nn.functional}
            with Shaken(seed):
                for line in self.lines:
                    _ran(line, values)
            base, _, grad = name.partition(".")
            x = values.get(base)
            x = x.grad if grad and x is not None else x
            runs.append(x.detach() if isinstance(x, torch.Tensor) else None)
        torch.set_rng_state(state)
        exact = self.theirs[name.partition(".")[0]]
        exact = (exact.grad if "." in name else exact).detach()
        shapes = {None if x is None else x.shape for x in runs}
        if shapes != {exact.shape}:
            return None
        wide = torch.complex128 if exact.is_complex() else torch.float64
        shifts = [(x.to(wide) - exact.to(wide)).abs() for x in runs if x is not None]
        room = (
            torch.finfo(exact.dtype).eps * (1 + exact.abs().double())
            if exact.is_floating_point() or exact.is_complex()
            else 0
        )
        return (8 * torch.stack(shifts).amax(0) + room).numpy()


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
