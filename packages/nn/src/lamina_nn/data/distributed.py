"""DistributedSampler: the share of one process among several that train together."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_flatarray.random import Generator

from ..process_groups import get_rank, get_world_size
from .samplers import Sampler

__all__ = ["DistributedSampler"]


class DistributedSampler(Sampler[int]):
    """Every `num_replicas`-th number from `rank` on, of an order that is the same in all processes.

    Args:
        dataset: its length counts.
        num_replicas: how many processes there are; by default, in the process group.
        rank: which of them this is; by default, in the process group.
        shuffle: whether the order is random; `set_epoch` makes another one for each epoch.
        seed: of the random order; the same in all processes.
        drop_last: whether samples are left out where the processes' shares would differ in length; else some come twice.

    Raises:
        ValueError: the rank is not one of the processes, or is not given where there is no process group.

    >>> for rank in range(2):
    ...     sampler = torch.utils.data.DistributedSampler(range(5), num_replicas=2, rank=rank, shuffle=False)
    ...     print(list(sampler))
    [0, 2, 4]
    [1, 3, 0]
    """

    def __init__(
        self, dataset: Any, num_replicas: int | None = None, rank: int | None = None, shuffle: bool = True, seed: int = 0,
        drop_last: bool = False,
    ) -> None:  # fmt: skip
        num_replicas = get_world_size() if num_replicas is None else num_replicas
        rank = get_rank() if rank is None else rank
        if not 0 <= rank < num_replicas:
            raise ArgumentValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset, self.num_replicas, self.rank = dataset, num_replicas, rank
        self.shuffle, self.seed, self.drop_last, self.epoch = shuffle, seed, drop_last, 0
        total = len(dataset)
        if drop_last and total % num_replicas:
            self.num_samples = math.ceil((total - num_replicas) / num_replicas)
        else:
            self.num_samples = math.ceil(total / num_replicas)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self) -> Iterator[int]:
        n = len(self.dataset)
        if self.shuffle:
            order = lt.randperm(n, generator=Generator().manual_seed(self.seed + self.epoch)).tolist()
        else:
            order = list(range(n))
        if not self.drop_last and order:
            order *= math.ceil(self.total_size / n)  # from the front again
        order = order[: self.total_size]
        if len(order) != self.total_size:
            raise AssertionError(f"Number of indices ({len(order)}) does not match total_size ({self.total_size})")
        return iter(order[self.rank :: self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Set which epoch comes next; with `shuffle` each has an order of its own.

        Args:
            epoch: the number of the epoch, which is added to the seed.
        """
        self.epoch = epoch
