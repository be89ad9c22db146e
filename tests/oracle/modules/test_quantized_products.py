"""Products with weights of few bits beside PyTorch's product with what they stand for, in float64; and their gradients."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from modules.quantized_weights import assert_product, exact, made, of_oracle

import lamina
from lamina.quantization import QuantizedWeight, quantized_linear
from lamina_testkit import error_bounds

SIZES = [  # rows, channels, items, groups
    (1, 37, 70, None), (3, 37, 71, 32), (4, 5, 256, 128), (8, 130, 64, 32), (40, 33, 71, 128), (12, 130, 300, 128),
    (2, 3, 6, 2), (1, 1, 1, None), (70, 2, 5, 4),
]  # fmt: skip
DTYPES = ["float32", "bfloat16", "float16", "float64"]


def numbers(*shape: int, dtype: str = "float32") -> lamina.Tensor:
    rng = np.random.default_rng(shape)
    return lamina.tensor(rng.standard_normal(shape)).to(getattr(lamina, dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("symmetric", [True, False], ids=["symmetric", "zeros"])
@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_products(size: tuple[int, int, int, int | None], bits: int, symmetric: bool, dtype: str) -> None:
    rows, channels, length, group_size = size
    weight = made(channels, length, bits, group_size, symmetric)
    x, bias = numbers(rows, length, dtype=dtype), numbers(channels, dtype=dtype) if channels % 2 else None
    assert_product(quantized_linear(x, weight, bias), x, weight, bias)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("rows", [2, 30])
def test_scales_of_16_bits(rows: int, dtype: str) -> None:
    weight = made(40, 96, 4, 32, False, getattr(lamina, dtype))
    x = numbers(rows, 96)
    assert_product(quantized_linear(x, weight), x, weight)


@pytest.mark.parametrize("bits", [8, 4])
def test_any_leading_shape_and_layout(bits: int) -> None:
    weight = made(6, 10, bits, 4, False)
    leading = numbers(10), numbers(2, 3, 10), numbers(1, 2, 1, 10)
    for x in (*leading, numbers(10, 12).T, numbers(3, 20)[:, ::2], numbers(1, 10).expand(5, 10)):
        found = quantized_linear(x, weight)
        assert tuple(found.shape) == (*x.shape[:-1], 6)
        assert_product(found, x, weight)
    turned = lamina.tensor(np.ascontiguousarray(weight.values.numpy().T)).T
    apart = QuantizedWeight(turned, weight.scales.T.contiguous().T, weight.zero_points, bits, 4, 10)
    assert_product(quantized_linear(numbers(3, 10), apart), numbers(3, 10), weight)


@pytest.mark.parametrize("bits", [8, 4])
def test_of_nothing(bits: int) -> None:
    bias = numbers(3)
    for x, weight in ((numbers(0, 6), made(3, 6, bits, 2, False)), (numbers(2, 0), made(3, 0, bits, 2, False))):
        assert quantized_linear(x, weight, bias).tolist() == bias.expand(x.shape[0], 3).tolist()
        assert quantized_linear(x, weight).shape == (x.shape[0], 3)
    assert quantized_linear(numbers(2, 6), made(0, 6, bits, 2, True)).shape == (2, 0)


@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("rows", [1, 12])
def test_gradients_of_input_and_bias(rows: int, bits: int) -> None:
    weight = made(33, 70, bits, 32, False)
    x, bias = numbers(rows, 70).requires_grad_(), numbers(33).requires_grad_()
    slope = numbers(rows, 33)
    result = quantized_linear(x, weight, bias)
    result.backward(slope)
    assert not result.is_leaf and result.grad_fn.name() == "QuantizedLinearBackward0"
    floats = exact(weight)
    wanted = torch.matmul(of_oracle(slope), floats)
    terms = torch.matmul(of_oracle(slope).abs(), floats.abs())
    error_bounds.assert_within(of_oracle(x.grad).numpy(), wanted.numpy(), error_bounds.products_of_noise("float32") * terms.numpy())
    assert (of_oracle(bias.grad) - of_oracle(slope).sum(0)).abs().le(rows * 2.0**-24 * of_oracle(slope).abs().sum(0)).all()


def test_gradients_of_gradients() -> None:
    """The map is linear: its gradient is one, too, and so on."""
    weight = made(5, 8, 4, 4, False)
    x = numbers(3, 8, dtype="float64").requires_grad_()
    assert lamina.autograd.gradcheck(lambda x: quantized_linear(x, weight), (x,))
    assert lamina.autograd.gradgradcheck(lambda x: quantized_linear(x, weight) ** 2, (x,))
    _, pushed = lamina.func.jvp(lambda x: quantized_linear(x, weight), (x.detach(),), (lamina.ones(3, 8, dtype=lamina.float64),))
    assert_product(pushed, lamina.ones(3, 8, dtype=lamina.float64), weight)


def test_under_vmap_and_autocast() -> None:
    weight, x = made(5, 8, 8, 4, False), numbers(4, 3, 8)
    assert_product(lamina.vmap(lambda x: quantized_linear(x, weight))(x), x, weight)
    with lamina.autocast("cpu", dtype=lamina.bfloat16):
        found = quantized_linear(x, weight, lamina.ones(5))
    assert found.dtype is lamina.bfloat16
    assert_product(found, x.to(lamina.bfloat16), weight, lamina.ones(5))


def test_large_zero_points_hold_the_least_item() -> None:
    """Blocks of files say q * d + m: that is a zero point of -m / d, of whatever size."""
    d, m = np.float32([[1e-3, 2.0]]), np.float32([[5.0, -17.0]])
    values = lamina.tensor(np.arange(32, dtype=np.uint8).reshape(1, 32) * 7)
    weight = QuantizedWeight(values, lamina.tensor(d), lamina.tensor(-m / d), 4, 32)
    q = np.stack([values.numpy() & 15, values.numpy() >> 4], -1).reshape(1, 64)
    wanted = q * np.repeat(d.astype(float), 32, 1) + np.repeat(m.astype(float), 32, 1)
    found = lamina.quantization.dequantize(weight)
    np.testing.assert_allclose(found.numpy(), wanted, rtol=0, atol=4 * 2.0**-24 * 32)
    x = numbers(2, 64)
    assert_product(quantized_linear(x, weight), x, weight)


W8, W4 = made(3, 8, 8, 4, True), made(3, 8, 4, 4, False)


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: quantized_linear(numbers(2, 7), W8), RuntimeError, r"quantized_linear: .*\(2, 7\).*\(3, 8\)"),
        (lambda: quantized_linear(lamina.tensor(1.0), W8), RuntimeError, "quantized_linear: x has no axes"),
        (lambda: quantized_linear(lamina.ones(2, 8, dtype=lamina.int64), W8), TypeError, "quantized_linear: .*int64"),
        (lambda: quantized_linear(numbers(2, 8), W8, numbers(4)), RuntimeError, r"quantized_linear: bias \(4,\)"),
        (lambda: quantized_linear(numbers(2, 8), W8, numbers(3, dtype="float64")), TypeError, "float32 and bias float64"),
        (lambda: QuantizedWeight(W8.values, W8.scales, bits=3), ValueError, "3 bits"),
        (lambda: QuantizedWeight(W8.values, W8.scales, bits=4), TypeError, "4 bits are uint8, got int8"),
        (lambda: QuantizedWeight(W8.values, W8.scales), RuntimeError, r"scales \(3, 2\) given; .*want \(3, 1\)"),
        (lambda: QuantizedWeight(W8.values, W8.scales.double(), group_size=4), TypeError, "scales are float64"),
        (lambda: QuantizedWeight(W8.values, W8.scales, group_size=0), ValueError, "groups of 0"),
        (lambda: QuantizedWeight(W4.values, W4.scales, bits=4, group_size=3), ValueError, "groups of 3 of 4 bits"),
        (lambda: QuantizedWeight(W4.values, W4.scales, bits=4, group_size=4, in_features=9), RuntimeError, "do not hold rows of 9"),
        (lambda: QuantizedWeight(W8.values[0], W8.scales, group_size=4), RuntimeError, "wants 2 dims"),
    ],
)
def test_what_does_not_fit_is_refused(call, kind, words) -> None:
    with pytest.raises(kind, match=words):
        call()
