"""Datasets of one's own, samplers, and loaders that gather batches of them."""

from collections.abc import Iterator
from typing import assert_type

import lamina as torch
from lamina import Tensor
from lamina.utils.data import (
    ConcatDataset,
    DataLoader,
    Dataset,
    IterableDataset,
    Subset,
    TensorDataset,
    WeightedRandomSampler,
)


class Squares(Dataset[tuple[Tensor, int]]):
    def __init__(self, count: int) -> None:
        self.count = count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[Tensor, int]:
        return torch.tensor([float(index)]), index * index


class Lines(IterableDataset[str]):
    def __iter__(self) -> Iterator[str]:
        return iter(["one", "two"])


squares = Squares(6)
x, y = squares[2]
assert_type(x, Tensor)
assert_type(y, int)
assert_type(len(squares), int)
both: ConcatDataset[tuple[Tensor, int]] = ConcatDataset([squares, squares])
part = Subset(squares, [0, 1])
assert_type(len(both) + len(part), int)

loader = DataLoader(squares, batch_size=2, shuffle=True, drop_last=False, generator=torch.Generator().manual_seed(0))
assert_type(len(loader), int)
for batch, results in loader:
    total: Tensor = batch.sum() + results.sum()

sampler = WeightedRandomSampler([1.0] * 6, num_samples=4)
for batch, _ in DataLoader(squares, batch_size=2, sampler=sampler):
    assert batch.shape[0] == 2


def collated(items: list[tuple[Tensor, int]]) -> tuple[Tensor, list[int]]:
    return torch.stack([item for item, _ in items]), [number for _, number in items]


for batch, _ in DataLoader(squares, batch_size=3, collate_fn=collated):
    assert batch.shape == (3, 1)
for line in DataLoader(Lines(), batch_size=None):
    assert isinstance(line, str)

pairs = TensorDataset(torch.arange(4), torch.arange(4) * 2)
assert_type(pairs[0], tuple[Tensor, ...])
xb, yb = next(iter(DataLoader(pairs, batch_size=4)))
