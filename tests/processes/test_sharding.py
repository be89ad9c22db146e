"""Models in shards and in parts train as in one process: the same but for rounding, and the same, bit for bit, in every run.

Rounding is as in `test_training`: losses stay within 2**-24 times the longest sum (some 300 terms) times the steps, 1e-4. A step of AdamW
moves a weight by the learning rate, 0.003, times a ratio of gradients, of which one near 0 may have lost all of its digits: so far may a
weight be off after each step. Norms are as near as losses.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import lamina as torch
from lamina_flatarray import process_groups

ATTENTION = 32 * 16 * 2**-24  # some 32 roundings, of sums over 8 features and 12 keys and of the softmax between, of numbers below 16
HERE = Path(__file__).parent


def started(size, program, *arguments):
    command = [*process_groups.transport("mpi").command(size), sys.executable, str(HERE / program), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def results(size, folder, *former):
    with started(size, "sharded.py", folder / "results.json", folder / "checkpoint", *former) as process:
        printed, _ = process.communicate(timeout=150)
    assert process.returncode == 0, printed
    return json.loads((folder / "results.json").read_text())


def loaded(folder):
    """A checkpoint in this process, which is alone."""
    index = json.loads((folder / "index.json").read_text())
    state = {}
    for path, shape, _ in index["tensors"]:
        inner = state
        for key in path[:-1]:
            inner = inner.setdefault(key, {})
        inner[path[-1]] = torch.zeros(shape)
    torch.distributed.checkpoint.load(state, checkpoint_id=folder)
    return state


def flat(values):
    return [number for value in values for number in (flat(value) if isinstance(value, list) else [value])]


def test_shards_and_parts_train_as_one_process(tmp_path):
    folders = [tmp_path / name for name in ("one", "two", "four", "two again")]
    for folder in folders:
        folder.mkdir()
    (alone, attention), (two, attention_of_two) = results(1, folders[0]), results(2, folders[1])
    four, attention_of_four = results(4, folders[2], folders[1] / "checkpoint")  # from 2 processes to 4
    again = results(2, folders[3], folders[2] / "checkpoint")  # and to 2
    assert [two, attention_of_two] == again
    for slices in (attention_of_two, attention_of_four):
        for kind, expected in attention.items():
            assert flat(slices[kind]) == pytest.approx(flat(expected), abs=ATTENTION)
    for together in (two, four):
        for name, expected in alone.items():
            assert flat(together[name][0]) == pytest.approx(flat(expected[0]), abs=1e-4)
            assert flat(together[name][1]) == pytest.approx(flat(expected[1]), abs=0.003 * 3)
            assert together[name][0][0] != together[name][0][-1]
        for name in ("parts", "sequence", "slices"):
            assert flat(together[name][0]) == pytest.approx(flat(alone["gpt"][0]), abs=1e-4)
    states = [loaded(folder / "checkpoint") for folder in folders[1:]]  # and to 1
    assert list(states[0]) == ["model", "optimizer"]
    assert states[0]["optimizer"]["state"]["0.weight"]["exp_avg"].any()
    assert len({json.dumps(state, default=lambda tensor: tensor.tolist()) for state in states}) == 1


def test_a_kill_while_saving_leaves_the_last_checkpoint(tmp_path):
    """Processes save without end, and all are killed: the checkpoint is whole, and none older than the last that was told of."""
    for attempt in range(2):
        folder = tmp_path / str(attempt)
        with started(2, "saving.py", folder) as process:
            told = [int(process.stdout.readline().rpartition(" ")[2])]
            time.sleep(0.1 + 0.117 * attempt)
            for name in ("rank-0", "rank-1"):
                os.kill(int((folder / name).read_text()), signal.SIGKILL)
            told += [int(line.rpartition(" ")[2]) for line in process.stdout if "saved" in line]
        state = {"rows": torch.zeros(1001, 300), "step": 0}
        torch.distributed.checkpoint.load(state, checkpoint_id=folder / "checkpoint")
        assert state["step"] >= max(told)
        assert (state["rows"] == state["step"]).all()
