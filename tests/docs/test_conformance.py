"""The page on conformance shows the committed reports, and nothing else."""

import json
from pathlib import Path

from lamina_testkit.badge import badge, table

DOCS = Path(__file__).parents[2] / "docs" / "look-up"
REPORTS = {path.stem: json.loads(path.read_text()) for path in sorted((DOCS / "conformance").glob("*.json"))}


def test_the_table_is_that_of_the_reports():
    assert len(REPORTS) >= 3
    assert table(list(REPORTS.values())) in (DOCS / "conformance.md").read_text()


def test_each_report_has_its_badge():
    for name, report in REPORTS.items():
        assert report["backend"] == name
        assert (DOCS / "conformance" / f"{name}.svg").read_text() == badge(report)
