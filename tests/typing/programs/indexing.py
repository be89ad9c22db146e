"""Reading and writing parts: slices, masks, arrays of indices, and the functions that gather and scatter."""

from typing import assert_type

import lamina as torch
from lamina import Tensor

x = torch.arange(12.0).reshape(3, 4)
index = torch.tensor([0, 2])

assert_type(x[0], Tensor)
assert_type(x[0, 1], Tensor)
assert_type(x[:, 1:3], Tensor)
assert_type(x[..., -1], Tensor)
assert_type(x[None], Tensor)
assert_type(x[x > 5], Tensor)
assert_type(x[index], Tensor)
assert_type(x[index, 1:], Tensor)
assert_type(x[[0, 1]], Tensor)

x[0] = 0
x[1, :] = torch.ones(4)
x[x > 5] = 1.0
x[:, index] += 2

columns = torch.tensor([[0], [1], [2]])
assert_type(x.gather(1, columns), Tensor)
assert_type(torch.gather(x, dim=1, index=columns), Tensor)
assert_type(x.scatter(1, columns, 0.5), Tensor)
assert_type(torch.zeros(3, 4).scatter_(1, columns, 1.0), Tensor)
assert_type(x.index_select(0, index), Tensor)
assert_type(torch.index_select(x, 0, index), Tensor)
assert_type(x.masked_fill(x > 1, 0.0), Tensor)
assert_type(torch.masked_select(x, x > 0), Tensor)
assert_type(x.nonzero(), Tensor)
assert_type(torch.take_along_dim(x, columns, dim=1), Tensor)
assert_type(x.narrow(0, 0, 2), Tensor)
assert_type(x.diagonal(), Tensor)
