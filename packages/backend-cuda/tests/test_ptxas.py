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

import pytest
from every_source import every_source

ARCHITECTURES = (75, 80, 86, 89, 90, 100, 120)
ALL = os.environ.get("LAMINA_PTXAS") == "all"
FAMILIES = (
    "add-float32-aa", "copy-float32-float16", "sum-float32", "argmax-float32", "cumsum-float32", "gather-float32-1-False",
    "gather-float32-2-True", "sort-float32", "matmul-float32", "random_normal-float32",
)  # fmt: skip
_USED = re.compile(
    r"Compiling entry function '(\w+)'.*?\n(?:.*?\n)*?.*?(\d+) bytes spill stores, (\d+) bytes spill loads\n.*?Used (\d+) registers"
)


def _nvrtc():
    try:
        from cupy.cuda import nvrtc
    except Exception as failure:
        pytest.skip(f"CuPy is wanted for NVRTC, and cannot be imported: {failure}")
    return nvrtc


def _ptxas():
    for folder in sys.path:
        found = Path(folder) / "nvidia" / "cuda_nvcc" / "bin" / "ptxas"
        if found.exists():
            return str(found)
    found = shutil.which("ptxas")
    if found is None:
        pytest.skip("ptxas is not installed: pip install nvidia-cuda-nvcc-cu12")
    return found


def compiled(nvrtc, source, architecture):
    """PTX of a source."""
    program = nvrtc.createProgram(source, "kernel.cu", (), ())
    try:
        nvrtc.compileProgram(program, (f"--gpu-architecture=compute_{architecture}", "--std=c++17", "-default-device"))
        return nvrtc.getPTX(program)
    except nvrtc.NVRTCError:
        pytest.fail(f"compute_{architecture}:\n{nvrtc.getProgramLog(program)[:3000]}")
    finally:
        nvrtc.destroyProgram(program)


def assembled(ptxas, ptx, architecture, folder, name):
    """What ptxas says of each kernel: registers and spilled bytes."""
    file = folder / f"{name}-{architecture}.ptx"
    file.write_text(ptx if isinstance(ptx, str) else ptx.decode())
    command = [ptxas, "-v", f"-arch=sm_{architecture}", str(file), "-o", os.devnull]
    done = subprocess.run(command, capture_output=True, text=True)
    file.unlink()
    assert not done.returncode, done.stderr[:3000]
    return {kernel: (int(registers), int(stores) + int(loads)) for kernel, stores, loads, registers in _USED.findall(done.stderr)}


def wanted():
    """Pairs of a source's name and an architecture."""
    sources = every_source(sample=not ALL)
    pairs = []
    for turn, name in enumerate(sources):
        every = ALL or name in FAMILIES
        pairs += [(name, architecture) for architecture in (ARCHITECTURES if every else ARCHITECTURES[turn % 7 :][:1])]
    return sources, pairs


def test_kernels_compile_and_spill_nothing(tmp_path):
    """No error, and no register spilled to memory."""
    nvrtc, ptxas = _nvrtc(), _ptxas()
    sources, pairs = wanted()
    report, spilled = {}, []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = {
            (name, architecture): pool.submit(
                assembled, ptxas, compiled(nvrtc, sources[name], architecture), architecture, tmp_path, name
            )
            for name, architecture in pairs
        }
        for (name, architecture), one in waiting.items():
            found = one.result()
            assert len(found) == sources[name].count("__global__ void"), f"{name}: ptxas tells of {sorted(found)} only"
            for kernel, (registers, bytes_spilled) in found.items():
                report.setdefault(f"{name}/{kernel}", {})[f"sm_{architecture}"] = [registers, bytes_spilled]
                if bytes_spilled:
                    spilled.append(f"{name}/{kernel} sm_{architecture}: {bytes_spilled} bytes")
    if os.environ.get("LAMINA_PTXAS_REPORT"):
        Path(os.environ["LAMINA_PTXAS_REPORT"]).write_text(json.dumps(report, indent=1, sort_keys=True) + "\n")
    assert not spilled, "\n".join(spilled)


def test_a_planted_error_is_found():
    nvrtc = _nvrtc()
    with pytest.raises(pytest.fail.Exception, match="nonsense"):
        compiled(nvrtc, 'extern "C" __global__ void f(int n) { nonsense; }', 90)
