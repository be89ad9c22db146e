"""Chapter 2: layouts, beside those of lamina's own arrays over the same memory."""

from __future__ import annotations

from itertools import product
from math import prod
from random import Random
from typing import Any, Final

import lamina_ndarray as nd

from ..expecting import expect, expect_error
from ..learner import Stack
from ..marking import Checks

__all__ = ["CHECKS"]

Shape = tuple[int, ...]


def _shapes(chance: Random, count: int) -> list[Shape]:
    """Shapes to try: a plain one first, then others, with lengths of 1 among them."""
    return [(2, 3), *(tuple(chance.choice((1, 2, 3, 4)) for _ in range(chance.randrange(1, 5))) for _ in range(count))]


def _array(shape: Shape, strides: Shape, offset: int) -> Any:
    """lamina's array of that layout, over memory that is large enough."""
    reach = offset + sum((length - 1) * max(stride, 0) for length, stride in zip(shape, strides, strict=True)) + 1
    return nd.NDArray(nd.arange(max(reach, 1)).flat, nd.Layout.of(shape, strides, offset))


def _somewhere(chance: Random, shape: Shape) -> Any:
    """An array of this shape whose axes lie in any order, with gaps, not at the start of its memory."""
    order = chance.sample(range(len(shape)), len(shape))
    strides, step = [0] * len(shape), 1 + chance.randrange(2)
    for axis in order:
        strides[axis] = step
        step *= shape[axis] + chance.randrange(2)
    return _array(shape, tuple(strides), chance.randrange(6))


def _layout(stack: Stack, array: Any) -> Any:
    """Our layout as one of the learner's."""
    return stack.strides.Layout(tuple(array.layout.shape), tuple(array.layout.strides), array.layout.offset)


def _walk(array: Any) -> list[int]:
    """The places that an array reads, in the order in which one reads: its memory holds 0, 1, 2, ..."""
    return [int(item) for item in nd.reshape(array, (-1,)).tolist()]


def a_product_of_lengths(stack: Stack) -> None:
    """A shape has as many items as lamina's array of that shape."""
    for shape in ((2, 3), (7,), (), (4, 0), (0,), *_shapes(Random(1), 10)):
        wrong = {"lengths are multiplied, not added": sum(shape), "0 times anything is 0: begin with one item": 0}
        expect(f"size_of({shape})", stack.strides.size_of(shape), nd.Layout.dense(shape).size, wrong)


def strides_of_lamina(stack: Stack) -> None:
    """The strides are those of a new array in lamina; the offset is 0."""
    for shape in ((2, 3), (5,), (), (2, 3, 4), *_shapes(Random(2), 15)):
        layout = stack.strides.row_major(shape)
        dense = nd.Layout.dense(shape)
        first = tuple(prod(shape[:axis]) for axis in range(len(shape)))
        expect(
            f"row_major({shape}).strides", layout.strides, dense.strides,
            {
                "the first axis runs fastest here, and the last one should": first,
                "these are the lengths of axes: a stride is how far one step goes": shape,
                "each stride skips its own axis, too: it is the product of the lengths behind it": tuple(
                    s * n for s, n in zip(dense.strides, shape, strict=True)
                ),
            }, drawing=nd.explain_layout(_array(shape, dense.strides, 0)),
        )  # fmt: skip
        expect(f"row_major({shape}).offset", layout.offset, 0)


def every_index(stack: Stack) -> None:
    """Each index leads to the place that lamina reads for it: with gaps, transposed, and not from the start of memory."""
    chance = Random(3)
    for array in (_array((2, 3), (3, 1), 0), _array((2, 3), (3, 1), 5), *(_somewhere(chance, shape) for shape in _shapes(chance, 10))):
        layout = _layout(stack, array)
        for index, wanted in zip(product(*map(range, layout.shape)), _walk(array), strict=True):
            wrong = {
                "the offset was left out": wanted - layout.offset,
                "the strides are for the other order of axes": layout.offset
                + sum(i * s for i, s in zip(index, layout.strides[::-1], strict=True)),
            }
            expect(f"place({layout}, {index})", stack.strides.place(layout, index), wanted, wrong)


