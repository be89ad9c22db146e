"""assert_close on every backend: its verdict, its words, and what it leaves as it was."""

import pytest

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_tensor import is_grad_enabled, strict
from lamina_tensor.testing import assert_close, make_tensor

INEXACT = {"float16": 1e-3, "bfloat16": 1.6e-2, "float32": 1.3e-6, "float64": 1e-7, "complex64": 1.3e-6, "complex128": 1e-7}


@pytest.mark.parametrize("dtype", INEXACT)
def test_tolerances_by_dtype(dtype):
    expected = lt.full((3,), 1024.0, dtype=dtype)
    step = 1024 * INEXACT[dtype]
    near, far = (lt.full((3,), 1024 + factor * step, dtype=dtype) for factor in (0.5, 4.0))
    assert_close(near, expected)
    with pytest.raises(AssertionError, match=r"3 / 3 \(100\.0%\)"):
        assert_close(far, expected)


def test_the_message():
    x = lt.zeros(3, 4)
    y = x.clone()
    y[1, 2], y[2, 0] = 1.0, -2.0
    with pytest.raises(AssertionError) as caught:
        assert_close({"a": [x]}, {"a": [y]})
    assert str(caught.value) == (
        "Tensor-likes are not close!\n\nMismatched elements: 2 / 12 (16.7%)\n"
        "Greatest absolute difference: 2.0 at index (2, 0) (up to 1e-05 allowed)\n"
        "Greatest relative difference: 1.0 at index (1, 2) (up to 1.3e-06 allowed)\n\nThe failure occurred for item ['a'][0]"
    )


def test_arrays_of_the_storey_below_are_welcome():
    assert_close(nd.ones((2, 3)), nd.ones((2, 3)))
    with pytest.raises(AssertionError):
        assert_close(nd.ones((2, 3)), nd.zeros((2, 3)))


def test_deep_trees_are_no_recursion():
    x = y = 1.0
    for _ in range(3000):
        x, y = [x], [y]
    assert_close(x, y)


def test_it_neither_records_nor_minds_strict_mode():
    x = lt.ones(3, requires_grad=True)
    with strict():
        assert_close(x * 2, lt.full((3,), 2.0))
    assert is_grad_enabled() and x.grad is None


@pytest.mark.parametrize("dtype", ["float32", "complex64", "int16", "bool", "bfloat16"])
def test_made_tensors(dtype):
    x = make_tensor((7, 5), dtype=dtype, low=0, high=2, exclude_zero=True)
    assert x.shape == (7, 5) and x.dtype == getattr(nd, dtype) and bool((x != 0).all())
    assert make_tensor((7, 5), dtype=dtype, noncontiguous=True).stride() == (10, 2)
    assert make_tensor(3, dtype="int64", device="cpu").shape == (3,)
