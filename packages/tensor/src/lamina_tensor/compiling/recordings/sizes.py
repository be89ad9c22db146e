"""Sizes: what recordings of a function at several sizes say of a call at a size between them."""

from __future__ import annotations

import copy
import dis
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise, product
from types import CodeType
from typing import Any, Final, NamedTuple

from lamina_ndarray.layouts.layout import Layout
from lamina_ndarray.programs.recorder import (
    Call,
    Effect,
    Numbers,
    Operand,
    Recorder,
    Storage,
    Unrepeatable,
    operands_in,
)

from .polynomials import MOST_SIZES, Number, Polynomials, Undetermined
from .recording import Kind, Pass, Recording

__all__ = ["FEWEST", "Sizes"]

FEWEST: Final = 4
"""Recordings that say something of other sizes: a polynomial of degree 2 is found from three of them, and held against the rest."""

_EQUAL: Final = (str, bytes, bool, complex, slice, frozenset, Numbers, Effect)
"""What is compared by its value; all other objects are the same or not."""
_APART: Final = {"recorder", "effects", "state", "codes", "result", "trouble"}
"""What of a recording is compared by other means, or belongs to one call."""
_READERS: Final = {"shape", "size", "numel", "nelement", "len", "nbytes", "stride", "__len__"}
_BENDING: Final = {"divmod", "abs"}
"""Functions of a size that go up and down."""
_CHOICE: Final = re.compile(r"(bool\()?(?P<sign>%|&|\||\^|==|!=)=?\)?")


class _Made(NamedTuple):
    """An object that is made anew for each size, of parts."""

    make: Callable[..., Any]
    parts: tuple[Any, ...]


