"""MPITransport: what starts MPI, and where this process stands, from the environment of those who start processes."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lamina_flatarray import ProcessGroupError
from lamina_flatarray.process_groups import Place, Transport

if TYPE_CHECKING:
    from .communicator import MPICommunicator

__all__ = ["MPITransport"]

_LAUNCHERS: Final = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),  # Open MPI's mpiexec
    ("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"),  # MPICH's mpiexec, and those made of it
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"),  # srun, within an allocation
)
"""The variables by which those who start processes tell each its rank, the number of processes, and its rank on its machine."""

_MPI_ONLY: Final = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK")
"""A process that has none of these was not connected to an MPI."""


class MPITransport(Transport):
    """Connects processes that mpiexec, srun or `lamina launch` started.

    >>> MPITransport().name
    'mpi'
    """

    name = "mpi"

    def unavailable(self) -> str | None:
        """Return why MPI cannot be used: mpi4py is missing. No library is loaded."""
        if find_spec("mpi4py") is None:
            return "mpi4py is not installed: pip install 'lamina-process-mpi[mpich]'"
        return None

    def place(self) -> Place | None:
        """Tell what the variables of MPICH's, Open MPI's and Slurm's launchers say."""
        if not any(name in os.environ for name in _MPI_ONLY):
            return None
        for rank, size, local in _LAUNCHERS:
            if rank in os.environ and size in os.environ:
                return Place(int(os.environ[rank]), int(os.environ[size]), int(os.environ.get(local, "0")))
        return None

    def world(self) -> MPICommunicator:
        """Start MPI, if it is not yet started, and return a communicator of all processes."""
        from .communicator import started

        return started()

    def command(self, size: int, hosts: Sequence[str] = ()) -> list[str]:
        """Return mpiexec's command line, for MPICH or Open MPI."""
        beside = Path(sys.executable).parent
        found = shutil.which("mpiexec", path=f"{beside}{os.pathsep}{os.environ.get('PATH', os.defpath)}")
        if found is None:
            raise ProcessGroupError("launch: there is no mpiexec; for one of MPICH run: pip install 'lamina-process-mpi[mpich]'")
        where = ["-host" if _is_open_mpi(found) else "-hosts", ",".join(hosts)] if hosts else []
        if _is_open_mpi(found):
            return [found, "--oversubscribe", "--tag-output", "--mca", "orte_abort_on_non_zero_status", "0", "-n", str(size), *where]
        return [found, "-disable-auto-cleanup", "-prepend-rank", "-n", str(size), *where]


def _is_open_mpi(mpiexec: str) -> bool:
    """MPICH's is a link to one that is called hydra, or lies beside it."""
    return not (Path(mpiexec).with_name("mpiexec.hydra").exists() or "hydra" in os.path.realpath(mpiexec))
