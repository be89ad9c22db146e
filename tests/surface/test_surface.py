"""The public surface held against real PyTorch from outside: a test for each kind of check in each namespace."""

import warnings
from collections import Counter

import catalogue
import ledger
import pytest
from namespaces import subjects

KNOWN, SERVED = ledger.read()
CHECKS = {}
for check in catalogue.checks():
    CHECKS.setdefault((check.kind, check.namespace), []).append(check)


@pytest.mark.parametrize("checks", [pytest.param(group, id=" ".join(key).replace(" ", "-")) for key, group in CHECKS.items()])
def test_checks(checks, record_property):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecated names warn on being looked at
        complaints = {check.key: check.complaint() for check in checks}
    record_property("checks that hold", (sum(complaint is None for complaint in complaints.values()), len(complaints)))
    wrong = [f"{'.'.join(key[1:])}: {said}" for key, said in complaints.items() if said is not None and key not in KNOWN]
    better = (key for key, said in complaints.items() if said is None and key in KNOWN)
    wrong += [f"{'.'.join(key[1:])} holds now: run python tests/surface/summary.py --write" for key in better]
    assert not wrong, "\n" + "\n".join(wrong)


def test_the_ledger_names_only_checks_that_exist():
    gone = KNOWN.keys() - {check.key for checks in CHECKS.values() for check in checks}
    assert not sorted(gone), "run python tests/surface/summary.py --write"


def test_no_name_is_lost():
    """A name that is gone takes its checks along: what each namespace serves is counted."""
    served = Counter(subject.namespace for subject in subjects())
    fewer = {namespace: count for namespace, count in SERVED.items() if served[namespace] < count}
    assert not fewer, (
        f"PyTorch's names of {fewer} were served; run python tests/surface/summary.py --write if that is meant"
    )
