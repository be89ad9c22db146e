"""A job of several processes: started through what connects them, watched, ended together, and started anew."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from lamina_flatarray import BackendError, ProcessGroupError, process_groups

__all__ = ["FOLDER", "LAUNCHER", "launch"]

FOLDER: Final = "LAMINA_LAUNCH_FOLDER"
"""The environment variable that tells each process where to note its number and how it ended."""
LAUNCHER: Final = "LAMINA_LAUNCHER"
"""The one that tells the process number of what started the job."""

_GRACE: Final = 12.0
"""Seconds that the other processes have to notice, and to say what they have to say, when one has failed."""
_STOPPED: Final = 7.5
"""Seconds after which a stopped process counts as failed."""
_APART: Final = (
    "/bin/sh", "-c", f'trap "" USR1; "$@"; status=$?; [ $status = 0 ] || [ -d "${FOLDER}" ] || {{ sleep {_GRACE:g}; exit $status; }}', "sh"
)  # fmt: skip
"""What stands between mpiexec and each process. MPICH's mpiexec kills all others at once when one of its own is killed, before they
can say why, or sends them SIGUSR1. On another machine, where nobody reads how a process ended, mpiexec is told, but only then."""
_AGAIN: Final = 10.0
"""Seconds before a job starts anew where its machines could not be reached, lest all restarts are spent while one of them is away."""
_FORWARDED: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2")
_ENDING: Final = ("SIGINT", "SIGTERM", "SIGHUP")


def launch(words: Sequence[str], size: int, *, hosts: Sequence[str] = (), transport: str | None = None, restarts: int = 0) -> int:
    """Run a program as several processes, and wait for them.

    When one fails, the others have time to say so; then all are ended, and started anew if that is wanted. Signals are forwarded to all.
    When this process is killed, so are they.

    Args:
        words: a script or `-m` and a module, and the program's own arguments.
        size: how many processes.
        hosts: on which machines; none for this one. For the transport "ray", the address of a cluster.
        transport: the name of what starts and connects them; by default MPI, for several or elsewhere.
        restarts: how often all start anew after one has failed.

    Returns:
        0 if all came to a good end, else the status of the first that did not.
    """
    try:
        name = transport or ("mpi" if size > 1 or hosts else "single")
        command = process_groups.transport(name).command(size, hosts)
    except (BackendError, ProcessGroupError) as error:
        print(f"lamina launch: {error}", file=sys.stderr)
        return 2
    for attempt in range(restarts + 1):
        job = _Job(command, words, size, attempt)
        with _forwarding(job):
            status = job.run()
        if status == 0 or job.asked_to_end:
            return status
        if attempt < restarts:
            if not job.has_begun:
                print(f"lamina launch: no process has begun; waiting {_AGAIN:g} s for the machines", file=sys.stderr, flush=True)
                sleep(_AGAIN)
            print(f"lamina launch: starting all processes ({size}) anew, restart {attempt + 1} of {restarts}", file=sys.stderr, flush=True)
    return status


class _Job:
    """One run of all processes.

    Attributes:
        asked_to_end: whether a signal asked for its end.
        has_begun: whether a process on this machine has begun.
        why: what went wrong.
    """

    def __init__(self, command: Sequence[str], words: Sequence[str], size: int, attempt: int) -> None:
        self.command = [*command, *(_APART if command else ()), sys.executable, "-m", "lamina.launching.rank", *words]
        self.size, self.attempt = size, attempt
        self.asked_to_end = self.has_begun = False
        self.why = ""
        self.ended_at: float | None = None
        self.starter: subprocess.Popen[bytes] | None = None
        self.stopped: dict[int, float] = {}

    def run(self) -> int:
        """Start the processes, watch them until all have ended, and return a status."""
        self.folder = Path(tempfile.mkdtemp(prefix="lamina-launch-"))
        threads = max(1, (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1) // self.size)
        environment = {
            "OMP_NUM_THREADS": str(threads), **os.environ, FOLDER: str(self.folder), LAUNCHER: str(os.getpid()),
            "TORCHELASTIC_RESTART_COUNT": str(self.attempt),
        }  # fmt: skip
        starter = self.starter = subprocess.Popen(self.command, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)
        failed_at: float | None = None
        try:
            while starter.poll() is None:
                sleep(0.1)
                now = monotonic()
                if failed_at is None and self._failed(now):
                    failed_at = now
                    print(f"lamina launch: {self.why}", file=sys.stderr, flush=True)
                all_ended = len(self._ended()) == self.size
                if failed_at is not None and (now - failed_at > _GRACE or not self._running()):
                    break
                if all_ended and self.ended_at is None:
                    self.ended_at = now
                if (self.asked_to_end or all_ended) and self.ended_at is not None and now - self.ended_at > _GRACE:
                    break
            if failed_at is None and self._failed(monotonic()):
                print(f"lamina launch: {self.why}", file=sys.stderr, flush=True)
            statuses = [status for status in self._ended().values() if status]
            returned = starter.poll()
            if returned == 0 and not self.why and not statuses:
                return 0
            if not self.why:
                print(f"lamina launch: what starts the processes ended with status {returned}", file=sys.stderr, flush=True)
            return statuses[0] if statuses else 1
        finally:
            self._end(starter)
            shutil.rmtree(self.folder, ignore_errors=True)

    def forward(self, number: int) -> None:
        """Send a signal on to all processes; a second one that asks for their end is not waited for."""
        if signal.Signals(number).name in _ENDING:
            if self.asked_to_end:
                number = int(signal.SIGKILL)
            self.asked_to_end, self.ended_at = True, self.ended_at or monotonic()
            if self.starter is not None and not self._pids():  # nobody has begun, as where a cluster is being asked for places
                self.starter.terminate()
        for pid in self._living().values():
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _pids(self) -> dict[int, int]:
        return _numbers(self.folder, "rank")

    def _ended(self) -> dict[int, int]:
        return _numbers(self.folder, "ended")

    def _living(self) -> dict[int, int]:
        return {rank: pid for rank, pid in self._pids().items() if _state(pid) not in ("", "Z", "X")}

    def _running(self) -> bool:
        """Whether a process is neither gone nor stopped."""
        return any(_state(pid) not in ("T", "t") for pid in self._living().values())

    def _failed(self, now: float) -> bool:
        """Whether a process has failed; who it was is noted."""
        pids = self._pids()
        self.has_begun |= bool(pids)
        states = {rank: _state(pid) for rank, pid in pids.items()}
        ended = self._ended()  # after the states: who ends well says so before
        gone = [rank for rank, state in states.items() if state in ("", "Z", "X") and rank not in ended]
        stopped = [rank for rank, state in states.items() if state in ("T", "t") and rank not in ended]
        failed = [rank for rank in pids if ended.get(rank)]
        self.stopped = {rank: self.stopped.get(rank, now) for rank in stopped}
        if gone:  # what connects the processes may end the others at once with the one that was killed: all are named
            self.why = f"{_named(gone, pids)} {'was killed or has crashed' if len(gone) == 1 else 'were killed or have crashed'}"
        elif stopped and (failed or min(self.stopped.values()) < now - _STOPPED):  # others fail because of it
            self.why = f"{_named(stopped, pids)} {'is' if len(stopped) == 1 else 'are'} stopped"
        elif failed:
            self.why = f"{_named(failed[:1], pids)} ended with status {ended[failed[0]]}"
        return bool(self.why)

    def _end(self, starter: subprocess.Popen[Any]) -> None:
        """Leave nobody behind."""
        for pid in self._living().values():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            starter.wait(3.0)
        if starter.poll() is None:
            starter.terminate()
            with suppress(subprocess.TimeoutExpired):
                starter.wait(3.0)
        if starter.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(starter.pid, signal.SIGKILL)
            starter.wait()


@contextmanager
def _forwarding(job: _Job) -> Iterator[None]:
    """Forward signals to the job in a `with` block."""
    before = {}
    for name in _FORWARDED:
        if hasattr(signal, name):
            number = getattr(signal, name)
            before[number] = signal.signal(number, lambda got, _: job.forward(got))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _named(ranks: Sequence[int], pids: Mapping[int, int]) -> str:
    return " and ".join(f"rank {rank} (process {pids[rank]})" for rank in ranks)


def _numbers(folder: Path, kind: str) -> dict[int, int]:
    found = {}
    for path in sorted(folder.glob(f"{kind}-*")):
        with suppress(ValueError, OSError):
            found[int(path.name.partition("-")[2])] = int(path.read_text())
    return dict(sorted(found.items()))


def _state(pid: int) -> str:
    """The letter of a process as Linux tells it; "" for one that is gone, "?" where nobody tells more than that it is there."""
    try:
        if os.path.exists("/proc/self/stat"):
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        os.kill(pid, 0)
    except (FileNotFoundError, ProcessLookupError):
        return ""
    except OSError:
        pass
    return "?"
