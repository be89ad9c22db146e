"""Saving and loading: state dicts, checkpoints, files and buffers."""

import io
import tempfile
from pathlib import Path
from typing import Any, assert_type

import lamina as torch
from lamina import Tensor, nn, optim

model = nn.Linear(3, 2)
optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
state = model.state_dict()
for name, value in state.items():
    assert_type(name, str)
    shape: torch.Size = value.shape
weight: Tensor = state["weight"]

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "checkpoint.pt"
    torch.save({"epoch": 3, "model": state, "optimizer": optimizer.state_dict()}, path)
    checkpoint: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    other = nn.Linear(3, 2)
    other.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    epoch: int = checkpoint["epoch"]

result = other.load_state_dict(state, strict=False)
missing: list[str] = result.missing_keys
assert torch.equal(other.weight, model.weight)

buffer = io.BytesIO()
torch.save(torch.arange(3), buffer)
buffer.seek(0)
loaded: Tensor = torch.load(buffer)
