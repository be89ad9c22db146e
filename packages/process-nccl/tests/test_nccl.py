"""NCCL's transport on a strict stand-in: the conformance kit, operations, training, a lost process, and what is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lamina_flatarray import NoHardware, process_groups
from lamina_process_nccl import NCCLTransport
from lamina_process_nccl.interface import Facts
from lamina_process_nccl.readiness import problem

HERE = Path(__file__).parent
LIMIT = 120
"""Seconds after which a test that hangs is ended."""

if not (HERE.parents[1] / "backend-cuda" / "tests" / "standin").exists():
    pytest.skip("the stand-in for CUDA is in the repository only", allow_module_level=True)


def launched(size: int, what: str, folder: Path) -> str:
    in_a_shell = ["sh", "-c", '"$@"; true', "sh"]  # as `lamina launch` has it: mpiexec ends all where a child of its own is killed
    words = [*process_groups.transport("mpi").command(size), *in_a_shell, sys.executable, str(HERE / "rank.py"), what]
    variables = {**os.environ, "LAMINA_STANDIN_OF_NCCL": str(folder)}
    done = subprocess.run(words, env=variables, capture_output=True, text=True, timeout=LIMIT, check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize("size", [2, 4])
def test_the_conformance_kit(size: int, tmp_path: Path) -> None:
    pytest.importorskip("lamina_testkit", reason="the kit is not installed")
    told = launched(size, "kit", tmp_path)
    assert told.count("11 checks passed on cpu, cuda") == size, told


@pytest.mark.parametrize(("what", "many"), [("operations", 2), ("train", 2), ("divided", 2), ("refused", 2), ("lost", 1)])
def test_two_processes(what: str, many: int, tmp_path: Path) -> None:
    if what != "refused":
        pytest.importorskip("lamina", reason="torch.distributed is lamina's")
    told = launched(2, what, tmp_path)
    assert told.count(f"{what}: well") == many, told


def test_it_is_found_and_loads_no_library() -> None:
    program = "import sys; from lamina_flatarray import process_groups as g; g.status(); print({'cupy', 'mpi4py'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT, check=True)
    assert done.stdout.split() == ["set()"]
    (line,) = [line for line in process_groups.status() if line.name == "nccl"]
    assert line.distribution == "lamina-process-nccl"


@pytest.mark.parametrize(("facts", "told"), [
    (Facts("ImportError: libnccl.so.2"), "CuPy has no NCCL (ImportError: libnccl.so.2); run: pip install 'lamina-process-nccl[cuda12]'"),
    (Facts("", 2708), "NCCL 2.7 is older than 2.10; run: pip install --upgrade 'lamina-process-nccl[cuda12]'"),
    (Facts("", 20905), "NCCL 2.9 is older than 2.10; run: pip install --upgrade 'lamina-process-nccl[cuda12]'"),
])  # fmt: skip
def test_what_is_wrong_is_told_with_what_mends_it(facts: Facts, told: str) -> None:
    assert (problem(facts) or "").startswith(told)
    assert problem(Facts("", 22000)) is None


def test_without_cuda_the_backend_tells_what_is_missing() -> None:
    why = NCCLTransport().unavailable()
    if why is None or "CuPy has no NCCL" in why:
        pytest.skip("this machine has a CUDA device")
    assert "cuda" in why and ("pip install 'lamina-backend-cuda" in why or "driver" in why), why
    with pytest.raises(NoHardware, match="process group 'nccl'"):
        process_groups.transport("nccl")
