"""Programs killed by SIGKILL in the midst of things: files are old or new and whole, and training goes on bit for bit."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

import lamina_tensor as lt
from lamina_nn.files import load, load_file, load_run, save, save_file, save_run

KILLS = 20

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")

WRITER = """
import sys
import lamina_tensor as lt
from lamina_nn.files import save, save_file, save_run
kind, path, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
while True:
    number += 1
    x = lt.full((300_000,), float(number))
    if kind == "save":
        save({"number": number, "x": x}, path)
    elif kind == "save_file":
        save_file({"number": lt.tensor(number), "x": x}, path)
    else:
        save_run(path, number=number, x=x)
    print(number, flush=True)
"""

READERS = {"save": load, "save_file": load_file, "save_run": load_run}
WRITERS = {
    "save": lambda x, path: save({"number": 0, "x": x}, path),
    "save_file": lambda x, path: save_file({"number": lt.tensor(0), "x": x}, path),
    "save_run": lambda x, path: save_run(path, number=0, x=x),
}


def killed(program, *arguments, lines, wait):
    """Run a program until it has printed so many lines, and for some seconds more; the lines, and how it ended."""
    with subprocess.Popen([sys.executable, "-c", program, *map(str, arguments)], stdout=subprocess.PIPE, text=True) as process:
        seen = [line for _, line in zip(range(lines), process.stdout, strict=False)]
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        seen += process.stdout.read().splitlines()
    return [line.strip() for line in seen if line.strip()], process.returncode


@pytest.mark.parametrize("kind", WRITERS)
def test_a_killed_writer_leaves_a_whole_file(tmp_path, kind):
    """The file has what was written last, or what was being written."""
    chance = random.Random(kind)
    path = tmp_path / "file"
    WRITERS[kind](lt.zeros(300_000), path)
    last = 0
    for _ in range(KILLS if kind == "save" else KILLS // 4):
        printed, code = killed(WRITER, kind, path, last, lines=1, wait=chance.random() * 0.02)
        assert code == -signal.SIGKILL
        found = READERS[kind](path)
        number = int(found["number"])
        assert number in (int(printed[-1]), int(printed[-1]) + 1)
        assert (found["x"] == float(number)).all()
        last = number


TRAINING = """
import os, random, signal, sys
import numpy as np
import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray.random import Generator, default_generator
from lamina_nn.data import DataLoader, TensorDataset
from lamina_nn.files import load_run, save_run
from lamina_nn.optim import SGD, Adam
from lamina_nn.optim.lr_scheduler import OneCycleLR, ReduceLROnPlateau

path, kind, steps, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
random.seed(0), np.random.seed(0), lt.manual_seed(0)  # a loader's state tells of all of them
data = TensorDataset(lt.randn(40, 3), lt.arange(40))
own = Generator().manual_seed(3) if kind == "adam" else None  # or the order is drawn between dropout's numbers
loader = DataLoader(data, batch_size=9, shuffle=True, generator=own)
model = nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8), nn.Tanh(), nn.Dropout(0.3), nn.Linear(8, 1))
if kind == "adam":
    optimizer = Adam(model.parameters(), lr=0.01)
    schedule = OneCycleLR(optimizer, 0.05, total_steps=steps)
else:
    optimizer = SGD(model.parameters(), lr=0.01, momentum=0.9)
    schedule = ReduceLROnPlateau(optimizer, patience=2)
parts = {"model": model, "optimizer": optimizer, "schedule": schedule, "loader": loader, "random": default_generator}
curve, used = [], []
if os.path.exists(path):
    rest = load_run(path, **parts)
    curve, used = rest["curve"], rest["used"]
while len(curve) < steps:
    for x, which in loader:
        loss = ((model(x) - x[:, :1] * x[:, 1:2]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        curve.append(loss.item())
        schedule.step(*[curve[-1]] * (kind == "sgd"))
        used.append(which.tolist())
        save_run(path, curve=curve, used=used, **parts)
        print(len(curve), flush=True)
        if len(curve) == steps:
            break
        if len(curve) == last:
            signal.pause()  # until it is killed, however long that takes
"""


def train(path, kind, steps):
    subprocess.run([sys.executable, "-c", TRAINING, path, kind, str(steps), str(steps)], check=True, stdout=subprocess.DEVNULL)
    return load_run(path)


@pytest.mark.parametrize("kind", ["adam", "sgd"])
def test_killed_and_resumed_training_is_the_uninterrupted_one(tmp_path, kind):
    """Killed some steps after it began or went on, and somewhere within the next ones: reading, computing or writing."""
    kills = KILLS if kind == "adam" else KILLS // 4
    steps = 8 * kills + 20
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    whole = train(straight, kind, steps)
    chance = random.Random(kind)
    reached = [0]
    for _ in range(kills):
        lines = chance.randint(1, 5)
        printed, code = killed(TRAINING, broken, kind, steps, reached[-1] + lines + 3, lines=lines, wait=chance.random() * 0.005)
        assert code == -signal.SIGKILL and reached[-1] < int(printed[0]) <= int(printed[-1]) < steps
        reached.append(int(printed[-1]))
    assert len(load_run(broken)["curve"]) < steps
    pieces = train(broken, kind, steps)
    for part in ("model", "optimizer", "schedule", "loader", "random", "curve", "used"):
        assert repr(pieces[part]) == repr(whole[part]), part
    assert len(whole["curve"]) == len(whole["used"]) == steps and len(set(whole["curve"])) > steps // 2
    assert straight.read_bytes() == broken.read_bytes()  # all of that, bit for bit
    assert set(os.listdir(tmp_path)) == {"straight", "broken"}  # what killed saves left is swept
