"""Makes the modules beside the tests importable, and ends with how many checks of the surface hold."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))


def pytest_terminal_summary(terminalreporter):
    reports = (report for outcome in ("passed", "failed") for report in terminalreporter.stats.get(outcome, []))
    counts = [count for report in reports for name, count in report.user_properties if name == "checks that hold"]
    if counts:
        holding, asked = map(sum, zip(*counts, strict=True))
        terminalreporter.write_line(f"surface: {holding} of {asked} checks hold")