def backwards_and_in_place(stack: Stack) -> None:
    """A stride may be negative, which reads backwards, or 0, which reads one place again and again."""
    Layout = stack.strides.Layout
    expect("place(Layout((4,), (-1,), 3), (1,))", stack.strides.place(Layout((4,), (-1,), 3), (1,)), 2)
    expect("place(Layout((4, 2), (0, 1), 7), (3, 1))", stack.strides.place(Layout((4, 2), (0, 1), 7), (3, 1)), 8)


def in_reading_order(stack: Stack) -> None:
    """All places that lamina reads, in its order."""
    chance = Random(4)
    for array in (_array((2, 3), (3, 1), 0), _array((2, 3), (1, 2), 5), *(_somewhere(chance, shape) for shape in _shapes(chance, 10))):
        layout = _layout(stack, array)
        wanted = _walk(array)
        wrong = {
            "these are the places in the order of memory: the order of reading is that of the indices": sorted(wanted),
            "the offset was left out": [p - layout.offset for p in wanted],
            "the first axis runs fastest here, and the last one should": _walk(nd.permute_dims(array, range(array.ndim)[::-1])),
        }
        expect(f"places({layout})", stack.strides.places(layout), wanted, wrong, drawing=nd.explain_layout(array))


def no_axes_and_no_items(stack: Stack) -> None:
    """A layout without axes reads one place; one with an axis of length 0 reads none."""
    Layout = stack.strides.Layout
    expect("places(Layout((), (), 4))", stack.strides.places(Layout((), (), 4)), [4], {"without axes there is still one item": []})
    expect("places(Layout((2, 0), (1, 1)))", stack.strides.places(Layout((2, 0), (1, 1))), [])


def strides_go_along(stack: Stack) -> None:
    """Shape and strides are put into the same order, and the offset stays."""
    chance = Random(5)
    cases = [(_array((2, 3), (3, 1), 0), (1, 0)), (_array((2, 3, 4), (12, 4, 1), 7), (2, 0, 1))]
    for shape in _shapes(chance, 15):
        cases.append((_somewhere(chance, shape), tuple(chance.sample(range(len(shape)), len(shape)))))
    for array, axes in cases:
        layout, turned = _layout(stack, array), nd.permute_dims(array, axes)
        back = tuple(axes.index(axis) for axis in range(len(axes)))
        Layout, wanted = type(layout), _layout(stack, turned)
        expect(
            f"transposed({layout}, {axes})", stack.strides.transposed(layout, axes), wanted,
            {
                "the strides stayed where they were: an axis takes its stride along": Layout(wanted.shape, layout.strides, layout.offset),
                "the strides are those of a new array: a view keeps the strides that it had": Layout(
                    wanted.shape, nd.Layout.dense(wanted.shape).strides, layout.offset
                ),
                "the offset was left out": Layout(wanted.shape, wanted.strides, 0),
                "axis i of the result is axis `axes[i]` of what was given, and not the other way round": _layout(
                    stack, nd.permute_dims(array, back)
                ),
            }, drawing=nd.explain_layout(turned),
        )  # fmt: skip


