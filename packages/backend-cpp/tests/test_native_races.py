"""What other threads do meanwhile: positions that are written after they were checked, a fork while the pool is starting."""

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
places = numpy_view(line)
wide, image = Strided(line.flat, Layout((N, 1))), Strided(line.flat, Layout((1, 4, N // 4)))
x, rows = operand(np.ones((50, 1), np.float32)), operand(np.ones((N, 1), np.float32))
losses = dict(axis=1, reduction="mean", ignored=-100)
weight = operand(np.ones(1, np.float32))
calls = {
    "index": lambda run: run(rows, x, line),
    "index_put": lambda run: run(x, rows, line, accumulate=True),
    "gather": lambda run: run(rows, x, wide, axis=0),
    "scatter_add": lambda run: run(x, rows, wide, axis=0),
    "nll_loss": lambda run: run(operand(np.ones((), np.float32)), rows, line, weight, **losses),
    "nll_loss_gradient": lambda run: run(rows, operand(np.ones((), np.float32)), line, weight, classes=1, **losses),
    "max_pool_gradient": lambda run: run(
        operand(np.ones((1, 4, 9), np.float32)), operand(np.ones((1, 4, N // 4), np.float32)), image, lengths=(9,)
    ),
}
run, ended = BACKEND.kernel(sys.argv[1]), False

def write():
    while not ended:
        places[:] = 1 << 40
        places[:] = 0

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
places[:] = 0
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


def ended(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, timeout=60)


OPS = ["index", "index_put", "gather", "scatter_add", "nll_loss", "nll_loss_gradient", "max_pool_gradient"]


@pytest.mark.parametrize("op", OPS)
def test_positions_written_meanwhile_do_not_lead_outside(op: str) -> None:
    found = ended(WRITTEN_MEANWHILE, op)
    assert found.returncode == 0, found.stderr


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted as Linux lists them")
def test_a_child_forked_while_the_pool_is_starting_has_threads() -> None:
    found = ended(FORKED)
    assert found.returncode == 3, found.stderr


def test_max_pool_gradient_writes_nothing_where_one_position_is_bad() -> None:
    out, gradient = operand(np.full((2, 3, 4), 5, np.float32)), operand(np.ones((2, 3, 2), np.float32))
    for bad in (4, -5, 2**40):
        places = np.zeros((2, 3, 2), np.int64)
        places[1, 2, 1] = bad
        with pytest.raises(IndexError):
            BACKEND.kernel("max_pool_gradient")(out, gradient, operand(places), lengths=(4,))
        np.testing.assert_array_equal(numpy_view(out), np.full((2, 3, 4), 5))