class Sizes:
    """One recording for all sizes between those of some recordings.

    One size may change, in as many arguments as have it, or two, each by itself. All numbers in the recordings (lengths, strides, places in
    memory, what ops are given) are polynomials of them, or one over such. What compares sizes once by their order decides alike between
    recorded sizes; code of the user's that may tell sizes apart otherwise is refused.

    Args:
        kinds: per recording, those of its arguments.
        recordings: calls that went one way at several sizes, none below 2; at least `FEWEST`.

    Attributes:
        recording: the last of them.
        least, most: the smallest and the largest size; where there are two, of each.

    Raises:
        Unrepeatable: they say nothing of other sizes; the message says why.
    """

    def __init__(self, kinds: Sequence[Sequence[Kind]], recordings: Sequence[Recording]) -> None:
        self.recording = recordings[-1]
        _check_code({code for recording in recordings for code in recording.codes})
        self._places, self._polynomials = _places(kinds)
        self._sizes = self._polynomials.sizes
        columns = [*zip(*self._sizes, strict=True)]
        self.least, self.most = (_told([*map(end, columns)]) for end in (min, max))
        self._known: dict[tuple[Any, ...], Any] = {}
        self._items: list[int] = []  # of the largest operand of the call that is looked at, per recording
        self._layouts = self._solved("an argument", [[layout for _, layout, _ in each] for each in kinds])
        self._calls = []
        for calls in _side_by_side("calls", [x.recorder.calls for x in recordings]):
            self._items = [max([x.layout.size for x in operands_in(call.out, call.inputs)], default=0) for call in calls]
            self._calls.append(self._solved(calls[0].op, calls))
        rest = [{name: value for name, value in vars(x).items() if name not in _APART} for x in recordings]
        self._rest = self._solved("a recording", rest)
        if any(x.effects != y.effects or x.effects.met != y.effects.met for x, y in pairwise(recordings)):
            raise Unrepeatable("gradients that it meets depend on the size")
        self._known.clear()

    def at(self, kinds: Sequence[Kind]) -> Recording | None:
        """Return what a call with arguments of these kinds would have recorded; None where that is not known.

        Args:
            kinds: of the same number of arguments, dtypes and dims.
        """
        sizes = _sizes(kinds, self._places)
        if not self._are_around(sizes):
            return None
        made: dict[int, Any] = {}
        try:
            if self._at(self._layouts, sizes, made) != [layout for _, layout, _ in kinds]:
                return None
            recording = copy.copy(self.recording)
            recording.recorder = Recorder()
            recording.recorder.calls = [self._at(call, sizes, made) for call in self._calls]
            vars(recording).update(self._at(self._rest, sizes, made))
        except Undetermined:
            return None
        recording.recorder.storages = _storages(recording, self.recording.recorder.storages)
        recording.effects = self.recording.effects.of(recording.recorder)
        return recording

    def _are_around(self, sizes: Sequence[int]) -> bool:
        """Whether some recorded sizes lie in each direction: whatever goes one way only with each size has its value between theirs."""
        return all(
            any(all(sign * (size - mine) >= 0 for sign, size, mine in zip(signs, each, sizes, strict=True)) for each in self._sizes)
            for signs in product((-1, 1), repeat=len(sizes))
        )

    def _solved(self, where: str, values: Sequence[Any]) -> Any:
        """What gives a value for each size, of the values at the recorded ones."""
        first, kind = values[0], type(values[0])
        if all(x is first for x in values):
            return first
        if any(type(x) is not kind for x in values):
            raise Unrepeatable(f"what {where} is given has several types, by size")
        if kind is int or kind is float:
            return self._number(where, values)
        if kind in (Operand, Layout) and (*values,) in self._known:
            return self._known[(*values,)]
        if isinstance(first, _EQUAL) and all(x == first for x in values):
            return first
        parts, make = _parts(first)
        if make is None or any(_parts(x)[0] != parts for x in values):
            raise Unrepeatable(f"what {where} is given depends on the size")
        solved = [self._solved(where, each) for each in _side_by_side(where, [[*_items(x)] for x in values])]
        same = all(mine is theirs for mine, theirs in zip(solved, _items(first), strict=True))
        pattern = first if same else _Made(make, (*solved,))
        if kind in (Operand, Layout):
            self._known[(*values,)] = pattern
        return pattern

    def _number(self, where: str, values: Sequence[Any]) -> Any:
        if all(repr(x) == repr(values[0]) for x in values):
            return values[0]
        ways: list[tuple[Callable[[int], Any], list[int]]] = [(int, [*values]), (_bytes_of_bits, self._items)]
        if type(values[0]) is float:
            ways = [(float, [int(x) for x in values if x.is_integer()]), (_one_over, [round(1 / x) for x in values if 1e-15 < abs(x) < 1])]
            ways += [way for terms in self._polynomials.terms() for way in _unbiased_shares(terms, values)]
        for made, whole in ways:
            if len(whole) == len(values) and [*map(made, whole)] == [*values]:
                fits = self._polynomials.through(whole)
                if fits:
                    return Number(fits, made)
        raise Unrepeatable(f"what {where} is given is no polynomial of the size: {[*values]} at {[*map(_told, self._sizes)]}")

    def _at(self, pattern: Any, sizes: Sequence[int], made: dict[int, Any]) -> Any:
        if type(pattern) is Number:
            return pattern.at(sizes)
        if type(pattern) is not _Made:
            return pattern
        if id(pattern) not in made:
            made[id(pattern)] = pattern.make(*[self._at(part, sizes, made) for part in pattern.parts])
        return made[id(pattern)]


def _places(kinds: Sequence[Sequence[Kind]]) -> tuple[list[tuple[int, int]], Polynomials]:
    """Where the sizes are that all others depend on: arguments and dims. And the polynomials of these sizes."""
    places: list[tuple[int, int]] = []
    polynomials = None
    for place in zip(*map(_lengths, kinds), strict=True):
        lengths = [length for *_, length in place]
        if len({*lengths}) == 1 or (polynomials is not None and polynomials.through(lengths)):
            continue
        if len(places) == MOST_SIZES:
            raise Unrepeatable(f"more than {MOST_SIZES} sizes change, each by itself")
        places.append(place[0][:2])
        polynomials = Polynomials([_sizes(each, places) for each in kinds])
    if polynomials is None:
        raise Unrepeatable("the sizes are alike, and the arguments lie otherwise")
    return places, polynomials


def _lengths(kinds: Sequence[Kind]) -> Iterator[tuple[int, int, int]]:
    """Which argument, which dim, and its length."""
    for i, (_, layout, _) in enumerate(kinds):
        for dim, length in enumerate(layout.shape):
            yield i, dim, length


