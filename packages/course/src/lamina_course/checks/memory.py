"""Chapter 1: flat memory, beside lamina's FlatArray and NumPy's reading of the same bytes."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import numpy as np

from lamina_flatarray import DTYPES, FlatArray

from ..expecting import close, expect, expect_error
from ..learner import Stack
from ..marking import Checks

__all__ = ["CHECKS"]

_DTYPES: Final = ("uint8", "int32", "int64", "float32", "float64")


def _numbers(chance: Random, count: int, dtype: str) -> list[Any]:
    whole = [chance.randrange(200) for _ in range(count)]
    return [number / 8 for number in whole] if dtype.startswith("float") else whole  # eighths are exact in both


def all_sizes(stack: Stack) -> None:
    """Each dtype takes as many bytes as lamina's does."""
    for dtype in ("bool", *_DTYPES):
        size = DTYPES[dtype].itemsize
        expect(f"itemsize({dtype!r})", stack.memory.itemsize(dtype), size, {"those are bits, of which a byte has 8": 8 * size})


def offset_is_in_bytes(stack: Stack) -> None:
    """An item begins `offset` bytes from the start, and `index` items further on."""
    chance = Random(1)
    for offset, index in [(0, 1), (8, 0), (8, 2), *((8 * chance.randrange(5), chance.randrange(9)) for _ in range(20))]:
        flat = stack.memory.Flat(bytearray(200), "float32", offset=offset, size=9)
        expect(
            f"Flat(memory, 'float32', offset={offset}, size=9).position({index})", flat.position(index), offset + 4 * index,
            {
                "the offset was left out: memory may begin before the first item": 4 * index,
                "the offset was counted in items, and it is in bytes": 4 * (offset + index),
                "the index was counted in bytes, and an item takes several": offset + index,
            },
        )  # fmt: skip


def nothing_outside(stack: Stack) -> None:
    """Before the first item and behind the last one there is nothing to find."""
    flat = stack.memory.Flat(bytearray(64), "float64", offset=16, size=3)
    for index in (3, -1, 4, -3):
        before = "a negative index would reach what lies before this array, as here nobody counts from the end"
        behind = "the memory goes on there, but it is somebody else's"
        asked = f"Flat(memory of 64 bytes, 'float64', offset=16, size=3).position({index})"
        expect_error(asked, IndexError, before if index < 0 else behind, flat.position, index)


def items_of_numpy(stack: Stack) -> None:
    """Bytes that NumPy wrote are read as the numbers that they are, wherever they begin."""
    chance = Random(2)
    for dtype in _DTYPES:
        for offset in (0, 8, 24):
            values = _numbers(chance, 5, dtype)
            stored = np.array(values, dtype)
            flat = stack.memory.Flat(bytearray(bytes(offset) + stored.tobytes() + bytes(8)), dtype, offset=offset, size=5)
            came = [flat.read(index) for index in range(5)]
            swapped, whole = stored.byteswap().tolist(), np.frombuffer(bytes(offset) + stored.tobytes(), dtype).tolist()[:5]
            expect(
                f"all items of 5 of {dtype} from byte {offset} on", came, values,
                {
                    "the first byte is the lowest here (little-endian); read by memoryview's cast, which knows this machine": swapped,
                    "the offset was ignored: these items are those at the start of the memory": whole,
                },
            )  # fmt: skip


def bytes_of_lamina(stack: Stack) -> None:
    """Items that are written are the bytes that lamina writes; no other byte changes."""
    chance = Random(3)
    for dtype in _DTYPES:
        values, size = _numbers(chance, 4, dtype), DTYPES[dtype].itemsize
        wanted = bytes(FlatArray.from_items(values, dtype).bytes_view())
        memory = bytearray(b"\xaa" * (8 + 4 * size + 8))
        flat = stack.memory.Flat(memory, dtype, offset=8, size=4)
        for index, value in enumerate(values):
            flat.write(index, value)
        at_start = wanted + bytes(memory[4 * size :])
        expect(
            f"memory, after {values} were written as {dtype} from byte 8 on", bytes(memory), b"\xaa" * 8 + wanted + b"\xaa" * 8,
            {"the offset was ignored: the items were written at the start of the memory": at_start},
        )  # fmt: skip


def numbers_are_converted(stack: Stack) -> None:
    """What is written becomes a number of the dtype: whole numbers lose their fraction, booleans are true or false."""
    for dtype, value, wanted in (("int32", 2.75, 2), ("int32", -2.75, -2), ("bool", 5, True), ("float32", 0.1, float(np.float32(0.1)))):
        flat = stack.memory.Flat(bytearray(8), dtype, size=1)
        flat.write(0, value)
        expect(f"{value} written and read as {dtype}", flat.read(0), wanted, {"it was rounded down, and is cut towards 0": -3})


