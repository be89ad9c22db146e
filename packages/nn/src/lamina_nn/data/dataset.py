"""Data sets: samples by number or one after the other, and data sets made of others."""

from __future__ import annotations

import math
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import accumulate
from typing import Any, Generic, TypeVar, cast

import numpy as np

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, IndexOutOfRange
from lamina_flatarray.random import Generator, default_generator
from lamina_tensor import Tensor

from .gathered import Gathered, in_order, positions, rows

__all__ = [
    "ChainDataset", "ConcatDataset", "Dataset", "IterableDataset", "StackDataset", "Subset", "TensorDataset", "random_split",
]  # fmt: skip

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Dataset(Generic[T_co]):
    """Samples by number: as in PyTorch, a subclass defines `__getitem__` and `__len__`.

    One that also gives `__getitems__(indices)`, the samples of a list of numbers, is asked once for each batch.

    >>> class Squares(torch.utils.data.Dataset):
    ...     def __len__(self):
    ...         return 4
    ...
    ...     def __getitem__(self, index):
    ...         return index**2
    >>> [batch.tolist() for batch in torch.utils.data.DataLoader(Squares(), batch_size=3)]
    [[0, 1, 4], [9]]
    """

    def __getitem__(self, index: Any) -> T_co:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Any) -> Any:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[T_co], Iterable[T_co]):
    """Samples one after the other: as in PyTorch, a subclass defines `__iter__`.

    With worker processes each has a copy of the data set and reads all of it, unless `get_worker_info()` tells it which
    part is its own.

    >>> class Countdown(torch.utils.data.IterableDataset):
    ...     def __iter__(self):
    ...         return iter([3, 2, 1])
    >>> [batch.tolist() for batch in torch.utils.data.DataLoader(Countdown(), batch_size=2)]
    [[3, 2], [1]]
    """

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")

    def __add__(self, other: Any) -> Any:
        return ChainDataset([self, other])


def _each(dataset: Any, indices: Iterable[Any]) -> Sequence[Any]:
    """The samples of these numbers: asked for at once if the data set can, else one by one."""
    at_once = getattr(dataset, "__getitems__", None)
    return at_once(indices) if callable(at_once) else [dataset[i] for i in indices]


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """Tensors whose first dim counts the samples. A batch is one index op for each tensor.

    Args:
        tensors: each of shape (n, ...).

    Raises:
        AssertionError: they differ in that length.

    >>> dataset = torch.utils.data.TensorDataset(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([0, 1]))
    >>> dataset[1]
    (tensor([3., 4.]), tensor(1))
    >>> len(dataset)
    2
    """

    def __init__(self, *tensors: Tensor) -> None:
        if any(t.shape[0] != tensors[0].shape[0] for t in tensors):
            raise AssertionError(f"Size mismatch between tensors: TensorDataset({', '.join(str(len(t)) for t in tensors)} samples)")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(t[index] for t in self.tensors)

    def __getitems__(self, indices: Sequence[Any]) -> Sequence[tuple[Tensor, ...]]:
        places = positions(indices) if type(self).__getitem__ is TensorDataset.__getitem__ else None
        if places is None:
            return [self[i] for i in indices]
        return Gathered(tuple(rows(t, places) for t in self.tensors), len(indices))

    def __len__(self) -> int:
        return int(self.tensors[0].shape[0])


class StackDataset(Dataset[Any]):
    """Data sets side by side: a sample is the tuple, or the dict, of their samples.

    Args:
        args, kwargs: data sets of one length, all by position or all by name.

    Raises:
        ValueError: there is none, they differ in length, or they come both ways.

    >>> dataset = torch.utils.data.StackDataset(text=["a", "b"], label=[0, 1])
    >>> dataset[1]
    {'text': 'b', 'label': 1}
    """

    datasets: tuple[Any, ...] | dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args and kwargs:
            raise ArgumentValueError("StackDataset: data sets by position or by name, not both")
        self.datasets = args or kwargs
        parts = list(args or kwargs.values())
        if not parts:
            raise ArgumentValueError("At least one dataset should be passed")
        self._length = len(parts[0])
        if any(len(part) != self._length for part in parts):
            raise ArgumentValueError("Size mismatch between datasets")

    def __getitem__(self, index: Any) -> Any:
        if isinstance(self.datasets, dict):
            return {name: part[index] for name, part in self.datasets.items()}
        return tuple(part[index] for part in self.datasets)

    def __getitems__(self, indices: Sequence[Any]) -> Sequence[Any]:
        if type(self).__getitem__ is not StackDataset.__getitem__:
            return [self[i] for i in indices]

        def column(dataset: Any) -> Sequence[Any]:
            items = _each(dataset, indices)
            if len(items) != len(indices):
                raise ArgumentValueError(f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(items)}")
            return items

        if isinstance(self.datasets, dict):
            return Gathered({name: column(part) for name, part in self.datasets.items()}, len(indices))
        return Gathered(tuple(map(column, self.datasets)), len(indices))

    def __len__(self) -> int:
        return self._length