def one_index_of_an_axis(stack: Stack) -> None:
    """Selecting is lamina's `x[..., index, ...]`: an axis less, from another offset."""
    chance = Random(6)
    cases = [(_array((2, 3), (3, 1), 0), 0, 1), (_array((2, 3), (3, 1), 4), 1, 0), (_array((2, 3), (3, 1), 4), 1, -1)]
    for shape in _shapes(chance, 15):
        axis = chance.randrange(len(shape))
        cases.append((_somewhere(chance, shape), axis, chance.randrange(-shape[axis], shape[axis])))
    for array, axis, index in cases:
        layout = _layout(stack, array)
        part = array[(*[slice(None)] * axis, index)]
        wanted = _layout(stack, part)
        Layout, stride = type(layout), layout.strides[axis]
        expect(
            f"selected({layout}, {axis}, {index})", stack.strides.selected(layout, axis, index), wanted,
            {
                "the offset was ignored: the part begins `index` steps along the axis from where the whole does": Layout(
                    wanted.shape, wanted.strides, wanted.offset - layout.offset
                ),
                "the offset moves by `index` strides of the axis, and not by `index`": Layout(
                    wanted.shape, wanted.strides, layout.offset + index % layout.shape[axis]
                ),
                "the part begins where the whole does": Layout(wanted.shape, wanted.strides, layout.offset),
                "a negative index counts from the end": Layout(wanted.shape, wanted.strides, layout.offset + index * stride),
            }, drawing=nd.explain_layout(part),
        )  # fmt: skip


def an_index_outside(stack: Stack) -> None:
    """An axis of length 3 has the indices -3 to 2."""
    layout = stack.strides.Layout((2, 3), (3, 1), 3)
    for index in (3, -4):
        beyond = "memory may well go on there, but that is another row"
        expect_error(f"selected({layout}, 1, {index})", IndexError, beyond, stack.strides.selected, layout, 1, index)


def as_lists_are_sliced(stack: Stack) -> None:
    """A slice is lamina's `x[start:stop:step]`: another length, stride and offset; negative steps, too."""
    chance = Random(7)
    ten = _array((10,), (1,), 0)
    cases: list[Any] = [
        (ten, 0, 2, 5, 1), (_array((10,), (2,), 3), 0, 2, 5, 1), (ten, 0, 0, 10, 3), (ten, 0, None, None, -1),
        (_array((4, 6), (6, 1), 2), 1, 1, 6, 2), (_array((4, 6), (6, 1), 2), 0, -3, None, 1),
    ]  # fmt: skip
    for shape in _shapes(chance, 25):
        start, stop = (chance.choice((None, *range(-5, 6))) for _ in range(2))
        cases.append((_somewhere(chance, shape), chance.randrange(len(shape)), start, stop, chance.choice((1, 1, 2, 3, -1, -2))))
    for array, axis, start, stop, step in cases:
        layout = _layout(stack, array)
        part = array[(*[slice(None)] * axis, slice(start, stop, step))]
        wanted, came = _layout(stack, part), stack.strides.sliced(layout, axis, start, stop, step)
        asked = f"sliced({layout}, {axis}, {start}, {stop}, {step})"
        if 0 in wanted.shape:
            expect(f"{asked}.shape", came.shape, wanted.shape)
            moved = {"there is no index to move to: of nothing, the offset stays": came.offset}
            expect(f"{asked}.offset", came.offset, layout.offset, moved)
            continue
        Layout = type(layout)
        one_step = (*wanted.strides[:axis], layout.strides[axis], *wanted.strides[axis + 1 :])
        first = range(*slice(start, stop, step).indices(layout.shape[axis])).start
        wanted = Layout(wanted.shape, (*wanted.strides[:axis], step * layout.strides[axis], *wanted.strides[axis + 1 :]), wanted.offset)
        expect(
            asked, came, wanted,
            {
                "the offset was ignored: a slice begins at its `start`": Layout(wanted.shape, wanted.strides, layout.offset),
                "the offset of what was sliced was left out": Layout(wanted.shape, wanted.strides, wanted.offset - layout.offset),
                "the stride stayed: with every `step`-th index, one step goes `step` times as far": Layout(
                    wanted.shape, one_step, wanted.offset
                ),
                "the offset moves by `start` strides of the axis, and not by `start`": Layout(
                    wanted.shape, wanted.strides, layout.offset + first
                ),
            }, drawing=nd.explain_layout(part),
        )  # fmt: skip


