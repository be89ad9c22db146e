"""Models in stages train as in one process, bit for bit if it cuts its batches in the same way.

Each stage makes the kernel calls that one process makes, on the same numbers. In a loop over whole batches, sums over rows are in another
order: rounding is as in `test_training`, 1e-4 for losses, and AdamW may move a weight by its learning rate, 0.003, in each step.
"""

import json

import pytest
from test_faults import launched
from test_sharding import HERE, flat, started


def results(size, path):
    with started(size, "staged.py", path) as process:
        printed, _ = process.communicate(timeout=100)
    assert process.returncode == 0, printed
    return json.loads(path.read_text())


def test_stages_train_as_one_process(tmp_path):
    two, four = (results(size, tmp_path / f"{size}.json") for size in (2, 4))
    for kind, rows in (("mlp", [2, 2, 2, 2, 2, 2]), ("gpt", [2, 2, 2, 2, 1, 1])):
        losses, weights = two[f"whole {kind}"]
        assert two[kind] == four[kind]
        means = [sum(loss * n for loss, n in zip(each, rows, strict=True)) / sum(rows) for each in two[kind][0]]
        assert means[0] == pytest.approx(losses[0], abs=1e-4) and losses[0] != losses[-1]
        if kind == "mlp":  # micro-batches of as many rows each: the mean of their means is that of the batch
            assert means == pytest.approx(losses, abs=1e-4)
            assert flat(two[kind][1]) == pytest.approx(flat(weights), abs=0.003 * 3)
    losses, weights = two["whole mlp"]
    assert [sum(each) / len(each) for each in four["grid"][0]] == pytest.approx(losses, abs=1e-4)
    assert flat(four["grid"][1]) == pytest.approx(flat(weights), abs=0.003 * 3)


def test_a_stage_that_is_killed_is_named_on_all_others():
    done = launched(3, str(HERE / "staged.py"), "kill")
    assert done.returncode != 0
    told = [line for line in done.stdout.splitlines() if "told: PipelineStage: " in line and ": rank 1 (process " in line]
    assert all("is gone" in line for line in told)
    assert {line[:3] for line in told} == {"[0]", "[2]"}, done.stdout + done.stderr
