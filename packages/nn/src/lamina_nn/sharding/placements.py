"""Where the items of a tensor lie among processes: `Shard` and `Replicate`, and which slices each process has."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Placement", "Replicate", "Shard", "own_slice", "rows_each"]


class Placement:
    """How a tensor lies along one dim of a grid of processes: a `Shard` or a `Replicate`.

    >>> isinstance(torch.distributed.tensor.Replicate(), torch.distributed.tensor.Placement)
    True
    """

    def is_shard(self, dim: int | None = None) -> bool:
        """Tell whether each process has a slice.

        Args:
            dim: along this dim; by default along any.

        Returns:
            A bool.
        """
        return isinstance(self, Shard) and dim in (None, self.dim)

    def is_replicate(self) -> bool:
        """Tell whether each process has all items.

        Returns:
            A bool.
        """
        return isinstance(self, Replicate)


@dataclass(frozen=True)
class Shard(Placement):
    """Give each process a slice along a dim: as many rows to each, and to the last ones what is left, which may be nothing.

    Args:
        dim: the dim of the tensor; negative ones count from the last, where a layer's input or output is meant.

    >>> torch.distributed.tensor.Shard(0)
    Shard(dim=0)
    """

    dim: int


@dataclass(frozen=True)
class Replicate(Placement):
    """Give each process all items.

    >>> torch.distributed.tensor.Replicate()
    Replicate()
    """


def rows_each(length: int, size: int) -> int:
    """Return how many rows each process has, but for the last ones.

    Args:
        length: how many rows there are.
        size: how many processes.
    """
    return -(-length // size)


def own_slice(length: int, size: int, rank: int) -> tuple[int, int]:
    """Return where the rows of a process begin and end.

    Args:
        length: how many rows there are.
        size: how many processes.
        rank: the process.
    """
    each = rows_each(length, size)
    return min(rank * each, length), min((rank + 1) * each, length)
