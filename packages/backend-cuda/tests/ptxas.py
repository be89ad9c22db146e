"""Sources compiled by NVRTC and assembled by ptxas, neither of which wants a device or a driver: what each kernel takes.

    python ptxas.py             # each kernel in each dtype for each architecture, hours of one core: writes ../registers.md
    python ptxas.py --sample    # each op in one dtype

What ptxas said of a source is kept beside NVRTC's results, so that the next run assembles only what has changed.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from emulated.nvrtc import compiler, kept_as, ptx_of
from every_source import every_source

__all__ = ["ARCHITECTURES", "Used", "main", "ptxas", "report", "used", "wrong"]

ARCHITECTURES = (75, 80, 86, 89, 90, 100, 120)
REPORT = Path(__file__).parents[1] / "registers.md"
HEAD = """# Registers

Registers of a thread, as ptxas tells them: of each op the kernel that takes most, {dtypes}. {wrong}

`python tests/ptxas.py{option}` writes this, and wants no device; here with NVRTC {compiler}. How many threads a multiprocessor holds at so
many registers, and what speed that allows, is in [README.md](README.md).

| op | kernels |{architectures}
|---|---:|{lines}
"""

_USED = re.compile(
    r"Compiling entry function '(\w+)'.*?\n(?:.*?\n)*?"
    r".*?(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads\n.*?Used (\d+) registers(?:.*?(\d+) bytes smem)?"
)


class Used(NamedTuple):
    """What a kernel takes of a multiprocessor, and bytes that its threads keep in memory, for want of registers or otherwise."""

    registers: int
    shared: int
    spilled: int
    stack: int


def ptxas() -> str | None:
    """Where ptxas is installed."""
    installed = (Path(folder) / "nvidia" / "cuda_nvcc" / "bin" / "ptxas" for folder in sys.path)
    return next((str(found) for found in installed if found.exists()), shutil.which("ptxas"))


def used(source: str, architecture: int, keep: bool = True, compiled: Callable[..., str] = ptx_of) -> dict[str, Used]:
    """What each kernel of a source takes, as PTX that `compiled` makes; `keep` keeps that, too."""
    kept = kept_as(source, architecture, "json")
    if not kept.exists():
        own = kept.with_suffix(f".{os.getpid()}")
        own.write_text(json.dumps(_assembled(compiled(source, architecture, keep), architecture)))
        own.rename(kept)  # another process may be reading it
    return {kernel: Used(*numbers) for kernel, numbers in json.loads(kept.read_text()).items()}


def _assembled(ptx: str, architecture: int) -> dict[str, Used]:
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(ptx)
        file.flush()
        command = [ptxas() or "ptxas", "-v", f"-arch=sm_{architecture}", file.name, "-o", os.devnull]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr[:3000])
    return {
        kernel: Used(int(registers), int(shared or 0), int(stores) + int(loads), int(stack))
        for kernel, stack, stores, loads, registers, shared in _USED.findall(done.stderr)
    }


def wrong(name: str, source: str, found: dict[str, Used]) -> list[str]:
    """What must not be: registers that are spilled to memory, an array of a thread that a fused kernel keeps there."""
    if len(found) != source.count("__global__ void"):
        return [f"{name}: ptxas tells of {sorted(found)} only"]
    return [
        f"{name}/{kernel}: {used.spilled} bytes spilled, {used.stack} of arrays"
        for kernel, used in found.items()
        if used.spilled or (used.stack and name.startswith("fused-"))
    ]


def report(sample: bool) -> str:
    """The page of registers."""
    most: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    kernels, errors = defaultdict(int), []
    for name, source in every_source(sample).items():
        op = name.removeprefix("fused-").partition("-")[0]
        kernels[op] += source.count("__global__ void")
        for architecture in ARCHITECTURES:
            found = used(source, architecture, keep=False)
            errors += [f"{error} on sm_{architecture}" for error in wrong(name, source, found)]
            most[op][architecture] = max(most[op][architecture], *(each.registers for each in found.values()))
    head = HEAD.format(
        dtypes="in one dtype" if sample else "in each dtype that it serves",
        wrong=f"Of {sum(kernels.values()):,} kernels " + (f"these are spilled: {'; '.join(errors)}." if errors else "none is spilled."),
        option=" --sample" if sample else "",
        compiler=compiler(),
        architectures="".join(f" sm_{architecture} |" for architecture in ARCHITECTURES),
        lines="---:|" * len(ARCHITECTURES),
    )
    return head + "".join(
        f"| {op} | {kernels[op]} | {' | '.join(str(most[op][architecture]) for architecture in ARCHITECTURES)} |\n" for op in sorted(most)
    )


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", action="store_true", help="each op in one dtype")
    REPORT.write_text(report(parser.parse_args().sample))


if __name__ == "__main__":
    main()
