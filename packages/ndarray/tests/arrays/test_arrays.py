"""Functions of arrays against NumPy, on whichever backend is chosen."""

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError
from lamina_flatarray.ops import OPS
from lamina_ndarray.dispatch.functions import FUNCTIONS

RNG = np.random.default_rng(0)


def arrays(*shapes, dtype=np.float64):
    made = [RNG.uniform(-2, 2, shape).astype(dtype) for shape in shapes]
    return made, [nd.asarray(a) for a in made]


def same(ours, theirs):
    theirs = np.asarray(theirs)
    assert ours.shape == theirs.shape
    np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-12, atol=1e-12)


def test_every_op_has_a_function():
    """The column of this storey is whole: copies, random fills and updates are spelled otherwise."""
    spelled_otherwise = {"copy", "fill", "arange", "linspace", "total_norm"}
    owed = {name for name, row in OPS.items() if row.family != "random" and row.rule != "update"} - spelled_otherwise
    assert owed <= set(FUNCTIONS)


@pytest.mark.parametrize(
    "shapes", [((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 1), (1, 4)), ((), (2, 3)), ((0, 3), (3,)), ((2, 1, 3), (4, 1))]
)
@pytest.mark.parametrize("op", ["add", "subtract", "multiply", "divide", "maximum", "less", "equal"])
def test_broadcasting(op, shapes):
    (a, b), (x, y) = arrays(*shapes)
    same(FUNCTIONS[op](x, y), getattr(np, op)(a, b))


def test_shapes_that_do_not_broadcast_are_named():
    _, (x, y) = arrays((2, 3), (4, 3))
    with pytest.raises(ShapeError, match=r"add: .*\(2, 3\).*\(4, 3\)"):
        x + y


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("op", ["sum", "prod", "max", "min", "mean", "any", "all"])
def test_reductions(op, axis, keepdims):
    (a,), (x,) = arrays((2, 3, 4))
    same(getattr(nd, op)(x, axis, keepdims), getattr(np, op)(a, axis=axis, keepdims=keepdims))
    turned, back = x.T, a.T
    same(getattr(nd, op)(turned, axis, keepdims), getattr(np, op)(back, axis=axis, keepdims=keepdims))


def test_views_share_memory_and_never_copy():
    base = nd.reshape(nd.arange(24), (2, 3, 4))
    views = [
        base.T, base[1], base[:, 1:, ::2], base[..., None], nd.permute(base, (2, 0, 1)), nd.transpose(base),
        nd.broadcast_to(base[:, :1], (2, 3, 4)), nd.flip(base, 0), nd.reshape(base, (6, 4)), nd.unfold(base, 2, 2, 1),
        nd.diagonal(base), nd.squeeze(base[:1]), nd.unsqueeze(base, 0), *nd.split(base, 2, 1),
    ]  # fmt: skip
    assert all(view.flat is base.flat for view in views)
    base[...] = 7
    assert all((np.asarray(view) == 7).all() for view in views)


def test_a_write_is_counted_through_every_view():
    x = nd.zeros((3, 4))
    view = x.T[1:]
    before = view.flat.version
    x += 1
    view[0] = 5
    assert view.flat.version == before + 2


INDICES = [
    3, -1, slice(1, 3), (slice(None), 2), (Ellipsis, [0, 2]), ([0, 1], slice(None), [1, 1]), (None, 2),
    (slice(None, None, -1), [1, 1, 0]), ([[0, 1], [2, 3]],), (1, [0, 2], slice(1, 4)), ([], [], []),
    (slice(None), [True, False, True, False, True]),
]  # fmt: skip


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_reading_and_writing_at_an_index(index):
    (a,), (x,) = arrays((4, 5, 6))
    expected = (
        a[tuple(map(np.asarray, index)) if index == ([], [], []) else index] if index != ([], [], []) else a[:0, 0, 0]
    )
    same(x[index], expected)
    if expected.size:
        a[index], x[index] = 9, 9
        same(x, a)
        value = RNG.normal(size=expected.shape)
        a[index], x[index] = value, nd.asarray(value)
        same(x[(0,)], a[0])


