"""Making tensors: from data, filled, drawn, like another."""

from typing import assert_type

import lamina as torch
from lamina import Tensor

assert_type(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor)
assert_type(torch.tensor(3, dtype=torch.int64), Tensor)
assert_type(torch.zeros(2, 3), Tensor)
assert_type(torch.zeros((2, 3), dtype=torch.float64), Tensor)
assert_type(torch.ones(2, 3, requires_grad=True), Tensor)
assert_type(torch.full((2, 2), 7.0), Tensor)
assert_type(torch.empty(4, device="cpu"), Tensor)
assert_type(torch.eye(3), Tensor)
assert_type(torch.arange(10), Tensor)
assert_type(torch.arange(0, 1, 0.25), Tensor)
assert_type(torch.linspace(0, 1, steps=5), Tensor)

torch.manual_seed(0)
generator = torch.Generator().manual_seed(1)
assert_type(generator, torch.Generator)
noise = torch.randn(2, 3, generator=generator)
assert_type(noise, Tensor)
assert_type(torch.rand(2, 3), Tensor)
assert_type(torch.randint(0, 10, (4,)), Tensor)
assert_type(torch.randperm(5), Tensor)
assert_type(torch.normal(0.0, 1.0, size=(2, 2)), Tensor)
assert_type(torch.bernoulli(torch.full((3,), 0.5)), Tensor)
assert_type(torch.multinomial(torch.ones(4), num_samples=2), Tensor)

assert_type(torch.zeros_like(noise), Tensor)
assert_type(torch.randn_like(noise, dtype=torch.float64), Tensor)
assert_type(noise.new_zeros(3), Tensor)
assert_type(torch.as_tensor([1, 2, 3]), Tensor)
assert_type(torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij"), tuple[Tensor, ...])
