"""Several processes train as one does: the same losses but for rounding, and the same, bit for bit, in every run.

The gradient of a mean over 8 samples is added up in another order than the mean of two means over 4. A sum of n terms of float32 is off
by n * 2**-24 of the terms' size at most, and a step hands the error on: losses, which are near 1, stay within 2**-24 times the longest
sum (some 300 terms) times the steps, that is 1e-4 for 6 steps.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lamina_flatarray import process_groups

PROGRAM = str(Path(__file__).parent / "training.py")
STEPS = 6
SIZE = int(os.environ.get("LAMINA_PROCESSES", "2"))


def losses(size, kind, optimizer):
    command = process_groups.transport("mpi").command(size)
    done = subprocess.run(
        [*command, sys.executable, PROGRAM, kind, optimizer, str(STEPS)], capture_output=True, text=True, timeout=150, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # Numbers only: mpiexec puts ranks between what processes write.
    ((listed, weights),) = re.findall(r"losses (\[[^]]*\]) (-?0x[0-9a-f.]+p[-+]\d+)", done.stdout)
    return json.loads(listed), weights


@pytest.mark.parametrize(("kind", "optimizer"), [("mlp", "zero"), ("resnet", "sgd"), ("gpt", "zero")])
def test_processes_train_as_one(kind, optimizer):
    alone, _ = losses(1, kind, optimizer)
    together = losses(SIZE, kind, optimizer)
    assert together == losses(SIZE, kind, optimizer)
    assert together[0] == pytest.approx(alone, abs=1e-4)
    assert together[0][0] != together[0][-1]
