"""Programs written at random by `programs.py`: real PyTorch and lamina agree on values, gradients, flags and errors."""

from random import Random

import programs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


@settings(max_examples=200, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_programs_mean_the_same(seed):
    lines = programs.written(Random(seed))
    if programs.difference(lines) is not None:
        lines = programs.shortest(lines)
        pytest.fail(f"{programs.difference(lines)}\n{programs.script(lines)}", pytrace=False)


def test_a_difference_is_found_and_the_program_shortened():
    lines = ["a = torch.ones(2, dtype=torch.float64)", "b = a * 2", "c = b + len(torch.__name__)", "d = c * b"]
    assert programs.shortest(lines) == ["a = torch.ones(2, dtype=torch.float64)", "b = a * 2", "c = b + len(torch.__name__)"]
    assert "the items of c" in programs.difference(lines)
