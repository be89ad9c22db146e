"""Levels, reports and badges: what is told of a run, and that a partial backend is judged for what it declares."""

import json
import subprocess
import sys
import xml.etree.ElementTree

import pytest

from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.numpy_backend import NumpyBackend
from lamina_flatarray.numpy_backend.view import view
from lamina_testkit.__main__ import main
from lamina_testkit.cases import Case, cases_of
from lamina_testkit.checking import serves
from lamina_testkit.conformance import test_declarations
from lamina_testkit.levels import LEVELS, level_of
from lamina_testkit.report import Report


def kit(*options, plugin=None):
    """A run of the kit in a process of its own."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "lamina_testkit", *options]
    return subprocess.run(command, capture_output=True, text=True, cwd=plugin)


def test_an_unknown_backend_is_an_error_of_usage():
    done = kit("--backend", "frobnicate")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--backend frobnicate: nobody offers a backend or device 'frobnicate'" in done.stderr
    assert "INTERNALERROR" not in done.stdout + done.stderr


def test_every_level_has_cases():
    levels = {level_of(case.op, case.dtype) for case in cases_of()}
    assert set(LEVELS) - levels == {"linalg", "random"}  # these have tests of their own
    assert level_of("qr", DTYPES["float32"]) == "linalg" and level_of("random_normal", DTYPES["float16"]) == "random"
    assert level_of("complex", DTYPES["float32"]) == "complex" and level_of("sgd_step", DTYPES["float32"]) == "autograd"


def test_a_report_counts_by_level(tmp_path):
    report = Report("some")
    report.add("a", "core", "passed")
    report.add("b", "int", "failed", "add", "int8")
    report.add("c", "complex", "not declared", "add", "complex64", "some declares no add in complex64")
    report.add("d", "random", "passed")
    report.write(tmp_path / "report.json")
    written = json.loads((tmp_path / "report.json").read_text())
    assert written["level"] == "core +random"
    assert [level["state"] for level in written["levels"].values()] == [
        "reached", "failed", "not run", "not declared", "not run", "reached", "not run",
    ]  # fmt: skip
    assert written["outcomes"]["b"]["op"] == "add" and set(written["outcomes"]) == {"b"}
    assert written["not_declared"] == ["add-complex64"]


def test_without_the_first_level_none_is_reached():
    report = Report("some")
    report.add("a", "core", "failed")
    report.add("b", "int", "passed")
    assert report.summary()["level"] == "none"


def test_a_badge_and_a_table_are_made_of_reports(tmp_path, capsys):
    report = Report("a<b")
    report.add("a", "core", "passed")
    report.write(tmp_path / "report.json")
    assert main(["badge", str(tmp_path / "report.json"), str(tmp_path / "badge.svg")]) == 0
    texts = [node.text for node in xml.etree.ElementTree.parse(tmp_path / "badge.svg").iter() if node.text and node.text.strip()]
    assert texts == ["lamina: a<b", "core"]
    assert main(["table", str(tmp_path / "report.json")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(LEVELS) + 3 and lines[2].endswith("| 1 passed |") and lines[-1] == "| reached | core |"


@pytest.mark.parametrize("level", ["core", "int"])
def test_a_level_runs_what_is_below_it(level):
    done = kit("--lamina-level", level, "-k", "maximum- or sqrt-", "--collect-only")
    assert "maximum-float32" in done.stdout and "sqrt-float16" not in done.stdout
    assert ("maximum-int8" in done.stdout) == (level == "int")


class Modest(NumpyBackend):
    """The reference, which says little of itself."""

    name = "modest"

    def capabilities(self):
        return {**super().capabilities(), "exp": ("float32",), "tanh": ("float32",)}

    def kernel(self, op):
        right = super().kernel(op)

        def kernel(out, x):
            if out.flat.dtype.name == "float64":
                raise TypeError("float32 only")
            right(out, x)
            if out.flat.dtype.name == "float16":
                view(out)[...] = 7

        return kernel if op == "tanh" else right


def test_a_kernel_that_serves_more_than_is_declared_is_told_of(request):
    modest = Modest()
    assert serves(Case("exp", DTYPES["float64"]), modest)
    assert not serves(Case("tanh", DTYPES["float64"]), modest)
    assert not serves(Case("tanh", DTYPES["float16"]), modest)
    assert serves(Case("tanh", DTYPES["complex64"]), modest)
    test_declarations.test_nothing_is_left_undeclared("exp", modest, request)
    told = [value for name, value in request.node.user_properties if name == "lamina_serves_more"]
    assert told == ["exp-float16", "exp-float64", "exp-complex64", "exp-complex128", "exp-bfloat16"]
    request.node.user_properties.clear()


PARTIAL = """
from lamina_flatarray import backends
from lamina_testkit.toy import ToyBackend

FIVE = ("bool", "uint8", "int32", "int64", "float32")


class Partial(ToyBackend):
    name = device_type = "partial"

    def __init__(self):
        super().__init__()
        self._declared = {op: tuple(n for n in names if n in FIVE) for op, names in self._declared.items()}

    def kernel(self, op):
        inner = super().kernel(op)

        def kernel(out, *inputs, **params):
            for x in (*(out if isinstance(out, (list, tuple)) else (out,)), *inputs):
                if hasattr(x, "flat") and x.flat.dtype.name not in FIVE:
                    raise TypeError(f"{op} was given {x.flat.dtype.name}")
            inner(out, *inputs, **params)

        return kernel


backends.register(Partial())
"""


def test_a_partial_backend_is_judged_for_what_it_declares(tmp_path):
    """Five dtypes, and an error in whatever kernel meets another one: nothing fails, and what was not declared is counted."""
    (tmp_path / "partial_plugin.py").write_text(PARTIAL)
    options = ("-p", "partial_plugin", "--backend", "partial", "--lamina-report", "report.json", "-o", "pythonpath=.")
    some = " or ".join(f"{op}-" for op in ("add", "sum", "exp", "total_norm", "histc", "index", "dropout", "var", "argmax", "gelu"))
    done = kit(*options, "-k", f"{some} or test_memory or adam_step", plugin=tmp_path)
    report = json.loads((tmp_path / "report.json").read_text())
    failed = [name for name, outcome in report["outcomes"].items() if outcome["outcome"] == "failed"]
    assert not failed, done.stdout[-3000:]
    levels = report["levels"]
    assert levels["core"]["passed"] > 10 and levels["int"]["passed"] > 10 and levels["float16"]["passed"] == 0
    assert levels["float16"]["state"] == levels["complex"]["state"] == "not declared"
