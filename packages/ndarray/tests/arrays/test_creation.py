"""Arrays made from nothing: shapes, dtypes, order in memory, and numbers that do not fit."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, OpNotImplemented, ShapeError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.random import RandomError
from lamina_ndarray.creation.sampling import generator_of
from lamina_ndarray.creation.scalars import HELD_BY_ALL


def test_full_takes_the_dtype_of_its_value():
    assert nd.full((2,), True).dtype is nd.bool
    assert nd.full((2,), 3).dtype is nd.int64
    assert nd.full((2,), 3.0).dtype is nd.float32
    assert nd.full((2,), 3j).dtype is nd.complex64
    assert nd.full((2,), nd.full((), 3, dtype=nd.int16)).dtype is nd.int16
    assert nd.full((2,), np.float64(1.5)).tolist() == [1.5, 1.5]


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(300, "uint8"), (-129, "int8"), (1e10, "int32"), (1e40, "float32"), (7e4, "float16"), (math.nan, "int64"),
     (math.inf, "uint8"), (1j, "float64"), (2**63, "int64"), (1e39 + 0j, "complex64"), (-256, "uint8"), (-1.0, "uint8"), (255.5, "uint8")],
)
def test_what_does_not_fit_is_refused(value, dtype):
    with pytest.raises(DTypeError, match="without overflow"):
        nd.full((2,), value, dtype=dtype)
    with pytest.raises(DTypeError, match="full_like: value"):
        nd.full_like(nd.zeros((2,), dtype=dtype), value)


@pytest.mark.parametrize(
    ("value", "dtype", "found"),
    [(-1, "uint8", 255), (2.9, "int32", 2), (math.inf, "float16", math.inf), (2 + 0j, "float32", 2.0), (5, "bool", True),
     (math.nan, "bool", True), (0j, "int8", 0), (-255, "uint8", 1), (0.9, "uint8", 0), (complex(math.inf, 0), "complex64", math.inf)],
)
def test_what_fits_is_cast(value, dtype, found):
    assert nd.full((), value, dtype=dtype).item() == found


def test_numbers_within_float16_are_held_by_all():
    assert min(dt.finfo(dtype).max for dtype in dt.DTYPES.values() if dtype.is_inexact) == HELD_BY_ALL


def test_scalar_tensor_is_in_the_default_dtype():
    for value in (3, True, 3.0):
        assert nd.scalar_tensor(value).dtype is nd.float32
    assert nd.scalar_tensor(3, dtype=nd.int8).item() == 3
    with pytest.raises(DTypeError):
        nd.scalar_tensor(1j)


def test_strides_of_new_arrays():
    assert nd.empty_strided((2, 3), (1, 2)).strides == (1, 2)
    gaps = nd.empty_strided((2, 3), (10, 2))
    assert gaps.flat.size == 15
    assert nd.empty_strided((2, 3), (0, 0)).flat.size == 1
    assert nd.empty_strided((0, 3), (5, 5)).flat.size == 0
    permuted = nd.empty_permuted((2, 3, 5), (2, 0, 1))
    assert (permuted.shape, permuted.strides) == ((2, 3, 5), (3, 1, 6))
    assert nd.empty((2, 3, 4, 5), memory_format="channels_last").strides == (60, 1, 15, 3)
    turned = nd.empty((2, 3, 4, 5)).layout.permute((0, 2, 3, 1))
    like = nd.empty_like(nd.NDArray(nd.empty((120,)).flat, turned))
    assert like.strides == turned.strides
    assert nd.zeros_like(like, memory_format="contiguous").strides == (60, 15, 3, 1)
    for shape, strides in (((2, 3), (1,)), ((2,), (-1,)), ((-2,), (1,))):
        with pytest.raises(ShapeError, match="empty_strided"):
            nd.empty_strided(shape, strides)
    for order in ((2, 0), (2, 0, 0), (2, 0, -2)):
        with pytest.raises(ShapeError, match="empty_permuted"):
            nd.empty_permuted((2, 3, 5), order)
    with pytest.raises(ShapeError, match="required rank 4"):
        nd.empty((2, 3), memory_format="channels_last")


def test_an_array_with_gaps_is_written_and_read():
    gaps = nd.empty_strided((2, 3), (10, 2), dtype=nd.int64)
    gaps[...] = nd.reshape(nd.arange(6), (2, 3))
    assert (gaps + 1).tolist() == [[1, 2, 3], [4, 5, 6]]


@given(st.integers(0, 200), st.floats(-1e3, 1e3), st.floats(-1e3, 1e3))
def test_linspace_is_within_a_rounding_of_numpys(steps, start, stop):
    found = nd.linspace(start, stop, steps, dtype=nd.float64).numpy()
    assert found.shape == (steps,)
    scale = max(abs(start), abs(stop), 1e-300)
    np.testing.assert_allclose(found, np.linspace(start, stop, steps), rtol=0, atol=1e-15 * scale)
    if steps > 1:
        assert found[0] == start and found[-1] == stop


def test_linspace_dtypes_and_refusals():
    assert nd.linspace(4.3, -3, 3, dtype=nd.int64).tolist() == [4, 0, -3]
    assert nd.linspace(0, 10, 5, dtype=nd.uint8).tolist() == [0, 2, 5, 7, 10]
    assert nd.linspace(0, 1j, 3).tolist() == [0j, 0.5j, 1j]
    assert nd.linspace(2, 9, 1).tolist() == [2.0]
    assert nd.linspace(0, 2, 3, dtype=nd.bfloat16).astype(nd.float32).tolist() == [0.0, 1.0, 2.0]
    assert nd.linspace(nd.full((), 1), nd.full((), 2.0), 2).tolist() == [1.0, 2.0]
    with pytest.raises(ShapeError, match="non-negative"):
        nd.linspace(0, 1, -1)
    with pytest.raises(TypeError):
        nd.linspace(0, 1, 3.0)
    with pytest.raises(OpNotImplemented):
        nd.linspace(0, 1, 3, dtype=nd.bool)
    with pytest.raises(DTypeError, match="safely cast"):
        nd.linspace(0, 1j, 3, dtype=nd.float32)
    with pytest.raises(DTypeError, match="0-dimensional"):
        nd.linspace(nd.ones((2,)), 1, 3)


def test_logspace():
    np.testing.assert_allclose(nd.logspace(-2, 2, 5, dtype=nd.float64).numpy(), [0.01, 0.1, 1, 10, 100], rtol=1e-15)
    assert nd.logspace(0, 3, 4, -2).tolist() == [1.0, -2.0, 4.0, -8.0]
    assert nd.logspace(0, 3, 7, 3, dtype=nd.int64).tolist() == [1, 1, 3, 5, 9, 15, 27]
    assert nd.logspace(2, 9, 1, 2).tolist() == [4.0]
    assert nd.logspace(0, 1, 0).shape == (0,)
    np.testing.assert_allclose(nd.logspace(0, 1j, 2, math.e).numpy(), [1, np.exp(1j)], rtol=1e-6)


def test_arange_counts_as_its_dtype_does():
    assert nd.arange(0.5, 4, 1, dtype=nd.int64).tolist() == [0, 1, 2, 3]
    assert nd.arange(0.5, 4, 1, dtype=nd.int32).tolist() == [0, 1, 2, 3]
    assert nd.arange(2**63 - 2, 2**63 - 1).tolist() == [2**63 - 2]
    assert nd.arange(5, 0, -2).tolist() == [5, 3, 1]
    assert nd.arange(nd.full((), 3)).dtype is nd.int64
    for bounds, dtype in (((0, math.inf), None), ((0, math.nan), None), ((0, 1, 0), None),
                          ((0, 2.5, 0.5), nd.int64)):
        with pytest.raises(ShapeError, match="arange"):
            nd.arange(*bounds, dtype=dtype)
    assert nd.arange(1, 0).tolist() == []
    with pytest.raises(ShapeError, match="arange"):
        nd.arange(1, 0, strict=True)
    for dtype in (nd.bool, nd.complex64):
        with pytest.raises(OpNotImplemented, match="arange"):
            nd.arange(2, dtype=dtype)


def test_complex_and_polar():
    assert nd.complex(nd.arange(2.0), nd.ones((1,))).tolist() == [1j, 1 + 1j]
    np.testing.assert_allclose(
        nd.polar(nd.full((), 2.0, dtype=nd.float64), nd.linspace(0, math.pi, 3, dtype=nd.float64)).numpy(), [2, 2j, -2],
        atol=1e-15,
    )
    for a, b in (("float32", "float64"), ("int64", "int64")):
        with pytest.raises(DTypeError, match="complex"):
            nd.complex(nd.ones((2,), dtype=a), nd.ones((2,), dtype=b))
    with pytest.raises(ShapeError, match="polar"):
        nd.polar(nd.ones((2,)), nd.ones((3,)))


def test_random_arrays_like_another():
    x = nd.ones((50, 40), dtype=nd.float64)
    nd.manual_seed(1)
    for made in (nd.rand_like(x), nd.randn_like(x), nd.randint_like(x, 3, 9), nd.rand_like(x, dtype=nd.complex64)):
        assert made.shape == x.shape and made.dtype is (nd.complex64 if made.dtype.is_complex else nd.float64)
        assert len(set(made.numpy().ravel().tolist())) > 5
    z = nd.normal_(nd.empty((20000,), dtype=nd.complex128), 1.0, 3.0).numpy()
    assert abs(z.mean() - (1 + 1j)) < 0.1 and abs(z.var() - 9) < 0.3
    for fill in (nd.uniform_, nd.normal_):
        with pytest.raises(OpNotImplemented, match="int64"):
            fill(nd.empty((2,), dtype=nd.int64))


def test_distributions_given_item_by_item():
    nd.manual_seed(2)
    chances = nd.asarray([0.0, 1.0, 0.25] * 4000)
    hits = nd.bernoulli(chances).numpy().reshape(-1, 3).mean(0)
    assert hits[0] == 0 and hits[1] == 1 and abs(hits[2] - 0.25) < 0.03
    rates = nd.asarray([0.0, 3.0, 40.0, 1e5] * 2000, dtype=nd.float64)
    counts = nd.poisson(rates).numpy().reshape(-1, 4)
    np.testing.assert_allclose(counts.mean(0), [0, 3, 40, 1e5], rtol=0.03)
    np.testing.assert_allclose(counts.var(0), [0, 3, 40, 1e5], rtol=0.12)
    drawn = nd.multinomial(nd.asarray([[0.0, 1.0, 3.0], [1.0, 0.0, 0.0]]), 4000, True).numpy()
    assert abs((drawn[0] == 2).mean() - 0.75) < 0.03 and (drawn[0] > 0).all() and (drawn[1] == 0).all()
    assert sorted(nd.multinomial(nd.ones((5,)), 5).tolist()) == [0, 1, 2, 3, 4]
    around = nd.normal(nd.asarray([0.0, 100.0]), nd.ones((3000, 1))).numpy()
    np.testing.assert_allclose(around.mean(0), [0, 100], atol=0.1)
    assert nd.normal(2.0, nd.zeros((3,))).tolist() == [2.0, 2.0, 2.0]


def test_a_draw_leaves_the_generator_where_it_has_come_to():
    nd.manual_seed(3)
    first = nd.poisson(nd.full((3,), 2.5)).tolist()
    second = nd.poisson(nd.full((3,), 2.5)).tolist()
    nd.manual_seed(3)
    assert nd.poisson(nd.full((6,), 2.5)).tolist() == first + second


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: nd.bernoulli(nd.asarray([0.5, 2.0])), ShapeError),
        (lambda: nd.bernoulli(nd.asarray([math.nan])), ShapeError),
        (lambda: nd.bernoulli(nd.asarray([1])), OpNotImplemented),
        (lambda: nd.poisson(nd.asarray([-1.0])), RandomError),
        (lambda: nd.poisson(nd.asarray([1])), OpNotImplemented),
        (lambda: nd.multinomial(nd.ones((3,)), 4), ShapeError),
        (lambda: nd.multinomial(nd.ones((3,)), 0), ShapeError),
        (lambda: nd.multinomial(nd.zeros((3,)), 1), RandomError),
        (lambda: nd.multinomial(nd.ones((2, 3, 4)), 1), ShapeError),
        (lambda: nd.multinomial(nd.ones((3,), dtype=nd.int64), 1), DTypeError),
        (lambda: nd.normal(nd.ones((2,)), -1.0), ShapeError),
        (lambda: nd.normal(nd.ones((2,)), nd.asarray([1.0, -1.0])), ShapeError),
        (lambda: nd.normal(nd.ones((2,)), nd.ones((3,))), ShapeError),
        (lambda: nd.normal(0.0, 1.0), DTypeError),
        (lambda: nd.exponential_(nd.ones((2,), dtype=nd.int64)), OpNotImplemented),
        (lambda: nd.geometric_(nd.ones((2,)), 1.5), RandomError),
    ],
)
def test_bad_distributions_are_refused(call, error):
    with pytest.raises(error):
        call()


def test_a_seed_is_of_all_devices_also_of_those_that_have_not_drawn():
    nd.manual_seed(5)
    first = generator_of("elsewhere")
    assert first.initial_seed() == 5
    assert generator_of("elsewhere:0") is first
    assert generator_of("elsewhere:1") is not first
    nd.manual_seed(6)
    assert {generator_of(f"elsewhere:{index}").initial_seed() for index in range(3)} == {6}
