"""DataLoader: a data set in batches, under PyTorch's arguments, with PyTorch's order and random numbers."""

from __future__ import annotations

import copy
import multiprocessing
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from itertools import repeat
from multiprocessing.context import BaseContext
from typing import Any, Generic, TypeVar, cast

from lamina_flatarray import ArgumentTypeError, ArgumentValueError
from lamina_flatarray.random import Generator

from .collating import default_collate, default_convert
from .dataset import Dataset, IterableDataset
from .fetching import Fetching
from .iterating import InProcess, Pass
from .progress import Progress
from .random_states import generators_of, states_of
from .samplers import BatchSampler, RandomSampler, Sampler, SequentialSampler
from .with_workers import WithWorkers

__all__ = ["DataLoader"]

T_co = TypeVar("T_co", covariant=True)
_FIXED = {"batch_size", "batch_sampler", "dataset", "drop_last", "persistent_workers", "sampler"}


class _Endless(Sampler[None]):
    """What an iterable data set is sampled with: its samples have no numbers."""

    def __iter__(self) -> Iterator[None]:
        return repeat(None)


class DataLoader(Generic[T_co]):
    """Iterates over a data set in batches.

    Order and random numbers are PyTorch's: each epoch draws one seed for its workers from the generator, and the sampler
    draws after that. A data set with `__getitems__` is asked once per batch; tensors in it are gathered by one op each.

    Args:
        dataset: samples by number, with a length, or an IterableDataset.
        batch_size: samples per batch; None gives samples as they are, not in batches.
        shuffle: whether each epoch has a new random order.
        sampler: the order, as anything that iterates over sample numbers.
        batch_sampler: the order, as anything that iterates over lists of sample numbers.
        num_workers: how many processes read; 0 reads in this one.
        collate_fn: from a list of samples to a batch; by default `default_collate`, or `default_convert` for single samples.
        pin_memory: accepted; memory is never pinned here, which is said in a warning.
        drop_last: whether a last batch that is not full is left out.
        timeout: how many seconds to wait for a worker's batch; 0 waits as long as the worker lives.
        worker_init_fn: called in each worker with its number, after its random numbers are seeded.
        multiprocessing_context: how workers start, as a name or a context; by default as `multiprocessing.set_start_method`
            says, else "fork" on Linux and "spawn" elsewhere. "fork" needs no pickling, and no guard around the main program;
            beside threads of other libraries, "forkserver" and "spawn" are safer, for which all is pickled.
        generator: where the random order and the workers' seed come from; by default, the default generator.
        prefetch_factor: how many batches each worker reads ahead; by default 2.
        persistent_workers: whether workers stay for the next epoch.
        pin_memory_device: accepted, without meaning.
        in_order: whether batches of workers come in the order of the sampler, or as they are ready.

    Raises:
        ValueError: an argument is out of range, or excludes another one.
        TypeError: `multiprocessing_context` is neither a name nor a context.

    >>> dataset = torch.utils.data.TensorDataset(torch.arange(5.0), torch.tensor([0, 1, 0, 1, 0]))
    >>> for numbers, labels in torch.utils.data.DataLoader(dataset, batch_size=2):
    ...     print(numbers, labels)
    tensor([0., 1.]) tensor([0, 1])
    tensor([2., 3.]) tensor([0, 1])
    tensor([4.]) tensor([0])
    """

    dataset: Any
    batch_size: int | None
    sampler: Any
    batch_sampler: Any
    _fixed = False

    def __init__(
        self,
        dataset: Dataset[T_co] | Sequence[T_co],
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[Any] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: str | BaseContext | None = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        if num_workers < 0:
            raise ArgumentValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if timeout < 0:
            raise ArgumentValueError("timeout option should be non-negative")
        if not num_workers and prefetch_factor is not None:
            raise ArgumentValueError("prefetch_factor option could only be specified in multiprocessing: let num_workers > 0")
        if prefetch_factor is not None and prefetch_factor < 0:
            raise ArgumentValueError("prefetch_factor option should be non-negative")
        if persistent_workers and not num_workers:
            raise ArgumentValueError("persistent_workers option needs num_workers > 0")
        self.dataset, self.num_workers, self.timeout = dataset, num_workers, timeout
        self.prefetch_factor = 2 if num_workers and prefetch_factor is None else prefetch_factor
        self.pin_memory, self.pin_memory_device = pin_memory, pin_memory_device
        self.worker_init_fn, self.in_order = worker_init_fn, in_order
        self.persistent_workers, self.generator = persistent_workers, generator
        self.multiprocessing_context = multiprocessing_context

        iterable = isinstance(dataset, IterableDataset)
        if iterable:
            arguments = {"shuffle": shuffle or None, "sampler": sampler, "batch_sampler": batch_sampler}
            for name, value in arguments.items():
                if value is not None:
                    raise ArgumentValueError(
                        f"DataLoader with IterableDataset: expected unspecified {name} option, but got {name}={value}"
                    )
        if sampler is not None and shuffle:
            raise ArgumentValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ArgumentValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
                )
            batch_size = None
        elif batch_size is None and drop_last:
            raise ArgumentValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        if sampler is None:
            if iterable:
                sampler = _Endless()
            else:
                sized = cast(Sized, dataset)
                sampler = RandomSampler(sized, generator=generator) if shuffle else SequentialSampler(sized)
        if batch_size is not None:
            batch_sampler = BatchSampler(cast(Iterable[Any], sampler), batch_size, drop_last)
        self.batch_size, self.drop_last = batch_size, drop_last
        self.sampler, self.batch_sampler = sampler, batch_sampler
        if collate_fn is None:
            collate_fn = default_convert if batch_sampler is None else default_collate
        self.collate_fn = collate_fn
        self._iterator: WithWorkers | None = None
        self._progress: Progress | None = None
        self._resumed: dict[str, Any] | None = None
        self._length_told: int | None = None
        self._fixed = True
        self.check_worker_number_rationality()

    def __setattr__(self, name: str, value: Any) -> None:
        if self._fixed and name in _FIXED:
            raise ArgumentValueError(f"{name} attribute should not be set after {type(self).__name__} is initialized")
        super().__setattr__(name, value)

    @property
    def multiprocessing_context(self) -> BaseContext | None:
        """How workers start; None for the default."""
        return self._context

    @multiprocessing_context.setter
    def multiprocessing_context(self, context: str | BaseContext | None) -> None:
        """Set how workers start.

        Args:
            context: a start method's name or a context of Python's `multiprocessing`; None for the default.

        Raises:
            ValueError: there are no workers, or the start method is unknown.
            TypeError: it is neither a name nor a context.
        """
        if context is not None and not self.num_workers:
            raise ArgumentValueError(
                "multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got num_workers=0"
            )
        if isinstance(context, str):
            methods = multiprocessing.get_all_start_methods()
            if context not in methods:
                raise ArgumentValueError(
                    f"multiprocessing_context option should specify a valid start method in {methods!r}, but got"
                    f" multiprocessing_context={context!r}"
                )
            context = multiprocessing.get_context(context)
        if context is not None and not isinstance(context, BaseContext):
            raise ArgumentTypeError(
                "multiprocessing_context option should be a valid context object or a string specifying the start method,"
                f" but got multiprocessing_context={context}"
            )
        self._context = context

    def check_worker_number_rationality(self) -> None:
        """Warn of more workers than this process has cores."""
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        if self.num_workers > cores:
            warnings.warn(
                f"This DataLoader will create {self.num_workers} worker processes in total, and this process may use {cores}"
                " cores; fewer workers may well be faster.",
                stacklevel=2,
            )

    @property
    def _index_sampler(self) -> Any:
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    @property
    def _fetching(self) -> Fetching:
        return Fetching(self.dataset, self.batch_sampler is not None, self.collate_fn, self.drop_last)

    def _generators(self) -> list[Generator]:
        return generators_of(self, self._index_sampler)

    def _stateful_sampler(self) -> Any:
        """The sampler that has a state of its own, or None."""
        samplers = (self._index_sampler, self.sampler)
        return next((sampler for sampler in samplers if hasattr(sampler, "load_state_dict")), None)

    def __iter__(self) -> Pass:
        if self.pin_memory:
            warnings.warn("pin_memory is set, and has no effect: batches lie in ordinary memory", stacklevel=2)
        if not self.num_workers:
            if self.timeout:
                raise AssertionError("timeout is the time to wait for a worker: it needs num_workers > 0")
            return InProcess(self)
        if not self.persistent_workers:
            return WithWorkers(self)
        if self._iterator is not None and self._iterator.shut.alive and self._resumed is None:
            self._iterator.again(self)
            return self._iterator
        if self._iterator is not None:
            self._iterator.shut()
        self._iterator = WithWorkers(self)
        self._iterator.keep()
        return self._iterator

    def __len__(self) -> int:
        """How many batches an epoch has; of an iterable data set that tells its length, an estimate.

        Raises:
            TypeError: the sampler, or the iterable data set, has no length.
        """
        if not isinstance(self.dataset, IterableDataset):
            return len(self._index_sampler)
        self._length_told = length = len(self.dataset)  # type: ignore[arg-type]
        if self.batch_size is None:
            return length
        return length // self.batch_size if self.drop_last else -(-length // self.batch_size)

    # -- taking up an epoch where it was left ------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Return where the latest iterator is: numbers, text, lists and dicts, that go into JSON as they are.

        It holds the states of the default generator, of Python's and NumPy's, and of those of the loader and its sampler; the
        position; and the random numbers of each worker after its last batch. It does not hold the data. A sampler with
        `state_dict` and `load_state_dict` has its own state in it.

        Returns:
            A dict for `load_state_dict`.
        """
        if self._resumed is not None:
            return copy.deepcopy(self._resumed)
        progress = self._progress
        within = progress is not None and not progress.finished
        stateful = self._stateful_sampler()
        return {
            "format": 1,
            "batch_size": self.batch_size,
            "num_workers": self.num_workers,
            "epoch": progress.told() if within and progress is not None else None,
            "generators": states_of(self._generators()),
            "sampler": stateful and stateful.state_dict(),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Let the next iterator go on where `state_dict()` was asked for, also in another process.

        When it is made, the generators are set: all go on from where they were then. The batches before are
        not read again, but by an iterable data set, which knows no other way.

        Args:
            state_dict: what `state_dict` returned, of a loader with the same batch size and number of workers.

        Raises:
            ValueError: the state is of another format, or of a loader with another batch size or number of workers.
        """
        own = {"format": 1, "batch_size": self.batch_size, "num_workers": self.num_workers}
        for name, value in own.items():
            if state_dict.get(name) != value:
                raise ArgumentValueError(f"load_state_dict: {name} was {state_dict.get(name)}, and is {value} here")
        self._resumed = copy.deepcopy(state_dict)

    def _taken_up(self) -> dict[str, Any] | None:
        resumed, self._resumed = self._resumed, None
        return resumed
