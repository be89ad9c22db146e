"""Batches: one kernel call for all slices, and the same numbers as slice by slice."""

import dataclasses
import gc

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray import DeviceError, OpNotImplemented, ShapeError, count_ops
from lamina_flatarray.ops import OPS
from lamina_flatarray.ops.op import BATCHING
from lamina_ndarray.batching import all_slices, enter, innermost, kernels, leave, levels_of, on_all_slices, opened

X = np.arange(24.0).reshape(2, 3, 4) / 7 - 1


def array(values):
    return nd.asarray(values.tolist(), dtype=nd.float64)


def mapped(function, *arrays, axes=0, out=0):
    """A function over slices of its arguments, by batches."""
    axes = (axes,) * len(arrays) if isinstance(axes, int) else axes
    length = next(a.shape[d] for a, d in zip(arrays, axes, strict=True) if d is not None)
    with opened(length) as level:
        inside = [a if d is None else enter(a, d, level) for a, d in zip(arrays, axes, strict=True)]
        return leave(function(*inside), out, level)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("out", [0, 1, 2])
def test_in_and_out_moves_an_axis_without_a_copy(axis, out):
    x = array(X)
    with count_ops() as counts:
        y = mapped(lambda b: b, x, axes=axis, out=out)
    assert not counts
    assert y.tolist() == np.moveaxis(X, axis, out).tolist()
    assert y.flat.memory is x.flat.memory


FUNCTIONS = {
    "map": lambda x: nd.sin(x) * 2 + x,
    "reduce": lambda x: nd.sum(x, 0) - nd.max(x, -1, keepdims=True),
    "argmax": lambda x: nd.argmax(x, 1),
    "scan": lambda x: nd.cumsum(x, -1),
    "softmax": lambda x: nd.softmax(x, 0),
    "matmul": lambda x: nd.matmul(x, nd.transpose(x, 0, 1)),
    "sort": lambda x: nd.sort(x, 0, descending=True),
    "view": lambda x: nd.transpose(x, 0, 1)[::2, 1],
    "index": lambda x: x[[0, -1, 0], 1:],
    "gather": lambda x: nd.gather(x, nd.argsort(x, 1), 1),
    "concat": lambda x: nd.concat([x, nd.ones((1, x.shape[1]), dtype=nd.float64)], 0),
    "where": lambda x: nd.where(x > 0, x, 0.0),
    "cast": lambda x: nd.astype(x, nd.int32) + nd.astype(x, nd.float32),
    "arange": lambda x: nd.arange(3, dtype=nd.float64) * x[0, 0],
    "fft": lambda x: nd.abs(nd.fft.rfft(x)),
    "solve": lambda x: nd.linalg.solve(nd.matmul(x, nd.transpose(x, 0, 1)) + nd.eye(x.shape[0], dtype=nd.float64) * 9, x),
    "written in place": lambda x: _changed(x),
}


def _changed(x):
    y = nd.copy(x)
    y[1:] = 5.0
    y[[0]] = y[[1]] * 2
    return nd.add(y, x, out=y)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_as_slice_by_slice(name, axis):
    function = FUNCTIONS[name]
    slices = [function(array(s)).numpy() for s in np.moveaxis(X, axis, 0)]
    found = mapped(function, array(X), axes=axis)
    np.testing.assert_allclose(found.numpy(), np.stack(slices), rtol=1e-12)
    assert found.dtype is function(array(np.moveaxis(X, axis, 0)[0])).dtype


@pytest.mark.parametrize("name", FUNCTIONS)
def test_two_levels(name):
    function = FUNCTIONS[name]
    x = np.stack([X, X[::-1] * 2])
    expected = [[function(array(s)).numpy() for s in stack] for stack in x]
    found = mapped(lambda outer: mapped(function, outer), array(x))
    np.testing.assert_allclose(found.numpy(), np.array(expected), rtol=1e-12)


def test_levels_meet():
    x, y, z = X[0], np.linspace(0, 1, 4), np.array([2.0, 3.0])

    def outer(row):  # differs along x's rows; y along a level within; z along one within that
        return mapped(lambda b: mapped(lambda c: row * b + c, array(z)), array(y))

    found = mapped(outer, array(x))
    np.testing.assert_allclose(found.numpy(), (x[:, None] * y[:, None])[:, :, None, :] + z[:, None])


def test_one_kernel_call_for_all_slices():
    def function(x):
        return nd.exp(nd.matmul(x, x))[0] * 2

    x = nd.ones((50, 3, 3))
    with count_ops() as one:
        function(x[0])
    with count_ops() as all_of_them:
        mapped(function, x)
    assert all_of_them == one


def test_a_write_goes_to_the_memory_underneath():
    x = array(X)
    with opened(3) as level:
        before = x.flat.version
        nd.add(enter(x, 1, level), 1.0, out=enter(x, 1, level))
        assert x.flat.version > before
    np.testing.assert_allclose(x.numpy(), X + 1)


