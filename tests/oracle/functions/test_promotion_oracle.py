"""Promotion against PyTorch's own: dtype x dtype x {tensor, 0-d tensor, Python scalar}."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
import torch

import lamina_flatarray as lf
from lamina_flatarray import DTYPES, DTypeError, can_cast, finfo, iinfo, promote_types, result_type

NAMES = list(DTYPES)
SCALARS = [True, 3, 2.5, 1 + 2j]
KINDS = ("tensor", "0-d")


def theirs(name: str) -> torch.dtype:
    found: torch.dtype = getattr(torch, name)
    return found


def name_of(dtype: torch.dtype) -> str:
    """Our name for it. PyTorch makes complex32 of float16 and complex numbers; we have none, and make complex64."""
    return str(dtype).removeprefix("torch.").replace("complex32", "complex64")


def pair(name: str, kind: str) -> tuple[Any, torch.Tensor]:
    """The same operand for us and for PyTorch."""
    ndim = 1 if kind == "tensor" else 0
    return SimpleNamespace(dtype=DTYPES[name], ndim=ndim), torch.ones((2,) * ndim, dtype=theirs(name))


def answer(*tensors: Any) -> str | None:
    try:
        return name_of(torch.result_type(*tensors))
    except RuntimeError:  # "Promotion for uint16, uint32, uint64 types is not supported"
        return None


def ours(*operands: Any) -> str | None:
    try:
        return result_type(*operands).name
    except DTypeError:
        return None


@pytest.mark.filterwarnings("ignore:ComplexHalf support is experimental")
@pytest.mark.parametrize(("first", "second"), list(product(KINDS, KINDS)))
@pytest.mark.parametrize("a", NAMES)
def test_two_tensors(a: str, first: str, second: str) -> None:
    for b in NAMES:
        (x, tx), (y, ty) = pair(a, first), pair(b, second)
        expected = answer(tx, ty)
        if expected is not None:
            assert ours(x, y) == expected, f"{a} {first} with {b} {second}"
            result = tx * ty  # and the op itself, where it has a kernel for these
            assert name_of(result.dtype) == expected


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("a", NAMES)
def test_a_tensor_and_a_python_scalar(a: str, kind: str) -> None:
    for scalar in SCALARS:
        x, tx = pair(a, kind)
        expected = answer(tx, scalar)
        assert ours(x, scalar) == expected == ours(scalar, x), f"{a} {kind} with {scalar!r}"


def test_two_python_scalars() -> None:
    for a, b in product(SCALARS, SCALARS):
        assert ours(a, b) == answer(a, b)


def test_the_default_dtype_counts() -> None:
    torch.set_default_dtype(torch.float64)
    lf.set_default_dtype("float64")
    try:
        for name, scalar in product(NAMES, SCALARS):
            x, tx = pair(name, "tensor")
            assert ours(x, scalar) == answer(tx, scalar)
    finally:
        torch.set_default_dtype(torch.float32)
        lf.set_default_dtype("float32")


@pytest.mark.parametrize("a", NAMES)
def test_promote_types_and_can_cast(a: str) -> None:
    for b in NAMES:
        assert can_cast(a, b) == torch.can_cast(theirs(a), theirs(b)), f"{a} to {b}"
        try:
            expected = name_of(torch.promote_types(theirs(a), theirs(b)))
        except RuntimeError:
            continue
        assert promote_types(DTYPES[a], DTYPES[b]).name == expected


WIDE = ("uint16", "uint32", "uint64")


def test_where_pytorch_has_no_answer_lamina_follows_the_array_api() -> None:
    """All pairs for which PyTorch raises: a wide unsigned type with any other one that is not floating point.

    With bool and complex types the other one is the answer here, as for uint8; with integers see the lattice.
    """
    silent = set()
    for a, b in product(NAMES, NAMES):
        try:
            torch.promote_types(theirs(a), theirs(b))
        except RuntimeError:
            silent.add((a, b))
    others = [n for n in NAMES if DTYPES[n].kind != "f"]
    assert silent == {(a, b) for a, b in product(others, others) if a != b and {a, b} & set(WIDE)}
    for wide, kind in product(WIDE, ("bool", "complex64", "complex128")):
        assert promote_types(DTYPES[wide], DTYPES[kind]).name == (wide if kind == "bool" else kind)
    lattice = {
        ("uint8", "uint16"): "uint16", ("uint16", "uint32"): "uint32", ("uint32", "uint64"): "uint64",
        ("uint8", "uint64"): "uint64", ("int8", "uint16"): "int32", ("int16", "uint16"): "int32",
        ("int32", "uint16"): "int32", ("int64", "uint32"): "int64", ("int32", "uint32"): "int64",
    }  # fmt: skip
    for (a, b), expected in lattice.items():
        assert promote_types(DTYPES[a], DTYPES[b]).name == expected
    for signed in ("int8", "int16", "int32", "int64"):
        with pytest.raises(DTypeError, match="no integer type holds both"):
            promote_types(lf.uint64, DTYPES[signed])


def test_complex32_is_not_there() -> None:
    """The one difference where both answer: see `name_of`."""
    assert torch.result_type(torch.ones(1, dtype=torch.float16), 1j) is torch.complex32
    assert result_type(SimpleNamespace(dtype=lf.float16, ndim=1), 1j) is lf.complex64
    assert torch.result_type(torch.ones(1, dtype=torch.bfloat16), 1j) is torch.complex64


@pytest.mark.parametrize("name", NAMES)
def test_limits(name: str) -> None:
    dtype = DTYPES[name]
    if dtype.is_inexact:
        mine, real = finfo(dtype), torch.finfo(theirs(name))
        for attribute in ("bits", "eps", "max", "min", "tiny", "smallest_normal", "resolution", "dtype"):
            if attribute == "resolution":
                assert getattr(mine, attribute) == pytest.approx(getattr(real, attribute), rel=1e-6)
            else:
                assert getattr(mine, attribute) == getattr(real, attribute)
    elif dtype.kind in "ui":
        mine_i, real_i = iinfo(dtype), torch.iinfo(theirs(name))
        for attribute in ("bits", "min", "max", "dtype"):
            assert getattr(mine_i, attribute) == getattr(real_i, attribute)


@pytest.mark.parametrize("name", NAMES)
def test_properties(name: str) -> None:
    mine, real = DTYPES[name], theirs(name)
    assert (mine.itemsize, mine.is_floating_point, mine.is_complex) == (
        real.itemsize, real.is_floating_point, real.is_complex,
    )  # fmt: skip
    assert mine.is_signed == (real.is_signed and name != "bool")
    assert mine.to_real().name == name_of(real.to_real())
