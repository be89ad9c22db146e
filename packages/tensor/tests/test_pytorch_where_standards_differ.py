"""Where PyTorch and the Array API standard disagree, tensors follow PyTorch (and arrays the standard)."""

import math

import pytest

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_flatarray import ShapeError, UsageError
from lamina_tensor import functions
from lamina_tensor.dispatch.tensor_functions import FUNCTIONS


def tensor(items, dtype=nd.float32):
    return lt.tensor(items, dtype=dtype)


@pytest.mark.parametrize("op", ["__add__", "__rmul__", "__rsub__", "__truediv__", "__floordiv__"])
def test_tensors_without_dims_count_for_less(op):
    narrow, wide = tensor([1.0, 2.0]), tensor(2.0, nd.float64)
    assert getattr(narrow, op)(wide).dtype is getattr(wide, op)(narrow).dtype is nd.float32
    assert getattr(narrow.array, op)(wide.array).dtype is nd.float64
    assert functions.result_type(narrow, wide) is nd.float32


def test_choices_promote_by_rank_too():
    narrow, wide = tensor([1.0, 2.0]), tensor(2.0, nd.float64)
    assert functions.where(narrow > 1, narrow, wide).dtype is nd.float32
    assert functions.clamp(narrow, wide).dtype is nd.float32
    assert functions.clamp(narrow, min=wide, max=wide).dtype is nd.float32


def test_in_place_arithmetic_is_pytorchs():
    x = tensor([math.inf, 7.0])
    x //= 2
    assert math.isnan(x[0].item())
    assert x[1].item() == 3


def test_division_at_infinity():
    found = tensor([math.inf, 1.0]) // tensor([2.0, -math.inf])
    assert math.isnan(found[0].item())
    assert found[1].item() == -1
    assert math.copysign(1, (tensor([-0.0]) % tensor([3.0])).item()) == -1


def test_squeeze_lets_long_dims_be():
    assert functions.squeeze(tensor([[1.0], [2.0]]), 0).shape == (2, 1)


def test_unsigned_integers_sum_to_int64():
    x = tensor([200, 100], nd.uint8)
    assert FUNCTIONS["sum"](x).dtype is FUNCTIONS["prod"](x).dtype is nd.int64
    assert FUNCTIONS["sum"](x).item() == 300
    assert FUNCTIONS["sum"](x, dtype=nd.uint8).dtype is nd.uint8


def test_what_is_an_error_to_pytorch():
    with pytest.raises(UsageError, match="At least one"):
        functions.clamp(tensor([1.0]))
    with pytest.raises(ShapeError, match="arange"):
        lt.arange(3, 0)
    assert lt.arange(3, 0, -1).tolist() == [3, 2, 1]
