"""Walks: axes that can be joined are, every item is visited once, and rare layouts of many axes are split."""

from itertools import product

import numpy as np
import pytest

from lamina_backend_cuda.ops.walks import AXES, dense, walks


def visited(shape, strides, ordered=False):
    """The places of each operand's items, as a kernel goes through them."""
    places = []
    for walk in walks(shape, strides, ordered):
        axes = walk.values[1]
        lengths = walk.values[3 : 3 + axes]
        steps = [walk.values[3 + AXES * (1 + k) :][:axes] for k in range(len(strides))]
        for at in product(*map(range, lengths)):
            places.append(tuple(b + sum(i * s for i, s in zip(at, own, strict=True)) for b, own in zip(walk.begins, steps, strict=True)))
    return places


def expected(shape, strides):
    return [tuple(sum(i * s for i, s in zip(at, own, strict=True)) for own in strides) for at in product(*map(range, shape))]


@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3), (4, 1, 3), (2, 3, 4, 5), (2,) * 10])
@pytest.mark.parametrize("ordered", [False, True])
def test_every_item_is_visited_once(shape, ordered):
    ndim = len(shape)
    mixed = tuple(int(s) for s in np.random.default_rng(0).permutation(np.arange(1, ndim + 1)) * 7)
    strides = (dense(shape), dense(shape[::-1])[::-1], mixed, (0,) * ndim, tuple(-s for s in dense(shape)))
    found, wanted = visited(shape, strides, ordered), expected(shape, strides)
    assert found == wanted if ordered else sorted(found) == sorted(wanted)


def test_nothing_is_launched_for_no_items():
    assert walks((3, 0), ((0, 1),)) == ()


def test_rows_without_gaps_are_one_axis():
    (walk,) = walks((4, 5, 6), (dense((4, 5, 6)),) * 2)
    assert walk.dense and walk.values[:4] == (120, 1, 1, 120)
    (turned,) = walks((4, 5), ((1, 4), (1, 4)))
    assert turned.dense
    (kept,) = walks((4, 5), ((1, 4), (1, 4)), True)
    assert not kept.dense


def test_more_axes_than_a_kernel_walks_are_split():
    shape = (2,) * 10
    strides = (tuple(3**i for i in range(10)),)
    split = walks(shape, strides, True)
    assert len(split) == 4 and all(walk.size == 256 for walk in split)


def test_indices_are_narrow_where_they_fit():
    assert walks((2**31 - 1,), ((1,),))[0].values[2] == 1
    assert walks((2**31,), ((1,),))[0].values[2] == 0
