"""Runs of a model at several sizes: which sizes, with which items, and what was recorded in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Final

import numpy as np

import lamina_tensor as lt
from lamina_nn import Module
from lamina_tensor import Tensor

from .errors import OnnxExporterError
from .inputs import Inputs, Symbol
from .lowerings import LOWERINGS
from .recording import Recorder, tensors_of

__all__ = ["Run", "exporting", "runs_of"]

exporting: Final[ContextVar[bool]] = ContextVar("lamina_exporting", default=False)
"""Whether a model is run to be exported, in this thread or task."""

TRIED = (1, 3, 2, 4, 6, 8, 16)
FARTHER = ((5, 3, 4, 2, 8, 12, 32), (13, 7, 5, 8, 6, 16, 48))
"""By how much a size is made larger, alone, and in the last two runs: first so that a division by a number less than thirteen that rounds
does not stay unseen; then as models take it whose sizes are multiples of something."""


class Run:
    """One run of a model.

    Args:
        record: its calls and values.
        sizes: the named sizes in it.
        outputs: the tensors that the model answered.
        results: the numbers of their values.
    """

    def __init__(self, record: Recorder, sizes: Mapping[str, int], outputs: Sequence[Tensor]) -> None:
        self.record, self.sizes, self.outputs = record, dict(sizes), outputs
        self.results = [record.number(x) for x in outputs]
        record.release()


def runs_of(
    model: Callable[..., Any], inputs: Inputs, state: Mapping[str, Tensor], modules: Mapping[str, Module]
) -> list[Run]:
    """Run a model as it is called; once more for each named size, with that one larger; and with all of them larger.

    The first run has the caller's tensors, all others have other items, so that what was computed from them unseen is found.

    Args:
        model: what is called.
        inputs: its arguments.
        state: its parameters and buffers by name.
        modules: its modules by name.

    Returns:
        The runs: as it is called, one for each size, and a last one that is a test.

    Raises:
        OnnxExporterError: it cannot run at any larger size.
    """
    sizes = {symbol.name: int(inputs.tensors[symbol.axes[0][0]].shape[symbol.axes[0][1]]) for symbol in inputs.symbols}

    def run(changed: Mapping[str, int], tensors: Mapping[str, Tensor]) -> Run:
        args, kwargs = inputs.others(tensors)
        recorder = Recorder({**tensors, **state}, set(tensors), LOWERINGS)
        before = exporting.set(True)
        try:
            with lt.no_grad(), recorder, recorder.within(modules):
                outputs = tensors_of(model(*args, **kwargs))
        finally:
            exporting.reset(before)
        return Run(recorder, {**sizes, **changed}, outputs)

    versions = {name: x.array.flat.version for name, x in state.items()}
    found = [run({}, {name: x.detach().clone() for name, x in inputs.tensors.items()})]
    for name, x in state.items():
        if x.array.flat.version != versions[name]:
            raise OnnxExporterError(
                f"export: the model writes into {name!r} when it runs, and a graph keeps nothing from run to run"
            )
    for i, symbol in enumerate(inputs.symbols):
        found.append(first_that_runs([symbol], inputs, sizes, run, i + 1))
    found.append(first_that_runs(inputs.symbols, inputs, sizes, run, len(found)))
    if inputs.symbols:
        found.append(first_that_runs(inputs.symbols, inputs, sizes, run, len(found)))
    return found


def first_that_runs(
    symbols: Sequence[Symbol], inputs: Inputs, sizes: Mapping[str, int],
    run: Callable[[Mapping[str, int], Mapping[str, Tensor]], Run], turn: int,
) -> Run:  # fmt: skip
    """The run with the first larger sizes that the model takes."""
    causes: list[Exception] = []
    for changed in larger(symbols, sizes, turn, len(inputs.symbols)):
        try:
            return run(changed, other_tensors(inputs, changed, turn))
        except OnnxExporterError:
            raise
        except Exception as error:  # whatever a model raises at sizes that it does not take
            causes.append(error)
    names = ", ".join(symbol.name for symbol in symbols)
    if not causes:
        raise OnnxExporterError(
            f"export: no larger size of {names} is allowed; a dynamic size needs some room above the one given"
        )
    raise OnnxExporterError(
        f"export: the model runs at no other size of {names} that was tried; at {dict(changed)}, it says: {causes[0]}"
    ) from causes[0]


def larger(symbols: Sequence[Symbol], sizes: Mapping[str, int], turn: int, alone: int) -> Iterator[dict[str, int]]:
    """Sizes to try: steps that differ from size to size, then the same for all, then multiples, at last smaller ones."""
    if not symbols:
        yield {}
        return
    steps = TRIED if turn <= alone else FARTHER[turn - alone - 1]
    for k in range(len(steps)):
        changed = {s.name: sizes[s.name] + steps[(k + i) % len(steps)] for i, s in enumerate(symbols)}
        if all(s.most is None or changed[s.name] <= s.most for s in symbols):
            yield changed
    for more in steps:
        changed = {s.name: sizes[s.name] + more for s in symbols}
        if all(s.most is None or changed[s.name] <= s.most for s in symbols):
            yield changed
    for factor in (2, 4) if turn <= alone else (3, 5, 2, 4):
        changed = {s.name: sizes[s.name] * factor for s in symbols}
        if all(s.most is None or changed[s.name] <= s.most for s in symbols):
            yield changed
    for step in (1, 2):
        changed = {s.name: sizes[s.name] - step for s in symbols}
        if all(changed[s.name] > max(1, s.least or 0) for s in symbols):
            yield changed


def other_tensors(inputs: Inputs, sizes: Mapping[str, int], turn: int) -> dict[str, Tensor]:
    """Inputs of other sizes, whose items are those that were given in another order; numbers with fractions are smaller, too."""
    lengths = {place: sizes[s.name] for s in inputs.symbols if s.name in sizes for place in s.axes}
    made = {}
    for name, x in inputs.tensors.items():
        shape = tuple(lengths.get((name, axis), n) for axis, n in enumerate(x.shape))
        items = x.numpy(force=True).ravel()
        turned = np.resize(np.roll(items, 1 + turn)[::-1] if items.size else items, shape)
        made[name] = lt.tensor(
            turned * turned.dtype.type(1 - turn / 64) if x.dtype.is_floating_point else turned, dtype=x.dtype, device=x.device
        )
    return made
