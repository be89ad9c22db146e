"""MPI's transport: the conformance kit with several processes, what the environment tells, and how it is found."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lamina_flatarray import process_groups
from lamina_process_mpi import MPITransport

LIMIT = 120
"""Seconds after which a test that hangs is ended."""


@pytest.mark.parametrize("size", [2, 4])
def test_the_conformance_kit(size: int) -> None:
    pytest.importorskip("lamina_testkit", reason="the kit is not installed")
    kit = [sys.executable, "-m", "lamina_testkit.process_groups", "--transport", "mpi"]
    done = subprocess.run([*MPITransport().command(size), *kit], capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("11 checks passed on cpu") == size


def test_it_is_found_and_loads_no_library() -> None:
    program = "import sys; from lamina_flatarray import process_groups as g; g.transport('mpi').place(); print('mpi4py' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT, check=True)
    assert done.stdout.split() == ["False"]
    (line,) = [line for line in process_groups.status() if line.name == "mpi"]
    assert line.distribution == "lamina-process-mpi"


@pytest.mark.parametrize(("variables", "place"), [
    ({}, None), ({"PMI_RANK": "1", "PMI_SIZE": "3"}, (1, 3, 0)), ({"PMI_RANK": "2", "PMI_SIZE": "4", "MPI_LOCALRANKID": "1"}, (2, 4, 1)),
    ({"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_LOCAL_RANK": "0"}, (0, 2, 0)),
    ({"SLURM_PROCID": "5", "SLURM_STEP_NUM_TASKS": "8", "SLURM_LOCALID": "1"}, None),  # srun without an MPI plug-in
    ({"SLURM_PROCID": "5", "SLURM_STEP_NUM_TASKS": "8", "SLURM_LOCALID": "1", "PMIX_RANK": "5"}, (5, 8, 1)),
    ({"RANK": "0", "WORLD_SIZE": "2"}, None),
])  # fmt: skip
def test_where_a_process_stands(variables: dict[str, str], place: tuple[int, int, int] | None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PMI_RANK", "PMI_SIZE", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "SLURM_PROCID"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert MPITransport().place() == place
