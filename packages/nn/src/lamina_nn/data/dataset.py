"""Data sets: samples by number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
from lamina_tensor import Tensor

__all__ = ["Dataset", "Subset", "TensorDataset", "random_split"]


class Dataset:
    """Samples by number: a subclass gives `__getitem__` and `__len__`.

    One that also gives `take(indices)`, a whole batch for an int64 tensor of numbers, is loaded many times faster.
    """

    def __getitem__(self, index: int) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")


class TensorDataset(Dataset):
    """Tensors whose first dim counts the samples.

    Raises:
        ValueError: they differ in that length.
    """

    def __init__(self, *tensors: Tensor) -> None:
        if any(len(t) != len(tensors[0]) for t in tensors):
            raise ValueError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(t[index] for t in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])

    def take(self, indices: Tensor) -> tuple[Tensor, ...]:
        """The samples of these numbers as one batch."""
        return tuple(t[indices] for t in self.tensors)


class Subset(Dataset):
    """Some samples of another data set."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: int) -> Any:
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset: Any, lengths: Sequence[float], generator: Any = None) -> list[Subset]:
    """Subsets of the given lengths (or fractions that add up to 1), chosen at random without overlap.

    Raises:
        ValueError: the lengths do not add up to that of the data set.
    """
    total = len(dataset)
    counts = [int(n) for n in lengths]
    if abs(sum(lengths) - 1) < 1e-9 and sum(lengths) != total:
        counts = [int(total * part) for part in lengths]
        for i in range(total - sum(counts)):
            counts[i % len(counts)] += 1
    if sum(counts) != total:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = lt.randperm(total, generator=generator).tolist()
    ends = [sum(counts[: i + 1]) for i in range(len(counts))]
    return [Subset(dataset, order[end - n : end]) for n, end in zip(counts, ends, strict=True)]
