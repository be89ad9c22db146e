"""Fingerprints: all that two recordings agreed on, so that another process that records the same need not record it twice."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib import metadata
from types import CodeType
from typing import Any, Final

from lamina_flatarray import FlatArray
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.disk_cache import compile_cache
from lamina_ndarray.layouts.layout import Layout
from lamina_ndarray.programs.recorder import Numbers

from ...tensor_fields import AnyTensor
from .effects import Action, Check, Given
from .recording import Pass, Recording
from .trees import PLAIN

__all__ = ["agreed", "keep"]

_AGREED: Final = b"two recordings agreed"


def agreed(recording: Recording) -> bool:
    """Return whether a process before recorded the same twice: the same code, numbers and texts that it refers to, and kernel calls.

    Args:
        recording: a call.
    """
    cache = compile_cache()
    return cache.folder is not None and cache.read(_key(recording)) == _AGREED


def keep(recording: Recording) -> None:
    """Keep that two recordings agreed, if `LAMINA_COMPILE_CACHE` names a folder.

    Args:
        recording: one of them.
    """
    cache = compile_cache()
    if cache.folder is not None:
        cache.keep(_key(recording), _AGREED)


def _key(recording: Recording) -> tuple[str, ...]:
    digest = hashlib.sha256()
    backends = {type(storage.kernels.backend) for storage in recording.recorder.storages}
    packages = {__name__.partition(".")[0], *(kind.__module__.partition(".")[0] for kind in backends)}
    for part in (
        *sorted(f"{package} {_version(package)}" for package in packages), *sorted(map(_code, recording.codes)), *recording.state.plain(),
        *_told([recording.recorder.calls, recording.roles, recording.results, recording.passes, recording.tree, recording.carrying,
                recording.forward, recording.met, [*recording.spent], recording.effects.met]),
    ):  # fmt: skip
        digest.update(part.encode("utf-8", "backslashreplace") + b"\0")
    return "recording", digest.hexdigest()


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _code(code: CodeType) -> str:
    inner = [_code(x) if isinstance(x, CodeType) else repr(sorted(x, key=repr) if isinstance(x, frozenset) else x) for x in code.co_consts]
    names = code.co_names, code.co_varnames, code.co_freevars
    return f"{code.co_qualname} {hashlib.sha256(repr((code.co_code, names, inner)).encode()).hexdigest()}"


def _told(value: Any) -> Iterator[str]:
    """What is in a recording, as texts: what cannot be written is told by its type."""
    if isinstance(value, KernelTable):
        yield f"{value.backend.name} {value.index} {value.dtype.name}"
    elif isinstance(value, Layout):
        yield f"{value.shape} {value.strides} {value.offset}"
    elif isinstance(value, PLAIN):
        yield repr(value)
    elif isinstance(value, Numbers):
        yield f"{value.array.dtype} {value.array.shape} {hashlib.sha256(value.array.tobytes()).hexdigest()}"
    elif isinstance(value, (tuple, list)):
        yield f"{type(value).__name__} {len(value)}"
        for item in value:
            yield from _told(item)
    elif isinstance(value, dict):
        yield f"dict {len(value)}"
        for key, item in value.items():
            yield repr(key)
            yield from _told(item)
    elif isinstance(value, Pass):
        yield from _told(list(vars(value).values()))
    elif isinstance(value, Action):
        yield f"{type(value.owner).__module__}.{type(value.owner).__qualname__}.{value.name}"
        yield from _told(value.args)
    elif isinstance(value, Check):
        yield value.function.__qualname__
        yield from _told(value.args)
    elif isinstance(value, Given):
        yield from _told(value.leaf)
    elif isinstance(value, FlatArray):
        yield f"memory of {value.dtype.name} {value.size}"
    elif isinstance(value, AnyTensor):
        yield f"tensor of {value.array.dtype.name} {tuple(value.array.shape)}"
    else:
        yield f"{type(value).__module__}.{type(value).__qualname__}"
