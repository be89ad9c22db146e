"""All checks of a CUDA device in one command, and a report to send: the conformance kit, each storey's tests, times beside PyTorch's.

Run: python benchmarks/cuda_report.py [--write benchmarks/results] [--only times] [--seconds 0.5]
The report is cuda-NAME-OF-THE-DEVICE.md in the folder of --write. Where PyTorch has no CUDA, our own times stand alone.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import lamina
from lamina_flatarray import BackendError, backends

ROOT = Path(__file__).parents[1]
STOREYS = ("ndarray", "tensor", "nn", "lamina")

Case = tuple[Callable[[], Any], float]
"""What is timed, and how many bytes it has to move, or 0 where arithmetic bounds it."""


def cases(lib: Any, device: str, scale: float = 1.0) -> dict[str, Case]:
    """The kernels that most programs wait for, in one library on one device.

    Args:
        lib: lamina or torch.
        device: where the operands live.
        scale: by what the number of rows is multiplied.
    """
    functional, rows = lib.nn.functional, max(1, int(8192 * scale))
    x, y = lib.rand(rows, 1024, device=device), lib.rand(rows, 1024, device=device)
    narrow, weight = x.to(lib.bfloat16), lib.rand(1024, device=device)
    square = lib.rand(max(16, int(4096 * scale)), max(16, int(4096 * scale)), device=device)
    classes, picks = lib.randint(0, 1024, (rows,), device=device), lib.randint(0, rows, (rows,), device=device)
    heads = lib.rand(4, 16, max(16, int(1024 * scale)), 64, device=device)
    side = max(8, int(56 * scale))
    images, filters = lib.rand(32, 64, side, side, device=device), lib.rand(64, 64, 3, 3, device=device)
    steps = [lib.rand(max(64, int(4_000_000 * scale)), device=device, requires_grad=True) for _ in range(4)]
    for step in steps:
        step.grad = lib.ones_like(step)
    adam, nbytes = lib.optim.Adam(steps, lr=1e-3), 4 * x.numel()
    return {
        "add": (lambda: x + y, 3 * nbytes),
        "exp": (lambda: x.exp(), 2 * nbytes),
        "sum of rows": (lambda: x.sum(1), nbytes),
        "softmax": (lambda: functional.softmax(x, dim=1), 2 * nbytes),
        "layer_norm, bfloat16": (lambda: functional.layer_norm(narrow, (1024,)), nbytes),
        "cross_entropy": (lambda: functional.cross_entropy(x, classes), nbytes),
        "transposed copy": (lambda: x.t().contiguous(), 2 * nbytes),
        "rows by index": (lambda: x[picks], 2 * nbytes),
        "rand": (lambda: lib.rand(rows, 1024, device=device), nbytes),
        "dropout": (lambda: functional.dropout(x, 0.5), 2 * nbytes),
        "Adam, 16 million numbers": (adam.step, 7 * 4 * sum(step.numel() for step in steps)),
        "product 4096": (lambda: square @ square, 0),
        "attention": (lambda: functional.scaled_dot_product_attention(heads, heads, heads, is_causal=True), 0),
        "3x3 convolution": (lambda: functional.conv2d(images, filters, padding=1), 0),
        "layer_norm backward": (lambda: _backward(lib, functional, x, weight), 0),
    }


def _backward(lib: Any, functional: Any, x: Any, weight: Any) -> Any:
    rows = x.detach().requires_grad_()
    functional.layer_norm(rows, (1024,), weight).sum().backward()
    return rows.grad


def timed(runs: Sequence[tuple[Callable[[], Any], Callable[[], Any]]], seconds: float, calls: int = 20) -> list[float]:
    """Per run, the least seconds of a call among so many that are queued together; the runs take turns.

    Args:
        runs: what is timed, and what waits for its device.
        seconds: how long all of them together are repeated; at least 3 rounds are made.
        calls: how many calls are queued before the host waits.
    """
    best, rounds, until = [float("inf")] * len(runs), 0, time.perf_counter() + seconds
    for call, wait in runs:
        call()
        wait()
    while rounds < 3 or time.perf_counter() < until:
        rounds += 1
        for i, (call, wait) in enumerate(runs):
            begin = time.perf_counter()
            for _ in range(calls):
                call()
            wait()
            best[i] = min(best[i], (time.perf_counter() - begin) / calls)
    return best


def times(seconds: float, device: str = "cuda", scale: float = 1.0, calls: int = 20) -> list[str]:
    """The table of times, as lines of Markdown."""
    try:
        import torch

        theirs = cases(torch, device, scale) if torch.cuda.is_available() else {}
    except ImportError:
        theirs = {}
    lines = ["| case | us | GB/s | PyTorch's time over ours |", "|---|---:|---:|---:|"]
    for name, (call, nbytes) in cases(lamina, device, scale).items():
        runs = [(call, lamina.cuda.synchronize)]
        if theirs:
            runs.append((theirs[name][0], torch.cuda.synchronize))
        own, *other = timed(runs, seconds, calls)
        speed = f"{nbytes / own / 1e9:.0f}" if nbytes else ""
        lines.append(f"| {name} | {own * 1e6:.1f} | {speed} | {f'{other[0] / own:.2f}' if other else ''} |")
    return lines


def kit() -> list[str]:
    """The conformance kit on the device: its table of levels."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "cuda.json"
        command = ["--pyargs", "lamina_testkit", "--backend", "cuda", "--lamina-report", str(report)]
        last = _pytest(*command)
        if not report.exists():
            return [f"the kit did not end: {last}"]
        levels = subprocess.run([sys.executable, "-m", "lamina_testkit", "table", str(report)], capture_output=True, text=True, check=True)
        outcomes = json.loads(report.read_text())["outcomes"]
        failed = [test for test, told in outcomes.items() if told["outcome"] == "failed"]
        return [levels.stdout.strip(), "", last, *(f"- failed: `{name}`" for name in failed)]


