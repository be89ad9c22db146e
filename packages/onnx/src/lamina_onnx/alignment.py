"""Several records of one model laid on each other: what was the same in all is constant, and integers that differ are sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .errors import OnnxExporterError
from .recording import Call, Recorder, Ref, mapped
from .sizes import Size, settled

__all__ = ["AlignedValue", "aligned_calls", "aligned_values"]


@dataclass
class AlignedValue:
    """A value in all runs.

    Args:
        name: of an input, a parameter or a buffer; else None.
        shape: its lengths, a `Size` where the runs differ.
        dtype: lamina's.
        constant: the items, where they are the same in all runs and depend on nothing; else None.
    """

    name: str | None
    shape: tuple[int | Size, ...]
    dtype: Any
    constant: Any


def aligned_values(runs: Sequence[Recorder]) -> list[AlignedValue]:
    """The values of all runs, by their numbers.

    Raises:
        OnnxExporterError: the runs differ in how many there are, or in a dtype or a number of dims.
    """
    found = []
    for values in zip(*(run.values for run in runs), strict=False):
        first = values[0]
        if any(v.dtype is not first.dtype or len(v.shape) != len(first.shape) for v in values):
            raise OnnxExporterError(
                "export: tensors have other dtypes or numbers of dims where sizes or items of inputs are others"
            )
        shape = tuple([settled(lengths) for lengths in zip(*(v.shape for v in values), strict=True)])
        constants = [v.constant for v in values]
        same = constants[0] is not None and all(same_items(constants[0], c) for c in constants[1:])
        found.append(AlignedValue(first.name, shape, first.dtype, constants[0] if same else None))
    return found


def same_items(a: Any, b: Any) -> bool:
    """Whether two arrays have the same shape and the same items, NaNs included."""
    return a is b or (b is not None and a.shape == b.shape and a.tobytes() == b.tobytes())


def aligned_calls(runs: Sequence[Recorder]) -> list[Call]:
    """The calls of all runs, with a `Size` for each integer that differs.

    Raises:
        OnnxExporterError: the runs took different paths, or an argument differs that is no integer.
    """
    first = runs[0]
    for run in runs[1:]:
        for a, b in zip(first.calls, run.calls, strict=False):
            if a.name != b.name or a.arguments.keys() != b.arguments.keys():
                raise OnnxExporterError(
                    f"export: the model calls {a.name!r} {a.place} for some sizes or items of inputs, and {b.name!r} {b.place} for others"
                )
        if len(first.calls) != len(run.calls):
            longer = max(first.calls, run.calls, key=len)[min(len(first.calls), len(run.calls))]
            raise OnnxExporterError(
                f"export: how many functions the model calls depends on sizes or items of inputs: {longer.name!r}, called {longer.place}, "
                "is called in some runs only"
            )
    found = []
    for calls in zip(*(run.calls for run in runs), strict=True):
        one = calls[0]
        arguments = {key: one_tree([c.arguments[key] for c in calls], one, key) for key in one.arguments}
        results = one_tree([c.results for c in calls], one, "its results")
        found.append(Call(one.name, arguments, results, one.module, one.place, one.depends))
    return found


def one_tree(trees: Sequence[Any], call: Call, what: str) -> Any:
    """Trees of the runs as one tree."""
    first = trees[0]
    if all(t is first for t in trees):
        return first
    kinds = {type(t) for t in trees}
    if isinstance(first, (list, tuple)) and len(kinds) == 1 and all(len(t) == len(first) for t in trees):
        parts = [one_tree(p, call, what) for p in zip(*trees, strict=True)]
        return parts if isinstance(first, list) else tuple(parts)
    if isinstance(first, dict) and len(kinds) == 1 and all(t.keys() == first.keys() for t in trees):
        return {key: one_tree([t[key] for t in trees], call, what) for key in first}
    if isinstance(first, slice) and len(kinds) == 1:
        return slice(*(one_tree([getattr(t, end) for t in trees], call, what) for end in ("start", "stop", "step")))
    if kinds == {int}:
        return settled(tuple(trees))
    if len(kinds) == 1 and (isinstance(first, Ref) or not isinstance(first, np.ndarray)):
        if all(t == first for t in trees) or (isinstance(first, float) and all(t != t for t in trees)):
            return first
        if isinstance(first, float) and all(t.is_integer() for t in trees):
            return settled(tuple([int(t) for t in trees]))
    told = ", ".join(str(mapped(str, t)) for t in trees[:3])
    raise OnnxExporterError(
        f"export: {what} of {call.name!r}, called {call.place}, differs with sizes or items of inputs ({told}), and is no integer"
    )
