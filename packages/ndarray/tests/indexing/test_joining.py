"""Joining and splitting against NumPy."""

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, ArgumentValueError, DTypeError, IndexOutOfRange, ShapeError, UsageError


def same(ours, theirs):
    theirs = np.asarray(theirs)
    assert ours.shape == theirs.shape
    assert ours.dtype.name == theirs.dtype.name
    assert ours.tolist() == theirs.tolist()


SHAPES = [[(2, 3), (2, 3)], [(3,), (3,)], [(2, 3, 4)], [(), ()], [(2, 0), (2, 3)]]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("name", ["hstack", "vstack", "dstack", "column_stack"])
def test_stacks_are_numpys(name, shapes):
    arrays = [np.arange(np.prod(s, dtype=int)).reshape(s) + 100 * i for i, s in enumerate(shapes)]
    try:
        expected = getattr(np, name)(arrays)
    except ValueError:
        with pytest.raises(ShapeError):
            getattr(nd, name)([nd.asarray(a) for a in arrays])
        return
    same(getattr(nd, name)([nd.asarray(a) for a in arrays]), expected)


def test_concat_promotes_and_takes_any_layout():
    a, b = np.arange(6).reshape(2, 3), np.arange(6.0).reshape(3, 2).T
    same(nd.concat([nd.asarray(a), nd.asarray(b.T.copy()).T], 1), np.concatenate([a, b], 1))
    same(nd.concat([nd.asarray(a), nd.asarray(a)], None), np.concatenate([a, a], None))
    same(nd.concat([nd.zeros(0, dtype="int64"), nd.asarray(a)]), a)
    same(nd.stack([nd.asarray(a)] * 2, -1), np.stack([a, a], -1))
    for bad, error in (([], ArgumentValueError), ([nd.zeros(2), None], TypeError), (nd.zeros(2), DTypeError)):
        with pytest.raises(error):
            nd.concat(bad)


def test_block_diag():
    made = nd.block_diag(nd.ones((1, 2), dtype="int64"), nd.asarray([2.5]), nd.asarray(3), nd.zeros((2, 0)))
    assert made.tolist() == [[1, 1, 0, 0], [0, 0, 2.5, 0], [0, 0, 0, 3], [0] * 4, [0] * 4]
    with pytest.raises(ShapeError):
        nd.block_diag(nd.zeros((1, 1, 1)))


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("parts", [1, 2, 3, 7, [1, 3], [2, 2], [5, 1], [-2, 9], []], ids=str)
def test_tensor_split_is_array_split(parts, axis):
    a = np.arange(24).reshape(4, 6)
    ours, theirs = nd.tensor_split(nd.asarray(a), parts, axis), np.array_split(a, parts, axis)
    assert len(ours) == len(theirs)
    for o, t in zip(ours, theirs, strict=True):
        same(o, t)


@pytest.mark.parametrize("name", ["hsplit", "vsplit", "dsplit"])
@pytest.mark.parametrize("parts", [2, [1], [1, 3]], ids=str)
def test_even_splits_are_numpys(name, parts):
    a = np.arange(64).reshape(4, 4, 4)
    for o, t in zip(getattr(nd, name)(nd.asarray(a), parts), getattr(np, name)(a, parts), strict=True):
        same(o, t)
    with pytest.raises(ShapeError):
        getattr(nd, name)(nd.asarray(a), 3)


def test_sizes_of_pieces():
    x = nd.arange(10)
    shapes = lambda parts: [p.shape[0] for p in parts]
    assert shapes(nd.split(x, 4)) == [4, 4, 2]
    assert shapes(nd.split(x, (3, 0, 7))) == [3, 0, 7]
    assert shapes(nd.split(x[:0], 3)) == [0]
    assert shapes(nd.chunk(x, 4)) == [3, 3, 3, 1]
    assert shapes(nd.chunk(x, 20)) == [1] * 10
    assert shapes(nd.chunk(x[:0], 3)) == [0, 0, 0]
    assert [p.tolist() for p in nd.unbind(nd.reshape(x, (2, 5)), 1)][2] == [2, 7]
    for call, error in (
        (lambda: nd.split(x, 0), ShapeError),
        (lambda: nd.split(x, -1), ShapeError),
        (lambda: nd.split(x, [3, 3]), ShapeError),
        (lambda: nd.split(x, [-1, 11]), ShapeError),
        (lambda: nd.split(x, 2, 1), IndexOutOfRange),
        (lambda: nd.split(nd.zeros(()), 1), ShapeError),
        (lambda: nd.chunk(x, 0), UsageError),
        (lambda: nd.tensor_split(x, 0), UsageError),
        (lambda: nd.tensor_split(x, nd.zeros(2)), UsageError),
        (lambda: nd.narrow(x, 0, nd.zeros(()), 1), UsageError),
        (lambda: nd.hsplit(x, "2"), ArgumentTypeError),
        (lambda: nd.stack([]), UsageError),
        (lambda: nd.unbind(nd.zeros(())), IndexOutOfRange),
    ):
        with pytest.raises(error):
            call()


def test_constant_pad():
    a = np.arange(6).reshape(2, 3)
    x = nd.asarray(a)
    same(nd.constant_pad(x, (1, 2, 3, 0), 7), np.pad(a, ((3, 0), (1, 2)), constant_values=7))
    same(nd.constant_pad(x, (-1, 1)), [[1, 2, 0], [4, 5, 0]])
    same(nd.constant_pad(x, (-1, -2, 1, 0)), np.zeros((3, 0), int))
    same(nd.constant_pad(x, ()), a)
    assert nd.constant_pad(x, ()).flat is not x.flat
    for call, error in (
        (lambda: nd.constant_pad(x, (1,)), ShapeError),
        (lambda: nd.constant_pad(x, (1,) * 6), ShapeError),
        (lambda: nd.constant_pad(x, (-2, -2)), ShapeError),
        (lambda: nd.constant_pad(x, (1, 1), 1j), DTypeError),
    ):
        with pytest.raises(error):
            call()