def test_masks():
    (a,), (x,) = arrays((4, 5))
    same(x[x > 0], a[a > 0])
    x[x > 0] = 0
    a[a > 0] = 0
    same(x, a)


def test_an_assignment_between_overlapping_parts_reads_before_it_writes():
    x = nd.arange(6)
    x[1:] = x[:-1]
    assert x.tolist() == [0, 0, 1, 2, 3, 4]
    x += nd.flip(x, 0)
    assert x.tolist() == [4, 3, 3, 3, 3, 4]


def test_indices_outside_are_refused():
    x = nd.zeros((3, 4))
    for index in (3, (0, -5), [0, 7], (slice(None), [4])):
        with pytest.raises(IndexOutOfRange, match="out of bounds"):
            x[index]


@pytest.mark.parametrize(
    "shapes",
    [
        ((3, 4), (4, 5)),
        ((4,), (4,)),
        ((4,), (4, 5)),
        ((3, 4), (4,)),
        ((2, 3, 4), (4, 5)),
        ((2, 1, 3, 4), (5, 4, 2)),
        ((0, 4), (4, 2)),
        ((3, 0), (0, 2)),
    ],
)
def test_matmul(shapes):
    (a, b), (x, y) = arrays(*shapes)
    same(x @ y, a @ b)
    same(nd.matmul(x.T.T, nd.copy(y)), a @ b)


def test_matmul_names_the_lengths_that_differ():
    _, (x, y) = arrays((2, 3), (4, 5))
    with pytest.raises(ShapeError, match=r"\(2, 3\).*\(4, 5\).*inner length, 3 against 4"):
        x @ y


def test_integers_are_divided_into_the_default_dtype_and_never_into_float64():
    x = nd.asarray([1, 2])
    assert (x / 2).dtype is nd.float32
    assert (x * 2.0).dtype is nd.float32
    assert nd.asarray([1.5]).dtype is nd.float32
    assert nd.sin(x).dtype is nd.float32


def test_out():
    _, (x, y) = arrays((3, 4), (3, 4))
    out = nd.empty((3, 4), dtype="float64")
    assert nd.add(x, y, out=out) is out
    same(out, np.asarray(x) + np.asarray(y))
    with pytest.raises(ShapeError, match=r"add: output with shape \(4, 3\) doesn't match the broadcast shape \(3, 4\)"):
        nd.add(x, y, out=nd.empty((4, 3), dtype="float64"))
    with pytest.raises(DTypeError, match="can't be cast"):
        nd.divide(x, y, out=nd.empty((3, 4), dtype="int64"))
    with pytest.raises(ShapeError, match="more than one element"):
        nd.add(x, y, out=nd.broadcast_to(nd.empty((1, 4), dtype="float64"), (3, 4)))


def test_numpy_operands_stay_arrays():
    """NumPy's scalars and arrays do not swallow ours."""
    x = nd.ones((2,))
    for made in (np.float64(2) * x, np.ones(2, np.float32) * x, x + np.float32(1), np.int64(3) - x):
        assert type(made) is nd.NDArray
    assert (np.float64(2) * x).dtype is nd.float32


def test_numpy_memory_is_shared_both_ways():
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    for view in (a, a.T, a[::-1], a[:, 1::2], a[::-1, ::-1].T):
        x = nd.from_numpy(view)
        assert (np.asarray(x) == view).all()
        assert np.shares_memory(x.numpy(), a)


def test_reduced_axes_without_items():
    x = nd.zeros((0, 3))
    assert nd.sum(x, 0).tolist() == [0, 0, 0]
    with pytest.raises(ShapeError, match="no identity"):
        nd.max(x, 0)
    assert nd.max(x, 1).shape == (0,)


