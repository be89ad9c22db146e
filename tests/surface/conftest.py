"""Makes the modules beside the tests importable, collects the checks of the surface, and ends with how many hold."""

import sys
import warnings
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


class CheckItem(pytest.Item):
    """One check, which needs no fixtures: see `pytest_runtest_protocol`."""

    def __init__(self, check, reason, **options):
        super().__init__(**options)
        self.check = check
        self.reason = reason  # why it is known to fail, or None

    def report(self):
        """What came of it: xfailed where it fails as it is known to, failed where it fails, or holds, unexpectedly."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # deprecated names warn on being looked at
            complaint = self.check.complaint()
        if self.reason is not None and complaint is None:
            complaint = "holds now: run python tests/surface/summary.py --write"
        elif self.reason is not None:
            report = self._report("skipped", (str(self.path), 0, self.reason))
            report.wasxfail = self.reason
            return report
        return self._report("passed", None) if complaint is None else self._report("failed", complaint)

    def _report(self, outcome, longrepr):
        return pytest.TestReport(
            self.nodeid, self.location, dict.fromkeys(self.keywords, 1), outcome, longrepr, "call", user_properties=[]
        )

    def runtest(self):
        raise NotImplementedError("run by pytest_runtest_protocol")

    def reportinfo(self):
        return self.path, None, self.name


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """Runs a check at once, without the phases of setting up and tearing down: there are twenty thousand of them."""
    if not isinstance(item, CheckItem):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    item.ihook.pytest_runtest_logreport(report=item.report())
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    if not isinstance(nextitem, CheckItem):  # what a test before the checks has left set up for this module
        item.session._setupstate.teardown_exact(nextitem)
    return True


class Checks(pytest.Collector):
    """A dictionary of checks in a module of tests, each with the reason that it is known to fail, or None."""

    def __init__(self, checks, **options):
        super().__init__(**options)
        self.checks = checks

    def collect(self):
        for check, reason in self.checks.items():
            name = f"{check.kind}-{check.namespace}.{check.name}".replace(" ", "-")
            yield CheckItem.from_parent(self, name=name, check=check, reason=reason)


def pytest_pycollect_makeitem(collector, name, obj):
    return Checks.from_parent(collector, name=name, checks=obj) if name == "test_checks" else None


def pytest_terminal_summary(terminalreporter):
    ran = {outcome: terminalreporter.stats.get(outcome, []) for outcome in ("passed", "xfailed", "failed")}
    surface = {
        outcome: [report for report in reports if "::test_checks::" in report.nodeid]
        for outcome, reports in ran.items()
    }
    total = sum(map(len, surface.values()))
    if total:
        terminalreporter.write_line(f"surface: {len(surface['passed'])} of {total} checks hold")