def storeys() -> list[str]:
    """Each storey's own tests with the device as default: the last line of each run."""
    on_device = ["-p", "on_device", "--device", "cuda"]
    return [f"- {storey}: {_pytest(*on_device, f'packages/{storey}/tests')}" for storey in STOREYS]


def _pytest(*arguments: str) -> str:
    """The last line of a run."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([str(ROOT / "tests" / "matrix"), os.environ.get("PYTHONPATH", "")]))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    return (done.stdout.strip() or done.stderr.strip() or "nothing was printed").splitlines()[-1]


def heading() -> tuple[str, list[str]]:
    """The device's name, and the lines that say what ran where."""
    properties = lamina.cuda.get_device_properties(0)
    name, (major, minor) = properties.name, (properties.major, properties.minor)
    lines = [
        f"# {name}", "",
        f"{datetime.date.today()}, compute capability {major}.{minor}, {properties.total_memory / 1e9:.0f} GB,",
        f"Python {platform.python_version()}.",
        "Command: `python benchmarks/cuda_report.py`. Times are the least of many, 20 calls queued at once, taking turns with PyTorch.", "",
    ]  # fmt: skip
    return name, lines


def main() -> None:
    """Run what is asked for, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, default=ROOT / "benchmarks" / "results", help="the folder of the report")
    parser.add_argument("--only", choices=("kit", "storeys", "times"), help="this part alone")
    parser.add_argument("--seconds", type=float, default=0.5, help="how long each case is timed")
    options = parser.parse_args()
    try:
        backends.backend("cuda")
    except BackendError as cause:
        print(cause, file=sys.stderr)
        sys.exit(2)
    name, lines = heading()
    for part, title in ((kit, "Conformance"), (storeys, "Tests of the storeys")):
        if options.only in (None, part.__name__):
            lines += [f"## {title}", "", *part(), ""]
    if options.only in (None, "times"):
        lines += ["## Times", "", *times(options.seconds), ""]
    file = options.write / f"cuda-{name.lower().replace(' ', '-')}.md"
    file.write_text("\n".join(lines))
    print(file)


if __name__ == "__main__":
    main()
