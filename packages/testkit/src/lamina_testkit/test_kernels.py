"""Every op of the table in every dtype, on every layout, against the reference."""

import pytest

from lamina_flatarray.backends.kernel_table import origin
from lamina_flatarray.contract import Backend

from .cases import Case, cases_of
from .checking import check

CASES = cases_of()


def _marked(case: Case) -> object:
    level = 1 if case.row.required else 3
    return pytest.param(case, id=str(case), marks=pytest.mark.conformance(level, case.op, case.dtype.name))


@pytest.mark.parametrize("case", [_marked(case) for case in CASES])
def test_kernel(case: Case, backend: Backend) -> None:
    """Values on every layout, inputs unchanged, nothing written outside."""
    if origin(backend, case.op, case.dtype) == "missing":
        pytest.skip(f"{backend.name} declares no {case.op} in {case.dtype.name}, and there is no decomposition")
    assert check(case, backend) > 0
