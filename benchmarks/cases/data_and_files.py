"""Loading batches, saving and reading files."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

TITLE = "Data and files"


def cases(lib: Any) -> dict[str, Callable[[], Any]]:
    """An epoch of a shuffled DataLoader; a state dict of 20 MB written and read."""
    lib.manual_seed(0)
    data = lib.utils.data.TensorDataset(lib.randn(10_000, 32), lib.randint(0, 10, (10_000,)))
    loader = lib.utils.data.DataLoader(data, batch_size=64, shuffle=True)
    model = lib.nn.Sequential(*(lib.nn.Linear(1024, 1024) for _ in range(5)))
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "state.pt"

    def epoch() -> None:
        for _ in loader:
            pass

    def save() -> None:
        lib.save(model.state_dict(), path)

    def load(kept: Any = folder) -> None:
        model.load_state_dict(lib.load(path))

    save()
    return {"DataLoader, 10,000 samples of 32": epoch, "save, 20 MB": save, "load, 20 MB": load}
