"""What small arrays never reach: folds by several blocks, scans and sorts of lines longer than a block, many axes."""

import numpy as np
import pytest

from lamina_flatarray.dtypes import DTYPES
from lamina_testkit.placement import place, read, untouched

LONG = 20_000


def placed(cuda, values, name, kind="compact"):
    return place(values.astype(DTYPES[name].numpy), kind, cuda, DTYPES[name])


@pytest.mark.parametrize(
    ("shape", "axes", "kernels"),
    [
        ((LONG,), (0,), {"parts", "join_parts"}),
        ((3, LONG), (1,), {"parts", "join_parts"}),
        ((3, 3000), (1,), {"rows"}),
        ((3000, 3), (0,), {"rows"}),
        ((20, 100), (1,), {"warps"}),
        ((100, 20), (0,), {"warps"}),
        ((5, 7, 6), (1, 2), {"columns"}),
    ],
)
def test_each_way_to_fold(cuda, shape, axes, kernels):
    """Sums, positions and variances by a thread, a warp, a block and several blocks for each result."""
    values = np.random.default_rng(1).normal(size=shape)
    kept = tuple(n for axis, n in enumerate(shape) if axis not in axes)
    for kind in ("compact", "sliced", "transposed"):
        x = placed(cuda, values, "float32", kind)
        cuda.port.launches.clear()
        total = placed(cuda, np.zeros(kept), "float32")
        cuda.kernel("sum")(total, x, axes=axes)
        assert set(cuda.port.launches) == kernels
        assert np.allclose(read(total), read(x).astype(float).sum(axes), rtol=1e-5, atol=1e-4)
        spread = placed(cuda, np.zeros(kept), "float32")
        cuda.kernel("var")(spread, x, axes=axes, correction=1)
        assert np.allclose(read(spread), read(x).astype(float).var(axes, ddof=1), rtol=1e-5)
        if len(axes) == 1:
            where = placed(cuda, np.zeros(kept), "int64")
            cuda.kernel("argmax")(where, x, axes=axes)
            assert (read(where) == read(x).argmax(axes[0])).all()


def test_the_first_of_equals_and_the_first_nan_are_found_by_several_blocks(cuda):
    values = np.zeros(LONG)
    values[[7000, 15000]] = 1
    where = placed(cuda, np.zeros(()), "int64")
    for wanted in (7000, 9000):
        cuda.kernel("argmax")(where, placed(cuda, values, "float32"), axes=(0,))
        assert read(where) == wanted
        values[[9000, 16000]] = np.nan


def test_half_sums_are_accumulated_in_float(cuda):
    total = placed(cuda, np.zeros(()), "float16")
    cuda.kernel("sum")(total, placed(cuda, np.ones(LONG), "float16"), axes=(0,))
    assert read(total) == LONG


@pytest.mark.parametrize("length", [63, 64, 65, 256, 257, 1000])
@pytest.mark.parametrize("name", ["int32", "float64"])
def test_scans_and_sorts_of_long_lines(cuda, length, name):
    """Along both axes; equal items keep their order, in both directions."""
    values = np.random.default_rng(2).integers(0, 50, (3, length))
    for axis, given in ((1, values), (0, values.T)):
        for kind in ("compact", "sliced"):
            x = placed(cuda, given, name, kind)
            sums = placed(cuda, np.zeros(given.shape), "int64" if name == "int32" else name, kind)
            cuda.kernel("cumsum")(sums, x, axis=axis)
            assert (read(sums) == given.cumsum(axis)).all() and untouched(sums)
            for descending in (False, True):
                items, order = placed(cuda, np.zeros(given.shape), name, kind), placed(cuda, np.zeros(given.shape), "int64", kind)
                cuda.kernel("sort")((items, order), x, axis=axis, descending=descending)
                wanted = np.argsort(-given if descending else given, axis, kind="stable")
                assert (read(order) == wanted).all() and untouched(order)
                assert (read(items) == np.take_along_axis(given, wanted, axis)).all()


def test_many_axes(cuda):
    """Ten axes that cannot be joined: several launches, one result."""
    shape = (2,) * 10
    values = np.arange(1024.0).reshape(shape)
    x = placed(cuda, values, "float32", "transposed")
    out = placed(cuda, np.zeros(shape), "float32")
    cuda.kernel("negative")(out, x)
    assert (read(out) == -values).all()
    total = placed(cuda, np.zeros(()), "float32")
    cuda.kernel("sum")(total, placed(cuda, values, "float32", "transposed"), axes=tuple(range(10)))
    assert read(total) == values.sum()
    places = placed(cuda, np.zeros(shape), "int64", "transposed")
    cuda.kernel("arange")(places, start=0, step=1)
    assert (read(places) == values).all()


def test_every_path_of_16_bytes(cuda):
    """Lengths that are no multiple of what is read at once, and addresses that are not aligned to it."""
    for name in ("int8", "float16", "float32", "complex128"):
        for length in (1, 15, 16, 17, 1000):
            for kind in ("compact", "offset"):
                x, out = (placed(cuda, np.arange(length) % 50, name, kind) for _ in range(2))
                cuda.port.launches.clear()
                cuda.kernel("add")(out, x, x)
                assert (read(out) == 2 * read(x)).all() and untouched(out)
                assert cuda.port.launches == ["dense" if kind == "compact" or name == "complex128" else "strided"]
