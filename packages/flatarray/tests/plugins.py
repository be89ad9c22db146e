"""Fake distributions for the registry's tests: dist-info folders and modules, and a clean interpreter to look at them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import lamina_flatarray

__all__ = ["GOOD", "Site"]

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

    def good(self, name: str, device: str = "", priority: int = 0, **metadata: Any) -> None:
        """Install a sound plug-in."""
        device = device or name
        declared = metadata.pop("declared", "v1_0" if device == name else f"v1_0:{device}")
        source = GOOD.format(name=name, device=device, priority=priority)
        self.add(name, source, declared=declared, **metadata)

    def run(self, program: str, **environment: str) -> Any:
        """What a program in a new interpreter says last, read as JSON. Plug-ins of the developer are kept out."""
        done = self.process([sys.executable, "-c", textwrap.dedent(program)], **environment)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

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
            timeout=60,
            check=False,
        )
