"""The published page of coverage says what is so."""

import coverage_page


def test_the_page_is_up_to_date():
    assert coverage_page.PAGE.read_text() == coverage_page.page(), "run python tests/oracle/coverage_page.py"
