"""Shapes: what a tensor says of itself, and views and copies of another shape."""

from typing import assert_type

import lamina as torch
from lamina import Tensor

x = torch.arange(24.0).reshape(2, 3, 4)

assert_type(x.shape, torch.Size)
assert_type(x.size(), torch.Size)
assert_type(x.size(0), int)
assert_type(x.size(dim=-1), int)
assert_type(x.shape[0], int)
assert_type(x.shape[1:], torch.Size)
assert_type(x.shape.numel(), int)
assert_type(x.ndim, int)
assert_type(x.dim(), int)
assert_type(x.numel(), int)
assert_type(x.stride(0), int)
assert_type(x.is_contiguous(), bool)
batch, rows, columns = x.shape
assert_type(rows, int)

assert_type(x.view(2, -1), Tensor)
assert_type(x.view((6, 4)), Tensor)
assert_type(x.reshape(-1), Tensor)
assert_type(x.flatten(start_dim=1), Tensor)
assert_type(torch.flatten(x, 1), Tensor)
assert_type(x.permute(2, 0, 1), Tensor)
assert_type(x.transpose(0, 1), Tensor)
assert_type(x[0].T, Tensor)
assert_type(x.mT, Tensor)
assert_type(x.unsqueeze(0).squeeze(0), Tensor)
assert_type(x.expand(5, 2, 3, 4), Tensor)
assert_type(x.repeat(1, 2, 1), Tensor)
assert_type(x.contiguous(), Tensor)

assert_type(torch.cat([x, x], dim=0), Tensor)
assert_type(torch.stack((x, x)), Tensor)
assert_type(x.split(2, dim=-1), tuple[Tensor, ...])
assert_type(x.chunk(2, dim=1), tuple[Tensor, ...])
assert_type(torch.unbind(x), tuple[Tensor, ...])
first, second = torch.split(x, [1, 3], dim=2)
assert_type(first, Tensor)
assert_type(torch.broadcast_to(torch.ones(4), (2, 3, 4)), Tensor)
assert_type(torch.broadcast_shapes((3, 1), (1, 4)), torch.Size)
assert_type(torch.roll(x, 1, dims=0), Tensor)
assert_type(torch.tril(x[0]), Tensor)
