"""Which layouts share items, by the equation and by looking at each item."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import lamina_ndarray as nd
from lamina_flatarray.instruments import count_ops
from lamina_ndarray.layouts import overlap
from lamina_ndarray.layouts.layout import Layout


@st.composite
def any_layout(draw: st.DrawFn) -> Layout:
    shape = draw(st.lists(st.integers(0, 5), max_size=4))
    strides = [draw(st.integers(-12, 12)) for _ in shape]
    lowest = sum((n - 1) * s for n, s in zip(shape, strides, strict=True) if s < 0 < n)
    return Layout.of(shape, strides, draw(st.integers(0, 60)) - min(lowest, 0))


def items(layout: Layout) -> list[int]:
    places = itertools.product(*map(range, layout.shape))
    return [layout.offset + sum(i * s for i, s in zip(at, layout.strides, strict=True)) for at in places]


@settings(max_examples=400)
@given(any_layout())
def test_overlaps_as_the_items_do(layout: Layout) -> None:
    touched = items(layout)
    assert layout.overlaps == (len(set(touched)) < len(touched))


@settings(max_examples=400)
@given(any_layout(), any_layout(), st.integers(-5, 5))
def test_shares_items_as_numpy_finds(a: Layout, b: Layout, shift: int) -> None:
    theirs = {at + shift for at in items(b)}
    assert a.shares_items(b, shift) == bool(theirs & set(items(a)))


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 6)), max_size=4), st.integers(-5, 300))
def test_solvable_as_by_trying_all(terms: list[tuple[int, int]], total: int) -> None:
    sums = {sum(c * x for (c, _), x in zip(terms, xs, strict=True)) for xs in
            itertools.product(*[range(n + 1) for _, n in terms])}
    assert overlap.solvable(total, terms) == (total in sums)


def test_two_interleaved_dims_of_any_length_are_decided() -> None:
    n = 10**9
    assert not Layout.of((n, 2), (2, 2 * n + 1)).overlaps
    assert not Layout.of((n, n), (n, n + 1)).shares_items(Layout.of((1,), (1,), 5))
    assert not Layout.of((n, n), (n, n + 1)).overlaps  # n + 1 steps of n are n of n + 1: one too long
    assert Layout.of((n + 2, n + 1), (n, n + 1)).overlaps
    even, odd = Layout.dense((2 * n,)).slice(0, 0, None, 2), Layout.dense((2 * n,)).slice(0, 1, None, 2)
    assert not even.shares_items(odd)
    assert even.shares_items(odd.slice(0, None, None, 1), shift=1)


def test_work_is_bounded_and_then_errs_on_the_safe_side() -> None:
    awkward = [(10**6 + p, 10**5) for p in (3, 33, 37, 39, 81, 99)]
    assert overlap.solvable(3 * 10**11 + 1, awkward, work=10) is None
    wild = Layout.of((200,) * 5, [c for c, _ in awkward[:5]])
    assert wild.overlaps  # whatever it is, it comes back, and soon
    assert not Layout.of((0, *(200,) * 5), [1, *[c for c, _ in awkward[:5]]]).overlaps


def test_sharing_agrees_with_numpy_on_its_own_views() -> None:
    memory = np.arange(60)
    views = [memory[::2], memory[1::2], memory[::-3], memory[5:50:5], memory.reshape(6, 10)[:, 3],
             memory.reshape(6, 10)[::2, 4:6].T, memory[20:20]]
    layouts = [Layout.of(v.shape, [s // 8 for s in v.strides], (v.ctypes.data - memory.ctypes.data) // 8)
               for v in views]
    for (v, a), (w, b) in itertools.product(zip(views, layouts, strict=True), repeat=2):
        assert a.shares_items(b) == np.shares_memory(v, w)


def test_in_place_ops_copy_only_what_they_overwrite() -> None:
    with_items = nd.arange(10)
    with count_ops() as counts:
        nd.add(with_items[::2], with_items[1::2], out=with_items[::2])
    assert counts == {"add": 1}
    assert with_items.tolist() == [1, 1, 5, 3, 9, 5, 13, 7, 17, 9]
    with count_ops() as counts:
        nd.add(with_items[1:], with_items[:-1], out=with_items[1:])
    assert counts == {"copy": 1, "add": 1}
    assert with_items.tolist() == [1, 2, 6, 8, 12, 14, 18, 20, 24, 26]