def a_part_begins_later(stack: Stack) -> None:
    """Item 0 of a part is item `start` of the whole; a part of a part, too."""
    chance = Random(4)
    for _ in range(20):
        values = list(range(12))
        whole = stack.memory.Flat(bytearray(np.array(values, np.int32).tobytes()), "int32", size=12)
        start, stop = sorted(chance.sample(range(1, 13), 2))
        part = whole.part(start, stop)
        came = [part.read(index) for index in range(part.size)]
        inner = part.part(1, part.size)
        came_inner = [inner.read(index) for index in range(inner.size)]
        at_start = {"the part begins where the whole does": values[: stop - start]}
        expect(f"the items of part({start}, {stop}) of {values}", came, values[start:stop], at_start)
        expect(
            f"the items of part(1, {part.size}) of that part", came_inner, values[start:stop][1:],
            {"the offset of the part was left out: a part of a part begins where both say": values[1 : stop - start]},
        )  # fmt: skip


def a_part_shares_memory(stack: Stack) -> None:
    """A part is a view: what is written into it is seen in the whole, and the other way round."""
    whole = stack.memory.Flat(bytearray(24), "float64", size=3)
    part = whole.part(1, 3)
    part.write(0, 5.0)
    copied = "the bytes were copied: hand on `self.memory` itself"
    expect("whole.read(1), after whole.part(1, 3).write(0, 5.0)", whole.read(1), 5.0, {copied: 0.0})
    whole.write(2, 7.0)
    expect("part.read(1), after whole.write(2, 7.0)", part.read(1), 7.0, {copied: 0.0})


def same_bytes_other_items(stack: Stack) -> None:
    """Bytes read as another dtype are what NumPy's `view` shows, and the memory is the same."""
    stored = np.array([1.0, -2.5, 3e10])
    memory = bytearray(bytes(8) + stored.tobytes())
    whole = stack.memory.Flat(memory, "float64", offset=8, size=3)
    for dtype in ("int64", "int32", "uint8", "float32"):
        other = whole.read_as(dtype)
        came = [other.read(index) for index in range(other.size)]
        wanted = stored.view(dtype).tolist()
        expect(
            f"[1.0, -2.5, 3e10] of float64, read_as({dtype!r})", came, wanted,
            {
                "the number of items stayed, but items are smaller now": wanted[:3],
                "the offset was left out": np.frombuffer(memory, dtype).tolist()[: len(wanted)],
            }, alike=close,
        )  # fmt: skip
    whole.read_as("uint8").write(7, 0xC0)
    expect("1.0, after read_as('uint8').write(7, 0xC0)", whole.read(0), -65536.0, {"the bytes were copied": 1.0})


def a_rest_is_refused(stack: Stack) -> None:
    """12 bytes are no whole number of float64."""
    flat = stack.memory.Flat(bytearray(12), "float32", size=3)
    left = "4 bytes would be left over, which nobody could reach"
    expect_error("3 of float32, read_as('float64')", ValueError, left, flat.read_as, "float64")


def memory_of_its_own(stack: Stack) -> None:
    """Each call gives new memory, of as many bytes as the items take, all 0."""
    one, other = stack.memory.zeros(4, "float64"), stack.memory.zeros(4, "float64")
    expect("len(zeros(4, 'float64').memory)", len(one.memory), 32, {"that many items take more bytes": 4})
    one.write(0, 1.0)
    expect("other.read(0), after one.write(0, 1.0)", other.read(0), 0.0, {"both are the same memory": 1.0})


def there_and_back(stack: Stack) -> None:
    """Values come back as they were, none of them included."""
    chance = Random(5)
    for dtype in _DTYPES:
        for count in (0, 1, 7):
            values = _numbers(chance, count, dtype)
            flat = stack.memory.flat_of(values, dtype)
            expect(f"the items of flat_of({values}, {dtype!r})", [flat.read(index) for index in range(flat.size)], values)


CHECKS: Final[Checks] = {
    "itemsize": (all_sizes,),
    "Flat.position": (offset_is_in_bytes, nothing_outside),
    "Flat.read": (items_of_numpy,),
    "Flat.write": (bytes_of_lamina, numbers_are_converted),
    "Flat.part": (a_part_begins_later, a_part_shares_memory),
    "Flat.read_as": (same_bytes_other_items, a_rest_is_refused),
    "zeros": (memory_of_its_own,),
    "flat_of": (there_and_back,),
}
