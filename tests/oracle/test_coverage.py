"""The published page of coverage says what is so, and what programs use daily or often is there."""

import coverage_page


def test_the_page_is_up_to_date():
    assert coverage_page.PAGE.read_text() == coverage_page.page(), "run python tests/oracle/coverage_page.py"


def test_what_is_missing_of_tiers_a_and_b_has_a_reason():
    assert set(coverage_page.absent("AB")) == set(coverage_page.ABSENT)
