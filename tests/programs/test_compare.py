"""The comparison of public programs, tried on two small ones of its own: one that computes the same, and one that does not."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
compare = pytest.importorskip("compare")

TRAIN = """
import sys
import torch
from torch.utils.data import DataLoader, TensorDataset

model = torch.nn.Linear(3, 1)
words = open("words.txt").read()
factor = float(sys.argv[1]) if torch.__name__ == "lamina" else 1
loader = DataLoader(TensorDataset(torch.randn(8, 3)), batch_size=4)
for _ in range(100):
    for (batch,) in loader:
        loss = factor * (model(batch) + len(words)).square().mean()
        loss.backward()
        print(f"loss {loss.item():.3f}")
"""


@pytest.mark.parametrize(("factor", "same"), [("1", True), ("1.001", False)])
def test_programs_are_compared(tmp_path, factor, same):
    (tmp_path / "owner" / "name").mkdir(parents=True)
    (tmp_path / "owner" / "name" / "train.py").write_text(TRAIN)
    program = {
        "name": "small", "repository": "owner/name", "script": "train.py", "arguments": [factor], "steps": 5, "tolerance": 1e-5,
        "printed": r"loss (\d+\.\d+)", "data": [{"kind": "text", "at": "words.txt", "lines": 3}],
    }  # fmt: skip
    good, row = compare.compared(program, tmp_path)
    assert good is same, row
    assert row.split()[1] == "5" and ("4/4" in row) is same


def test_what_fails_is_told(tmp_path):
    (tmp_path / "owner" / "name").mkdir(parents=True)
    (tmp_path / "owner" / "name" / "train.py").write_text("raise ValueError('on purpose')")
    good, row = compare.compared({"name": "small", "repository": "owner/name", "script": "train.py", "tolerance": 1}, tmp_path)
    assert not good and "torch: train.py ended with 1" in row and "on purpose" in row


def test_the_list_is_whole():
    listed = compare.programs()
    assert len(listed) >= 15
    for program in listed.values():
        assert {"repository", "script", "tolerance"} <= program.keys()
        assert all(data["kind"] in compare.WRITERS for data in program.get("data", []))


def test_numbers_are_compared():
    assert compare.farthest([2.0, 4.0], [2.0, 4.4]) == pytest.approx(0.1)
    assert compare.farthest([1.0], [1.0, 1.0]) == compare.farthest([1.0], [float("nan")]) == float("inf")
    assert compare.printed_alike(r"(\d\.\d+)", "1.50 2.00", "1.51 2.02", 0) == (1, 2)
    assert compare.printed_alike(r"(\d\.\d+)", "1.50 2.00", "1.50", 0) == (1, 2)
