"""DataLoader: batches of a data set, in order or shuffled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

import lamina_tensor as lt
from lamina_tensor import Tensor

__all__ = ["DataLoader", "default_collate"]


def default_collate(batch: Sequence[Any]) -> Any:
    """A list of samples as one batch: tensors stacked, numbers in a tensor, tuples and dicts part by part.

    Raises:
        TypeError: samples are of a kind that cannot be put together.
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return lt.stack(batch)
    if isinstance(first, np.ndarray):
        return lt.stack([lt.from_numpy(sample) for sample in batch])
    if isinstance(first, np.generic):
        return lt.from_numpy(np.array(batch))
    if isinstance(first, float):
        return lt.tensor(batch, dtype="float64")
    if isinstance(first, (bool, int)):
        return lt.tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return {key: default_collate([sample[key] for sample in batch]) for key in first}
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(part) for part in zip(*batch, strict=True)))
    if isinstance(first, (tuple, list)):
        if any(len(sample) != len(first) for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        parts = [default_collate(part) for part in zip(*batch, strict=True)]
        return parts
    raise TypeError(
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; "
        f"found {type(first).__name__}"
    )


class DataLoader:
    """Iterates over a data set in batches. Order and random numbers are PyTorch's: an epoch draws one seed from the
    default generator, and a generator seeded by it shuffles.

    Args:
        dataset: samples by number, with a length; with a method `take(indices)` a batch is read at once.
        batch_size: samples per batch.
        shuffle: whether each epoch has a new random order.
        collate_fn: from a list of samples to a batch; by default `default_collate`.
        drop_last: whether a last batch that is not full is left out.
        generator: where the random order comes from; by default, the default generator.

    Raises:
        ValueError: the batch size is not positive.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int = 1,
        shuffle: bool = False,
        *,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        drop_last: bool = False,
        generator: Any = None,
    ) -> None:
        if batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        self.dataset = dataset
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.collate_fn = collate_fn
        self.drop_last = drop_last
        self.generator = generator

    def __len__(self) -> int:
        whole, rest = divmod(len(self.dataset), self.batch_size)
        return whole + (rest > 0 and not self.drop_last)

    def _order(self) -> Tensor:
        """The numbers of all samples in this epoch's order."""
        from lamina_flatarray.random import Generator

        base = lt.empty(1, dtype="int64").random_(generator=self.generator)  # as PyTorch: a seed for worker processes
        if not self.shuffle:
            return lt.arange(len(self.dataset))
        generator = self.generator
        if generator is None:
            seed = int(lt.empty(1, dtype="int64").random_().item())
            generator = Generator()
            generator.manual_seed(seed)
        del base
        return lt.randperm(len(self.dataset), generator=generator)

    def __iter__(self) -> Iterator[Any]:
        order = self._order()
        take = getattr(self.dataset, "take", None) if self.collate_fn is None else None
        for start in range(0, len(self) * self.batch_size, self.batch_size):
            numbers = order[start : start + self.batch_size]
            if take is not None:
                yield list(take(numbers))
            else:
                yield (self.collate_fn or default_collate)([self.dataset[i] for i in numbers.tolist()])
