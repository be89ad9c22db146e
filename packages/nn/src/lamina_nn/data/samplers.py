"""Samplers: the order in which a data set is read, one number or one batch of numbers at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import islice
from typing import Any, Generic, TypeVar, cast

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError, ArgumentValueError, float64, int64
from lamina_flatarray.random import Generator

__all__ = [
    "BatchSampler", "RandomSampler", "Sampler", "SequentialSampler", "SubsetRandomSampler", "WeightedRandomSampler", "drawn_seed",
]  # fmt: skip

T_co = TypeVar("T_co", covariant=True)


def drawn_seed(generator: Generator | None = None) -> int:
    """A seed: the next 63 bits of a generator, by default of the default one."""
    return int(lt.empty((), dtype=int64).random_(generator=generator).item())


def _positive(name: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ArgumentValueError(f"{name} should be a positive integer value, but got {name}={value}")
    return value


class Sampler(Generic[T_co]):
    """Sample numbers, or lists of them, in some order: as in PyTorch, a subclass defines `__iter__`, and `__len__` if it
    knows it.

    >>> class Backwards(torch.utils.data.Sampler):
    ...     def __iter__(self):
    ...         return iter([2, 1, 0])
    >>> [batch.tolist() for batch in torch.utils.data.DataLoader([10, 20, 30], sampler=Backwards())]
    [[30], [20], [10]]
    """

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError("Subclasses of Sampler should implement __iter__.")


class SequentialSampler(Sampler[int]):
    """The numbers 0, 1, 2, ... of the samples, in order.

    Args:
        data_source: the data set; only its length counts.

    >>> list(torch.utils.data.SequentialSampler("abc"))
    [0, 1, 2]
    """

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """A random order. Without a generator of its own, each pass draws a seed from the default one, as PyTorch does.

    Args:
        data_source: what to sample from; its length counts.
        replacement: whether a sample may come again before all others have come.
        num_samples: how many numbers a pass has; by default, as many as there are samples.
        generator: where the order comes from.

    Raises:
        ValueError: `num_samples` is not positive.
        TypeError: `replacement` is no bool.

    >>> sampler = torch.utils.data.RandomSampler("abcd", generator=torch.Generator().manual_seed(0))
    >>> sorted(sampler), len(sampler)
    ([0, 1, 2, 3], 4)
    """

    def __init__(
        self, data_source: Sized, replacement: bool = False, num_samples: int | None = None, generator: Generator | None = None
    ) -> None:
        if not isinstance(replacement, bool):
            raise ArgumentTypeError(f"replacement should be a boolean value, but got replacement={replacement}")
        self.data_source, self.replacement, self.generator = data_source, replacement, generator
        self._num_samples = num_samples
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ArgumentValueError(f"num_samples should be a positive integer value, but got num_samples={self.num_samples}")

    @property
    def num_samples(self) -> int:
        """How many numbers a pass has."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        n, count = len(self.data_source), self.num_samples
        generator = self.generator
        if generator is None:
            generator = Generator().manual_seed(drawn_seed())
        if self.replacement:
            for start in range(0, count, 32):  # PyTorch's portions
                yield from lt.randint(0, n, (min(32, count - start),), generator=generator).tolist()
        else:
            for _ in range(count // n):
                yield from lt.randperm(n, generator=generator).tolist()
            yield from lt.randperm(n, generator=generator).tolist()[: count % n]  # drawn even where none is left

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """Some sample numbers in a random order.

    Args:
        indices: the numbers.
        generator: the source of randomness; None for the default generator.

    >>> sampler = torch.utils.data.SubsetRandomSampler([1, 3, 5], generator=torch.Generator().manual_seed(0))
    >>> sorted(sampler)
    [1, 3, 5]
    """

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices, self.generator = indices, generator

    def __iter__(self) -> Iterator[int]:
        for i in lt.randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Numbers 0 ... len(weights) - 1, each as often as its weight tells.

    Args:
        weights: need not add up to 1.
        num_samples: how many numbers a pass has.
        replacement: whether one may be drawn again.
        generator: where the draws come from.

    Raises:
        ValueError: `num_samples` is not positive, or the weights are not a vector.

    >>> sampler = torch.utils.data.WeightedRandomSampler([0.0, 1.0, 0.0], num_samples=4)
    >>> list(sampler)
    [1, 1, 1, 1]
    """

    def __init__(
        self, weights: Sequence[float], num_samples: int, replacement: bool = True, generator: Generator | None = None
    ) -> None:
        if not isinstance(replacement, bool):
            raise ArgumentValueError(f"replacement should be a boolean value, but got replacement={replacement}")
        self.weights = lt.as_tensor(weights, dtype=float64)
        if self.weights.ndim != 1:
            raise ArgumentValueError(f"weights should be a 1d sequence but given weights have shape {tuple(self.weights.shape)}")
        self.num_samples = _positive("num_samples", num_samples)
        self.replacement, self.generator = replacement, generator

    def __iter__(self) -> Iterator[int]:
        indices = lt.multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator)
        yield from indices.tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Another sampler's numbers in lists.

    Args:
        sampler: any iterable.
        batch_size: the length of a list.
        drop_last: whether a last list that is not full is left out.

    Raises:
        ValueError: the batch size is not positive, or `drop_last` is no bool.

    >>> list(torch.utils.data.BatchSampler(range(5), batch_size=2, drop_last=False))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Sampler[int] | Iterable[Any], batch_size: int, drop_last: bool) -> None:
        if not isinstance(drop_last, bool):
            raise ArgumentValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler, self.batch_size, self.drop_last = sampler, _positive("batch_size", batch_size), drop_last

    def __iter__(self) -> Iterator[list[int]]:
        numbers = iter(self.sampler)
        while batch := list(islice(numbers, self.batch_size)):
            if self.drop_last and len(batch) < self.batch_size:
                return
            yield batch

    def __len__(self) -> int:
        whole, rest = divmod(len(cast(Sized, self.sampler)), self.batch_size)
        return whole + (rest > 0 and not self.drop_last)
