"""All checks of a CUDA device in one command, and a report to send: the conformance kit, each storey's tests, times beside PyTorch's.

Run: python benchmarks/cuda_report.py [--write benchmarks/results] [--only times] [--seconds 0.5] [--workers 8] [--logs folder]
The report is cuda-NAME-OF-THE-DEVICE.md in the folder of --write. Where PyTorch has no CUDA, our own times stand alone. With
pytest-xdist, --workers share the tests; --logs keeps all that they print.
"""

from __future__ import annotations

import argparse
import datetime
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

sys.path.insert(0, str(Path(__file__).parent))

from cases import training_steps

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


def steps(lib: Any, device: str) -> dict[str, Case]:
    """Whole training steps of small networks, whose tensors are made on the device."""
    lib.set_default_device(device)
    return {name: (step, 0) for name, step in training_steps.cases(lib).items()}


def pytorch() -> Any:
    """PyTorch, or None where it is not installed or sees no device."""
    try:
        import torch
    except ImportError:
        return None
    return torch if torch.cuda.is_available() else None


def table(made: Callable[[Any], dict[str, Case]], seconds: float, calls: int = 20) -> list[str]:
    """The times of some cases beside PyTorch's, as lines of Markdown.

    Args:
        made: the cases of a library.
        seconds: how long each case is timed.
        calls: how many calls are queued before the host waits.
    """
    torch = pytorch()
    own, theirs = made(lamina), made(torch) if torch else {}
    lines = ["| case | us | GB/s | PyTorch's time over ours |", "|---|---:|---:|---:|"]
    for name, (call, nbytes) in own.items():
        runs = [(call, lamina.cuda.synchronize)]
        if torch:
            runs.append((theirs[name][0], torch.cuda.synchronize))
        took, *other = timed(runs, seconds, calls)
        speed = f"{nbytes / took / 1e9:.0f}" if nbytes else ""
        lines.append(f"| {name} | {took * 1e6:.1f} | {speed} | {f'{other[0] / took:.2f}' if other else ''} |")
    return lines


def times(seconds: float, device: str = "cuda") -> list[str]:
    """Kernels and training steps beside PyTorch's."""
    try:
        return [*table(lambda lib: cases(lib, device), seconds), "", *table(lambda lib: steps(lib, device), seconds)]
    finally:
        lamina.set_default_device(None)


class Tests:
    """Runs of pytest in processes of their own.

    Args:
        workers: how many processes share the tests of a run, with pytest-xdist; one without it for 0.
        logs: the folder that all their output is kept in, or None.
    """

    def __init__(self, workers: int, logs: Path | None) -> None:
        self.shared = ["-n", str(workers), "-p", "no:benchmark"] if workers else []  # pytest-benchmark warns of workers
        self.logs = logs

    def kit(self) -> list[str]:
        """The conformance kit on the device: its table of levels, and what failed."""
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "cuda.json"
            told = self._run("kit", "--pyargs", "lamina_testkit", "--backend", "cuda", "--lamina-report", str(report))
            if not report.exists():
                return ["the kit did not end", "", *told]
            command = [sys.executable, "-m", "lamina_testkit", "table", str(report)]
            levels = subprocess.run(command, capture_output=True, text=True, check=True)
            return [levels.stdout.strip(), "", *told]

    def storeys(self) -> list[str]:
        """Each storey's own tests with the device as default."""
        on_device = ["-p", "on_device", "--device", "cuda"]
        return [line for storey in STOREYS for line in self._run(storey, *on_device, f"packages/{storey}/tests")]

    def _run(self, name: str, *arguments: str) -> list[str]:
        """The last line of a run, and a line for each test that failed."""
        paths = [str(ROOT / "tests" / "matrix"), *filter(None, [os.environ.get("PYTHONPATH")])]
        command = [sys.executable, "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", *self.shared, *arguments]
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(paths))
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        printed = done.stdout + done.stderr
        if self.logs:
            (self.logs / f"{name}.log").write_text(printed)
        lines = printed.strip().splitlines() or ["nothing was printed"]
        failed = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
        return [f"{name}: {lines[-1]}", *(f"- {line[:200]}" for line in failed)]


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
    parser.add_argument("--workers", type=int, default=0, help="how many processes share the tests")
    parser.add_argument("--logs", type=Path, help="the folder that the tests' output is kept in")
    options = parser.parse_args()
    try:
        backends.backend("cuda")
    except BackendError as cause:
        print(cause, file=sys.stderr)
        sys.exit(2)
    name, lines = heading()
    tests = Tests(options.workers, options.logs)
    parts = {
        "kit": ("Conformance", tests.kit),
        "storeys": ("Tests of the storeys", tests.storeys),
        "times": ("Times", lambda: times(options.seconds)),
    }
    for part, (title, told) in parts.items():
        if options.only in (None, part):
            lines += [f"## {title}", "", *told(), ""]
    file = options.write / f"cuda-{name.lower().replace(' ', '-')}.md"
    file.write_text("\n".join(lines))
    print(file)


if __name__ == "__main__":
    main()
