"""Fetching: how a batch is read, by a list of sample numbers from a data set, or as the next samples of an iterable one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from .collating import default_collate
from .dataset import IterableDataset
from .gathered import Gathered

__all__ = ["Fetching", "Reader"]


class Fetching(NamedTuple):
    """What to read, and how.

    Attributes:
        dataset: samples by number, or an IterableDataset.
        batched: whether an index is a list of numbers, whose samples make a batch; else it is one number.
        collate_fn: from a list of samples, or a sample, to what the loader gives.
        drop_last: whether a last batch of an iterable data set that is not full is left out.
    """

    dataset: Any
    batched: bool
    collate_fn: Callable[[Any], Any]
    drop_last: bool

    @property
    def iterable(self) -> bool:
        """Whether the data set is read from front to back."""
        return isinstance(self.dataset, IterableDataset)

    def reader(self) -> Reader:
        """What reads one epoch."""
        return Reader(self)


class Reader:
    """Reads the batches of one epoch, by an index each; of an iterable data set only the index's length counts."""

    def __init__(self, fetching: Fetching) -> None:
        self.fetching = fetching
        self.samples: Iterator[Any] | None = iter(fetching.dataset) if fetching.iterable else None

    def read(self, index: Any) -> Any:
        """The batch.

        Raises:
            StopIteration: an iterable data set is at its end.
        """
        samples = self._by_number(index) if self.samples is None else self._next(self.samples, index)
        return self.fetching.collate_fn(samples)

    def skip(self, index: Any) -> None:
        """Read past a batch of an iterable data set; one that is read by number has nothing to skip."""
        if self.samples is not None:
            self._next(self.samples, index)

    def _by_number(self, index: Any) -> Any:
        dataset = self.fetching.dataset
        if not self.fetching.batched:
            return dataset[index]
        at_once = getattr(dataset, "__getitems__", None)
        samples = at_once(index) if at_once else [dataset[i] for i in index]
        if type(samples) is Gathered and self.fetching.collate_fn is not default_collate:
            return list(samples)  # a program's own function may do with its list what it likes
        return samples

    def _next(self, samples: Iterator[Any], index: Any) -> Any:
        if not self.fetching.batched:
            return next(samples)
        batch = list(islice(samples, len(index)))
        if not batch or (self.fetching.drop_last and len(batch) < len(index)):
            raise StopIteration
        return batch
