"""A batch gathered column by column: one index op for each tensor of a data set, however many samples it takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_ndarray import NDArray
from lamina_ndarray.array_fields import empty_of
from lamina_ndarray.layouts.layout import Layout
from lamina_tensor import Tensor
from lamina_tensor.tensor_fields import tensor_of

__all__ = ["Gathered", "in_order", "positions", "rows"]

Columns = tuple[Any, ...] | dict[str, Any]


class Gathered(Sequence[Any]):
    """Samples that lie in columns: it reads like the list of them, and `default_collate` takes the columns as they are.

    Args:
        columns: a tuple or a dict, as the samples are; of tensors, lists, or again gathered samples.
        length: how many samples there are.
    """

    __slots__ = ("columns", "length")

    def __init__(self, columns: Columns, length: int) -> None:
        self.columns, self.length = columns, length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self.length))]
        if not -self.length <= index < self.length:  # what ends an iteration; tensors would count on into nothing
            raise IndexError(f"sample {index} of a batch of {self.length}")
        if isinstance(self.columns, dict):
            return {name: column[index] for name, column in self.columns.items()}
        return tuple(column[index] for column in self.columns)


def positions(indices: Iterable[Any]) -> NDArray | None:
    """Sample numbers as int64; None where they are anything but integers."""
    array = np.asarray(indices if isinstance(indices, (list, tuple, range, np.ndarray)) else list(indices))
    if array.ndim != 1 or array.dtype.kind not in "iu":
        return None
    return nd.from_numpy(np.ascontiguousarray(array, np.int64))


def rows(x: Tensor, places: NDArray) -> Tensor:
    """`x[places]`: straight to the kernel where nothing is recorded and every position lies within, in one look.

    Args:
        x: of shape (n, ...).
        places: int64, of shape (k,).

    Returns:
        of shape (k, ...).

    Raises:
        IndexOutOfRange: a position lies outside.
    """
    array = x.array
    kernels, shape, count = array.flat.kernels, array.layout.shape, places.layout.shape[0]
    if type(x) is not Tensor or x.requires_grad or kernels.device.type != "cpu" or not count or not shape:
        return x[tensor_of(places)]
    if int(places.numpy().view(np.uint64).max()) >= shape[0]:  # as unsigned numbers, negative ones are the greatest
        return x[tensor_of(places)]
    result = empty_of(kernels, Layout.dense((count, *shape[1:])))
    kernels["index"](result, array, places)
    return tensor_of(result)


def in_order(parts: list[Sequence[Any]], order: np.ndarray[Any, Any]) -> Sequence[Any]:
    """Samples of several sources in one sequence: `order[i]` is the place of sample i in `parts` laid end to end."""
    if all(type(part) is Gathered for part in parts) and _alike(parts):
        return Gathered(_joined(parts, order, nd.from_numpy(order)), len(order))
    samples = [sample for part in parts for sample in part]
    return [samples[i] for i in order.tolist()]


def _names(columns: Columns) -> Any:
    return list(columns) if isinstance(columns, dict) else range(len(columns))


def _alike(parts: list[Any]) -> bool:
    """Whether every column of one has its counterpart in all others."""
    first = parts[0]
    if any(type(part) is not type(first) for part in parts):
        return False
    if isinstance(first, Tensor):
        return all(p.dtype is first.dtype and p.shape[1:] == first.shape[1:] and p.device == first.device for p in parts)
    if not isinstance(first, Gathered):
        return True
    names, kind = _names(first.columns), type(first.columns)
    if any(type(part.columns) is not kind or _names(part.columns) != names for part in parts):
        return False
    return all(_alike([part.columns[name] for part in parts]) for name in names)


def _joined(parts: list[Any], order: np.ndarray[Any, Any], places: NDArray) -> Any:
    def column(name: Any) -> Any:
        pieces = [part.columns[name] for part in parts]
        if isinstance(pieces[0], Tensor):
            return rows(lt.cat(pieces), places)
        return in_order(pieces, order)

    names = _names(parts[0].columns)
    if isinstance(parts[0].columns, dict):
        return {name: column(name) for name in names}
    return tuple(column(name) for name in names)
