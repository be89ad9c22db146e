"""Training killed (SIGKILL) at random moments goes on bit for bit where it was saved last.

The long run, 50 kills of each program: `LAMINA_KILLS=50 pytest packages/nn/tests/saving/test_killed_training.py`.
"""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from lamina_nn.files import load_run

KILLS = int(os.environ.get("LAMINA_KILLS", "3"))

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")


def killed(program, *arguments, lines, wait):
    """Run a program until it has printed so many lines, and for some seconds more; the lines, and how it ended.

    Its worker processes, which have its output, too, end by themselves: else reading this would not end.
    """
    with subprocess.Popen([sys.executable, "-c", program, *map(str, arguments)], stdout=subprocess.PIPE, text=True) as process:
        seen = [line for _, line in zip(range(lines), process.stdout, strict=False)]
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        seen += process.stdout.read().splitlines()
    return [line.strip() for line in seen if line.strip()], process.returncode


TRAINING = """
import os, random, signal, sys
import numpy as np
import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray.random import Generator, default_generator
from lamina_nn.data import DataLoader, Dataset, TensorDataset
from lamina_nn.files import load_run, save_run
from lamina_nn.optim import SGD, Adam
from lamina_nn.optim.lr_scheduler import OneCycleLR, ReduceLROnPlateau

path, kind, steps, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
random.seed(0), np.random.seed(0), lt.manual_seed(0)  # a loader's state tells of all of them
data = TensorDataset(lt.randn(40, 3), lt.arange(40))

class Noisy(Dataset):  # draws in the workers, by each library
    def __len__(self):
        return len(data)
    def __getitem__(self, i):
        x, number = data[i]
        return x + 0.1 * lt.randn(3) + 0.1 * random.random() + 0.1 * float(np.random.rand()), number

own = None if kind == "sgd" else Generator().manual_seed(3)  # or the order is drawn between dropout's numbers
loader = DataLoader(Noisy(), batch_size=9, shuffle=True, generator=own, num_workers=2 if kind == "workers" else 0)
model = nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8), nn.Tanh(), nn.Dropout(0.3), nn.Linear(8, 1))
if kind != "sgd":
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


@pytest.mark.parametrize("kind", ["adam", "sgd", "workers"])
def test_killed_and_resumed_training_is_the_uninterrupted_one(tmp_path, kind):
    """Killed some steps after it began or went on, and somewhere within the next ones: reading, computing or writing."""
    steps = 8 * KILLS + 20
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    whole = train(straight, kind, steps)
    chance = random.Random(kind)
    reached = [0]
    for _ in range(KILLS):
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