class ConcatDataset(Dataset[T_co]):
    """Data sets one behind the other. A batch asks each of them once.

    Args:
        datasets: at least one data set with a length.

    Raises:
        AssertionError: there is none, or one is an IterableDataset.

    >>> dataset = torch.utils.data.ConcatDataset([["a", "b"], ["c"]])
    >>> len(dataset), dataset[2]
    (3, 'c')
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(part, IterableDataset) for part in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = list(accumulate(map(len, self.datasets)))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: int) -> Any:
        if idx < 0:
            if -idx > len(self):
                raise ArgumentValueError("absolute value of index should not exceed dataset length")
            idx += len(self)
        at = bisect_right(self.cumulative_sizes, idx)
        if at == len(self.datasets):
            raise IndexOutOfRange(f"ConcatDataset: index {idx} is out of range for {len(self)} samples")
        return self.datasets[at][idx - (self.cumulative_sizes[at - 1] if at else 0)]

    def __getitems__(self, indices: Sequence[Any]) -> Sequence[Any]:
        places = positions(indices) if type(self).__getitem__ is ConcatDataset.__getitem__ else None
        if places is None:
            return [self[i] for i in indices]
        numbers = places.numpy()
        if numbers.size and not -len(self) <= numbers.min() <= numbers.max() < len(self):
            return [self[i] for i in indices]  # which raises for the one outside
        numbers = np.where(numbers < 0, numbers + len(self), numbers)
        which = np.searchsorted(self.cumulative_sizes, numbers, side="right")
        starts = np.array([0, *self.cumulative_sizes])
        parts, order, filled = [], np.empty(len(numbers), np.int64), 0
        for at in np.unique(which).tolist():
            (chosen,) = np.nonzero(which == at)
            part, local = self.datasets[at], numbers[chosen] - starts[at]
            parts.append(_each(part, local if type(part) is TensorDataset else local.tolist()))
            order[chosen] = np.arange(filled, filled + len(chosen))
            filled += len(chosen)
        return parts[0] if len(parts) == 1 else in_order(parts, order) if parts else []


class ChainDataset(IterableDataset[T_co]):
    """Iterable data sets one after the other.

    Args:
        datasets: instances of `IterableDataset`; each is asked for only when the one before is at its end.

    Raises:
        AssertionError: when one is reached that is no IterableDataset.

    >>> class Range(torch.utils.data.IterableDataset):
    ...     def __init__(self, *bounds):
    ...         self.bounds = bounds
    ...
    ...     def __iter__(self):
    ...         return iter(range(*self.bounds))
    >>> list(torch.utils.data.ChainDataset([Range(2), Range(5, 8)]))
    [0, 1, 5, 6, 7]
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = datasets

    def _parts(self) -> Iterator[Any]:
        for part in self.datasets:
            if not isinstance(part, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield part

    def __iter__(self) -> Iterator[T_co]:
        for part in self._parts():
            yield from part

    def __len__(self) -> int:
        return sum(map(len, self._parts()))


class Subset(Dataset[T_co]):
    """Some samples of another data set.

    Args:
        dataset: the other.
        indices: the numbers of the samples, in this order.

    Raises:
        NotImplementedError: a subclass overrides `__getitem__` and not `__getitems__`, which loaders call; so in PyTorch.

    >>> dataset = torch.utils.data.Subset(["a", "b", "c"], [2, 0])
    >>> list(dataset)
    ['c', 'a']
    """

    def __init__(self, dataset: Dataset[T_co] | Sequence[T_co], indices: Sequence[int]) -> None:
        kind = type(self)
        if kind.__getitem__ is not Subset.__getitem__ and kind.__getitems__ is Subset.__getitems__:
            raise NotImplementedError(
                f"{kind.__name__} overrides __getitem__ but not __getitems__, which a DataLoader calls: give it one, such as"
                " `return [self[i] for i in indices]`"
            )
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, list):
            return cast(Any, self.dataset)[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices: Sequence[Any]) -> Sequence[Any]:
        return _each(self.dataset, [self.indices[i] for i in indices])

    def __len__(self) -> int:
        return len(self.indices)


def random_split(
    dataset: Dataset[T] | Sequence[T], lengths: Sequence[int | float], generator: Generator | None = default_generator
) -> list[Subset[T]]:
    """Subsets chosen at random without overlap.

    Args:
        dataset: what to split.
        lengths: of the subsets, or fractions that add up to 1: each is rounded down, and what is left goes to the first.
        generator: where the random order comes from.

    Returns:
        A list of `Subset`, one for each length.

    Raises:
        ShapeError: (a ValueError) the lengths do not add up to that of the data set, or a fraction is not in [0, 1].

    >>> parts = torch.utils.data.random_split(range(10), [0.7, 0.3], generator=torch.Generator().manual_seed(0))
    >>> [len(part) for part in parts]
    [7, 3]
    >>> sorted([*parts[0], *parts[1]])
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    total = len(cast(Sized, dataset))
    counts: list[Any] = list(lengths)
    if math.isclose(sum(counts), 1) and sum(counts) <= 1:
        for i, part in enumerate(counts):
            if not 0 <= part <= 1:
                raise ArgumentValueError(f"Fraction at index {i} is not between 0 and 1: {part}")
        counts = [math.floor(total * part) for part in counts]
        for i in range(total - sum(counts)):
            counts[i % len(counts)] += 1
        for i, n in enumerate(counts):
            if not n:
                warnings.warn(f"Length of split at index {i} is 0. This might result in an empty dataset.", stacklevel=2)
    if sum(counts) != total:
        raise ArgumentValueError(
            f"Sum of input lengths does not equal the length of the input dataset! random_split: {counts} make {sum(counts)}, of {total}"
        )
    order = lt.randperm(total, generator=generator).tolist()
    return [Subset(dataset, order[end - n : end]) for n, end in zip(counts, accumulate(counts), strict=True)]
