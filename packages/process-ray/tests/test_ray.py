"""Ray's transport without a cluster: how it is found, what it asks for, and what is refused. tests/processes has jobs on a cluster."""

from __future__ import annotations

import subprocess
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import pytest

from lamina_flatarray import ProcessGroupError, process_groups
from lamina_process_ray import RayTransport, transport
from lamina_process_ray.transport import CLUSTER, mpiexec

LIMIT = 120
"""Seconds after which a test that hangs is ended."""


def test_it_is_found_and_neither_ray_nor_mpi_is_imported() -> None:
    program = (
        "import sys; from lamina_flatarray import process_groups as g; "
        "t = g.transport('ray'); print(t.place(), t.command(2, ['a:1'])[-2:]); "
        "print([name for name in ('ray', 'mpi4py') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT, check=True)
    assert done.stdout.splitlines() == ["None ['a:1', '2']", "[]"]
    (line,) = [line for line in process_groups.status() if line.name == "ray"]
    assert line.distribution == "lamina-process-ray"


@pytest.mark.parametrize("folder", [False, True])
def test_without_ray_it_says_what_to_install(folder: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if folder:  # such as Ray leaves in /tmp: of that name, but no package
        (tmp_path / "ray").mkdir()
    monkeypatch.setattr(transport, "find_spec", lambda name: PathFinder.find_spec(name, [str(tmp_path)]))
    assert RayTransport().unavailable() == "ray is not installed: pip install lamina-process-ray"


def test_a_process_that_ray_has_placed_stands_where_mpi_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PMI_RANK", "1")
    monkeypatch.setenv("PMI_SIZE", "3")
    monkeypatch.delenv(CLUSTER, raising=False)
    assert RayTransport().place() is None
    monkeypatch.setenv(CLUSTER, "local")
    assert RayTransport().place() == (1, 3, 0)


def test_one_cluster_and_mpich_only(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ProcessGroupError, match="the address of one cluster, which chooses the machines, not a:1, b:1"):
        RayTransport().command(2, ["a:1", "b:1"])
    mpi = process_groups.transport("mpi")
    monkeypatch.setattr(mpi, "command", lambda size, hosts: ["/opt/mpiexec", "--oversubscribe", "-n", str(size)])
    with pytest.raises(ProcessGroupError, match="/opt/mpiexec is not MPICH's, which Ray needs: pip install 'lamina-process-mpi"):
        RayTransport().command(2)
    monkeypatch.setattr(mpi, "command", lambda size, hosts: ["/opt/mpiexec", "-disable-auto-cleanup", "-n", str(size), *hosts])
    assert mpiexec(2, ["a:2"], "-launcher", "manual")[:3] == ["/opt/mpiexec", "-launcher", "manual"]


def test_a_cluster_that_does_not_come_in_time_is_started_again(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from lamina_process_ray import cluster

    starts = [Exception("The current node timed out during startup."), None]

    def init(**options: object) -> None:
        failure = starts.pop(0) if len(starts) > 1 else starts[0]
        if failure is not None:
            raise failure

    monkeypatch.setattr(cluster.ray, "init", init)
    monkeypatch.setattr(cluster.ray, "shutdown", lambda: None)
    cluster._start("local", {})
    assert starts == [None] and capsys.readouterr().err.count("is started again") == 1
    starts[:] = [Exception("The current node timed out during startup.")]
    with pytest.raises(ConnectionError, match="It was started 3 times"):
        cluster._start("local", {})
    with pytest.raises(Exception, match=r"timed out during startup\.$"):
        cluster._start("10.0.0.1:6379", {})
