"""Published packages with PyTorch and with lamina: the same programs in child processes, from the same seed, number by number.

    nox -s ecosystem                                            # installs what requirements.txt pins, and runs everything
    python tests/ecosystem/compare.py FOLDER                    # the packages lie in FOLDER
    python tests/ecosystem/compare.py FOLDER transformers_models Bert Llama
    python tests/ecosystem/compare.py FOLDER --write            # write the table into docs/look-up/ecosystem.md; of those named, their rows

Without `--write` what the table says to work must work. Models have tiny configurations and random weights; nothing is downloaded.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "look-up" / "ecosystem.md"
START, END = "<!-- table -->\n", "<!-- end of the table -->\n"
PROGRAMS = sorted(path.stem for path in (HERE / "programs").glob("*.py") if path.stem != "parts")
BOUND = 2e-5  # of the greatest number of a part: some hundred roundings of float32, 6e-8 each
IN_FLOAT64 = " in float64"
# Roundings of float64, 1e-16 each, may grow a hundred million times; what is computed otherwise is farther apart. Up to 1e-8 come from
# what is rounded to float32 all the same: first weights of `trunc_normal_`, and the 1/6 in the gradient of PyTorch's `hardsigmoid`.
BOUND_IN_FLOAT64 = 1e-8

Told = dict[str, dict[str, np.ndarray]]


def run(folder: Path, program: str, names: list[str], everywhere: bool) -> Told:
    """What a program tells: by what was tried, and by part."""
    with tempfile.TemporaryDirectory() as work:
        file = Path(work) / "told.npz"
        mode = ["-m", "lamina", "--everywhere"] if everywhere else []
        environment = {
            **os.environ, "PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false",
            "PYTHONWARNINGS": "ignore",
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, *mode, str(HERE / "programs" / f"{program}.py"), str(file), *names],
            env=environment, capture_output=True, text=True, cwd=work,
        )  # fmt: skip
        if not file.exists():
            last = (done.stderr.strip() or "nothing was said").splitlines()[-1]
            return {name: {"error": np.array(last)} for name in names or [program]}
        told: Told = {}
        with np.load(file) as arrays:
            for key in arrays.files:
                tried, _, part = key.partition("|")
                told.setdefault(tried, {})[part] = arrays[key]
        return told


def difference(ours: np.ndarray, theirs: np.ndarray) -> float:
    """The greatest difference, as a share of the greatest number; of whole numbers, 0 or infinity."""
    if ours.shape != theirs.shape:
        return float("inf")
    if ours.dtype.kind != "f":
        return 0.0 if np.array_equal(ours, theirs) else float("inf")
    scale = float(np.abs(theirs).max(initial=0.0)) or 1.0
    return float(np.abs(ours - theirs).max(initial=0.0)) / scale


def row(tried: str, ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray]) -> tuple[str, str, str, str]:
    """Of one trial: its name, the verdict, the parts that agree with the greatest difference, and what stopped it."""
    if "error" in theirs:
        return tried, "not tried", "", f"PyTorch itself: {theirs['error']}"
    apart = {part: difference(ours[part], value) for part, value in theirs.items() if part in ours}
    agree = {part: value for part, value in apart.items() if value <= (BOUND_IN_FLOAT64 if part.endswith(IN_FLOAT64) else BOUND)}
    # Roundings that grow are told apart from another meaning by the same part in float64, which is judged in its place.
    grown = {part: value for part, value in apart.items() if part not in agree and part + IN_FLOAT64 in agree}
    stopped = str(ours["error"]) if "error" in ours else ""
    worse = {part: value for part, value in apart.items() if part not in agree and part not in grown}
    stopped = stopped or ", ".join(f"{part} differs by {value:.1e}" for part, value in worse.items())
    verdict = "works" if len(agree) + len(grown) == len(theirs) else "partly" if agree else "not"
    shown = {part: value for part, value in agree.items() if not part.endswith(IN_FLOAT64) or part.removesuffix(IN_FLOAT64) in grown}
    parts = f"{', '.join(shown)} ({max(shown.values()):.0e})" if shown else ""
    parts += "".join(f"; {part} in float32 {value:.1e}" for part, value in grown.items())
    return tried, verdict, parts, stopped.replace("|", "/")


def read() -> dict[tuple[str, str], str]:
    """The page's verdicts by program and trial."""
    rows = [line.strip("| \n").split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| ")] if PAGE.exists() else []
    return {(cells[0], cells[1]): cells[2] for cells in rows if len(cells) > 2}


def main() -> int:
    """Run, print and compare, or write."""
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    folder, wanted, names = Path(arguments[0]).resolve(), arguments[1:2] or PROGRAMS, arguments[2:]
    lines, verdicts = [], {}
    for program in wanted:
        with ThreadPoolExecutor(2) as pool:
            theirs, ours = pool.map(partial(run, folder, program, names), (False, True))
        for tried in theirs:
            cells = row(tried, ours.get(tried, {"error": np.array("it did not get so far")}), theirs[tried])
            lines.append(f"| {program} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
            verdicts[program, tried] = cells[1]
    if "--write" in sys.argv:
        before, _, rest = PAGE.read_text().partition(START)
        kept, _, _ = rest.partition(END)
        others = [line for line in kept.splitlines()[2:] if tuple(line.strip("| ").split(" | ")[:2]) not in verdicts]
        lines = sorted([*others, *lines], key=lambda line: PROGRAMS.index(line.strip("| ").partition(" | ")[0]))
        head = "| program | tried | verdict | parts that agree, and the greatest difference | what stopped it |\n|---|---|---|---|---|\n"
        PAGE.write_text(before + START + head + "\n".join(lines) + "\n" + END + rest.partition(END)[2])
        return 0
    asked = [key for key in read() if key[0] in wanted and (not names or key[1] in names)]
    worse = [key for key in asked if read()[key] == "works" and verdicts.get(key) != "works"]
    if worse:
        print(f"no longer work: {worse}", file=sys.stderr)
    return bool(worse)


if __name__ == "__main__":
    sys.exit(main())
