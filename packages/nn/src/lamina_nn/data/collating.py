"""Samples put together to a batch: by a table from the type of a sample to the function that joins such samples."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any, Final

import numpy as np

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError, float64
from lamina_tensor import Tensor

from .gathered import Gathered

__all__ = ["collate", "default_collate", "default_collate_fn_map", "default_convert"]

_REFUSED = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"


def _like(model: Any, parts: dict[Any, Any] | list[Any]) -> Any:
    """The parts in a container of the model's own type, with its other attributes; in a plain one if it has no way."""
    try:
        if isinstance(model, MutableMapping):
            result: Any = copy.copy(model)
            result.update(parts)
            return result
        if isinstance(model, MutableSequence):
            result = copy.copy(model)
            for i, part in enumerate(parts):
                result[i] = part
            return result
        return type(model)(parts)
    except TypeError:
        return parts


def _is_namedtuple(x: Any) -> bool:
    return isinstance(x, tuple) and hasattr(x, "_fields")


def collate(batch: Any, *, collate_fn_map: Mapping[Any, Callable[..., Any]] | None = None) -> Any:
    """A list of samples as one batch, containers part by part.

    Args:
        batch: samples of one structure.
        collate_fn_map: type, or tuple of types, to the function `f(batch, *, collate_fn_map)` for samples of it.

    Raises:
        TypeError: nothing is known of such samples.
        RuntimeError: sequences differ in length.
    """
    first = batch[0]
    if collate_fn_map is not None:
        function = collate_fn_map.get(type(first))
        if function is None:
            function = next((f for kind, f in collate_fn_map.items() if isinstance(first, kind)), None)
        if function is not None:
            return function(batch, collate_fn_map=collate_fn_map)
    if isinstance(first, Mapping):
        parts = {key: collate([d[key] for d in batch], collate_fn_map=collate_fn_map) for key in first}
        return _like(first, parts)
    if _is_namedtuple(first):
        columns = zip(*batch, strict=False)
        return type(first)(*(collate(column, collate_fn_map=collate_fn_map) for column in columns))
    if isinstance(first, Sequence):
        if any(len(sample) != len(first) for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        collated = [collate(column, collate_fn_map=collate_fn_map) for column in zip(*batch, strict=True)]
        return collated if isinstance(first, tuple) else _like(first, collated)
    raise ArgumentTypeError(_REFUSED.format(type(first)))


def _tensors(batch: Sequence[Tensor], *, collate_fn_map: Any = None) -> Tensor:
    return lt.stack(batch)


def _arrays(batch: Sequence[Any], *, collate_fn_map: Any = None) -> Any:
    if batch[0].dtype.kind in "SUO":
        raise ArgumentTypeError(_REFUSED.format(batch[0].dtype))
    return collate([lt.as_tensor(sample) for sample in batch], collate_fn_map=collate_fn_map)


def _array_scalars(batch: Sequence[Any], *, collate_fn_map: Any = None) -> Tensor:
    return lt.as_tensor(np.array(batch))


def _floats(batch: Sequence[float], *, collate_fn_map: Any = None) -> Tensor:
    return lt.tensor(batch, dtype=float64)


def _integers(batch: Sequence[int], *, collate_fn_map: Any = None) -> Tensor:
    return lt.tensor(batch)


def _as_they_are(batch: Any, *, collate_fn_map: Any = None) -> Any:
    return batch


default_collate_fn_map: Final[dict[Any, Callable[..., Any]]] = {
    Tensor: _tensors,
    np.ndarray: _arrays,
    (np.bool_, np.number, np.object_): _array_scalars,
    float: _floats,
    int: _integers,
    str: _as_they_are,
    bytes: _as_they_are,
}
"""What `default_collate` goes by; a program may add types of its own."""


def _columns(batch: Gathered) -> Any:
    def whole(column: Any) -> Any:
        return column if isinstance(column, Tensor) else default_collate(column)

    if isinstance(batch.columns, dict):
        return {name: whole(column) for name, column in batch.columns.items()}
    return [whole(column) for column in batch.columns]


def default_collate(batch: Any) -> Any:
    """Join a list of samples to a batch: tensors and arrays stacked, numbers in a tensor, text in a list, containers part by
    part (a tuple becomes a list).

    Args:
        batch: samples of one structure; a gathered batch is there already.

    Returns:
        A tensor of one dim more than a sample's, or a container of such.

    Raises:
        TypeError: samples are of a kind that cannot be put together.
        RuntimeError: sequences differ in length, or tensors in shape.

    >>> default_collate([(torch.tensor([1.0, 2.0]), 0), (torch.tensor([3.0, 4.0]), 1)])
    [tensor([[1., 2.],
            [3., 4.]]), tensor([0, 1])]
    >>> default_collate([{"length": 1.5, "name": "a"}, {"length": 2.5, "name": "b"}])
    {'length': tensor([1.5000, 2.5000], dtype=lamina.float64), 'name': ['a', 'b']}
    """
    if type(batch) is Gathered and batch.length and default_collate_fn_map.get(Tensor) is _tensors:
        return _columns(batch)
    return collate(batch, collate_fn_map=default_collate_fn_map)


def default_convert(data: Any) -> Any:
    """Convert the NumPy arrays and numbers in one sample to tensors, and leave all else as it is; a tuple becomes a list.

    Args:
        data: the sample: anything, also nested in lists, tuples and mappings.

    Returns:
        The sample, in containers of the same types.

    >>> default_convert({"image": np.array([1.0, 2.0]), "label": "cat"})
    {'image': tensor([1., 2.], dtype=lamina.float64), 'label': 'cat'}
    """
    if isinstance(data, Tensor):
        return data
    if isinstance(data, (np.ndarray, np.generic)) and not isinstance(data, (np.str_, np.bytes_)):
        return data if data.dtype.kind in "SUO" else lt.as_tensor(data)
    if isinstance(data, Mapping):
        return _like(data, {key: default_convert(data[key]) for key in data})
    if _is_namedtuple(data):
        return type(data)(*map(default_convert, data))
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        parts = [default_convert(part) for part in data]
        return parts if isinstance(data, tuple) else _like(data, parts)
    return data
