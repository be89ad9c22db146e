"""The public surface held against real PyTorch from outside: each check of the catalogue is a test of its own."""

from collections import Counter

import catalogue
import ledger
from namespaces import subjects

KNOWN, SERVED = ledger.read()

test_checks = {check: KNOWN.get(check.key) for check in catalogue.checks()}


def test_the_ledger_names_only_checks_that_exist():
    gone = KNOWN.keys() - {check.key for check in test_checks}
    assert not sorted(gone), "run python tests/surface/summary.py --write"


def test_no_name_is_lost():
    """A name that is gone takes its checks along: what each namespace serves is counted."""
    served = Counter(subject.namespace for subject in subjects())
    fewer = {namespace: count for namespace, count in SERVED.items() if served[namespace] < count}
    assert not fewer, (
        f"PyTorch's names of {fewer} were served; run python tests/surface/summary.py --write if that is meant"
    )
