"""In place: results of a kernel in the memory of what it reads for the last time, so that both go through the cache as one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from .recorder import Call, Operand, operands_in

__all__ = ["followed", "taken_over"]


def taken_over(
    calls: Sequence[Call], results: Iterable[Operand], inputs: Collection[Operand], is_total: Callable[[Call], bool],
    is_over: Callable[[Operand], bool], is_new: Callable[[Operand, int], bool],
) -> dict[Operand, Operand]:  # fmt: skip
    """Which inputs of a kernel have the memory of which results: each was read before, or when, its result is made.

    Args:
        calls: what the kernel does, in order.
        results: the operands that are wanted afterwards.
        inputs: the operands that are read before they are written.
        is_total: whether a call comes after all others.
        is_over: whether an input's memory is the program's own, and nobody reads it after the kernel.
        is_new: whether a result's memory is the program's own, and nobody used it before a call, told by its place.
    """
    last: dict[Operand, int] = {}
    made: dict[Operand, int] = {}
    for place, call in enumerate(calls):
        for x in operands_in(call.inputs):
            last[x] = len(calls) if is_total(call) else max(place, last.get(x, 0))
        made.setdefault(call.out, place)
    written = {call.out.storage for call in calls}
    taken: dict[Operand, Operand] = {}
    for result in results:
        for x in inputs:
            if any(other.storage == x.storage and other != x for other in inputs):
                continue  # its items are read in another order, too
            fits = x.layout == result.layout and x.kernels is result.kernels and last[x] <= made[result]
            if fits and x not in taken and x.storage not in written and is_over(x) and is_new(result, made[result]):
                taken[x] = result
                break
    return taken


def followed(numbers: Iterable[int], taken: Mapping[int, int]) -> dict[int, int]:
    """In which storage each lies, where some take the memory of others, which may be taken in turn.

    Args:
        numbers: of all storages.
        taken: from the number of a storage to that of the one whose memory it has.
    """
    lies: dict[int, int] = {}
    for number in numbers:
        place = number
        while place in taken:
            place = taken[place]
        lies[number] = place
    return lies
