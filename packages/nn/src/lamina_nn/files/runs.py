"""A whole training run in one safetensors file: the state of a model, optimizer, generators and loader, and plain values.

Tensors are in the file by name (`model/0.weight`), as any reader of safetensors finds them; how they belong together is
JSON in its metadata. Nothing is executed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Final, NamedTuple

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, ArgumentValueError, CheckpointError, backends
from lamina_ndarray import NDArray
from lamina_ndarray.files import open_safetensors, save_safetensors
from lamina_ndarray.files.replacing import Path
from lamina_tensor import Tensor

from .json_trees import Arrays, decoded, encoded

__all__ = ["load_run", "save_run"]

_KEY: Final = "lamina.run"
_SUM: Final = "lamina.crc32"
_VERSION: Final = 2
_WITHOUT_SUM: Final = 1


class _Access(NamedTuple):
    """How the state of a part is had and given back."""

    take: Callable[[], Any]
    give: Callable[[Any], Any]


class _Before(NamedTuple):
    """What a part was before it was given a state."""

    state: Any
    attributes: dict[str, Any]


def _access(part: Any) -> _Access | None:
    """None for a plain value."""
    for take, give in (("state_dict", "load_state_dict"), ("get_state", "set_state")):
        if hasattr(part, take) and hasattr(part, give):
            return _Access(getattr(part, take), getattr(part, give))
    return None


def save_run(path: Path, /, **parts: Any) -> None:
    """Write the parts of a training run to one file, which replaces the old one at once or not at all.

    Args:
        path: the file.
        parts: by name, anything with `state_dict` and `load_state_dict` (modules, optimizers, schedulers, loaders, scalers),
            anything with `get_state` and `set_state` (generators), and plain values: numbers, texts, tensors, NumPy arrays,
            and lists, tuples, dicts and sets of these.

    Raises:
        CheckpointError: a part holds something else. The old file is still there.
        OSError: the file cannot be written.
    """
    arrays = Arrays()
    parts_by_name = {}
    for name, part in parts.items():
        access = _access(part)
        of = None if access is None else type(part).__name__
        parts_by_name[name] = {"of": of, "state": encoded(part if access is None else access.take(), arrays, name)}
    text = json.dumps({"version": _VERSION, "parts": parts_by_name, "complex128": _split(arrays.by_name)})
    save_safetensors(arrays.by_name, path, {_KEY: text, _SUM: _sum(text, arrays.by_name)})


def _sum(text: str, arrays: Mapping[str, NDArray]) -> str:
    """The checksum (CRC-32) of all that a run's file says: the tree, and of each array the name, dtype, shape and items."""
    checksum = backends.backend_for("cpu").crc32
    result = checksum(text.encode("utf-8", "surrogatepass"), 0)
    for name in sorted(arrays):
        items = nd.contiguous(arrays[name].to_device("cpu"))
        begin, length = items.layout.offset * items.dtype.itemsize, items.size * items.dtype.itemsize
        result = checksum(json.dumps([name, items.dtype.name, list(items.shape)]).encode(), result)
        result = checksum(items.flat.bytes_view()[begin : begin + length].data, result)
    return f"{result:08x}"


def load_run(path: Path, /, **parts: Any) -> dict[str, Any]:
    """Give the objects of a training run the state that `save_run` wrote. All of them take it, or nothing is changed.

    What follows is what would have followed where it was saved, bit for bit: parameters, order, random numbers.

    Args:
        path: the file.
        parts: by the names that they were saved under, the objects that take their state.

    Returns:
        What else is in the file by name: plain values, and the states of objects that are not among `parts`.

    Raises:
        CheckpointError: the file is damaged or no training run, a part is not in it, is of another class, or does not take
            its state (dtypes must be the same, too).
        TypeError: a part is a plain value; these are returned.
        OSError: the file cannot be opened.
    """
    file = os.fsdecode(path)
    saved = _read(file)
    accesses: dict[str, _Access] = {}
    for name, part in parts.items():
        access = _access(part)
        if access is None:
            raise ArgumentTypeError(f"load_run: {name} is {type(part).__name__}, which takes no state; plain values are returned")
        if name not in saved:
            raise CheckpointError(f"load_run: {file} has no part {name!r}; it has {', '.join(saved)}")
        of, state = saved[name]
        if of != type(part).__name__:
            raise CheckpointError(f"load_run: {name} is of class {type(part).__name__}; in {file} it is of {of or 'none: a plain value'}")
        _check(name, access.take(), state)
        accesses[name] = access
    before = {name: _Before(deepcopy(access.take()), dict(getattr(parts[name], "__dict__", {}))) for name, access in accesses.items()}
    tried: list[str] = []
    try:
        for name, access in accesses.items():
            tried.append(name)
            access.give(saved[name][1])
    except BaseException as error:
        for name in tried:
            _put_back(parts[name], accesses[name], before[name])
        if not isinstance(error, Exception):
            raise
        raise CheckpointError(f"load_run: {tried[-1]} does not take its state from {file}; nothing is changed: {error}") from error
    return {name: state for name, (_, state) in saved.items() if name not in parts}


def _put_back(part: Any, access: _Access, before: _Before) -> None:
    """Its state, for what has been written into; then its attributes, for what has been exchanged or noted for later."""
    access.give(before.state)
    if before.attributes:
        part.__dict__.clear()
        part.__dict__.update(before.attributes)


def _read(file: str) -> dict[str, tuple[str | None, Any]]:
    """The parts by name: the class of the object, and its state."""
    with open_safetensors(file, mmap=False) as opened:  # what has the right checksum is to stay so
        try:
            text, stored = opened.metadata[_KEY], dict(opened)
            header = json.loads(text)
            if header["version"] != (_VERSION if _SUM in opened.metadata else _WITHOUT_SUM):
                raise ArgumentValueError(f"version {header['version']!r}")
            if header["version"] != _WITHOUT_SUM and opened.metadata[_SUM] != _sum(text, stored):
                raise ArgumentValueError("its checksum (CRC-32) is wrong: it is damaged")
            arrays = _joined(stored, header["complex128"])
            return {name: (part["of"], decoded(part["state"], arrays)) for name, part in header["parts"].items()}
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RuntimeError) as error:
            raise CheckpointError(f"load_run: {file} is not a whole file of save_run: {error!r:.200}") from error


def _split(arrays: dict[str, NDArray]) -> list[str]:
    """The names of arrays of complex128, which safetensors does not have: they become pairs of float64."""
    names = [name for name, array in arrays.items() if array.dtype is nd.complex128]
    arrays.update({name: nd.view_as_real(arrays[name]) for name in names})
    return names


def _joined(arrays: dict[str, NDArray], names: list[str]) -> dict[str, NDArray]:
    return arrays | {name: nd.view_as_complex(arrays[name]) for name in names}


def _check(name: str, own: Any, saved: Any) -> None:
    """That tensors that an object has at the top of its state are there, with their shapes and dtypes."""
    if not isinstance(own, Mapping) or not isinstance(saved, Mapping):
        return
    for key, tensor in own.items():
        if isinstance(tensor, Tensor):
            other = saved.get(key)
            if not isinstance(other, Tensor) or other.shape != tensor.shape or other.dtype is not tensor.dtype:
                shown = f"{other.dtype.name} {tuple(other.shape)}" if isinstance(other, Tensor) else "no tensor"
                raise CheckpointError(
                    f"load_run: {name}/{key} is {tensor.dtype.name} {tuple(tensor.shape)}; in the file there is {shown}. "
                    "Nothing is changed"
                )