def _sizes(kinds: Sequence[Kind], places: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(kinds[argument][1].shape[dim] for argument, dim in places)


def _told(sizes: Sequence[int]) -> int | tuple[int, ...]:
    """A size, or two of them."""
    return sizes[0] if len(sizes) == 1 else (*sizes,)


def _side_by_side(what: str, rows: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    if len({*map(len, rows)}) > 1:
        raise Unrepeatable(f"{what}: how many there are depends on the size")
    return zip(*rows, strict=True)


def _bytes_of_bits(count: int) -> int:
    return -(-count // 8)


def _one_over(whole: int) -> float:
    return 1 / whole


def _unbiased(share: float, count: int) -> float:
    return share * count / (count - 1)


def _unbiased_shares(sizes: Sequence[int], values: Sequence[float]) -> Iterator[tuple[Callable[[int], float], list[int]]]:
    """The shares of unbiased variances, of so many items for each of the size, that may be these values: one over such is linear in one
    over the size."""
    if all(1e-15 < abs(value) < 1e15 for value in values):
        slope = (1 / values[0] - 1 / values[1]) / (1 / sizes[0] - 1 / sizes[1])
        one_over_share = 1 / values[0] - slope / sizes[0]
        if slope * one_over_share < 0:
            each = round(-one_over_share / slope)
            yield partial(_unbiased, float(f"{1 / one_over_share:.9g}")), [each * size for size in sizes]


def _items(value: Any) -> Iterable[Any]:
    if isinstance(value, Layout):
        return value.shape, value.strides, value.offset
    if isinstance(value, Pass):
        return value.begin, value.end, value.seeds, value.gradients
    return value.values() if isinstance(value, dict) else value


def _parts(value: Any) -> tuple[Any, Callable[..., Any] | None]:
    """What must be the same of a value whose items differ, and what makes one of other items; None where nothing does."""
    kind = type(value)
    if kind in (Operand, Call):
        return None, kind
    if kind is Layout:
        return None, Layout.of
    if kind is Pass:
        return None, Pass
    if kind is dict:
        return tuple(value), partial(_dict, tuple(value))
    return (None, partial(_sequence, kind)) if kind in (tuple, list) else (None, None)


def _dict(names: tuple[Any, ...], *items: Any) -> dict[Any, Any]:
    return dict(zip(names, items, strict=True))


def _sequence(kind: Callable[[Iterable[Any]], Any], *items: Any) -> Any:
    return kind(items)


def _storages(recording: Recording, recorded: Sequence[Storage]) -> list[Storage]:
    """Storages like the recorded ones, as large as a recording reaches into them."""
    storages = [*map(copy.copy, recorded)]
    for storage in storages:
        storage.nbytes = 0
    passes = [(one.seeds, one.gradients) for one in recording.passes]
    met = [operand for _, operand in recording.effects.met]
    for x in operands_in([call[2:] for call in recording.recorder.calls], recording.results, passes, met):
        storage = storages[x.storage]
        storage.nbytes = max(storage.nbytes, x.offset + x.size * x.kernels.itemsize)
    return storages


def _check_code(codes: Iterable[CodeType]) -> None:
    """Refuse code that reads sizes where some of it may tell them apart by more than one comparison of their order: two make an interval,
    which may lie between recorded sizes."""
    codes = [*codes]
    reader = next((code for code in codes if _READERS & {*code.co_names}), None)
    if reader is None:
        return
    compared = 0
    for code in codes:
        instructions = [*dis.get_instructions(code)]
        for before, x in pairwise([None, *instructions]):
            assert x is not None
            choice = _CHOICE.fullmatch(x.argrepr) if x.opname in ("BINARY_OP", "COMPARE_OP") else None
            is_text = before is not None and before.opname == "LOAD_CONST" and isinstance(before.argval, str)
            compared += x.opname == "COMPARE_OP" and choice is None
            if (choice and not is_text) or "CONTAINS" in x.opname or x.argval in _BENDING or compared > 1:
                sign = choice["sign"] if choice else x.argrepr or "in"
                raise Unrepeatable(f"{reader.co_qualname} reads sizes, and {code.co_qualname} may choose by {sign}")
