"""Arithmetic, comparisons and bits, between tensors and with Python's numbers, on either side and in place."""

from typing import assert_type

import lamina as torch
from lamina import Tensor

x = torch.tensor([1.0, 2.0, 3.0])
y = torch.tensor([3.0, 2.0, 1.0])
n = torch.tensor([1, 2, 3])

assert_type(x + 1, Tensor)
assert_type(1 + x, Tensor)
assert_type(x - y, Tensor)
assert_type(2.0 * x, Tensor)
assert_type(x / y, Tensor)
assert_type(1 / x, Tensor)
assert_type(x // 2, Tensor)
assert_type(x % 2, Tensor)
assert_type(x**2, Tensor)
assert_type(2**x, Tensor)
assert_type(-x, Tensor)
assert_type(+x, Tensor)
assert_type(abs(x), Tensor)
assert_type(x @ y, Tensor)

assert_type(x > 0, Tensor)
assert_type(x >= y, Tensor)
assert_type(x < y, Tensor)
assert_type(x <= 2, Tensor)
assert_type(x == y, Tensor)
assert_type(x != y, Tensor)
assert_type((x > 1) & (y > 1), Tensor)
assert_type((x > 1) | ~(y > 1), Tensor)
assert_type(n ^ 1, Tensor)
assert_type(n << 1, Tensor)

z = x.clone()
z += 1
z -= y
z *= 2
z /= 4
assert_type(z, Tensor)
z.add_(x).mul_(2).clamp_(min=0)
assert_type(z.add_(1), Tensor)
assert_type(torch.add(x, y, alpha=2), Tensor)
assert_type(x.mul(y).sub(1).div(2).pow(2), Tensor)
assert_type(torch.clamp(x, 0, 2), Tensor)
assert_type(torch.where(x > 1, x, y), Tensor)
assert_type(torch.maximum(x, y), Tensor)
assert_type(torch.exp(x).log().sqrt().abs(), Tensor)

assert_type(float(x.sum()), float)
assert_type(int(n[0]), int)
assert_type(bool(n[0] == 1), bool)
assert_type(len(x), int)
assert_type(torch.equal(x, y), bool)
assert_type(torch.allclose(x, y, atol=1e-6), bool)
assert_type(torch.is_tensor(x), bool)
for item in x:
    assert_type(item, Tensor)
