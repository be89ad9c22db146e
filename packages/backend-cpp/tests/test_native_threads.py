"""The pool of threads: every item is computed once, whoever calls, however many threads share the work, and after a rest."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

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


def test_several_callers_at_once() -> None:
    BACKEND.set_num_threads(3)
    with ThreadPoolExecutor(4) as callers:
        list(callers.map(counted, [60_000 + 1000 * i for i in range(60)]))


def test_work_after_the_threads_fell_asleep() -> None:
    BACKEND.set_num_threads(4)
    for rest in (0.0, 0.0005, 0.003, 0.01, 0.0, 0.002):
        time.sleep(rest)
        counted(100_000)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="Linux alone says where threads run")
def test_threads_keep_the_cores_that_they_were_given() -> None:
    """Those that start or wake are kept from the caller's core, until they run."""
    allowed, before = os.sched_getaffinity(0), {int(task) for task in os.listdir("/proc/self/task")}
    BACKEND.set_num_threads(4 + BACKEND.get_num_threads())
    for rest in (0.0, 0.01, 0.01):
        time.sleep(rest)
        counted(100_000)
    started = {int(task) for task in os.listdir("/proc/self/task")} - before
    until = time.monotonic() + 10
    while any(os.sched_getaffinity(task) != allowed for task in started) and time.monotonic() < until:
        time.sleep(0.01)
    assert all(os.sched_getaffinity(task) == allowed for task in started)


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
