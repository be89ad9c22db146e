"""`python -m lamina_process_ray ADDRESS SIZE program arguments`: MPI's processes, started by Ray on machines of its choice.

MPICH's mpiexec tells what is to be started on each machine, and Ray's agents start it there. It connects to mpiexec and starts the
processes, whose output goes through mpiexec as ever.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from time import monotonic, sleep
from typing import IO, Any, Final

import ray

from .cluster import Machine, machines
from .transport import CLUSTER, mpiexec

__all__: list[str] = []

_GRACE: Final = 12.0
"""Seconds that processes have to say why, when a machine is lost."""
_TOLD: Final = b"HYDRA_LAUNCH: "
_ALL_TOLD: Final = b"HYDRA_LAUNCH_END"


def main(address: str, size: int, program: Sequence[str]) -> int:
    """Run a program as several processes.

    Args:
        address: of the cluster.
        size: how many processes.
        program: its words.

    Returns:
        The status that mpiexec ended with; 1 if a machine was lost, 2 if there is no such cluster.
    """
    environment = {**os.environ, CLUSTER: address}  # before Ray adds its own
    Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    try:
        with machines(address, size) as chosen:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # after Ray has set its own
                signal.signal(number, _end)
            return _run(chosen, program, environment)
    except OSError as error:
        why = str(error.__cause__ or error).strip().rpartition("\n")[2]  # Ray's cause is a whole traceback
        print(f"lamina launch: no Ray cluster at {address!r}: {why}", file=sys.stderr, flush=True)
        return 2


def _end(number: int, _: Any) -> None:
    raise SystemExit(128 + number)


def _end_with(parent: int) -> None:
    """End this process when what started it is gone: nobody else would, while processes wait for their places."""
    while os.getppid() == parent:
        sleep(0.5)
    os.kill(os.getpid(), signal.SIGTERM)


def _run(chosen: Sequence[Machine], program: Sequence[str], environment: dict[str, str]) -> int:
    hosts = [f"{machine.address}:{machine.processes}" for machine in chosen]
    options = "-launcher", "manual", "-localhost", ray.util.get_node_ip_address()
    words = [*mpiexec(sum(machine.processes for machine in chosen), hosts, *options), *program]
    started = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert started.stdout is not None
    try:
        runs = _started(started.stdout, chosen)
        copying = Thread(target=_copy, args=(started.stdout,), daemon=True)
        copying.start()
        lost = _watch(started, runs)
        copying.join(1.0 if lost else None)
        return 1 if lost else started.wait()
    finally:
        started.kill()  # it takes no other signal while it waits for a machine


def _started(told: IO[bytes], chosen: Sequence[Machine]) -> dict[Any, Machine]:
    """Have agents run what mpiexec tells, a line for each machine; return what Ray then has under way."""
    runs = {}
    remaining = iter(chosen)
    for line in told:
        if line.startswith(_ALL_TOLD):
            break
        if line.startswith(_TOLD):
            machine = next(remaining)
            runs[machine.agent.run.remote(shlex.split(line[len(_TOLD) :].decode()))] = machine
    return runs


def _copy(output: IO[bytes]) -> None:
    while piece := output.read1():  # type: ignore[attr-defined]  # a BufferedReader has it
        sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()


def _watch(started: subprocess.Popen[bytes], runs: dict[Any, Machine]) -> bool:
    """Wait for mpiexec's end, and return whether a machine was lost before it."""
    lost_at: float | None = None
    while started.poll() is None and (lost_at is None or monotonic() - lost_at < _GRACE):
        if not runs:
            with suppress(subprocess.TimeoutExpired):
                started.wait(0.2)
            continue
        for run in ray.wait(list(runs), timeout=0.2)[0]:
            why = _problem(run)
            machine = runs.pop(run)
            if why:
                lost_at = lost_at or monotonic()
                print(f"lamina launch: the machine {machine.address} is lost: {why}", file=sys.stderr, flush=True)
    return lost_at is not None


def _problem(run: Any) -> str:
    try:
        status, output = ray.get(run)
    except ray.exceptions.RayError as error:
        return str(error).strip().partition("\n")[0]
    return f"what starts its processes ended with status {status}: {output}" if status else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
