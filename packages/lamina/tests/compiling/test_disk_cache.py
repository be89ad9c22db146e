"""Compiled functions and a folder: what was recorded twice is recorded once later, in another process too, and looked at as well."""

import os
import subprocess
import sys

import pytest

import lamina as torch
from lamina import nn
from lamina_tensor.compiling import function

MODEL = """
import lamina as torch
from lamina_tensor.compiling import function

recordings = []
record = function.Recording
function.Recording = lambda *args: recordings.append(None) or record(*args)
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Dropout(0.5), torch.nn.Linear(4, 2))
optimizer = torch.optim.AdamW(model.parameters())

@torch.compile
def step(x):
    optimizer.zero_grad()
    loss = model(x).square().mean()
    loss.backward()
    optimizer.step()
    return loss

for _ in range(4):
    loss = step(torch.ones(5, 3))
print(len(recordings), loss.item())
"""


@pytest.fixture
def recordings(tmp_path, monkeypatch):
    """A list that grows with each recording; a folder is named."""
    seen = []
    record = function.Recording
    monkeypatch.setattr(function, "Recording", lambda *args: seen.append(None) or record(*args))
    monkeypatch.setenv("LAMINA_COMPILE_CACHE", str(tmp_path))
    return seen


def called(made, *arguments):
    compiled = torch.compile(made)
    return [compiled(*arguments) for _ in range(5)][-1]


def test_another_process_records_once(tmp_path):
    told = []
    for seed in ("1", "2"):  # of what is hashed
        environment = {**os.environ, "LAMINA_COMPILE_CACHE": str(tmp_path), "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", MODEL], env=environment, capture_output=True, text=True, check=True)
        told.append(done.stdout.split())
    assert [count for count, _ in told] == ["2", "1"]
    assert told[0][1] == told[1][1]


def test_a_function_made_again_is_recorded_once(recordings):
    def made(factor):
        return lambda x: (x * factor).exp()

    x = torch.randn(3)
    for factor, count in ((2.0, 2), (2.0, 3), (3.0, 5), (3.0, 6)):
        assert called(made(factor), x).tolist() == (x * factor).exp().tolist()
        assert len(recordings) == count


def test_gradients(recordings):
    for count in (2, 3):
        torch.manual_seed(0)
        layer = nn.Linear(3, 2)
        called(layer, torch.ones(4, 3)).sum().backward()
        assert layer.weight.grad.tolist() == [[4.0] * 3] * 2
        assert len(recordings) == count


class Counted:
    def __init__(self, is_counted):
        self.count, self.is_counted = 0, is_counted

    def __call__(self, x):
        self.count += self.is_counted
        return x * 2


@pytest.mark.filterwarnings("ignore:compile")
def test_what_would_change_its_state_is_recorded_twice(recordings):
    called(Counted(False), torch.ones(3))
    counted = Counted(True)
    called(counted, torch.ones(3))
    assert len(recordings) == 4
    assert counted.count == 5


@pytest.mark.parametrize("damage", [b"", b"anything"])
def test_a_damaged_file_is_written_anew(recordings, tmp_path, damage):
    called(torch.sin, torch.ones(3))
    (file,) = tmp_path.iterdir()
    content = file.read_bytes()
    file.write_bytes(damage)
    called(torch.sin, torch.ones(3))
    assert len(recordings) == 4
    assert file.read_bytes() == content


def test_nothing_is_written_where_no_folder_is_named(recordings, tmp_path, monkeypatch):
    monkeypatch.setenv("LAMINA_COMPILE_CACHE", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for _ in range(2):
        called(torch.sin, torch.ones(3))
    assert len(recordings) == 4
    assert not [*tmp_path.iterdir()]
