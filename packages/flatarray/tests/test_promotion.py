"""The algebra of promotion; what PyTorch itself answers is in tests/oracle."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

import lamina_flatarray as lf
from lamina_flatarray import DTYPES, DType, DTypeError, can_cast, promote_types, result_dtypes, result_type
from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.promotion import scalar_dtype

ALL = list(DTYPES.values())
RANK = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def promoted(a: DType, b: DType) -> DType | None:
    try:
        return promote_types(a, b)
    except DTypeError:
        return None


def array(dtype: DType, ndim: int = 1) -> Any:
    return SimpleNamespace(dtype=dtype, ndim=ndim)


def test_commutative_idempotent_and_bool_is_neutral() -> None:
    for a, b in product(ALL, ALL):
        assert promoted(a, b) is promoted(b, a)
    for a in ALL:
        assert promote_types(a, a) is a
        assert promote_types(a, lf.bool) is a


def test_the_result_holds_both() -> None:
    for a, b in product(ALL, ALL):
        both = promoted(a, b)
        if both is None:
            continue
        assert can_cast(a, both)
        assert can_cast(b, both)
        assert both.itemsize >= max(x.itemsize for x in (a, b) if RANK[x.kind] == RANK[both.kind])
        assert promote_types(a, both) is both  # idempotent from there
        if both.kind in "ui":
            for x in (a, b):
                if x.kind != "b":
                    assert lf.iinfo(x).min >= lf.iinfo(both).min
                    assert lf.iinfo(x).max <= lf.iinfo(both).max


def test_associative_but_for_small_floats_with_integers_that_have_no_common_type() -> None:
    broken = []
    for a, b, c in product(ALL, ALL, ALL):
        ab, bc = promoted(a, b), promoted(b, c)
        left = promoted(ab, c) if ab else None
        right = promoted(a, bc) if bc else None
        if left is not right:
            broken.append((a.name, b.name, c.name))
    # uint64 and a signed integer have no common integer type, but both go into any floating type
    assert all("uint64" in names for names in broken)
    assert ("uint64", "int8", "float32") in broken


def test_only_uint64_with_signed_has_no_answer() -> None:
    none = {(a.name, b.name) for a, b in product(ALL, ALL) if promoted(a, b) is None}
    signed = ("int8", "int16", "int32", "int64")
    assert none == {("uint64", s) for s in signed} | {(s, "uint64") for s in signed}


def test_half_types_meet_in_float32() -> None:
    assert promote_types(lf.float16, lf.bfloat16) is lf.float32
    assert promote_types(lf.int64, lf.float16) is lf.float16
    assert promote_types(lf.complex64, lf.float64) is lf.complex128


def test_ranks() -> None:
    assert result_type(array(lf.float32), array(lf.float64, 0)) is lf.float32
    assert result_type(array(lf.float32), 2.0) is lf.float32
    assert result_type(array(lf.int8), 300) is lf.int8
    assert result_type(array(lf.int8), 2.0) is lf.float32
    assert result_type(array(lf.int8, 0), 2.0) is lf.float32
    assert result_type(array(lf.float64, 0), 2) is lf.float64
    assert result_type(array(lf.float16), 1j) is lf.complex64
    assert result_type(array(lf.float64), 1j) is lf.complex128
    assert result_type(array(lf.bool), True) is lf.bool
    assert result_type(1, 2.0) is lf.float32
    assert result_type(lf.int16, array(lf.int64, 0)) is lf.int16
    with pytest.raises(DTypeError, match="at least one"):
        result_type()


def test_the_default_dtype() -> None:
    assert lf.get_default_dtype() is lf.float32
    lf.set_default_dtype("float64")
    try:
        assert scalar_dtype(1.0) is lf.float64
        assert scalar_dtype(1j) is lf.complex128
        assert result_type(array(lf.int32), 1.0) is lf.float64
        assert result_type(array(lf.float32), 1.0) is lf.float32
        assert result_dtypes("divide", lf.int32) == (lf.float64, lf.float64)
    finally:
        lf.set_default_dtype(lf.float32)
    for wrong in ("int32", "complex64", "bool"):
        with pytest.raises(DTypeError):
            lf.set_default_dtype(wrong)


def test_can_cast_keeps_the_kind() -> None:
    assert can_cast("int64", "float16")
    assert can_cast("float64", "float16")
    assert not can_cast("float16", "int64")
    assert not can_cast("complex64", "float64")
    assert not can_cast("uint8", "bool")


def test_every_op_has_a_rule_and_every_rule_an_op() -> None:
    assert {op.rule for op in lf.OPS.values()} == set(DTYPE_RULES)
    for op in lf.OPS.values():
        for dtype in ALL:
            found = DTYPE_RULES[op.rule](dtype)
            if found is None:
                with pytest.raises(DTypeError, match=f"^{op.name}: not defined for"):
                    result_dtypes(op.name, dtype)
            else:
                computed, _ = result_dtypes(op.name, dtype)
                assert result_dtypes(op.name, computed)[0] is computed  # casting twice changes nothing
