"""Fixtures of flatarray's tests: fake site-packages, small backends that are registered in this process, raised warnings; and what is
asked once."""

from __future__ import annotations

import json
import math
import os
import struct
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lamina_flatarray
from lamina_flatarray import Backend, backends
from lamina_flatarray.backends import choice

sys.path.insert(0, str(Path(__file__).parent))  # reference_operands


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Ask once what is the same whatever backend is chosen."""
    if config.getoption("--backend", "numpy") == "numpy":
        return
    for item in items:
        if "site" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.skip(reason="asked once, on NumPy: processes of their own, which keep installed backends out"))
        elif item.path.parent.name == "reference":
            item.add_marker(pytest.mark.skip(reason="asked once, on NumPy: it is the reference itself that is tested"))


GOOD = """
from lamina_flatarray import Backend
from lamina_flatarray.hookspec import hookimpl

class Toy(Backend):
    name = "{name}"
    device_type = "{device}"
    host = True
    extends = "numpy"
    priority = {priority}

    def capabilities(self):
        return {{}}

    def kernel(self, op):
        raise AssertionError(op)

    def allocate(self, nbytes, index):
        return bytearray(nbytes)

@hookimpl
def lamina_backend():
    return Toy()
"""
"""The source of a sound plug-in; its name, device and priority are to be filled in."""

ASK = """
import json, traceback
import lamina_flatarray as lf
try:
    lf.backends.backend("{name}")
    outcome = ["none", "", ""]
except lf.BackendError as e:
    outcome = [type(e).__name__, str(e), "".join(traceback.format_exception(e))]
state = next((s.state for s in lf.backends.status() if s.name == "{name}"), "absent")
numbers = (lf.FlatArray.from_items([1.0, 2.0])).tolist()
print(json.dumps([*outcome, state, numbers]))
"""
"""Asks for a backend, and then for an array; the backend's name is to be filled in."""


class Site:
    """A folder that stands for site-packages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(
        self,
        name: str,
        source: str | None,
        *,
        declared: str = "v1_0",
        distribution: str = "",
        version: str = "1.2",
        module: str = "",
    ) -> None:
        """Install a plug-in: metadata, and a module unless `source` is None."""
        distribution = distribution or f"lamina-{name}"
        module = module or f"plugin_{name}"
        info = self.folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
        points = f"[lamina.backends]\n{name} = {module}\n"
        if declared:
            points += f"[lamina.protocol]\n{name} = {declared}\n"
        (info / "entry_points.txt").write_text(points)
        if source is not None:
            (self.folder / f"{module}.py").write_text(textwrap.dedent(source))

    @staticmethod
    def sound(name: str, device: str = "", priority: int = 0) -> str:
        """The source of a sound plug-in."""
        return GOOD.format(name=name, device=device or name, priority=priority)

    def good(self, name: str, device: str = "", priority: int = 0, **metadata: Any) -> None:
        """Install a sound plug-in."""
        device = device or name
        declared = metadata.pop("declared", "v1_0" if device == name else f"v1_0:{device}")
        source = self.sound(name, device, priority)
        self.add(name, source, declared=declared, **metadata)

    def run(self, program: str, **environment: str) -> Any:
        """What a program in a new interpreter says last, read as JSON. Plug-ins of the developer are kept out."""
        done = self.process([sys.executable, "-c", textwrap.dedent(program)], **environment)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    def asked(self, name: str, **environment: str) -> tuple[str, str, str, str]:
        """(error class, message, full traceback, state) of asking for a backend; arrays must work afterwards."""
        kind, message, trace, state, numbers = self.run(ASK.format(name=name), **environment)
        assert numbers == [1.0, 2.0]
        return kind, message, trace, state

    def process(self, command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command with this folder and lamina_flatarray on the path."""
        sources = str(Path(lamina_flatarray.__file__).parent.parent)
        clean = {key: value for key, value in os.environ.items() if not key.startswith("LAMINA_")}
        path = os.pathsep.join([str(self.folder), sources])
        return subprocess.run(
            command,
            env={**clean, "PYTHONPATH": path, "LAMINA_BACKENDS": "-cpp,-cuda", **environment},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


class Shaped:
    """A layout of any strides, for tests of kernels; the storey above has the real one."""

    def __init__(self, shape: tuple[int, ...], strides: tuple[int, ...], offset: int = 0) -> None:
        self.shape, self.strides, self.offset = shape, strides, offset
        self.ndim, self.size = len(shape), math.prod(shape)
        self.contiguous = strides == self._dense()
        self.packed = struct.pack(f"{2 + 2 * len(shape)}q", len(shape), offset, *shape, *strides)

    def _dense(self) -> tuple[int, ...]:
        return tuple(math.prod(self.shape[i + 1 :]) for i in range(self.ndim))

    @property
    def compact(self) -> Shaped:
        return self if self.contiguous and self.offset == 0 else Shaped(self.shape, self._dense())


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


class Tiny(Backend):
    """A device of its own with one kernel, which does nothing."""

    name = "tiny"
    device_type = "tiny"
    host = True

    def capabilities(self) -> dict[str, tuple[str, ...]]:
        return {"add": ("float32",)}

    def kernel(self, op: str) -> Any:
        return lambda out, *inputs: None

    def allocate(self, nbytes: int, index: int) -> Any:
        return bytearray(nbytes)


class Quick(Tiny):
    """The same for the CPU, which it serves only where it is chosen."""

    name = "quick"
    device_type = "cpu"
    priority = -5


@pytest.fixture
def shaped() -> type[Shaped]:
    return Shaped


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


@pytest.fixture
def remote() -> Iterator[Remote]:
    made = Remote()
    backends.register(made)
    yield made
    backends.unregister("remote")


@pytest.fixture
def tiny() -> type[Tiny]:
    return Tiny


@pytest.fixture
def unchosen() -> Iterator[None]:
    """No choice of a backend in this context, though the suite's own --backend may have made one."""
    before = choice.chosen.get()
    choice.chosen.set(choice.Choice())
    yield
    choice.chosen.set(before)
    backends.set_default_backend(None)


@pytest.fixture
def quick(unchosen: None) -> Iterator[Backend]:
    yield backends.register(Quick())
    backends.set_default_backend(None)
    backends.unregister("quick")


@pytest.fixture
def no_warnings() -> Iterator[None]:
    with np.errstate(all="raise"):  # a kernel must be quiet whatever the caller's setting
        yield
