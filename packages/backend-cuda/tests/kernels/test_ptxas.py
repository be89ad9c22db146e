"""Kernels for every architecture: NVRTC compiles them and ptxas assembles them, neither of which wants a device or a driver.

By default each op is tried in one dtype for one architecture, turn about, and one of each family for all architectures.
LAMINA_PTXAS=all tries every dtype for every architecture, which takes an hour and more of one core. LAMINA_PTXAS_REPORT
names a file for the registers and spilled bytes of each kernel.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest
from emulated.nvrtc import CompileError, available, ptx_of
from every_source import every_source

ARCHITECTURES = (75, 80, 86, 89, 90, 100, 120)
ALL = os.environ.get("LAMINA_PTXAS") == "all"
FAMILIES = (
    "add-float32-aa", "copy-float32-float16", "sum-float32", "argmax-float32", "cumsum-float32", "gather-float32-1-",
    "gather-float32-2-add", "sort-float32", "matmul-float32", "random_normal-float32",
    "fused-softmax-False-False-plain-bfloat16", "fused-attention-2-float32", "fused-convolution-float32", "fused-adam_step-float32",
    "fused-binary_cross_entropy-float32",
)  # fmt: skip
pytestmark = pytest.mark.skipif(not available(), reason="NVRTC is not installed: pip install nvidia-cuda-nvrtc-cu12")

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


def _ptxas():
    for folder in sys.path:
        found = Path(folder) / "nvidia" / "cuda_nvcc" / "bin" / "ptxas"
        if found.exists():
            return str(found)
    found = shutil.which("ptxas")
    if found is None:
        pytest.skip("ptxas is not installed: pip install nvidia-cuda-nvcc-cu12")
    return found


def compiled(source, architecture):
    """PTX of a source."""
    try:
        return ptx_of(source, architecture)
    except CompileError as refused:
        pytest.fail(str(refused))


def assembled(ptxas, ptx, architecture, folder, name):
    """What ptxas says of each kernel."""
    file = folder / f"{name}-{architecture}.ptx"
    file.write_text(ptx)
    command = [ptxas, "-v", f"-arch=sm_{architecture}", str(file), "-o", os.devnull]
    done = subprocess.run(command, capture_output=True, text=True)
    file.unlink()
    assert not done.returncode, done.stderr[:3000]
    return {
        kernel: Used(int(registers), int(shared or 0), int(stores) + int(loads), int(stack))
        for kernel, stack, stores, loads, registers, shared in _USED.findall(done.stderr)
    }


def check(sources, pairs, folder):
    """Compile and assemble pairs of a source's name and an architecture: no error, no register spilled to memory, and in fused
    kernels no array of a thread that is kept there."""
    ptxas = _ptxas()
    report, spilled = {}, []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = {
            (name, architecture): pool.submit(
                lambda name, architecture: assembled(
                    ptxas, compiled(sources[name], architecture), architecture, folder, name
                ), name, architecture,
            )
            for name, architecture in pairs
        }  # fmt: skip
        for (name, architecture), one in waiting.items():
            found = one.result()
            assert len(found) == sources[name].count("__global__ void"), f"{name}: ptxas tells of {sorted(found)} only"
            for kernel, used in found.items():
                report.setdefault(f"{name}/{kernel}", {})[f"sm_{architecture}"] = [used.registers, used.spilled]
                if used.spilled or (used.stack and name.startswith("fused-")):
                    spilled.append(f"{name}/{kernel} sm_{architecture}: {used.spilled} bytes, and {used.stack} of arrays")
    assert not spilled, "\n".join(spilled)
    return report


def test_one_of_each_family_for_every_architecture(tmp_path):
    check(every_source(sample=True), [(name, architecture) for name in FAMILIES for architecture in ARCHITECTURES], tmp_path)


def test_every_op(tmp_path):
    """In one dtype for one architecture, turn about; with LAMINA_PTXAS=all in every dtype for all of them."""
    sources = every_source(sample=not ALL)
    turns = [(name, ARCHITECTURES if ALL else ARCHITECTURES[turn % 7 :][:1]) for turn, name in enumerate(sources)]
    report = check(sources, [(name, architecture) for name, several in turns for architecture in several], tmp_path)
    if os.environ.get("LAMINA_PTXAS_REPORT"):
        Path(os.environ["LAMINA_PTXAS_REPORT"]).write_text(json.dumps(report, indent=1, sort_keys=True) + "\n")


def test_a_planted_error_is_found():
    with pytest.raises(pytest.fail.Exception, match="nonsense"):
        compiled('extern "C" __global__ void f(int n) { nonsense; }', 90)
