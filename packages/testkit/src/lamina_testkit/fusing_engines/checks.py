"""What is checked of an engine: its loops, beside the kernels that a backend of the CPU has for their steps."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.contract import Backend
from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.dtypes import DTYPES, DType
from lamina_flatarray.fused_steps import FusedStep
from lamina_flatarray.fusing_engines import FusingEngine
from lamina_flatarray.ops import OPS

from ..placement import place, read
from ..samples.values import PARAMETERS, numbers

__all__ = ["CHECKS", "Check"]

Check = Callable[[FusingEngine, Backend], None]

_NUMBERS: Final[dict[str, tuple[Any, ...]]] = {"f": (0.1, -2, float("inf"), 0.0), "i": (3, -1), "u": (3,), "b": ()}
_POWERS: Final = (2, 3, 0.5, -0.5, -1, -2.0, 0, 1, 2.5, 4, 5, 6, -3, -12.0, 16, 17)
_GUARD: Final = 0x5B


def each_step_gives_the_bits_of_its_kernel(engine: FusingEngine, backend: Backend) -> None:
    """Every map that is taken, in every dtype, of arrays and of numbers, on NaN, infinities, zeros of both signs and limits."""
    taken = 0
    for step, kinds in _maps():
        if engine.takes(step):
            taken += 1
            for values in ("plain", "special"):
                _compare(engine, backend, [step], [0], kinds, values=values, vectors=4)
    assert taken, "it takes no map at all"


def runs_give_the_bits_of_their_steps(engine: FusingEngine, backend: Backend) -> None:
    """Steps drawn at random, of which some results are wanted, over slots that are used again; on no row, one, and several, of no vector,
    one, and several."""
    draw = random.Random(0)
    for dtype in DTYPES.values():
        maps = [(step, kinds) for step, kinds in _maps() if step.dtype is dtype and engine.takes(step)]
        for vectors, rows in ((0, 1), (0, 2), (1, 0), (1, 1), (1, 3), (5, 1), (5, 4)) if maps else ():
            for _ in range(4):
                steps, results, kinds = _drawn(draw, maps, dtype)
                values = draw.choice(("plain", "special"))
                _compare(engine, backend, steps, results, kinds, values=values, vectors=vectors, rows=rows)


def an_input_may_be_one_item_for_a_row(engine: FusingEngine, backend: Backend) -> None:
    """Strides of 0."""
    draw = random.Random(1)
    for name in ("float32", "float64", "int64", "bool"):
        maps = [(step, kinds) for step, kinds in _maps() if step.dtype.name == name and engine.takes(step)]
        for rows in (1, 1, 1, 2, 2, 2) if maps else ():
            steps, results, kinds = _drawn(draw, maps, DTYPES[name])
            _compare(engine, backend, steps, results, kinds, values="plain", vectors=3, rows=rows, repeated=draw.randrange(4, 7))


def a_result_may_be_an_input(engine: FusingEngine, backend: Backend) -> None:
    """Over the very memory that is read."""
    dtype = DTYPES["float32"]
    steps = [FusedStep("multiply", dtype, 0, ((0,), (1,))), FusedStep("add", dtype, 0, ((0,), (1,)))]
    if all(map(engine.takes, steps)):
        _compare(engine, backend, steps, [0], {0: dtype, 1: dtype}, values="plain", vectors=3)


def what_is_not_taken_is_refused(engine: FusingEngine, backend: Backend) -> None:
    """By a ValueError; a reduction is never taken."""
    dtype = DTYPES["float32"]
    row = FusedStep("sum", dtype, 0, ((1,),), {"axes": (0,)})
    assert not engine.takes(row), "it takes a sum of rows, which is no map"
    for step in [row, *[step for step, _ in _maps() if not engine.takes(step)]]:
        try:
            engine.loop([step], [0], [1], dict.fromkeys(range(4), step.dtype))
        except ValueError:
            continue
        raise AssertionError(f"loop made something of {step.op} of {step.dtype.name}, which takes() says it does not take")


CHECKS: Final[Sequence[Check]] = (
    each_step_gives_the_bits_of_its_kernel, runs_give_the_bits_of_their_steps, an_input_may_be_one_item_for_a_row,
    a_result_may_be_an_input, what_is_not_taken_is_refused,
)  # fmt: skip
"""All of them, in order."""


def _maps() -> Iterator[tuple[FusedStep, dict[int, DType]]]:
    """Every elementwise op in each dtype that it computes in, with arrays and with numbers, and the dtypes of its slots."""
    for name, op in OPS.items():
        if not op.is_elementwise or not {*op.params} <= {*PARAMETERS} or op.rule not in DTYPE_RULES:
            continue
        for dtype in DTYPES.values():
            dtypes = DTYPE_RULES[op.rule](dtype)
            if dtypes is None or dtypes[0] is not dtype:
                continue
            kinds = dict.fromkeys(range(4, 4 + op.arity), dtype) | {0: dtypes[1]}
            if name == "where":
                kinds[4] = DTYPES["bool"]
            slots: list[Any] = [(slot,) for slot in range(4, 4 + op.arity)]
            if name == "pow":
                yield from ((FusedStep(name, dtype, 0, (slots[0], number)), kinds) for number in _POWERS)
                continue
            if op.params:
                for given in zip(*[PARAMETERS[param] for param in op.params], strict=True):
                    yield FusedStep(name, dtype, 0, (*slots, *given)), kinds
                continue
            yield FusedStep(name, dtype, 0, tuple(slots)), kinds
            for place_of_number in range(op.arity if op.arity > 1 else 0):
                for number in _NUMBERS.get(dtype.kind, ()):
                    inputs = [number if i == place_of_number else slot for i, slot in enumerate(slots)]
                    yield FusedStep(name, dtype, 0, tuple(inputs)), kinds


def _drawn(
    draw: random.Random, maps: Sequence[tuple[FusedStep, Mapping[int, DType]]], dtype: DType
) -> tuple[list[FusedStep], list[int], dict[int, DType]]:
    """Steps on the inputs 4, 5 and 6, whose results are 0 to 3 in turns: of which dtype each slot is, no step changes."""
    kinds = dict.fromkeys(range(7), dtype)
    same = [step for step, of in maps if all(kind is dtype for kind in of.values())]
    steps, known = [], [4, 5, 6]
    for place_of_step in range(draw.randrange(2, 9)):
        chosen, result = draw.choice(same), place_of_step % 4
        inputs = tuple([(draw.choice(known),) if isinstance(x, tuple) else x for x in chosen.inputs])
        steps.append(chosen._replace(result=result, inputs=inputs))
        known = [*dict.fromkeys([*known, result])]
    written = [*dict.fromkeys(step.result for step in steps)]
    return steps, draw.sample(written, draw.randint(1, len(written))), kinds


def _compare(
    engine: FusingEngine, backend: Backend, steps: Sequence[FusedStep], results: Sequence[int], kinds: Mapping[int, DType], *,
    values: str, vectors: int, rows: int = 1, repeated: int | None = None,
) -> None:  # fmt: skip
    """Do steps by a loop and one by one, and compare all bits but those of NaNs; and look whether anything else was written."""
    inputs: dict[int, None] = {}
    written: set[int] = set()
    for step in steps:
        inputs.update((x[0], None) for x in step.inputs if isinstance(x, tuple) and x[0] not in written)
        written.add(step.result)
    loop = engine.loop(steps, results, [*inputs], dict(kinds))
    assert 1 <= loop.width <= 64, f"its loops take {loop.width} items at a time; a vector has 1 to 64"
    length = loop.width * vectors
    count = length * rows
    given = {slot: numbers(slot % 4, (count,), kinds[slot], kind=values) for slot in inputs}
    if repeated in given:
        given[repeated].reshape(rows, length)[:] = given[repeated].reshape(rows, length)[:, :1]
    arrays = {slot: place(items, "compact", backend, kinds[slot]) for slot, items in given.items()}
    for step in steps:
        out = place(np.zeros(count, kinds[step.result].numpy), "compact", backend, kinds[step.result])
        if count:
            operands, params = [arrays[x[0]] if isinstance(x, tuple) else x for x in step.inputs], OPS[step.op].params
            arity = len(operands) - len(params)
            KernelTable.of(backend, 0, step.dtype)[step.op](out, *operands[:arity], **dict(zip(params, operands[arity:], strict=True)))
        arrays[step.result] = out
    memories = {slot: _guarded(given.get(slot), count, kinds[slot]) for slot in {*results, *inputs}}
    order = [*results, *inputs]
    moves = [0 if slot == repeated and slot not in results else loop.width * kinds[slot].itemsize for slot in order]
    row_moves = [length * kinds[slot].itemsize for slot in order]
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, *[ctypes.c_int64] * 2)(loop.address)
    begins = (ctypes.c_void_p * len(order))(*[memories[slot].ctypes.data + kinds[slot].itemsize for slot in order])
    function(begins, *[(ctypes.c_int64 * len(order))(*each) for each in (moves, row_moves)], vectors, rows)
    told = [(step.op, step.dtype.name, step.inputs) for step in steps]
    for slot in order:
        items = memories[slot].view(kinds[slot].numpy)
        expected = read(arrays[slot]) if slot in results else given[slot]
        assert _same(items[1 : 1 + count], expected), f"slot {slot} of {told}: {items[1 : 1 + count]} instead of {expected}"
        size = kinds[slot].itemsize
        outside = np.concatenate([memories[slot][:size], memories[slot][size * (1 + count) :]])
        assert (outside == _GUARD).all(), f"slot {slot} of {told}: it wrote outside of the vectors"


def _guarded(items: np.ndarray[Any, Any] | None, count: int, dtype: DType) -> np.ndarray[Any, Any]:
    """Bytes with guards before and after the items, which begin one item after the beginning: that aligns them as an item is, no better."""
    memory = np.full((count + 2) * dtype.itemsize, _GUARD, np.uint8)
    if items is not None:
        memory[dtype.itemsize : dtype.itemsize * (1 + count)] = np.frombuffer(items.tobytes(), np.uint8)
    return memory


def _same(items: np.ndarray[Any, Any], expected: np.ndarray[Any, Any]) -> bool:
    """Whether bits are equal, but for those that tell one NaN from another."""
    if items.dtype.kind == "f":
        nan = np.isnan(items)
        if not np.array_equal(nan, np.isnan(expected)):
            return False
        items, expected = items[~nan], expected[~nan]
    return items.tobytes() == expected.tobytes()
