"""Runs public PyTorch programs, unmodified, with PyTorch and with `lamina run`, and compares what they compute.

    python tests/programs/compare.py FOLDER [name ...]

FOLDER holds checkouts as `OWNER/NAME`; `programs.toml` beside this file lists the programs and says what is compared.
Each runs twice in a copy of its own, from the same seed and on the same small data that is made here. Exits with 1 where one
differs or fails.
"""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import termios
import time
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from local_data import WRITERS

HERE = Path(__file__).parent
SECONDS = 600
"""How long one run may take."""


class Ran(NamedTuple):
    """What a run left behind: every loss with a backward pass, what was printed, the folder it ran in, and how long it took."""

    losses: list[float]
    output: str
    folder: Path
    seconds: float


def programs(path: Path = HERE / "programs.toml") -> dict[str, dict[str, Any]]:
    """Name -> what the list says of it."""
    return {program["name"]: program for program in tomllib.loads(path.read_text())["program"]}


def ran(program: dict[str, Any], stack: str, checkouts: Path, room: Path) -> Ran:
    """Run a program in a copy of its folder, in `room`.

    Raises:
        RuntimeError: it fails; the message ends with what it wrote.
    """
    folder = room / stack / "checkout" / program.get("folder", "")
    shutil.copytree(checkouts / program["repository"] / program.get("folder", ""), folder, ignore=shutil.ignore_patterns(".git"))
    for data in program.get("data", []):
        options = dict(data)
        WRITERS[options.pop("kind")]((folder / options.pop("at")).resolve(), **options)
    for script in program.get("before", []):
        _launch(stack, {"steps": None}, [script], program, folder, room)
    start = time.perf_counter()
    output = _launch(
        stack, {"steps": program.get("steps")}, [program["script"], *program.get("arguments", [])], program, folder, room
    )
    seconds = time.perf_counter() - start
    return Ran(json.loads((room / "losses").read_text()), output, folder, seconds)


def _launch(stack: str, settings: dict[str, Any], call: list[str], program: dict[str, Any], folder: Path, room: Path) -> str:
    settings |= {"seed": 1234, "dtype": program.get("dtype"), "own": program.get("own", []), "losses": str(room / "losses")}
    command = [sys.executable, str(HERE / "launch.py"), stack, json.dumps(settings), *call]
    screen, keyboard = pty.openpty()  # some programs ask how wide the terminal is
    termios.tcsetwinsize(keyboard, (24, 100))
    environment = os.environ | {"OMP_NUM_THREADS": "1", "MPLBACKEND": "Agg"} | program.get("environment", {})
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, stdin=keyboard, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", timeout=SECONDS,
        )  # fmt: skip
    finally:
        os.close(screen)
        os.close(keyboard)
    if done.returncode:
        raise RuntimeError(f"{stack}: {' '.join(call)} ended with {done.returncode}:\n{done.stdout[-2000:]}")
    return done.stdout


def farthest(theirs: list[float], ours: list[float]) -> float:
    """The largest relative difference between two lists of numbers; infinite where they are not equally long, or one is nan."""
    if len(theirs) != len(ours):
        return float("inf")
    found = [abs(a - b) / max(abs(a), 1e-6) for a, b in zip(theirs, ours, strict=True)]
    return max((d if d == d else float("inf") for d in found), default=0.0)


def printed_alike(pattern: str, theirs: str, ours: str, tolerance: float) -> tuple[int, int]:
    """How many numbers that a pattern finds in the output agree, up to a unit in the last place printed, and how many there are."""
    a, b = ([number for found in re.finditer(pattern, text) for number in found.groups()] for text in (theirs, ours))
    alike = sum(
        abs(float(x) - float(y)) <= tolerance * abs(float(x)) + 1.01 * 10.0 ** -len(x.partition(".")[2])
        for x, y in zip(a, b, strict=False)
    )
    return alike, max(len(a), len(b))


def states_apart(theirs: Path, ours: Path) -> float:
    """How far two saved states are apart, both read by PyTorch: for each tensor, the norm of the difference to its own."""
    import torch

    def tensors(at: Any, name: str = "") -> Any:
        if isinstance(at, torch.Tensor):
            yield name, at.double()
        elif isinstance(at, dict):
            for key, value in at.items():
                yield from tensors(value, f"{name}.{key}")

    a, b = (dict(tensors(torch.load(path, weights_only=True))) for path in (theirs, ours))
    if a.keys() != b.keys() or not a:
        return float("inf")
    return max(float((a[name] - b[name]).norm() / max(a[name].norm(), 1e-6)) for name in a)


def compared(program: dict[str, Any], checkouts: Path) -> tuple[bool, str]:
    """Whether both stacks agree on a program, and a row that says how far they are apart."""
    with tempfile.TemporaryDirectory() as room:
        try:
            theirs, ours = (ran(program, stack, checkouts, Path(room)) for stack in ("torch", "lamina"))
        except (RuntimeError, subprocess.TimeoutExpired, OSError) as error:
            return False, f"{program['name']:28} {error}"
        tolerance = program["tolerance"]
        apart = farthest(theirs.losses, ours.losses)
        good = apart <= tolerance and bool(theirs.losses) == program.get("losses", True)
        row = f"{program['name']:28} {len(theirs.losses):6} {apart:10.1e}"
        printed = "-"
        if "printed" in program:
            alike, count = printed_alike(program["printed"], theirs.output, ours.output, tolerance)
            good, printed = good and 0 < count == alike, f"{alike}/{count}"
        row += f" {printed:>9}"
        state = "-"
        if "state" in program:
            difference = states_apart(theirs.folder / program["state"], ours.folder / program["state"])
            good, state = good and difference <= program.get("state_tolerance", tolerance), f"{difference:.1e}"
        row += f" {state:>9} {tolerance:9.0e} {theirs.seconds:5.0f} s {ours.seconds:5.0f} s  {'same' if good else 'DIFFERS'}"
        return good, row


def main() -> None:
    checkouts, *names = sys.argv[1:]
    listed = programs()
    unknown = set(names) - set(listed)
    if unknown:
        sys.exit(f"no such program: {', '.join(sorted(unknown))}; there are {', '.join(listed)}")
    head = f"{'program':28} {'losses':>6} {'apart':>10} {'printed':>9} {'state':>9} {'allowed':>9} {'torch':>7} {'lamina':>7}"
    print(head, "-" * len(head), sep="\n")
    good = 0
    for name in names or listed:
        same, row = compared(listed[name], Path(checkouts).resolve())
        good += same
        print(row, flush=True)
    print(f"{good} of {len(names or listed)} programs compute the same")
    sys.exit(good != len(names or listed))


if __name__ == "__main__":
    main()
