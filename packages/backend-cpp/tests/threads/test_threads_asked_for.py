"""How many threads a process uses from the start: what OMP_NUM_THREADS says, or as many as it may have cores."""

import os
import subprocess
import sys

import pytest

PROGRAM = "from lamina_backend_cpp import get_num_threads; print(get_num_threads())"


def _threads(asked):
    variables = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    variables |= {} if asked is None else {"OMP_NUM_THREADS": asked}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=variables, capture_output=True, text=True, timeout=60, check=True)
    return int(done.stdout)


@pytest.mark.parametrize(("asked", "threads"), [("1", 1), ("3", 3), (" 5 ", 5), ("2,4", 2), ("100000", 1024)])
def test_the_variable_is_heard(asked, threads):
    assert _threads(asked) == threads


@pytest.mark.parametrize("asked", ["", "0", "-1", "many", "1.5"])
def test_what_is_no_number_of_threads_is_not(asked):
    assert _threads(asked) == _threads(None)
