"""Kernels for every architecture: NVRTC compiles them and ptxas assembles them, neither of which wants a device or a driver.

Each op is tried in one dtype for one architecture, turn about, and one of each family for all architectures. `ptxas.py` tries every
dtype for every architecture, and writes registers and spills to a page.
"""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import paper_figures
import pytest
from emulated.nvrtc import CompileError, available, ptx_of
from every_source import every_source
from ptxas import ARCHITECTURES, ptxas, used, wrong

FAMILIES = (
    "add-float32-aa", "copy-float32-float16", "sum-float32", "argmax-float32", "cumsum-float32", "gather-float32-1-",
    "gather-float32-2-add", "sort-float32", "matmul-float32", "random_normal-float32",
    "fused-softmax-False-False-plain-bfloat16", "fused-attention-2-float32", "fused-convolution-float32", "fused-adam_step-float32",
    "fused-binary_cross_entropy-float32",
)  # fmt: skip
pytestmark = [
    pytest.mark.skipif(not available(), reason="NVRTC is not installed: pip install nvidia-cuda-nvrtc-cu12"),
    pytest.mark.skipif(ptxas() is None, reason="ptxas is not installed: pip install nvidia-cuda-nvcc-cu12"),
]


def of_its_generation(source, architecture, keep=True):
    """The PTX of an architecture. NVRTC makes the same for all before 100, and for all after, but for the line that names the architecture:
    one compilation does for each."""
    ptx = ptx_of(source, 75 if architecture < 100 else 100, keep)
    return re.sub(r"^\.target sm_\d+", f".target sm_{architecture}", ptx, flags=re.MULTILINE)


def check(pairs, compiled=ptx_of):
    """No error, and nothing wrong, for pairs of a source's name and an architecture."""
    sources = every_source(sample=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda pair: wrong(pair[0], sources[pair[0]], used(sources[pair[0]], pair[1], compiled=compiled)), pairs)
    errors = [f"{error} on sm_{architecture}" for (_, architecture), several in zip(pairs, found, strict=True) for error in several]
    assert not errors, "\n".join(errors)


def test_one_of_each_family_for_every_architecture():
    check([(name, architecture) for architecture in ARCHITECTURES for name in FAMILIES], of_its_generation)


def test_all_of_a_generation_have_the_same_ptx():
    sources = every_source(sample=True)
    for turn, name in enumerate(FAMILIES):
        architecture = (80, 86, 89, 90, 120)[turn % 5]
        assert ptx_of(sources[name], architecture) == of_its_generation(sources[name], architecture), (name, architecture)


def test_every_op_for_one_architecture_turn_about():
    check([(name, ARCHITECTURES[turn % 7]) for turn, name in enumerate(every_source(sample=True))])


def test_a_planted_error_is_found():
    with pytest.raises(CompileError, match="nonsense"):
        used('extern "C" __global__ void f(int n) { nonsense; }', 90)


def test_planted_spills_and_arrays_are_found():
    body = "int kept[64]; for (int i = 0; i < 64; ++i) kept[i] = x[i]; for (int i = 0; i < 64; ++i) x[i] = kept[(x[i] + i) & 63];"
    array = f'extern "C" __global__ void f(int* x) {{ {body} }}'
    assert "256 of arrays" in wrong("fused-f", array, used(array, 90))[0]
    many = "; ".join(f"double a{i} = x[{i} * n]" for i in range(200)) + "; __syncthreads(); "
    many += " ".join(f"x[{i} + n] = a{i} * a{199 - i};" for i in range(200))
    spilled = f'extern "C" __global__ void __launch_bounds__(1024) f(double* x, long n) {{ {many} }}'
    assert "bytes spilled" in wrong("f", spilled, used(spilled, 90))[0]


def test_the_figures_on_paper_are_those_of_the_kernels(capsys):
    paper_figures.main()
    assert capsys.readouterr().out in (Path(paper_figures.__file__).parents[1] / "README.md").read_text()
