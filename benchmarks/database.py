"""Every function of PyTorch's op database beside lamina's, on the database's own small float32 samples: what a call costs, everywhere.

    python benchmarks/database.py [--tiers A,B] [--only cummax,diag] [--write benchmarks/results/database.md]

One thread, nothing recorded. An op's ratio, PyTorch's time over ours, is the geometric mean over its first samples; above 1 is faster.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "oracle"))

import torch
from databases import op_database

import lamina

SAMPLES, ROUNDS, RUN = 2, 5, 1.5e-3  # seconds of one run


def best(call: Callable[[], Any], times: int) -> float:
    """The least seconds of so many calls."""
    clock, least = time.perf_counter, math.inf
    for _ in range(times):
        begin = clock()
        call()
        least = min(least, clock() - begin)
    return least


def timed(info: Any) -> Iterator[tuple[float, float]]:
    """Our seconds and PyTorch's, for the first samples that both take."""
    ours = op_database.counterpart(info)
    for sample in islice(op_database.samples(info, "float32"), 2 * SAMPLES):
        theirs = [sample.input, *sample.args]
        given = [op_database.to_lamina(a) for a in theirs]
        params = {k: op_database.to_lamina(v) for k, v in sample.kwargs.items()}

        def one(call: Any = ours, given: Any = given, params: Any = params) -> Any:
            return call(*given, **params)

        def other(call: Any = info.op, given: Any = theirs, params: Any = sample.kwargs) -> Any:
            return call(*given, **params)

        try:
            times = max(3, min(40, int(RUN / best(one, 3))))
            other()
        except Exception:  # a sample of what one of both does not take; tests/oracle compares these
            continue
        found = [(best(one, times), best(other, times)) for _ in range(ROUNDS)]
        yield min(f[0] for f in found), min(f[1] for f in found)


def mean(values: list[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


def main() -> None:
    """Print, and write, the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tiers", default="A,B")
    parser.add_argument("--only", default="")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    lamina.set_num_threads(1)
    tiers, only = given.tiers.split(","), set(filter(None, given.only.split(",")))
    rows: dict[str, list[tuple[float, float, str]]] = {tier: [] for tier in tiers}
    with torch.no_grad(), lamina.no_grad():
        for name, infos in sorted(op_database.database().items()):
            for info in infos:
                tier = op_database.tier(info)
                if tier not in rows or (only and name not in only) or not op_database.serves(info, "float32"):
                    continue
                if found := list(islice(timed(info), SAMPLES)):
                    variant = f".{info.variant_test_name}" if info.variant_test_name else ""
                    rows[tier].append((mean([b / a for a, b in found]), mean([a for a, _ in found]), name + variant))
    lines = [
        "# Every op of PyTorch's database", "",
        f"PyTorch {torch.__version__}, one thread, float32, nothing recorded, the first {SAMPLES} of the database's samples: some 5 to 100",
        "items. The ratio is PyTorch's time over ours; above 1 is faster.", "",
        "    python benchmarks/database.py --write benchmarks/results/database.md", "",
    ]  # fmt: skip
    for tier, found in rows.items():
        if not found:
            continue
        ratios = [ratio for ratio, _, _ in found]
        lines += [f"## Tier {tier}", "", f"{len(found)} entries, geometric mean {mean(ratios):.2f}; {sum(r < 1 for r in ratios)} below 1, "
                  f"{sum(r < 0.5 for r in ratios)} below 0.5.", "", "| op | our us | ratio |", "|---|---:|---:|"]  # fmt: skip
        lines += [f"| {name} | {seconds * 1e6:.1f} | {ratio:.2f} |" for ratio, seconds, name in sorted(found)]
        lines.append("")
    text = "\n".join(lines)
    print(text)
    if given.write:
        given.write.write_text(text)


if __name__ == "__main__":
    main()
