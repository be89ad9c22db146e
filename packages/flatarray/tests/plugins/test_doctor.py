"""What `python -m lamina_flatarray` prints of sound and of broken plug-ins."""

from __future__ import annotations

import sys
from typing import Any


def test_the_doctor_reports_everything_even_where_all_is_broken(site: Any) -> None:
    site.add("aa", "raise OSError('libaa.so')\n")
    site.add("bb", "import sys\nsys.exit(1)\n")
    site.add("cc", "", declared="v9_0")
    site.good("dd", distribution="one")
    site.good("dd", distribution="two", module="other")
    doctor = [sys.executable, "-m", "lamina_flatarray"]
    done = site.process(doctor)
    assert done.returncode == 0, done.stderr
    for expected in (
        "numpy: available", "aa: failed", "libaa.so", "Traceback", "bb: failed", "cc: refused",
        "pip install 'lamina-cc<1.2'", "dd: duplicate", "cpu is served by numpy", "NumPy ", "lamina-aa 1.2",
        "to do without it: LAMINA_BACKENDS=-aa, or pip uninstall lamina-aa", "LAMINA_BACKENDS=-cpp,-cuda",
        "wrong with aa, bb, cc, dd: see above",
    ):  # fmt: skip
        assert expected in done.stdout, done.stdout
    assert "direct cause" not in done.stdout  # the cause itself is shown, and not what was made of it
    assert site.process([*doctor, "--strict"]).returncode == 1
    assert site.process([*doctor, "--nonsense"]).returncode == 2


def test_the_doctor_says_that_nothing_is_wrong(site: Any) -> None:
    site.good("foo")
    ruined = site.folder / "ruined-1.0.dist-info"
    ruined.mkdir()
    (ruined / "METADATA").write_bytes(b"Name: \xff\xfe\n")
    done = site.process([sys.executable, "-m", "lamina_flatarray", "--strict"])
    assert done.returncode == 0 and "foo: available" in done.stdout
    assert done.stdout.splitlines()[-1] == "nothing is wrong"


def test_the_doctor_looks_at_declarations(site: Any) -> None:
    """A backend that loads may still lack what everything is made of, or speak of ops that nobody knows."""
    sound = """
from lamina_flatarray import Backend
from lamina_flatarray.hookspec import hookimpl

class One(Backend):
    name = "{name}"
    device_type = "{name}"

    def capabilities(self):
        return {capabilities}

    def kernel(self, op):
        raise AssertionError(op)

    def allocate(self, nbytes, index):
        return bytearray(nbytes)

@hookimpl
def lamina_backend():
    return One()
"""
    site.add("ee", sound.format(name="ee", capabilities='{"add": ("float32",)}'))
    every = '{**backends.backend("numpy").capabilities(), "frobnicate": ("float32",), "exp": ("float31",)}'
    site.add("ff", "from lamina_flatarray import backends\n" + sound.format(name="ff", capabilities=every))
    site.add("gg", sound.format(name="gg", capabilities="1 / 0"))
    doctor = [sys.executable, "-m", "lamina_flatarray"]
    done = site.process([*doctor, "--strict"])
    assert done.returncode == 1, done.stdout
    for expected in (
        "it has no kernel of ", "which every backend brings or inherits", "it declares frobnicate, which the op table does not have",
        "it declares float31, which are no dtypes", "its capabilities() failed: ZeroDivisionError", "wrong with gg, ee, ff: see above",
    ):  # fmt: skip
        assert expected in done.stdout, done.stdout
    assert "nothing is wrong" not in done.stdout


def test_the_doctor_tells_of_a_backend_for_the_cpu_that_cannot_run(site: Any) -> None:
    """The CPU is there, so it can be mended: a native part that was not compiled, say. A device that is not there is nothing wrong."""
    unavailable = "def unavailable(self):\n        return 'it is not built'\n\n    def kernel"
    for name, device in (("fast", "cpu"), ("far", "far")):
        site.add(name, site.sound(name, device, 50).replace("def kernel", unavailable), declared=f"v1_0:{device}")
    done = site.process([sys.executable, "-m", "lamina_flatarray", "--strict"])
    assert done.returncode == 1, done.stdout
    assert "fast: no hardware" in done.stdout and "it is not built" in done.stdout
    assert "to do without it: LAMINA_BACKENDS=-fast" in done.stdout
    assert "cpu is served by numpy" in done.stdout and done.stdout.endswith("wrong with fast: see above\n")


def test_the_doctor_is_strict_with_a_backend_that_only_changes_the_process(site: Any) -> None:
    site.add("loud", "import os\nos.environ['OMP_NUM_THREADS'] = '64'\n" + site.sound("loud", "loud"))
    done = site.process([sys.executable, "-m", "lamina_flatarray", "--strict"])
    assert "loud: available" in done.stdout and "loading it changes" in done.stdout, done.stdout
    assert done.returncode == 1 and done.stdout.endswith("wrong with loud: see above\n")
