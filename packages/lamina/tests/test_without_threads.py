"""Where no thread and no process can be started, as in Pyodide, a network trains, is saved and loaded, on NumPy's kernels."""

import os
import subprocess
import sys

PROGRAM = """
import lamina as torch, os, subprocess, threading

def refused(*args, **settings):
    raise RuntimeError("can't start new thread")

threading.Thread.start = subprocess.Popen.__init__ = os.fork = refused
from lamina import nn
from lamina.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(128, 1, 6, 6)
y = (x.mean((1, 2, 3)) > 0).long()
model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(64, 16), nn.BatchNorm1d(16), nn.Dropout(0.1), nn.Linear(16, 2))
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
for _ in range(8):
    for inputs, labels in DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True):
        loss = nn.functional.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
torch.save(model.state_dict(), "model.pt")
model.load_state_dict(torch.load("model.pt"))
model.eval()
print((model(x).argmax(1) == y).float().mean().item())
"""


def test_a_network_trains(tmp_path):
    settings = {**os.environ, "LAMINA_BACKENDS": "none", "LAMINA_BACKEND": "numpy"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, env=settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) > 0.9
