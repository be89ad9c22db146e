"""What a container with transformers takes on lamina and on PyTorch: disk, and processor time and peak memory of one BERT inference,
import included.

Each number comes from fresh processes, in turn; the least of several counts. The packages of transformers lie in a folder, as
`pip install --no-deps --target FOLDER --requirement tests/ecosystem/transformers.txt` leaves them.
Run: python benchmarks/container.py FOLDER [--rounds 3] [--write benchmarks/results/container.md]
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import subprocess
import sys
import tempfile
from importlib.metadata import distribution
from pathlib import Path

from footprint import STACKS, installed
from pages import publish

MODES = {"lamina": ["-m", "lamina", "--everywhere"], "torch": []}
INFERENCE = """
import time
begin = time.process_time()
import torch
from transformers import BertConfig, BertForSequenceClassification
loaded = time.process_time() - begin
torch.manual_seed(0)
model = BertForSequenceClassification(BertConfig({sizes})).eval()
tokens = torch.randint(3, 999, (1, 32))
with torch.no_grad():
    model(input_ids=tokens)
whole = time.process_time() - begin
peak = int(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0]) * 1024
print(loaded, whole, peak)
"""
MODELS = {
    "tiny": "vocab_size=999, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64",
    "base (110 million parameters)": "",
}


def measured(mode: list[str], folder: Path, sizes: str, rounds: int) -> tuple[float, ...]:
    """The least processor time until all is imported, that of the whole, and the least peak memory, in seconds and bytes."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "HF_HUB_OFFLINE": "1", "PYTHONWARNINGS": "ignore"}
    runs = []
    with tempfile.TemporaryDirectory() as work:
        program = Path(work, "inference.py")
        program.write_text(INFERENCE.format(sizes=sizes))
        for _ in range(rounds):
            done = subprocess.run(
                [sys.executable, *mode, str(program)], check=True, env=environment, capture_output=True, text=True, cwd=work
            )
            runs.append([float(part) for part in done.stdout.split()])
    return tuple(map(min, zip(*runs, strict=True)))


def weight(folder: Path) -> int:
    """Bytes of all files below a folder, without bytecode."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc")


def numpy_weight() -> int:
    """Bytes of NumPy's files, the libraries that it brings included."""
    return sum(Path(str(file.locate())).stat().st_size for file in distribution("numpy").files or [] if file.suffix != ".pyc")


def main() -> None:
    """Measure, print, and write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    folder = chosen.folder.resolve()
    shared = weight(folder) + numpy_weight()
    sizes = {name: sum(map(installed, packages)) for name, packages in STACKS.items()}
    lines = [
        "# What a container with transformers takes",
        "",
        f"{datetime.date.today()}; PyTorch {distribution('torch').version}, transformers' packages as pinned, Python "
        f"{platform.python_version()}, {platform.machine()}; `python benchmarks/container.py FOLDER --rounds {chosen.rounds}`.",
        "",
        "| | lamina | PyTorch |",
        "|---|---:|---:|",
        f"| site-packages, MB: the stack | {sizes['lamina'] / 1e6:.1f} | {sizes['torch'] / 1e6:.1f} |",
        f"| and transformers with what it asks for, and NumPy | {shared / 1e6:.1f} | {shared / 1e6:.1f} |",
        f"| together | {(sizes['lamina'] + shared) / 1e6:.1f} | {(sizes['torch'] + shared) / 1e6:.1f} |",
    ]
    for name, config in MODELS.items():
        ours, theirs = (measured(MODES[stack], folder, config, chosen.rounds) for stack in STACKS)
        if name == "tiny":
            lines.append(f"| import, s of processor time | {ours[0]:.2f} | {theirs[0]:.2f} |")
        lines.append(f"| import and one inference of BERT, {name}, s of processor time | {ours[1]:.2f} | {theirs[1]:.2f} |")
        lines.append(f"| its peak memory, MB | {ours[2] / 1e6:.0f} | {theirs[2] / 1e6:.0f} |")
    publish("\n".join([*lines, ""]), chosen.write)


if __name__ == "__main__":
    main()
