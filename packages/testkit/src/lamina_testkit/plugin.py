"""The pytest plug-in: `--backend NAME`, levels, the report of a conformance run, and known failures by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from lamina_flatarray import BackendError
from lamina_flatarray.backends import registry
from lamina_flatarray.contract import Backend
from lamina_flatarray.dtypes import DTYPES

from .declared import NotDeclared
from .hostile import HostileBackend
from .levels import LEVELS, level_of, up_to
from .report import Report
from .toy import ToyBackend

__all__: list[str] = []

_OWN: Final[dict[str, type[Backend]]] = {"toy": ToyBackend, "hostile": HostileBackend}
"""The kit's own backends, which need no plug-in."""
_ABOUT: Final = "lamina"  # the property of a test that says what it is about
_MORE: Final = "lamina_serves_more"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --backend, and the options that begin with --lamina."""
    group = parser.getgroup("lamina")
    group.addoption("--backend", default="numpy", help="the backend that tests run on (default: numpy)")
    group.addoption("--lamina-level", default=None, choices=list(LEVELS), help="run the conformance kit up to this level")
    group.addoption("--lamina-programs", default=60, type=int, metavar="N", help="how many random programs are compared (default: 60)")
    group.addoption("--lamina-report", default=None, help="write the outcomes of the conformance kit to this JSON file")
    group.addoption("--lamina-xfails", default=None, help="a file of test names that are known to fail, with reasons")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the backend under test, where it serves the CPU.

    Raises:
        UsageError: there is no such backend, or it cannot run here.
    """
    config.addinivalue_line(
        "markers", "conformance(op, dtype, level=None): a case of the conformance kit, of the level that op and dtype have"
    )
    name = config.getoption("--backend")
    if name in _OWN and name not in registry.names():
        registry.register(_OWN[name]())
    try:
        chosen = registry.backend(name)
    except BackendError as failure:
        raise pytest.UsageError(f"--backend {name}: {failure}") from None
    if chosen.device_type == "cpu":
        from lamina_flatarray import backends

        backends.use_backend(name)
    if not hasattr(config, "workerinput"):  # workers send what they find
        config.pluginmanager.register(_Reporter(config), "lamina_reporter")


def _about(item: pytest.Item) -> tuple[str, str | None, str | None] | None:
    """The level, op and dtype of a test; None if it is no case of the kit."""
    marker = item.get_closest_marker("conformance")
    if marker is None:
        return None
    op, dtype = (*marker.args, None, None)[:2]
    return marker.kwargs.get("level") or level_of(op, DTYPES[dtype]), op, dtype


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out higher levels, and mark known failures, which must fail: a line is a test's name, then `#` and the reason."""
    level = config.getoption("--lamina-level")
    if level is not None:
        above = [item for item in items if (about := _about(item)) is not None and about[0] not in up_to(level)]
        config.hook.pytest_deselected(items=above)
        left_out = set(map(id, above))
        items[:] = [item for item in items if id(item) not in left_out]
    path = config.getoption("--lamina-xfails")
    if path is None:
        return
    reasons = {}
    for line in Path(path).read_text().splitlines():
        name, _, reason = line.partition("#")
        if name.strip():
            reasons[name.strip()] = reason.strip()
    for item in items:
        if item.name in reasons:
            item.add_marker(pytest.mark.xfail(reason=reasons.pop(item.name), strict=True))
    if reasons:
        raise pytest.UsageError(f"{path}: no test is called {', '.join(reasons)}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Note what a case of the kit is about, and what came of it."""
    report = yield
    about = _about(item)
    error = None if call.excinfo is None else call.excinfo.value
    skipped = isinstance(error, pytest.skip.Exception)
    if about is not None and (report.when == "call" or (report.when == "setup" and not report.passed)):
        outcome = "xfailed" if getattr(report, "wasxfail", None) else "not declared" if isinstance(error, NotDeclared) else report.outcome
        report.user_properties.append((_ABOUT, (*about, outcome, str(error) if skipped else "")))
    return report


class _Reporter:
    """Collects what tests found, in the process that all of them report to."""

    def __init__(self, config: pytest.Config) -> None:
        self.report = Report(config.getoption("--backend"))
        self.path = config.getoption("--lamina-report")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take over what a test noted."""
        for name, value in report.user_properties:
            entry: Any = value
            if name == _ABOUT:
                level, op, dtype, outcome, why = entry
                self.report.add(report.nodeid.rpartition("/")[2], level, outcome, op, dtype, why)
            elif name == _MORE and report.when == "call":
                self.report.serves_more.append(entry)

    def pytest_sessionfinish(self) -> None:
        """Write the report, if one was asked for."""
        if self.path is not None:
            self.report.write(Path(self.path))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say which levels are reached, and which kernels serve more than is declared."""
        if not self.report.outcomes:
            return
        summary = self.report.summary()
        terminalreporter.section(f"conformance of {self.report.backend}")
        for level, counts in summary["levels"].items():
            counted = ", ".join(f"{counts[outcome]} {outcome}" for outcome in ("passed", "failed", "not declared"))
            terminalreporter.write_line(f"{level:9}{counts['state']:13}{counted}")
        terminalreporter.write_line(f"reached: {summary['level']}")
        if self.report.serves_more:
            some = ", ".join(summary["serves_more"][:8])
            terminalreporter.write_line(f"kernels right in a dtype that is not declared: {len(self.report.serves_more)}, such as {some}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """As many random programs as --lamina-programs says."""
    if "program_seed" in metafunc.fixturenames:
        metafunc.parametrize("program_seed", range(metafunc.config.getoption("--lamina-programs")))


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> Backend:
    """Return the backend under test."""
    return registry.backend(request.config.getoption("--backend"))
