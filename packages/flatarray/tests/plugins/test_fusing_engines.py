"""Plug-ins for fusing engines: found and loaded as compute backends are; the first that can run is the one that backends use."""

from __future__ import annotations

from typing import Any

import pytest

GOOD = """
from lamina_flatarray.fusing_engines import FusingEngine, hookimpl

class Toy(FusingEngine):
    name = "foo"

    def takes(self, step):
        return False

    def loop(self, steps, results, inputs, dtypes):
        raise ValueError("loop: no step is taken")

@hookimpl
def lamina_fusing_engine():
    return Toy()
"""

ASK = """
import json
from lamina_flatarray import fusing_engines
first = repr(fusing_engines.first())
print(json.dumps([first, *next(((line.state, line.reason) for line in fusing_engines.status() if line.name == "foo"), ("absent", ""))]))
"""


DOCTOR = """
import io, json
from lamina_flatarray.backends.doctor import examine
examine(out := io.StringIO())
print(json.dumps(out.getvalue()))
"""

ONLY = {"LAMINA_FUSING_ENGINES": "foo"}  # others may be installed


def add(site: Any, source: str | None, declared: str = "v2_0") -> None:
    """Install a plug-in for fusing engines in a fake site-packages."""
    site.add("foo", source, declared="", distribution="lamina-foo", module="plugin_of_foo")
    (info,) = site.folder.glob("lamina_foo-*.dist-info")
    points = (info / "entry_points.txt").read_text().replace("lamina.backends", "lamina.fusing_engines")
    (info / "entry_points.txt").write_text(f"{points}[lamina.fusing_engine_protocol]\nfoo = {declared}\n")


def test_a_sound_plugin_is_used(site: Any) -> None:
    add(site, GOOD)
    assert site.run(ASK, **ONLY) == ["<fusing engine foo>", "available", ""]
    assert "fusing engines:\n  foo: available (lamina-foo 1.2)" in site.run(DOCTOR, **ONLY)


def test_without_one_none_is_used(site: Any) -> None:
    assert site.run(ASK, **ONLY) == ["None", "absent", ""]


@pytest.mark.parametrize(("source", "declared", "state", "said"), [
    ("raise ValueError('no')", "v2_0", "failed", "its import failed: ValueError: no"),
    ("x = 1", "v2_0", "refused", "it wants `@hookimpl def lamina_fusing_engine()`"),
    (GOOD, "v9_0", "refused", "fusing engine 'foo' (lamina-foo 1.2) speaks protocol 9.0"),
    (GOOD.replace('"foo"', '"bar"'), "v2_0", "refused", "its object is called 'bar'"),
    (GOOD.replace("return Toy()", "return 3"), "v2_0", "refused", "an instance of a FusingEngine subclass"),
    (GOOD.replace('"foo"', '"foo"\n    def unavailable(self): return "no compiler"'), "v2_0", "no hardware", "no compiler"),
])  # fmt: skip
def test_one_that_cannot_run_is_left_out_and_told(site: Any, source: str | None, declared: str, state: str, said: str) -> None:
    add(site, source, declared)
    used, told, reason = site.run(ASK, **ONLY)
    assert (used, told) == ("None", state)
    assert said in reason


def test_it_is_switched_off_by_the_environment(site: Any) -> None:
    add(site, GOOD)
    assert site.run(ASK, LAMINA_FUSING_ENGINES="-foo,-llvm") == ["None", "switched off", "switched off by LAMINA_FUSING_ENGINES=-foo,-llvm"]
