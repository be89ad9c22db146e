"""Weights of few bits for the tests: what each stands for, in PyTorch's float64, and how far a product with it may be off."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

import lamina
from lamina_testkit import error_bounds

__all__ = ["assert_product", "exact", "groups_of", "made", "of_oracle"]

Weight = lamina.quantization.QuantizedWeight


def of_oracle(x: lamina.Tensor) -> torch.Tensor:
    """In float64, which holds every item of it."""
    return torch.from_numpy(x.detach().double().numpy().copy())


def made(rows: int, length: int, bits: int, group_size: int | None, symmetric: bool, dtype: Any = lamina.float32) -> Weight:
    """A weight of all kinds of integers, whose zero points lie between them."""
    rng = np.random.default_rng([rows, length, bits])
    size = max(length, 1) if group_size is None else group_size
    groups = -(-length // size)
    if bits == 8:
        values = lamina.tensor(rng.integers(-128, 128, (rows, length)).astype(np.int8))
    else:
        values = lamina.tensor(rng.integers(0, 256, (rows, (length + 1) // 2)).astype(np.uint8))
    scales = lamina.tensor((rng.random((rows, groups)) + 0.5).astype(np.float32) / 2**bits).to(dtype)
    zeros = None if symmetric else lamina.tensor((rng.standard_normal((rows, groups)) * 5).astype(np.float32)).to(dtype)
    return Weight(values, scales, zeros, bits, group_size, length)


def groups_of(weight: Weight) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """q, scale and zero point of each item, in float64."""
    values, (rows, length) = of_oracle(weight.values), weight.shape
    if weight.bits == 4:
        values = torch.stack([values % 16, torch.div(values, 16, rounding_mode="floor")], -1).reshape(rows, -1)[:, :length]
    scales = of_oracle(weight.scales)
    zeros = torch.full_like(scales, 8.0 * (weight.bits == 4)) if weight.zero_points is None else of_oracle(weight.zero_points)
    return values, *(torch.repeat_interleave(x, weight.group_size, 1)[:, :length] for x in (scales, zeros))


def exact(weight: Weight) -> torch.Tensor:
    """The floats that it stands for."""
    values, scales, zeros = groups_of(weight)
    return (values - zeros) * scales


def assert_product(found: lamina.Tensor, x: lamina.Tensor, weight: Weight, bias: lamina.Tensor | None = None) -> None:
    """A product with it within the rounding of the dtype that it is computed in, and of its own.

    What is added up are q * x * scale and zero * x * scale, one by one or together, and then the bias.
    """
    values, scales, zeros = groups_of(weight)
    rows, computed = of_oracle(x), lamina.float32 if x.dtype.itemsize < 4 else x.dtype
    wanted = torch.matmul(rows, exact(weight).T)
    terms = torch.matmul(rows.abs(), ((values.abs() + zeros.abs()) * scales.abs()).T)
    if bias is not None:
        wanted, terms = wanted + of_oracle(bias), terms + of_oracle(bias).abs()
    bound = error_bounds.products_of_noise(computed) * terms + error_bounds.unit_roundoff(x.dtype) * wanted.abs()
    assert found.dtype is x.dtype
    error_bounds.assert_within(of_oracle(found).numpy(), wanted.numpy(), bound.numpy())