def test_gather_scatter_concat_sort():
    (a,), (x,) = arrays((3, 5))
    places = RNG.integers(0, 3, (2, 5))
    same(nd.gather(x, nd.asarray(places), 0), np.take_along_axis(a, places, 0))
    same(nd.concat([x, x], 1), np.concatenate([a, a], 1))
    same(nd.stack([x, x], 2), np.stack([a, a], 2))
    values, positions = nd.order(x, 1)
    same(values, np.sort(a, 1))
    assert (np.asarray(positions) == np.argsort(a, 1, kind="stable")).all()


def test_arrays_without_items_of_shapes_that_numpy_has_not():
    x = nd.broadcast_to(nd.zeros((0, 1)), (0, 2**62))
    assert x.tolist() == [] and nd.zeros((2, 3, 0)).tolist() == [[[], [], []]] * 2
    with pytest.raises(ShapeError, match=r"numpy: NumPy has no array of shape \(0, 4611686018427387904\)"):
        np.asarray(x)


def test_more_rows_than_memory_has_room_for():
    with pytest.raises(ShapeError, match="more than memory has room for"):
        nd.linalg.pivots_to_permutation(nd.asarray([2, 2], dtype=nd.int32), 2**63 - 1)


def test_windows_without_a_step_and_pivots_without_a_row():
    x = nd.zeros((1, 1, 4))
    for stride, padding, dilation in (((0,), (0,), (1,)), ((1,), (0,), (0,)), ((1,), (-1,), (1,)), ((-1,), (0,), (1,))):
        with pytest.raises(ShapeError, match="sliding_windows: stride"):
            nd.sliding_windows(x, (2,), stride, padding, dilation)
        with pytest.raises(ShapeError, match="overlap_add: stride"):
            nd.overlap_add(nd.zeros((1, 1, 2, 3)), (4,), stride, padding, dilation)
    for pivots in (nd.ones((4,), dtype=nd.int32), nd.ones((2, 4), dtype=nd.int32)):
        with pytest.raises(ShapeError, match="pivots given: 4, rows: 3"):
            nd.linalg.pivots_to_permutation(pivots, 3)


def test_ranges_of_the_smallest_steps():
    assert nd.arange(1, 0, 5e-324).shape == nd.arange(0, 1, -5e-324).shape == (0,)
    for stop, step in ((1, 5e-324), (1e308, 0.5), (2**63, 1)):
        with pytest.raises(ShapeError, match=r"^arange: from 0 to .*: invalid size, possible overflow"):
            nd.arange(0, stop, step)


def test_more_chunks_of_nothing_than_a_tuple_holds():
    for chunk in (nd.chunk, nd.unsafe_chunk):
        assert len(chunk(nd.zeros((0,)), 3)) == 3 and len(chunk(nd.zeros((4,)), 2**64)) == 4
        with pytest.raises(RuntimeError, match="chunk: 18446744073709551616 chunks of no items given"):
            chunk(nd.zeros((0,)), 2**64)


def test_convolutions_of_no_groups_and_gradients_of_no_axes():
    x, w = nd.zeros((1, 1, 4)), nd.zeros((1, 1, 2))
    for stride, groups, words in (((1,), 0, "non-positive groups"), ((1,), -1, "non-positive groups"), ((0,), 1, "non-positive stride")):
        with pytest.raises(ShapeError, match=words):
            nd.convolution(x, w, None, stride=stride, padding=(0,), dilation=(1,), groups=groups)
    with pytest.raises(IndexOutOfRange, match="gradient: Dimension specified as 0 but tensor has no dimensions"):
        nd.gradient(nd.asarray(16.0), axis=0)
    assert nd.gradient(nd.asarray(16.0)) == ()
    with pytest.raises(IndexOutOfRange, match="unstack: Dimension specified as 0"):
        nd.unstack(nd.asarray(1))
