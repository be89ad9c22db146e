"""Every op of the table in every dtype, on every layout, against the reference."""

import pytest

from lamina_flatarray.contract import Backend

from ..cases import Case, cases_of
from ..checking import check

CASES = cases_of()


def _marked(case: Case) -> object:
    return pytest.param(case, id=str(case), marks=pytest.mark.conformance(case.op, case.dtype.name))


@pytest.mark.parametrize("case", [_marked(case) for case in CASES])
def test_kernel(case: Case, backend: Backend) -> None:
    """Values on every layout, inputs unchanged, nothing written outside."""
    assert check(case, backend) > 0
