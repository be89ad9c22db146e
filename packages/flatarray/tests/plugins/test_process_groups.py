"""Plug-ins for process groups: found and loaded as compute backends are, and isolated from each other and from the rest."""

from __future__ import annotations

from typing import Any

import pytest

GOOD = """
from lamina_flatarray.process_groups import hookimpl
from lamina_flatarray.process_groups.single import SingleTransport

class Toy(SingleTransport):
    name = "foo"

@hookimpl
def lamina_process_group():
    return Toy()
"""

ASK = """
import json
import lamina_flatarray as lf
from lamina_flatarray import process_groups
try:
    process_groups.transport("foo")
    found = ["none", ""]
except lf.BackendError as error:
    found = [type(error).__name__, str(error)]
state = next((line.state for line in process_groups.status() if line.name == "foo"), "absent")
print(json.dumps([*found, state, process_groups.transport("single").world().size]))
"""


def add(site: Any, source: str | None, declared: str = "v1_0", distribution: str = "lamina-foo") -> None:
    """Install a plug-in for process groups in a fake site-packages."""
    site.add("foo", source, declared="", distribution=distribution, module=f"plugin_of_{distribution.replace('-', '_')}")
    (info,) = site.folder.glob(f"{distribution.replace('-', '_')}-*.dist-info")
    points = (info / "entry_points.txt").read_text().replace("lamina.backends", "lamina.process_groups")
    (info / "entry_points.txt").write_text(f"{points}[lamina.process_group_protocol]\nfoo = {declared}\n")


def test_a_sound_plugin(site: Any) -> None:
    add(site, GOOD)
    assert site.run(ASK) == ["none", "", "available", 1]
    assert site.run("import json; from lamina_flatarray import backends; print(json.dumps(backends.names()))") == ["numpy", "meta"]


@pytest.mark.parametrize(("source", "declared", "kind", "said", "state"), [
    ("raise ValueError('no')", "v1_0", "BackendFailedToLoad", "its import failed: ValueError: no", "failed"),
    (None, "v1_0", "BackendFailedToLoad", "its metadata is stale", "failed"),
    ("x = 1", "v1_0", "BackendRefused", "it wants `@hookimpl def lamina_process_group()`", "refused"),
    (GOOD, "v9_0", "ProtocolMismatch", "process group 'foo' (lamina-foo 1.2) speaks protocol 9.0", "refused"),
    (GOOD.replace('"foo"', '"bar"'), "v1_0", "BackendRefused", "its object is called 'bar'", "refused"),
    (GOOD.replace("return Toy()", "return 3"), "v1_0", "BackendRefused", "an instance of a Transport subclass", "refused"),
    (GOOD.replace('"foo"', '"foo"\n    def unavailable(self): return "no network"'), "v1_0", "NoHardware", "no network", "no hardware"),
])  # fmt: skip
def test_what_is_wrong_is_told(site: Any, source: str | None, declared: str, kind: str, said: str, state: str) -> None:
    add(site, source, declared)
    found = site.run(ASK)
    assert (found[0], found[2], found[3]) == (kind, state, 1)
    assert said in found[1]


def test_two_of_one_name(site: Any) -> None:
    add(site, GOOD)
    add(site, GOOD, distribution="lamina-other")
    kind, said, state, _ = site.run(ASK)
    assert (kind, state) == ("BackendFailedToLoad", "duplicate")
    assert "keep one: pip uninstall lamina-other" in said


def test_it_is_switched_off_by_the_environment(site: Any) -> None:
    add(site, GOOD)
    kind, said, state, _ = site.run(ASK, LAMINA_PROCESS_GROUPS="-foo")
    assert (kind, state) == ("UnknownBackend", "switched off")
    assert "switched off by LAMINA_PROCESS_GROUPS=-foo" in said
