"""New arrays against PyTorch's, bit for bit: spaces in every dtype, numbers that fit or do not, random streams."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import lamina

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("uint8", "int8", "int16", "int32", "int64")

ends = st.floats(-100, 100) | st.integers(-100, 100)


def bits(value: Any) -> np.ndarray[Any, Any]:
    wide = value.double().numpy()
    assert isinstance(wide, np.ndarray)
    return wide


def same(op: str, *args: Any, dtype: str, ulps: int = 0, **params: Any) -> None:
    """The same result, in float64 up to so many ulps, or the same type of error."""
    try:
        wanted = getattr(torch, op)(*args, dtype=getattr(torch, dtype), **params)
    except (RuntimeError, TypeError, NotImplementedError) as error:
        with pytest.raises(type(error)):
            getattr(lamina, op)(*args, dtype=getattr(lamina, dtype), **params)
        return
    found = getattr(lamina, op)(*args, dtype=getattr(lamina, dtype), **params)
    assert found.dtype.name == dtype and tuple(found.shape) == tuple(wanted.shape)
    if dtype == "float64" and ulps:
        np.testing.assert_array_max_ulp(bits(found), bits(wanted), ulps)
    else:
        np.testing.assert_array_equal(bits(found), bits(wanted))


@pytest.mark.skipif("AVX2" not in torch.backends.cpu.get_cpu_capability() and
                    "AVX512" not in torch.backends.cpu.get_cpu_capability(),
                    reason="PyTorch rounds twice on processors without fused multiply-add")
@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS])
@settings(max_examples=120, deadline=None)
@given(start=ends, stop=ends, steps=st.integers(0, 300))
def test_linspace(dtype: str, start: float, stop: float, steps: int) -> None:
    same("linspace", start, stop, steps, dtype=dtype)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("start", [-1, -1.0, -0.5, -255, -256, 255.5, 300, 300.0, math.nan, math.inf])
@pytest.mark.parametrize("steps", [0, 1, 2])
def test_a_linspace_starts_with_what_fits(dtype: str, start: float, steps: int) -> None:
    same("linspace", start, 0, steps, dtype=dtype)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
@settings(max_examples=80, deadline=None)
@given(start=st.floats(-3, 3), stop=st.floats(-3, 3), steps=st.integers(0, 100), base=st.sampled_from([2.0, 10.0, 0.5]))
def test_logspace(dtype: str, start: float, stop: float, steps: int, base: float) -> None:
    same("logspace", start, stop, steps, base, dtype=dtype, ulps=2)  # each is right to one


@pytest.mark.parametrize("dtype", INTEGERS)
@settings(max_examples=100, deadline=None)
@given(start=st.integers(-50, 50), stop=st.integers(-50, 50), step=st.integers(-9, 9))
def test_arange_of_integers(dtype: str, start: int, stop: int, step: int) -> None:
    if dtype == "uint8":
        start, stop = abs(start), abs(stop)
    same("arange", start, stop, step, dtype=dtype)


@pytest.mark.parametrize("dtype", FLOATS)
@settings(max_examples=100, deadline=None)
@given(start=ends, count=st.integers(0, 7), step=st.floats(0.01, 9), sign=st.sampled_from([-1, 1]))
def test_arange_of_few_floats(dtype: str, start: float, count: int, step: float, sign: int) -> None:
    """Fewer than PyTorch's vectors hold; of more, it rounds some items twice."""
    stop = start + sign * step * (count + 0.5)
    found = lamina.arange(start, stop, sign * step, dtype=getattr(lamina, dtype))
    wanted = torch.arange(start, stop, sign * step, dtype=getattr(torch, dtype))
    assert tuple(found.shape) == tuple(wanted.shape)
    if count < {"float32": 4, "float64": 2}.get(dtype, 0):  # the 16-bit ones it computes in float32
        np.testing.assert_array_equal(bits(found), bits(wanted))
    eps = float(torch.finfo(wanted.dtype).eps)
    np.testing.assert_allclose(bits(found), bits(wanted), rtol=eps, atol=eps * (abs(start) + step * count))


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS, "bool"])
@settings(max_examples=150, deadline=None)
@given(value=st.one_of(
    st.floats(), st.integers(-(2**64), 2**64), st.booleans(), st.sampled_from([65504.0, 65520.0, 255.9, -255.0, -256.0, 3.5e38]),
))
def test_full_takes_or_refuses_a_value(dtype: str, value: float) -> None:
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return  # PyTorch cannot take it from Python at all
    if dtype == "int64" and abs(value) == 2.0**63:
        return  # on the border the conversion of floats is undefined
    same("full", (2,), value, dtype=dtype)


