"""The published page of coverage says what is so, and what programs use daily or often is there."""

from databases import coverage_page


def test_the_page_is_up_to_date():
    assert coverage_page.PAGE.read_text() == coverage_page.page(), "cd tests/oracle && python -m databases.coverage_page"


def test_what_is_missing_of_tiers_a_and_b_has_a_reason():
    assert set(coverage_page.absent("AB")) == set(coverage_page.ABSENT)
