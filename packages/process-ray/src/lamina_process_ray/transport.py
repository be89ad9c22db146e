"""RayTransport: MPI's communicators, between processes that Ray has placed."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

from lamina_flatarray import ProcessGroupError, process_groups
from lamina_flatarray.process_groups import Communicator, Place, Transport

__all__ = ["CLUSTER", "RayTransport"]

CLUSTER: Final = "LAMINA_RAY_CLUSTER"
"""The environment variable that tells each process the address of the cluster that it was placed on."""


class RayTransport(Transport):
    """Connects processes that Ray has placed, by MPI.

    >>> RayTransport().name
    'ray'
    """

    name = "ray"

    def unavailable(self) -> str | None:
        """Return why it cannot be used: Ray is missing. It is not imported."""
        found = find_spec("ray")
        if found is None or found.origin is None:  # a folder that is called ray, such as Ray leaves in /tmp
            return "ray is not installed: pip install lamina-process-ray"
        return None

    def place(self) -> Place | None:
        """Tell what MPI tells of a process that Ray has placed."""
        return process_groups.transport("mpi").place() if CLUSTER in os.environ else None

    def world(self) -> Communicator:
        """Start MPI, if it is not yet started, and return a communicator of all processes."""
        return process_groups.transport("mpi").world()

    def command(self, size: int, hosts: Sequence[str] = ()) -> list[str]:
        """Return the command line that has Ray place processes.

        Args:
            size: how many.
            hosts: the address of a cluster, of which this machine is a part; "local", or none, starts one of this machine.

        Returns:
            The words, which the program and its arguments follow.

        Raises:
            ProcessGroupError: there are several addresses, or MPICH's mpiexec is missing.

        >>> RayTransport().command(2, ["10.0.0.1:6379"])[-3:]
        ['lamina_process_ray', '10.0.0.1:6379', '2']
        """
        if len(hosts) > 1:
            raise ProcessGroupError(f"launch: Ray wants the address of one cluster, which chooses the machines, not {', '.join(hosts)}")
        mpiexec(size, [])
        return [sys.executable, "-P", "-m", "lamina_process_ray", hosts[0] if hosts else "local", str(size)]


def mpiexec(size: int, hosts: Sequence[str], *options: str) -> list[str]:
    """Return the command line of MPICH's mpiexec.

    Args:
        size: how many processes.
        hosts: machines, each with how many of them it has: "10.0.0.1:2".
        options: of mpiexec.

    Returns:
        The words, which the program and its arguments follow.

    Raises:
        ProcessGroupError: there is none, or one of another MPI, which wants to start processes itself.

    >>> mpiexec(1, [], "-verbose")[1]
    '-verbose'
    """
    command = process_groups.transport("mpi").command(size, hosts)
    if "-disable-auto-cleanup" not in command:  # an option of MPICH's
        raise ProcessGroupError(f"launch: {command[0]} is not MPICH's, which Ray needs: pip install 'lamina-process-mpi[mpich]'")
    return [command[0], *options, *command[1:]]
