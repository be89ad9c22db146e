"""Printed arrays, written out: notation, padding, line breaks, summaries, suffixes and options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from lamina_ndarray.printing import format_items, get_printoptions, set_printoptions, text

inf, nan = float("inf"), float("nan")


@pytest.fixture(autouse=True)
def default_options() -> Iterator[None]:
    set_printoptions(profile="default")
    yield
    set_printoptions(profile="default")


def printed(items: Any, dtype: Any = np.float32) -> str:
    return text(np.array(items, dtype), suffixes=[])


@pytest.mark.parametrize(
    ("items", "want"),
    [
        ([1, 2, 300], "tensor([  1.,   2., 300.])"),
        ([1.5, 2, -10], "tensor([  1.5000,   2.0000, -10.0000])"),
        ([0.0, -0.0, 1], "tensor([0., -0., 1.])"),
        ([0.0, nan], "tensor([0., nan])"),
        ([1.5, inf, -inf, nan], "tensor([1.5000,    inf,   -inf,    nan])"),
        ([1, inf], "tensor([1., inf])"),
        ([1, 1000], "tensor([   1., 1000.])"),
        ([1, 1001], "tensor([1.0000e+00, 1.0010e+03])"),
        ([1e8], "tensor([100000000.])"),
        ([2e8], "tensor([2.0000e+08])"),
        ([1e-5], "tensor([1.0000e-05])"),
        (1.5, "tensor(1.5000)"),
        (nan, "tensor(nan)"),
        ([], "tensor([])"),
    ],
)
def test_floats(items: Any, want: str) -> None:
    assert printed(items) == want
    assert printed(items, np.float64) == want


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_halves_show_what_they_hold(dtype: Any) -> None:
    assert printed([1, -2.5, nan], dtype) == "tensor([ 1.0000, -2.5000,     nan])"
    assert printed([0.1], dtype) == ("tensor([0.1000])" if dtype is np.float16 else "tensor([0.1001])")
    assert printed(3, dtype) == "tensor(3.)"


def test_integers_and_bools() -> None:
    assert printed([1, -20, 300], np.int64) == "tensor([  1, -20, 300])"
    assert printed(2**64 - 1, np.uint64) == "tensor(18446744073709551615)"
    assert printed([True, False], np.bool_) == "tensor([ True, False])"
    assert printed(True, np.bool_) == "tensor(True)"


def test_complex_parts_have_their_own_notation() -> None:
    assert printed([1 + 2j, 3 - 4j], np.complex64) == "tensor([1.+2.j, 3.-4.j])"
    assert printed([1, 2.5 - 3j], np.complex128) == "tensor([1.0000+0.j, 2.5000-3.j])"
    assert printed([1e9 + 1j, 1j], np.complex64) == "tensor([1.0000e+09+1.j, 0.0000e+00+1.j])"
    assert printed([complex(nan, nan), complex(1, -inf)], np.complex64) == "tensor([nan+nanj, 1.-infj])"


def test_axes_are_apart_by_as_many_lines_as_they_are_far_out() -> None:
    assert printed(np.arange(8).reshape(2, 2, 2), np.int64) == (
        "tensor([[[0, 1],\n"
        "         [2, 3]],\n"
        "\n"
        "        [[4, 5],\n"
        "         [6, 7]]])"
    )  # fmt: skip


def test_long_rows_are_wrapped() -> None:
    assert printed(np.full(12, 1.5)) == (
        "tensor([1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000,\n"
        "        1.5000, 1.5000, 1.5000])"
    )
    set_printoptions(linewidth=0)
    assert printed([1, 2], np.int64) == "tensor([1,\n        2])"


def test_more_items_than_the_threshold_are_summarised() -> None:
    assert "..." not in printed(np.zeros(1000))
    assert printed(np.arange(1001), np.int64) == "tensor([   0,    1,    2,  ...,  998,  999, 1000])"
    set_printoptions(threshold=5, edgeitems=1)
    assert printed(np.arange(9).reshape(3, 3), np.int64) == (
        "tensor([[0,  ..., 2],\n"
        "        ...,\n"
        "        [6,  ..., 8]])"
    )  # fmt: skip
    assert printed([[1, 2]] * 3, np.int64) == "tensor([[1, 2],\n        ...,\n        [1, 2]])"


def test_a_summary_reads_only_what_it_shows() -> None:
    array = np.zeros(2000)
    array[1000] = 123456.5
    assert text(array, suffixes=[]) == "tensor([0., 0., 0.,  ..., 0., 0., 0.])"
    huge = np.broadcast_to(np.float32(1), (10**6, 10**6, 10**6))
    assert len(text(huge, suffixes=[])) < 3000


def test_the_shape_is_told_where_the_items_do_not() -> None:
    assert text(np.zeros((0, 3)), suffixes=[]) == "tensor([], size=(0, 3))"
    assert text(np.zeros((2, 0)), suffixes=["dtype=d"]) == "tensor([], size=(2, 0), dtype=d)"
    with_device = text(np.zeros((2, 0)), suffixes=["device='x'", "dtype=d"])
    assert with_device == "tensor([], device='x', size=(2, 0), dtype=d)"
    assert text(np.zeros(0), suffixes=["dtype=d"]) == "tensor([], dtype=d)"
    set_printoptions(edgeitems=0)
    assert text(np.zeros(2000), suffixes=[]) == "tensor([...], size=(2000,))"


def test_a_suffix_too_many_starts_a_line() -> None:
    row = np.full(8, 1.5)
    assert text(row, suffixes=["a" * 5]).count("\n") == 0
    assert text(row, suffixes=["a" * 6]).endswith("1.5000],\n       aaaaaa)")
    long = "a" * 60
    assert text(row, suffixes=[long, "b" * 11]).endswith(f",\n       {long}, {'b' * 11})")
    assert text(row, suffixes=[long, "b" * 12]).endswith(f",\n       {long},\n       {'b' * 12})")


def test_prefix_sets_the_indent() -> None:
    assert text(np.eye(2), prefix="NDArray(", suffixes=[]) == "NDArray([[1., 0.],\n         [0., 1.]])"
    assert text(np.eye(2), prefix="Parameter containing:\ntensor(", suffixes=[]) == (
        "Parameter containing:\ntensor([[1., 0.],\n        [0., 1.]])"
    )
    assert format_items(np.eye(2), indent=0) == "[[1., 0.],\n [0., 1.]]"


def test_options() -> None:
    set_printoptions(precision=2, sci_mode=True)
    assert printed([1.5]) == "tensor([1.50e+00])"
    set_printoptions(precision=0)  # and sci_mode is back to None
    assert printed([1.5, 2.5]) == "tensor([2, 2])"
    set_printoptions(sci_mode=False)
    assert printed([1, 1e9]) == "tensor([         1., 1000000000.])"
    assert printed([0.0]) == "tensor([0.])"
    set_printoptions(profile="short")
    assert get_printoptions() == {
        "precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80, "sci_mode": None
    }  # fmt: skip
    set_printoptions(profile="full", linewidth=100, sci_mode=True)
    before = get_printoptions()
    assert before["threshold"] == inf and before["linewidth"] == 100
    set_printoptions(**before)
    assert get_printoptions() == before


def test_bad_options_change_nothing() -> None:
    before = get_printoptions()
    with pytest.raises(ValueError, match="profile 'wide'; it is one of default, short, full"):
        set_printoptions(precision=2, profile="wide")
    for name in ("precision", "edgeitems", "linewidth"):
        with pytest.raises(ValueError, match=f"{name}=-1; it must not be negative"):
            set_printoptions(**{"threshold": 7, name: -1})  # type: ignore[arg-type]
    assert get_printoptions() == before


@pytest.mark.parametrize("dtype", ["object", "<U1", "|V8", "datetime64[s]"])
def test_what_is_no_number_is_refused(dtype: str) -> None:
    with pytest.raises(TypeError, match=re.escape(f"dtype {dtype}; it wants")):
        format_items(np.zeros(1, dtype), indent=0)


def test_a_device_that_is_not_the_host_is_named_before_the_dtype() -> None:
    import lamina_ndarray as nd
    from lamina_ndarray.printing import marks

    x = nd.ones((2,), dtype=nd.int8)
    assert marks(x) == ["dtype=lamina.int8"]
    elsewhere = SimpleNamespace(device=SimpleNamespace(type="cuda"), dtype=x.dtype, layout=x.layout)
    assert marks(elsewhere)[0].startswith("device=") and marks(elsewhere)[1:] == ["dtype=lamina.int8"]
    assert repr(x) == "NDArray([1, 1], dtype=lamina.int8)"
