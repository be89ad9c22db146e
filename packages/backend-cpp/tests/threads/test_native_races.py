"""What other threads do meanwhile: write indices that were checked, fork while the pool starts, take and give back memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_operands import BACKEND, numpy_view, operand

WRITTEN_MEANWHILE = """
import sys, threading, time
import numpy as np
from lamina_flatarray import Strided
from native_operands import BACKEND, Layout, numpy_view, operand

N = 200_000
line = operand(np.zeros(N, np.int64))
indices = numpy_view(line)
wide, image = Strided(line.flat, Layout((N, 1))), Strided(line.flat, Layout((1, 4, N // 4)))
x, rows = operand(np.ones((50, 1), np.float32)), operand(np.ones((N, 1), np.float32))
losses = dict(axis=1, reduction="mean", ignored=-100)
weight, slopes = operand(np.ones(1, np.float32)), operand(np.ones((N, 1), np.float32))
margins = dict(p=1, margin=1.0, reduction="mean")
calls = {
    "index": lambda run: run(rows, x, line),
    "index_put": lambda run: run(x, rows, line, accumulate=True),
    "gather": lambda run: run(rows, x, wide, axis=0),
    "scatter_add": lambda run: run(x, rows, wide, axis=0),
    "nll_loss": lambda run: run(operand(np.ones((), np.float32)), rows, line, weight, **losses),
    "nll_loss_gradient": lambda run: run(rows, operand(np.ones((), np.float32)), line, weight, classes=1, **losses),
    "multi_margin_loss": lambda run: run(operand(np.ones((), np.float32)), rows, line, weight, **margins),
    "multi_margin_loss_gradient": lambda run: run(slopes, operand(np.ones((), np.float32)), rows, line, weight, **margins),
    "max_pool_gradient": lambda run: run(
        operand(np.ones((1, 4, 9), np.float32)), operand(np.ones((1, 4, N // 4), np.float32)), image, lengths=(9,)
    ),
}
run, ended = BACKEND.kernel(sys.argv[1]), False

def write():
    while not ended:
        indices[:] = 1 << 40
        indices[:] = 0

writer = threading.Thread(target=write, daemon=True)
writer.start()
until = time.monotonic() + 0.4
while time.monotonic() < until:
    try:
        calls[sys.argv[1]](run)
    except IndexError:
        pass
ended = True
writer.join()
indices[:] = 0
calls[sys.argv[1]](run)
"""

FORKED = """
import os, sys, threading, time
import numpy as np
from native_operands import BACKEND, empty, operand, run

def count():
    run("add", empty((200_000,), "int64"), operand(np.arange(200_000)), 1)

BACKEND.set_num_threads(300)
starter = threading.Thread(target=count)
starter.start()
while len(os.listdir("/proc/self/task")) < 20:  # the pool is being started
    pass
child = os.fork()
if child == 0:
    BACKEND.set_num_threads(3)
    count()
    os._exit(len(os.listdir("/proc/self/task")))
starter.join()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


EIGHT_THREADS = """
import sys, threading
import numpy as np
from lamina_backend_cpp._native import allocate, empty_cache, memory_stats
from native_operands import BACKEND, empty, numpy_view, operand, run

def results(seed):
    draw = np.random.default_rng(seed)
    for size in (1, 7, 300, 40_000):
        x, y = draw.random(size, np.float32), draw.random(size, np.float32)
        a, b = operand(x), operand(y)
        yield run("add", empty((size,), "float32"), a, b)
        yield run("multiply", empty((size,), "float32"), a, 3.0)
        yield run("exp", empty((size,), "float32"), a)
        yield run("copy", empty((size,), "float64"), a)
        yield run("sum", empty((), "float32"), a, axes=(0,))
        yield run("fill", empty((size,), "float32"), value=1.5)
        yield run("concat", empty((2 * size,), "float32"), [a, b], axis=0)
        half, wide = operand(x.astype(np.float16)), operand(np.repeat(x[None], 3, 0))
        yield run("add", empty((size,), "float16"), half, half)
        yield run("softmax", empty((3, size), "float32"), wide, axis=1)

def bits(seed):
    return [found.tobytes() for found in results(seed)]

rounds, threads = 12, 8
wanted = [bits(seed) for seed in range(rounds)]
before = memory_stats()
start, wrong, passed_on = threading.Barrier(threads), [], [[] for _ in range(threads)]

def work(me):
    start.wait()
    for i in range(rounds):
        seed = (i + me) % rounds
        if bits(seed) != wanted[seed]:
            wrong.append((me, seed))
        for nbytes in (1, 100, 5000, 70_000):  # given back by another thread
            passed_on[(me + 1) % threads].append(allocate(nbytes))
        del passed_on[me][: len(passed_on[me]) // 2]
        for _ in range(2000):
            blocks = allocate(64), allocate(300), allocate(64)
        if i % 4 == me % 4:
            empty_cache()

callers = [threading.Thread(target=work, args=(me,)) for me in range(threads)]
for caller in callers:
    caller.start()
for caller in callers:
    caller.join()
passed_on.clear()
after = memory_stats()
assert not wrong, wrong
assert (after["live_blocks"], after["live_bytes"]) == (before["live_blocks"], before["live_bytes"]), (before, after)
empty_cache()
assert memory_stats()["cached_blocks"] == memory_stats()["cached_bytes"] == 0
if "t" in getattr(sys, "abiflags", ""):
    assert not sys._is_gil_enabled(), "the module turned the GIL on"
"""


def ended(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, sys.path)])
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, timeout=60)


OPS = [
    "index", "index_put", "gather", "scatter_add", "nll_loss", "nll_loss_gradient", "multi_margin_loss", "multi_margin_loss_gradient",
    "max_pool_gradient",
]  # fmt: skip


@pytest.mark.parametrize("op", OPS)
def test_indices_written_meanwhile_do_not_lead_outside(op: str) -> None:
    found = ended(WRITTEN_MEANWHILE, op)
    assert found.returncode == 0, found.stderr


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer's own allocator stays locked in the child")
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted as Linux lists them")
def test_a_child_forked_while_the_pool_is_starting_has_threads() -> None:
    found = ended(FORKED)
    assert found.returncode == 3, found.stderr


def test_eight_threads_at_once_compute_the_same_bits() -> None:
    found = ended(EIGHT_THREADS)
    assert found.returncode == 0, found.stderr


def test_max_pool_gradient_writes_nothing_where_one_position_is_bad() -> None:
    out, gradient = operand(np.full((2, 3, 4), 5, np.float32)), operand(np.ones((2, 3, 2), np.float32))
    for bad in (4, -5, 2**40):
        indices = np.zeros((2, 3, 2), np.int64)
        indices[1, 2, 1] = bad
        with pytest.raises(IndexError):
            BACKEND.kernel("max_pool_gradient")(out, gradient, operand(indices), lengths=(4,))
        np.testing.assert_array_equal(numpy_view(out), np.full((2, 3, 4), 5))
