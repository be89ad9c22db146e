"""Fixtures of flatarray's tests: fake site-packages, and a backend whose memory the host cannot see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from lamina_flatarray import Backend, backends
from plugins import Site


class Remote(Backend):
    """A device with two places and only the kernels that it is given; its memory is hidden in a list of one."""

    name = "remote"
    device_type = "far"

    def __init__(self) -> None:
        self.table: dict[str, tuple[tuple[str, ...], Callable[..., Any]]] = {}

    def capabilities(self) -> Mapping[str, tuple[str, ...]]:
        return {op: dtypes for op, (dtypes, _) in self.table.items()}

    def kernel(self, op: str) -> Callable[..., Any]:
        return self.table[op][1]

    def allocate(self, nbytes: int, index: int) -> Any:
        return [bytearray(b"\xab" * nbytes)]

    def copy_in(self, memory: Any, offset: int, source: memoryview) -> None:
        memory[0][offset : offset + source.nbytes] = source.cast("B")

    def copy_out(self, memory: Any, offset: int, target: memoryview) -> None:
        target.cast("B")[:] = memory[0][offset : offset + target.nbytes]

    def device_count(self) -> int:
        return 2


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


@pytest.fixture
def remote() -> Iterator[Remote]:
    made = Remote()
    backends.register(made)
    yield made
    backends.unregister("remote")
