"""The pytest plug-in: `--backend NAME`, the report of a conformance run, and known failures by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lamina_flatarray.backends import registry
from lamina_flatarray.contract import Backend

from .report import Report

__all__: list[str] = []

_REPORT = pytest.StashKey[Report]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --backend, --lamina-report and --lamina-xfails."""
    group = parser.getgroup("lamina")
    group.addoption("--backend", default="numpy", help="the backend that tests run on (default: numpy)")
    group.addoption("--lamina-report", default=None, help="write the outcomes of the conformance kit to this JSON file")
    group.addoption("--lamina-xfails", default=None, help="a file of test names that are known to fail, with reasons")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the backend under test, where it serves the CPU."""
    config.addinivalue_line("markers", "conformance(level, op, dtype): a case of the conformance kit")
    name = config.getoption("--backend")
    config.stash[_REPORT] = Report(name)
    chosen = registry.backend(name)
    if chosen.device_type == "cpu":
        from lamina_flatarray import backends

        backends.use_backend(name)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark known failures, which must fail: a line is a test's name, then `#` and the reason."""
    path = config.getoption("--lamina-xfails")
    if path is None:
        return
    known = {}
    for line in Path(path).read_text().splitlines():
        name, _, reason = line.partition("#")
        if name.strip():
            known[name.strip()] = reason.strip()
    for item in items:
        if item.name in known:
            item.add_marker(pytest.mark.xfail(reason=known.pop(item.name), strict=True))
    if known:
        raise pytest.UsageError(f"{path}: no test is called {', '.join(known)}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Note the outcome of a case of the kit."""
    report = yield
    marker = item.get_closest_marker("conformance")
    if marker is not None and report.when == "call":
        outcome = "xfailed" if getattr(report, "wasxfail", None) else report.outcome
        level, op, dtype = marker.args
        item.config.stash[_REPORT].add(item.name, level, outcome, op, dtype)
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the report, if one was asked for."""
    path = session.config.getoption("--lamina-report")
    if path is not None:
        session.config.stash[_REPORT].write(Path(path))


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> Backend:
    """Return the backend under test."""
    return registry.backend(request.config.getoption("--backend"))
