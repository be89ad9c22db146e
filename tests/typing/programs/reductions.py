"""Reductions: over all items or along dims, to values and to where they are."""

from typing import assert_type

import lamina as torch
from lamina import Tensor

x = torch.tensor([[1.0, 5.0, 3.0], [4.0, 2.0, 6.0]])

assert_type(x.sum(), Tensor)
assert_type(x.sum(dim=1), Tensor)
assert_type(x.sum(1, keepdim=True), Tensor)
assert_type(x.sum(dim=(0, 1)), Tensor)
assert_type(x.mean(dim=-1), Tensor)
assert_type(x.std(), Tensor)
assert_type(x.var(dim=0, unbiased=False), Tensor)
assert_type(x.prod(dim=1), Tensor)
assert_type(x.norm(), Tensor)
assert_type(torch.sum(x, dim=0, dtype=torch.float64), Tensor)
assert_type(torch.logsumexp(x, dim=1), Tensor)
assert_type(x.cumsum(dim=0), Tensor)
assert_type(x.argmax(), Tensor)
assert_type(x.argmax(dim=1), Tensor)
assert_type((x > 2).any(), Tensor)
assert_type((x > 2).all(dim=1), Tensor)
assert_type(x.amax(dim=(0, 1)), Tensor)
assert_type(torch.count_nonzero(x), Tensor)

assert_type(x.max(), Tensor)
assert_type(torch.max(x, dim=1).values, Tensor)
assert_type(torch.max(x, dim=1).indices, Tensor)
assert_type(torch.max(x, x * 2), Tensor)
assert_type(x.min(dim=0).values, Tensor)
values, indices = x.max(dim=1)
assert_type(values, Tensor)
assert_type(indices, Tensor)
best, places = torch.topk(x, 2, dim=1)
assert_type(best, Tensor)
assert_type(x.topk(1).indices, Tensor)
assert_type(x.sort(dim=1, descending=True).values, Tensor)
assert_type(torch.sort(x)[0], Tensor)
assert_type(x.argsort(dim=1), Tensor)
assert_type(torch.median(x), Tensor)
assert_type(torch.median(x, dim=1).values, Tensor)
assert_type(torch.kthvalue(x, 2, dim=1).values, Tensor)
assert_type(torch.quantile(x, 0.5), Tensor)

total: float = x.sum().item()
rows: list[float] = x.sum(dim=1).tolist()
counts = torch.bincount(torch.tensor([0, 1, 1]))
assert_type(counts, Tensor)
distinct = torch.unique(counts)
first: Tensor = distinct[0]
print(f"{total:.1f} {rows} {first.item()} {x.mean():.2f}")