def test_what_is_the_same_for_all_slices_cannot_be_written_with_what_differs():
    plain = nd.zeros((3, 4), dtype=nd.float64)
    with opened(2) as level:
        b = enter(array(X), 0, level)
        for write in (
            lambda: nd.add(plain, b, out=plain),
            lambda: plain.__setitem__(..., b),
            lambda: plain.__setitem__([0], b[0]),
            lambda: nd.scatter_add(plain, nd.zeros((3, 4), dtype=nd.int64), b, 0, out=plain),
        ):
            with pytest.raises(ShapeError, match="in-place write of what differs from slice to slice"):
                write()
    assert plain.tolist() == np.zeros((3, 4)).tolist()


def test_items_cannot_be_read():
    with opened(2) as level:
        b = enter(array(X), 0, level)
        for read in (lambda: nd.sum(b).item(), lambda: bool(nd.all(b)), b.numpy, b.tolist, lambda: nd.nonzero(b), lambda: b[b > 0]):
            with pytest.raises(DeviceError, match="vmap: items of a batch cannot be read"):
                read()
        assert all_slices(b).tolist() == X.tolist()
        assert leave(on_all_slices(lambda every: nd.asarray(every.numpy() * 2), b), 0, level).tolist() == (X * 2).tolist()


def test_randomness():
    x = array(X)
    for randomness, kinds in (("same", 1), ("different", 2)):
        with opened(2, randomness) as level:
            b = enter(x, 0, level)
            for draw in (lambda: nd.rand((4,)), lambda: nd.randn_like(b), lambda: nd.randperm(50), lambda: nd.uniform_(nd.copy(b)),  # noqa: B023
                         lambda: nd.bernoulli(nd.full((40,), 0.5)), lambda: nd.poisson(nd.full((40,), 9.0)),
                         lambda: nd.exponential_(nd.copy(b))):  # fmt: skip  # noqa: B023
                made = leave(draw(), 0, level).numpy()
                assert len({s.tobytes() for s in made}) == kinds
            for row in leave(nd.randperm(50), 0, level).numpy():
                assert sorted(row) == list(range(50))
    with opened(2) as level:
        for draw in (lambda: nd.rand((4,)), lambda: nd.randn_like(x), lambda: nd.bernoulli(nd.full((4,), 0.5)), lambda: nd.cauchy_(x)):
            with pytest.raises(RuntimeError, match="randomness"):
                draw()


def test_levels_close_and_their_tables_are_used_again():
    gc.collect()  # what other tests have left gives its tables back now, not meanwhile
    tables = set()
    for _ in range(20):
        with opened(2) as level:
            assert innermost() is level
            b = enter(array(X), 0, level)
            tables.add(id(b.flat.kernels))
            assert levels_of(b.flat.kernels) == [level]
        assert not level.open
        del level, b
        gc.collect()
    assert innermost() is None
    assert len(tables) == 1


def test_no_slices():
    assert mapped(lambda x: nd.sum(nd.exp(x), -1), nd.zeros((0, 3, 4))).shape == (0, 3)


def test_every_op_has_a_batching_rule_or_is_known_to_have_none():
    assert {name for name, op in OPS.items() if not op.batching} == {"nonzero"}  # its result has another shape for each slice
    assert set(kernels._RULES) == set(BATCHING)


def test_an_op_whose_rule_nobody_gave_is_refused(monkeypatch):
    monkeypatch.setitem(OPS, "new_fused", dataclasses.replace(OPS["softmax"], name="new_fused", batching=""))
    with opened(2) as level:
        x = enter(array(X), 0, level)
        with pytest.raises(OpNotImplemented, match="vmap: op new_fused has no batching rule"):
            x.flat.kernels["new_fused"](x, x, axis=0)


@pytest.mark.parametrize("order", [1.0, 2.0, float("inf")])
def test_a_norm_of_many_arrays_is_one_per_slice(order):
    x, y = array(X), array(X[:, 1] + 3)

    def norm(a, b):
        out = nd.new_zeros(a, ())
        a.flat.kernels["total_norm"](out, a, b, order=order)
        return out

    wanted = [np.linalg.norm(np.concatenate([p.ravel(), q.ravel()]), order) for p, q in zip(X, X[:, 1] + 3, strict=True)]
    np.testing.assert_allclose(mapped(norm, x, y).tolist(), wanted)


def test_a_factor_of_many_arrays_is_one_per_slice():
    def scaled(a, factor):
        own = nd.copy(a)
        own.flat.kernels["foreach_multiply"]([own], factor)
        return own

    np.testing.assert_allclose(mapped(scaled, array(X), array(np.array([2.0, 3.0]))).tolist(), X * [[[2.0]], [[3.0]]])
