"""A worker process: it reads the batches that it is asked for, one after the other, until its loader is gone."""

from __future__ import annotations

import os
import pickle
import random
import signal
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np

import lamina_tensor as lt
from lamina_flatarray import backends
from lamina_flatarray.backends import registry

from .fetching import Fetching
from .random_states import DrawnWith
from .transport import Parcel, packed, send

__all__ = ["Caught", "Chosen", "Ended", "Epoch", "Job", "WorkerInfo", "get_worker_info", "run"]


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """What a worker process knows of itself.

    Attributes:
        id: 0 ... num_workers - 1.
        num_workers: how many there are.
        seed: what its random numbers started from.
        dataset: its own copy.
    """

    id: int
    num_workers: int
    seed: int
    dataset: Any


_info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """Return what a worker process knows of itself; None outside of one.

    Returns:
        A `WorkerInfo` with `id`, `num_workers`, `seed` and `dataset`.

    >>> torch.utils.data.get_worker_info() is None  # in the main process
    True
    """
    return _info


class Epoch(NamedTuple):
    """That an epoch begins: its number, and where it was left if it is taken up again.

    Attributes:
        number: counted by the loader's iterator.
        skipped: how many batches of an iterable data set were read from this worker.
        states: what its last batch left its random numbers at.
    """

    number: int
    skipped: int = 0
    states: DrawnWith | None = None


class Job(NamedTuple):
    """What a worker is started with."""

    id: int
    num_workers: int
    base_seed: int
    fetching: Fetching
    init_fn: Callable[[int], None] | None


class Ended(NamedTuple):
    """In the place of a batch: the worker's iterable data set is at its end."""


class Caught(NamedTuple):
    """In the place of a batch: an exception, by its type and its text, which holds the worker's traceback."""

    kind: type[BaseException]
    text: str

    @classmethod
    def of(cls, error: BaseException, worker: int) -> Caught:
        """What to tell of an exception. A type that cannot be found by name elsewhere is told as a RuntimeError."""
        kind = RuntimeError if isinstance(error, StopIteration) else type(error)  # which would end a loop without a word
        try:
            pickle.dumps(kind)
        except Exception:
            kind = RuntimeError
        trace = "".join(traceback.format_exception(error))
        return cls(kind, f"Caught {type(error).__name__} in DataLoader worker process {worker}.\nOriginal {trace}")

    def again(self) -> BaseException:
        """An exception of that type; a RuntimeError where the type does not take a text alone."""
        if self.kind is KeyError:
            return KeyError(_Shown(self.text))
        try:
            return self.kind(self.text)
        except Exception:
            return RuntimeError(self.text)


class _Shown(str):
    """A text that is shown as it is, also by KeyError, which shows the repr of what it is given."""

    def __repr__(self) -> str:
        return str(self)


def _seed(base: int, worker: int) -> int:
    """Seed all that samples may be drawn with as PyTorch does, and return the default generator's seed."""
    seed = base + worker
    random.seed(seed)
    lt.manual_seed(seed)
    mixed = np.random.SeedSequence([worker, base & 0xFFFFFFFF, base >> 32, 0]).generate_state(4)
    np.random.seed(mixed)
    return seed


def _send_all(connection: Connection, outbox: SimpleQueue[Parcel]) -> None:
    """Send what is ready, so that the next batch is read while the last one waits to be taken."""
    try:
        while True:
            send(connection, outbox.get())
    except OSError:
        return  # the loader is gone; so is this worker when it looks for its next task
    except BaseException:  # out of memory, say: a parcel half sent, for the rest of which the loader would wait for ever
        traceback.print_exc()
        os._exit(1)


def _one_thread() -> None:
    """Workers share the cores with each other and with the loader's process."""
    registry.backend_for("cpu").set_num_threads(1)


class Chosen(NamedTuple):
    """The name of the CPU's backend. Unpickling it chooses that backend, before the tensors behind it are made."""

    backend: str

    def __reduce__(self) -> Any:
        return _choose, (self.backend,)


def _choose(backend: str) -> Chosen:
    backends.use_backend(backend)
    return Chosen(backend)


def run(connection: Connection, not_mine: list[Connection], chosen: Chosen, job: Job) -> None:
    """Be a worker, from the first task to the end of the pipe.

    Args:
        connection: tasks come from it: an `Epoch`, or (epoch, task, index); (epoch, task, batch, states) goes back.
        not_mine: ends of other workers' pipes that a fork brought along.
        chosen: has done its work when it gets here.
        job: what to do.
    """
    global _info
    for other in not_mine:
        other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the loader's process, whose end ends this one
    _one_thread()
    _info = WorkerInfo(job.id, job.num_workers, _seed(job.base_seed, job.id), job.fetching.dataset)
    failed: Exception | None = None
    try:
        if job.init_fn is not None:
            job.init_fn(job.id)
    except Exception as error:
        failed = error
    outbox: SimpleQueue[Parcel] = SimpleQueue()
    threading.Thread(target=_send_all, args=(connection, outbox), daemon=True).start()
    epoch, reader = Epoch(0), None
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        if isinstance(task, Epoch):
            epoch, reader = task, None
            continue
        number, place, index = task
        if number != epoch.number:
            continue
        outcome: Any
        try:
            if failed is not None:
                raise failed
            if reader is None:
                reader = job.fetching.reader()
                for _ in range(epoch.skipped):
                    reader.skip(index)
                if epoch.states is not None:
                    epoch.states.set()
            outcome = reader.read(index)
        except StopIteration as error:
            outcome = Ended() if job.fetching.iterable else Caught.of(error, job.id)
        except Exception as error:
            outcome, failed = Caught.of(error, job.id), None
        try:
            parcel = packed((number, place, outcome, DrawnWith.now()))
        except Exception as error:
            parcel = packed((number, place, Caught.of(error, job.id), DrawnWith.now()))
        outbox.put(parcel)
