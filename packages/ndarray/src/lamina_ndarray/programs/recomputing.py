"""Recomputing: what is cheap to make is made again where it is needed late, rather than kept in memory for all the time between.

Which results, is decided greedily, at the moment when most memory is in use, as in Chen et al., "Training Deep Nets with Sublinear Memory
Cost", 2016, where whole layers are made again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from lamina_flatarray.backends.kernel_table import origin
from lamina_flatarray.ops import OPS, special

from .recorder import Call, Effect, Operand, Storage, moved, operands_in, renumbered

__all__ = ["recomputed"]

_LITTLE: Final = 4 << 20
"""Bytes at most in use at once that are not worth a kernel call: they lie in a cache."""
_MOST_MOVED: Final = 0.1
"""How many of the bytes that all calls move those may move that are made again: of a program of products, much less of its time."""
_LEAST_SAVED: Final = 0.05
"""How much less is to be in use for that."""
_CHEAP: Final = {op.name for op in OPS.values() if op.family == "map"} - {op.name for op in special.ROWS}
_NORMALISATIONS: Final = {"layer_norm", "rms_norm", "batch_norm"}


class _Late(NamedTuple):
    """A result that may be made again: by which call, from which storages, after which it is not needed, and before which it is again."""

    storage: int
    writer: Call
    sources: set[int]
    early: int
    late: int


def recomputed(
    calls: Sequence[Call], storages: Sequence[Storage], scratch: Callable[[int], bool], fills: Callable[[Operand], bool]
) -> tuple[list[Call], list[Storage]]:
    """Return calls that give the same, with some of them made twice so that less memory is in use at once.

    Args:
        calls: the calls.
        storages: the memory that they meet.
        scratch: whether memory, told by its number, is over with a run.
        fills: whether an operand is all that its storage holds.

    Returns:
        The calls, and the storages that there are beside the given ones, all of them scratch.
    """
    uses: dict[int, list[int]] = {}
    for place, call in enumerate(calls):
        for number in {x.storage for x in operands_in(call.out, call.inputs, call.params)}:
            uses.setdefault(number, []).append(place)
    spans = [(number, places[0], places[-1]) for number, places in uses.items() if scratch(number)]
    most, _ = _peak(spans, storages, len(calls))
    if most <= _LITTLE:
        return list(calls), []
    allowed = _MOST_MOVED * sum(moved(call) for call in calls if not isinstance(call.kernels, Effect))
    candidates = {one.storage: one for one in _candidates(calls, uses, scratch, fills)}
    chosen: list[_Late] = []
    while True:
        now, peak = _peak(spans, storages, len(calls))
        there = [one for one in candidates.values() if one.early < peak < one.late and moved(one.writer) <= allowed]
        if not there:
            break
        one = max(there, key=lambda one: storages[one.storage].nbytes)
        allowed -= moved(one.writer)
        chosen.append(one)
        taken = {one.storage, *one.sources}  # what it is made of stays, and it is not there itself for others
        candidates = {n: other for n, other in candidates.items() if n not in taken and one.storage not in other.sources}
        spans.remove((one.storage, uses[one.storage][0], uses[one.storage][-1]))
        spans += [(one.storage, uses[one.storage][0], one.early), (one.storage, one.late, uses[one.storage][-1])]
    return _with_copies(calls, storages, chosen) if now <= (1 - _LEAST_SAVED) * most else (list(calls), [])


def _peak(spans: Sequence[tuple[int, int, int]], storages: Sequence[Storage], count: int) -> tuple[int, int]:
    """The most bytes that are in use at once, and where they are."""
    change = [0] * (count + 1)
    for number, first, last in spans:
        change[first] += storages[number].nbytes
        change[last + 1] -= storages[number].nbytes
    in_use = list(accumulate(change))
    most = max(in_use, default=0)
    return most, in_use.index(most)


def _candidates(
    calls: Sequence[Call], uses: dict[int, list[int]], scratch: Callable[[int], bool], fills: Callable[[Operand], bool]
) -> Iterator[_Late]:
    """Results of cheap calls that are not used for a while, after which all that they are made of is still there, unchanged."""
    writes: dict[int, list[int]] = {}
    for place, call in enumerate(calls):
        for x in operands_in(call.out):
            writes.setdefault(x.storage, []).append(place)
    acts = [place for place, call in enumerate(calls) if isinstance(call.kernels, Effect) and call.kernels.writes]
    for place, call in enumerate(calls):
        if not _is_cheap(call):
            continue
        made = list(operands_in(call.out))
        result = max(made, key=lambda x: x.size)
        if not all(scratch(x.storage) and writes[x.storage] == [place] and fills(x) for x in made):
            continue
        gaps = list(zip(uses[result.storage], uses[result.storage][1:], strict=False))
        early, late = max(gaps, key=lambda gap: gap[1] - gap[0], default=(0, 0))
        sources = {x.storage for x in operands_in(call.inputs, call.params)}

        def stays(number: int, place: int = place, late: int = late) -> bool:
            if any(place < other < late for other in writes.get(number, ())):
                return False
            return uses[number][-1] >= late if scratch(number) else not any(place < other < late for other in acts)

        if late - early > 1 and all(map(stays, sources)):
            yield _Late(result.storage, call, sources, early, late)


def _is_cheap(call: Call) -> bool:
    """Whether a call takes little time for each item that it writes, and gives the same every time."""
    if call.op not in _CHEAP and call.op not in _NORMALISATIONS:
        return False
    return origin(call.kernels.backend, call.op, call.kernels.dtype) == "native"


def _with_copies(calls: Sequence[Call], storages: Sequence[Storage], chosen: Sequence[_Late]) -> tuple[list[Call], list[Storage]]:
    """The calls, with each chosen one once more before its result is needed late, into memory of its own."""
    more: list[Storage] = []
    again: dict[int, list[_Late]] = {}
    for one in chosen:
        again.setdefault(one.late, []).append(one)
    result: list[Call] = []
    lies = _Following()
    for number, call in enumerate(calls):
        for one in again.get(number, ()):
            own = _Following()
            for x in operands_in(one.writer.out):
                storage = Storage(len(storages) + len(more), storages[x.storage].kernels, allocated=True)
                storage.nbytes, storage.written = storages[x.storage].nbytes, True
                own[x.storage] = storage.number
                more.append(storage)
            result.append(renumbered(one.writer, own))
            lies[one.storage] = own[one.storage]
        result.append(renumbered(call, lies))
    return result, more


class _Following(dict[int, int]):
    """From numbers to others; those that are not in it stay."""

    def __missing__(self, number: int) -> int:
        return number
