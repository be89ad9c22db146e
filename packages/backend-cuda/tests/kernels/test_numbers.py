"""Items of 16 bits, casts, and integers: every value of float16 and bfloat16, ties that round to even, numbers that wrap."""

import numpy as np
import pytest

from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.errors import NegativeIntegerPower
from lamina_testkit.placement import place, read


def cast(cuda, values, source, target):
    x = place(np.asarray(values).astype(DTYPES[source].numpy), "compact", cuda, DTYPES[source])
    out = place(np.zeros(x.layout.shape, DTYPES[target].numpy), "compact", cuda, DTYPES[target])
    cuda.kernel("copy")(out, x)
    return read(out)


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_every_16_bit_value_widens_and_narrows(cuda, name):
    every = np.arange(1 << 16, dtype=np.uint16).view(DTYPES[name].numpy)
    wide = cast(cuda, every, name, "float32")
    assert np.array_equal(wide, every.astype(np.float32), equal_nan=True)
    back = cast(cuda, wide, "float32", name)
    number = wide == wide
    assert (back.view(np.uint16)[number] == every.view(np.uint16)[number]).all()
    assert np.isnan(back[~number].astype(np.float32)).all()


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
@pytest.mark.parametrize("source", ["float32", "float64"])
def test_numbers_between_16_bit_values_round_to_even(cuda, name, source):
    """Halves between neighbours, and what lies just beside them, where two roundings would go wrong."""
    every = np.arange(0x7B00, dtype=np.uint16).view(DTYPES[name].numpy).astype(np.float64)
    middle = (every[:-1] + every[1:]) / 2
    given = np.concatenate([s * m for s in (1, -1) for m in (middle, middle * (1 + 2.0**-30), middle * (1 - 2.0**-30))])
    given = np.concatenate([given, [65504.0, 65519.99, 65520.0, 1e300, 5e-8, 2.0**-25, 2.0**-24]])
    with np.errstate(over="ignore"):
        given = given.astype(source)
        expected = given.astype(DTYPES[name].numpy)
    if name == "bfloat16" and source == "float64":  # ml_dtypes rounds twice, by way of float32: held against exact neighbours
        found = cast(cuda, given, source, name).astype(np.float64)
        near = np.abs(found - given) <= np.abs(expected.astype(np.float64) - given)
        assert near[np.isfinite(found)].all()
        return
    assert (cast(cuda, given, source, name).view(np.uint16) == expected.view(np.uint16)).all()


def test_casts_of_floats_to_integers_drop_fractions_and_wrap(cuda):
    values = [0.0, 1.9, -1.9, 200.7, -200.2, 70000.5]
    for name in ("uint8", "int8", "int16", "uint16", "int32", "int64"):
        expected = np.trunc(values).astype(np.int64).astype(DTYPES[name].numpy)
        assert (cast(cuda, values, "float64", name) == expected).all()
    assert cast(cuda, [2.0**63, 2.0**64 - 2.0**11], "float64", "uint64").tolist() == [2**63, 2**64 - 2**11]
    assert cast(cuda, [0.0, -0.0, np.nan, 1e-30], "float32", "bool").tolist() == [False, False, True, True]
    assert cast(cuda, [1 + 2j, -3j], "complex64", "float32").tolist() == [1.0, 0.0]


def binary(cuda, op, a, b, name):
    arrays = [place(np.asarray(x, DTYPES[name].numpy), "compact", cuda, DTYPES[name]) if np.ndim(x) else x for x in (a, b)]
    shape = np.shape(a) or np.shape(b)
    out = place(np.zeros(shape, DTYPES[name].numpy), "compact", cuda, DTYPES[name])
    cuda.kernel(op)(out, *arrays)
    return read(out)


def test_numbers_beside_16_bit_arrays(cuda):
    """Sums take a number as it is, comparisons round it first, as PyTorch does."""
    rest = binary(cuda, "subtract", [0.1], 0.1, "float16")
    assert rest == np.float16(np.float32(np.float16(0.1)) - np.float32(0.1)) != 0
    x = np.array([0.1], np.float16)
    out = place(np.zeros(1, bool), "compact", cuda, DTYPES["bool"])
    cuda.kernel("equal")(out, place(x, "compact", cuda, DTYPES["float16"]), 0.1)
    assert read(out).tolist() == [True]


def _wrapped(number):
    return (number + 2**63) % 2**64 - 2**63


def test_whole_numbers_wrap_and_division_by_zero_is_zero(cuda):
    assert binary(cuda, "multiply", [100, -128], [3, -1], "int8").tolist() == [44, -128]
    assert binary(cuda, "floor_divide", [-128, 7, -7, 5], [-1, -2, 2, 0], "int8").tolist() == [-128, -4, -4, 0]
    least = -(2**63)
    assert binary(cuda, "floor_divide", [least, least], [-1, 2], "int64").tolist() == [least, least // 2]
    assert binary(cuda, "pow", [3, -1, 2], [41, -3, -1], "int64").tolist() == [_wrapped(3**41), -1, 0]


def test_powers_of_numbers(cuda):
    with pytest.raises(NegativeIntegerPower):
        binary(cuda, "pow", [2, 3], -1, "int32")
    assert binary(cuda, "pow", [3.0, -4.0], 2, "float32").tolist() == [9.0, 16.0]
    found = binary(cuda, "pow", [4.0, -np.inf, -0.0], -0.5, "float64")
    assert found[0] == 0.5 and np.isnan(found[1]) and found[2] == -np.inf