def as_lamina_says(stack: Stack) -> None:
    """Transposes, gaps and parts are told from what lies well, as lamina tells them."""
    chance = Random(8)
    plain: list[tuple[Shape, Shape, int]] = [
        ((2, 3), (3, 1), 0), ((2, 3), (3, 1), 9), ((2, 3), (4, 1), 0), ((3, 2), (1, 3), 0), ((4,), (2,), 0)
    ]  # fmt: skip
    cases = [_array(*case) for case in plain] + [_somewhere(chance, shape) for shape in _shapes(chance, 30)]
    for array in cases:
        layout = _layout(stack, array)
        came, wanted = stack.strides.is_row_major(layout), array.layout.contiguous
        if not wanted:
            why = "there are gaps, or another order"
        elif 1 in layout.shape:
            why = "nobody takes a step along an axis of length 1: its stride does not count"
        else:
            why = "where the first item lies does not matter, only how the others follow it"
        expect(f"is_row_major({layout})", came, wanted, {why: not wanted})


def lengths_of_one_and_zero(stack: Stack) -> None:
    """The stride of an axis of length 1 tells nothing; of no items, all lie well."""
    Layout = stack.strides.Layout
    nobody = {"nobody takes a step along an axis of length 1: its stride does not count": False}
    for layout in (Layout((1, 3), (99, 1), 2), Layout((2, 1, 3), (3, 50, 1), 0), Layout((1,), (0,), 0)):
        expect(f"is_row_major({layout})", stack.strides.is_row_major(layout), True, nobody)
    empty = Layout((0, 3), (1, 7), 0)
    expect(f"is_row_major({empty})", stack.strides.is_row_major(empty), True, {"there is no item that could lie badly": False})


def other_shapes(stack: Stack) -> None:
    """The same items in the same order, wherever they begin."""
    for shape, other, offset in (((6,), (2, 3), 0), ((2, 6), (3, 4), 5), ((2, 3, 4), (24,), 2), ((4,), (2, 1, 2), 1), ((1,), (), 3)):
        array = _array(shape, nd.Layout.dense(shape).strides, offset)
        layout, view = _layout(stack, array), nd.reshape(array, other)
        wanted = _layout(stack, view)
        wrong = {"the offset was left out: the items begin where they did": type(wanted)(wanted.shape, wanted.strides, 0)}
        expect(f"reshaped({layout}, {other})", stack.strides.reshaped(layout, other), wanted, wrong, drawing=nd.explain_layout(view))


def what_cannot_be_a_view(stack: Stack) -> None:
    """A transposed layout read as a row would be in another order: that wants a copy. Another number of items fits no memory at all."""
    Layout, reshaped = stack.strides.Layout, stack.strides.reshaped
    order = "the items would come in another order: only a copy has them in this one"
    expect_error("reshaped(Layout((3, 2), (1, 3), 0), (6,))", ValueError, order, reshaped, Layout((3, 2), (1, 3), 0), (6,))
    gaps = "there are gaps between the items, which the new strides would read"
    expect_error("reshaped(Layout((2, 3), (4, 1), 0), (3, 2))", ValueError, gaps, reshaped, Layout((2, 3), (4, 1), 0), (3, 2))
    count = "6 items are no 8 items: the last ones would be somebody else's"
    expect_error("reshaped(Layout((2, 3), (3, 1), 0), (2, 4))", ValueError, count, reshaped, Layout((2, 3), (3, 1), 0), (2, 4))


CHECKS: Final[Checks] = {
    "size_of": (a_product_of_lengths,),
    "row_major": (strides_of_lamina,),
    "place": (every_index, backwards_and_in_place),
    "places": (in_reading_order, no_axes_and_no_items),
    "transposed": (strides_go_along,),
    "selected": (one_index_of_an_axis, an_index_outside),
    "sliced": (as_lists_are_sliced,),
    "is_row_major": (as_lamina_says, lengths_of_one_and_zero),
    "reshaped": (other_shapes, what_cannot_be_a_view),
}
