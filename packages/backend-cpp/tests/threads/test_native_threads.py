"""The pool of threads: every item is computed once, whoever calls, however many threads share the work, and after a rest."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_operands import BACKEND, empty, operand, run


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = BACKEND.get_num_threads()
    yield
    BACKEND.set_num_threads(before)


def counted(size: int) -> None:
    """One more than each of `size` numbers, in an array that held them before."""
    x = np.arange(size, dtype=np.int64)
    np.testing.assert_array_equal(run("add", empty((size,), "int64"), operand(x), 1), x + 1)


@pytest.mark.parametrize("threads", [1, 2, 3, 8, 300])
def test_every_item_is_computed(threads: int) -> None:
    BACKEND.set_num_threads(threads)
    for size in (32_767, 32_768, 50_001, 65_536, 100_000, 1_000_003):
        counted(size)


def test_fewer_threads_after_more() -> None:
    for threads in (8, 2, 5, 1, 3):
        BACKEND.set_num_threads(threads)
        counted(200_000)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_end_that_work_begins_at_is_not_seen(threads: int) -> None:
    BACKEND.set_num_threads(threads)
    x = np.random.default_rng(0).standard_normal((500, 801)).astype("float32")
    positions = np.random.default_rng(1).integers(0, 500, (500, 801))
    results = {
        "exp": lambda: run("exp", empty(x.shape, "float32"), operand(x)),
        "softmax": lambda: run("softmax", empty(x.shape, "float32"), operand(x), axis=1),
        "sum": lambda: run("sum", empty((500,), "float32"), operand(x), axes=(1,)),
        "columns": lambda: run("sum", empty((801,), "float32"), operand(x), axes=(0,)),
        "total": lambda: run("sum", empty((), "float32"), operand(x), axes=(0, 1)),
        "copy": lambda: run("copy", empty((801, 500), "float32"), operand(x.T)),
        "gather": lambda: run("gather", empty(x.shape, "float32"), operand(x), operand(positions), axis=0),
    }
    for name, computed in results.items():
        first = computed().copy()
        for _ in range(3):  # an odd number of times, as each begins where the one before ended
            np.testing.assert_array_equal(computed(), first, err_msg=name)


def test_several_callers_at_once() -> None:
    BACKEND.set_num_threads(3)
    with ThreadPoolExecutor(4) as callers:
        list(callers.map(counted, [60_000 + 1000 * i for i in range(60)]))


def test_work_after_the_threads_fell_asleep() -> None:
    BACKEND.set_num_threads(4)
    for rest in (0.0, 0.0005, 0.003, 0.01, 0.0, 0.002):
        time.sleep(rest)
        counted(100_000)


PROGRAM = """
import os, time
import numpy as np
from native_operands import BACKEND, empty, operand, run

def work():
    run("add", empty((100_000,), "int64"), operand(np.arange(100_000)), 1)

def tasks():
    return {int(task) for task in os.listdir("/proc/self/task")}

def cores_of(tasks):
    return {tuple(sorted(os.sched_getaffinity(task))) for task in tasks}

cores = sorted(os.sched_getaffinity(0))
"""


def alone(program: str) -> list[str]:
    """The words that a program prints which has a pool of its own."""
    command = [sys.executable, "-c", PROGRAM + program]
    return subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=True).stdout.split()


on_linux = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="Linux alone says where threads run")
two_cores = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2, reason="there are no two cores to choose from"
)


@on_linux
def test_threads_keep_the_cores_that_they_were_given() -> None:
    """Those that start or wake are kept from the caller's core, until they run."""
    assert alone("""
before = tasks()
BACKEND.set_num_threads(5)
for rest in (0.0, 0.01, 0.01):
    time.sleep(rest)
    work()
workers = tasks() - before
until = time.monotonic() + 10
while cores_of(workers) != {tuple(cores)} and time.monotonic() < until:
    time.sleep(0.01)
print(len(workers), cores_of(workers) == {tuple(cores)})
""") == ["4", "True"]


@two_cores
def test_threads_follow_a_program_that_changes_its_cores() -> None:
    """It changes its own, or somebody changes those of all its threads; while they are at work, asleep, or about to start."""
    assert alone("""
before = tasks()
for turn in range(8):
    core = cores[turn % 2 :][:1]
    for task in tasks() if turn % 4 > 1 else (0,):
        os.sched_setaffinity(task, core)
    time.sleep(0.02)  # they look every few milliseconds
    BACKEND.set_num_threads(3 + turn // 2)
    for rest in (0.0, 0.0, 0.005):
        time.sleep(rest)
        work()
    print(len(tasks() - before) - 2 - turn // 2, cores_of(tasks() - before) == {tuple(core)})
""") == ["0", "True"] * 8


@two_cores
def test_as_many_threads_as_cores_unless_a_number_is_given() -> None:
    most, one, again, asked = map(int, alone("""
def threads(some):
    os.sched_setaffinity(0, some)
    time.sleep(0.02)
    work()
    return BACKEND.get_num_threads()

print(threads(cores), threads(cores[:1]), threads(cores))
BACKEND.set_num_threads(3)
print(threads(cores[:1]))
"""))
    assert 1 <= most <= len(os.sched_getaffinity(0))
    assert (one, again, asked) == (1, most, 3)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_child_has_threads_of_its_own() -> None:
    BACKEND.set_num_threads(2)
    counted(100_000)
    child = os.fork()
    if child == 0:
        try:
            counted(100_000)
        except BaseException:
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
