"""The element types: identity, names, limits, and what refuses to be one."""

from __future__ import annotations

import copy
import pickle

import ml_dtypes
import numpy as np
import pytest

import lamina_flatarray as lf
from lamina_flatarray import DTYPES, DType, DTypeError, dtype_of, finfo, iinfo

ALL = list(DTYPES.values())


def test_there_are_fifteen_with_stable_codes() -> None:
    assert {name: dtype.code for name, dtype in DTYPES.items()} == {
        "bool": 0, "uint8": 1, "int8": 2, "int16": 3, "int32": 4, "int64": 5, "float16": 6, "float32": 7, "float64": 8,
        "complex64": 9, "complex128": 10, "bfloat16": 11, "uint16": 12, "uint32": 13, "uint64": 14,
    }  # fmt: skip


@pytest.mark.parametrize("dtype", ALL, ids=list(DTYPES))
def test_one_object_per_type(dtype: DType) -> None:
    assert getattr(lf, dtype.name) is dtype
    assert dtype_of(dtype) is dtype
    assert dtype_of(dtype.name) is dtype
    assert dtype_of(dtype.numpy) is dtype
    assert dtype_of(dtype.numpy.newbyteorder(">")) is dtype
    assert copy.deepcopy(dtype) is dtype
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert repr(dtype) == f"lamina.{dtype.name}"
    assert dtype.itemsize == dtype.numpy.itemsize


@pytest.mark.parametrize("dtype", ALL, ids=list(DTYPES))
def test_kinds(dtype: DType) -> None:
    name = dtype.name
    assert dtype.is_floating_point == name.removeprefix("b").startswith("float")
    assert dtype.is_complex == name.startswith("complex")
    assert dtype.is_signed == (name != "bool" and not name.startswith("uint"))
    assert dtype.is_inexact == (dtype.is_floating_point or dtype.is_complex)
    assert dtype.to_complex().is_complex
    assert not dtype.to_real().is_complex


def test_real_and_complex_twins() -> None:
    assert lf.complex128.to_real() is lf.float64
    assert lf.complex64.to_real() is lf.float32
    assert lf.float64.to_complex() is lf.complex128
    assert lf.float16.to_complex() is lf.complex64
    assert lf.int64.to_real() is lf.int64


@pytest.mark.parametrize("wrong", ["float8", "U3", object, np.dtype("M8[s]"), np.dtype("U3"), type(None), 3.5])
def test_what_is_no_dtype(wrong: object) -> None:
    with pytest.raises(DTypeError, match="there are bool, uint8"):
        dtype_of(wrong)


@pytest.mark.parametrize("dtype", [d for d in ALL if d.is_inexact], ids=[d.name for d in ALL if d.is_inexact])
def test_finfo(dtype: DType) -> None:
    real = dtype.to_real()
    expected = ml_dtypes.finfo(real.numpy)
    found = finfo(dtype)
    for name in ("eps", "max", "min", "tiny", "smallest_normal"):
        assert getattr(found, name) == float(getattr(expected, name))
    assert found.resolution == 10.0 ** -int(expected.precision)
    assert found.bits == 8 * real.itemsize
    assert found.dtype == real.name
    assert f"dtype={real.name}" in repr(found)


@pytest.mark.parametrize("name", ["uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64"])
def test_iinfo(name: str) -> None:
    found, bits = iinfo(name), int(name.strip("uint"))
    lowest = 0 if name[0] == "u" else -(2 ** (bits - 1))
    assert (found.min, found.max, found.bits, found.dtype) == (lowest, lowest + 2**bits - 1, bits, name)


def test_limits_of_the_wrong_kind() -> None:
    with pytest.raises(DTypeError, match="iinfo describes integers"):
        finfo("int32")
    for name in ("float32", "bool"):
        with pytest.raises(DTypeError, match="finfo describes floating point"):
            iinfo(name)
    assert finfo().dtype == "float32"