@pytest.mark.parametrize("make", [
    lambda t: t.poisson(t.full((300,), 3.3)),
    lambda t: t.poisson(t.linspace(0, 90, 300, dtype=t.float64)),
    lambda t: t.normal(t.arange(40.0), t.ones(3, 40)),
    lambda t: t.normal(2.0, t.full((40,), 0.5)),
    lambda t: t.normal(t.arange(40.0), 3.0),
    lambda t: t.normal(1.0, 2.0, (3, 7)),
    lambda t: t.normal(t.arange(40.0).double(), t.ones(3, 40)),
    lambda t: t.bernoulli(t.full((40,), 0.4)),
    lambda t: t.bernoulli(t.ones(40), 0.4),
    lambda t: t.multinomial(t.arange(1.0, 9.0), 3),
    lambda t: t.multinomial(t.arange(1.0, 9.0), 30, replacement=True),
    lambda t: t.randn(20, dtype=t.complex64),
    lambda t: t.rand(20, dtype=t.complex128),
    lambda t: t.empty(20, dtype=t.complex64).normal_(2, 3),
    lambda t: t.rand_like(t.ones(20)),
    lambda t: t.randint_like(t.ones(20), 3, 9),
    lambda t: t.randint_like(t.ones(20, dtype=t.int32), 9),
    lambda t: t.randint(high=9, size=(20,)),
    lambda t: t.empty(40).exponential_(2.0),
    lambda t: t.empty(40).log_normal_(),
    lambda t: t.empty(40).geometric_(0.3),
])
def test_random_streams(make: Any) -> None:
    for lib in (torch, lamina):
        lib.manual_seed(5)
    wanted, found = make(torch), make(lamina)
    assert found.dtype.name == str(wanted.dtype).removeprefix("torch.")
    np.testing.assert_array_equal(found.numpy(), wanted.numpy())
    np.testing.assert_array_equal(lamina.rand(3).numpy(), torch.rand(3).numpy())  # as many draws were taken


def test_keywords_that_programs_use() -> None:
    assert lamina.zeros(size=(2, 3)).shape == (2, 3)
    assert lamina.zeros([2, 3], layout=lamina.strided, pin_memory=False, device="cpu").shape == (2, 3)
    assert lamina.empty((2, 3, 4, 5), memory_format=lamina.channels_last).stride() == (60, 1, 15, 3)
    x = lamina.empty((2, 3, 4, 5), memory_format=lamina.channels_last)
    assert x.is_contiguous(memory_format=lamina.channels_last) and not x.is_contiguous()
    assert lamina.ones_like(x).stride() == x.stride()
    assert lamina.ones_like(x, memory_format=lamina.contiguous_format).is_contiguous()
    assert lamina.arange(start=1, end=6, step=2).tolist() == [1, 3, 5]
    out = lamina.empty(3)
    assert lamina.linspace(0, 1, 3, out=out) is out and out.tolist() == [0.0, 0.5, 1.0]
    assert lamina.full((2,), 7, requires_grad=False).dtype is lamina.int64
    assert lamina.full_like(lamina.ones(2), fill_value=3).tolist() == [3.0, 3.0]
    assert lamina.ones(2, dtype=lamina.int32).new_full((2,), 2.5).tolist() == [2, 2]
    assert lamina.rand(3, requires_grad=True).requires_grad
    with pytest.raises(TypeError):
        lamina.zeros(2, no_such=1)
    with pytest.raises(TypeError):
        lamina.full(3, 2)


@pytest.mark.parametrize(("args", "params"), [
    ((b"abcd",), {"dtype": "int16"}), ((b"abcde",), {"dtype": "int16"}), ((b"abcde",), {"dtype": "int16", "offset": 1}),
    ((b"abcde",), {"dtype": "int16", "offset": 5}), ((b"abcde",), {"dtype": "int16", "offset": -1}),
    ((b"abcde",), {"dtype": "int16", "count": 3}), ((b"abcde",), {"dtype": "int16", "count": 2}),
    ((b"abcde",), {"dtype": "int16", "count": 0}), ((b"abcde",), {"dtype": "int16", "count": -2}),
    ((b"",), {"dtype": "int16"}), ((b"abcde",), {"dtype": "int8", "offset": 1, "count": 2}),
])
def test_frombuffer(args: Any, params: dict[str, Any]) -> None:
    data = bytearray(*args)
    dtype = params.pop("dtype")
    try:
        wanted = torch.frombuffer(data, dtype=getattr(torch, dtype), **params)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error).partition("(")[0]):
            lamina.frombuffer(data, dtype=getattr(lamina, dtype), **params)
        return
    found = lamina.frombuffer(data, dtype=getattr(lamina, dtype), **params)
    assert found.tolist() == wanted.tolist()


def test_asarray_shares_where_it_may() -> None:
    x = lamina.ones(2)
    assert lamina.asarray(x) is x and lamina.asarray(x, copy=True) is not x
    assert lamina.asarray(x, requires_grad=True).requires_grad
    array = np.ones(2)
    lamina.asarray(array)[0] = 5
    assert array[0] == 5
    shared = bytearray(8)
    lamina.asarray(shared)[0] = 1.0
    assert shared[:4] == np.float32(1).tobytes()
    for value, params in (([1.0], {}), (x, {"dtype": lamina.float64}), (b"abcd", {})):
        with pytest.raises(ValueError, match="copy"):
            lamina.asarray(value, copy=False, **params)


def test_tensors_of_one_item_in_a_list_are_numbers():
    for t in (lamina, torch):
        assert t.tensor([t.tensor([1.0]), t.tensor([[2.0]])]).tolist() == [1.0, 2.0]
        assert t.as_tensor([[t.tensor([1])], [2]]).tolist() == [[1], [2]]
