"""One pass over a loader: what every pass has, and the one that reads in the loader's own process."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lamina_flatarray import ArgumentTypeError, ArgumentValueError

from .progress import Progress
from .random_states import restore, states_of
from .samplers import drawn_seed

if TYPE_CHECKING:
    from .loader import DataLoader

__all__ = ["InProcess", "Pass"]


class Pass:
    """An iterator over a loader's batches; a subclass gives `_next`."""

    def __init__(self, loader: DataLoader[Any]) -> None:
        self.fetching = loader._fetching
        self._sampler = loader._index_sampler
        self._generator = loader.generator
        self._num_workers = loader.num_workers
        self._length_told: int | None = None

    def _begin(self, loader: DataLoader[Any], draws_seed: bool = True) -> dict[str, Any] | None:
        """Draw what an epoch draws, in PyTorch's order; returns the saved state that it is taken up from, if any.

        The order is: what the sampler draws as soon as it is asked for an iterator, then the seed of the workers, then
        what the sampler draws when it is asked for numbers.
        """
        resumed = loader._taken_up()
        generators, self._length_told, self._count = loader._generators(), loader._length_told, 0
        stateful = loader._stateful_sampler()
        if resumed is not None and resumed["epoch"] is not None:
            progress = Progress.from_told(resumed["epoch"])
            restore(generators, progress.start)
            if progress.sampler is not None and stateful is not None:
                stateful.load_state_dict(progress.sampler)
        else:
            if resumed is not None:
                restore(generators, resumed["generators"])
                if resumed["sampler"] is not None and stateful is not None:
                    stateful.load_state_dict(resumed["sampler"])
            progress = Progress(states_of(generators), stateful and stateful.state_dict(), draws_seed=draws_seed)
            if not draws_seed and loader._progress is not None:
                progress.base_seed = loader._progress.base_seed
        indices = iter(self._sampler)
        if progress.draws_seed:
            progress.base_seed = drawn_seed(self._generator)
        if self._num_workers and progress.draws_seed:
            indices = iter(self._sampler)  # PyTorch asks twice then: a sampler that draws at once draws again
        self.progress = loader._progress = progress
        self._places = self._numbered(indices)
        return resumed if resumed is not None and resumed["epoch"] is not None else None

    def _numbered(self, indices: Iterator[Any]) -> Iterator[tuple[int, Any]]:
        return self.progress.places(indices)

    def __iter__(self) -> Pass:
        return self

    def __len__(self) -> int:
        return len(self._sampler)

    def _next(self) -> Any:
        """The next batch: with and without workers it is fetched in another way, which the subclasses define."""
        raise NotImplementedError(f"{type(self).__name__} does not say how a batch is fetched")

    def __next__(self) -> Any:
        result = self._next()
        self._count += 1
        if self._length_told is not None and self._count > self._length_told:
            warnings.warn(
                f"Length of IterableDataset {self.fetching.dataset} was reported to be {self._length_told} (when accessing"
                f" len(dataloader)), but {self._count} samples have been fetched."
                + (" Does each worker read its own part of it?" if self._num_workers else ""),
                stacklevel=2,
            )
        return result

    def __reduce__(self) -> Any:
        raise ArgumentTypeError(f"{type(self).__name__} cannot be pickled: it holds what reads the batches")


class InProcess(Pass):
    """Reads each batch when it is asked for."""

    def __init__(self, loader: DataLoader[Any]) -> None:
        super().__init__(loader)
        resumed = self._begin(loader)
        self._reader = self.fetching.reader()
        if resumed is None:
            return
        done, self.progress.done = self.progress.done, 0
        for taken in range(done):
            place, index = next(self._places, (None, None))
            if place is None:
                raise ArgumentValueError(f"load_state_dict: batches taken: {done}, and there are only {taken}")
            self._reader.skip(index)
            self.progress.given(place)
        restore(loader._generators(), resumed["generators"])

    def _next(self) -> Any:
        try:
            place, index = next(self._places)
            result = self._reader.read(index)
        except StopIteration:
            self.progress.finished = True
            raise
        self.progress.given(place)
        return result
