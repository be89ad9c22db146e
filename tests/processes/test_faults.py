"""What happens when a process of a job is killed, stopped, stuck or ends early: it is named on all others, and nothing hangs."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest
from kills import main as kills

from lamina.launching.job import FOLDER, LAUNCHER, _Job

FAULT = str(Path(__file__).parent / "fault.py")


def launched(size, *words, **variables):
    environment = {name: value for name, value in os.environ.items() if name not in ("RANK", "WORLD_SIZE")}
    command = [sys.executable, "-m", "lamina", "launch", "-n", str(size), *words]
    return subprocess.run(command, env={**environment, **variables}, capture_output=True, text=True, timeout=150, check=False)


@pytest.mark.parametrize(("fault", "told"), [
    ("kill", "is gone: it was killed, or an error ended it"), ("stop", "is stopped: nothing came from it"),
    ("stuck", "did not come"), ("exit", "has ended its program"), ("disagree", "processes do not call the same"),
])  # fmt: skip
def test_the_culprit_is_named_on_all_others(fault, told):
    done = launched(3, FAULT, fault, TORCH_DISTRIBUTED_DEBUG="DETAIL")
    assert done.returncode != 0
    named = [line for line in done.stdout.splitlines() if told in line and "rank 1" in line and "told after" in line]
    assert {line[:3] for line in named} >= {"[0]", "[2]"}, done.stdout + done.stderr
    assert all(float(line.partition("told after ")[2].partition(" ")[0]) < 10 for line in named), named
    if fault == "stuck":  # told long before the deadline, which may be half an hour away
        assert {line[:3] for line in done.stderr.splitlines() if "all_reduce: waiting for rank 1" in line} == {"[0]", "[2]"}, done.stderr


def test_a_good_end():
    done = launched(2, FAULT, "none")
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()) == ["[0]", "[1]", "done", "done"]


def test_those_who_are_gone_at_once_are_all_named(tmp_path):
    gone = [subprocess.Popen(["true"]) for _ in range(2)]
    for rank, process in enumerate(gone):
        process.wait()
        (tmp_path / f"rank-{rank}").write_text(str(process.pid))
    (tmp_path / "rank-2").write_text(str(os.getpid()))
    job = _Job([], ["program.py"], 3, 0)
    job.folder = tmp_path
    assert job._failed(monotonic())
    assert job.why == f"rank 0 (process {gone[0].pid}) and rank 1 (process {gone[1].pid}) were killed or have crashed"


@pytest.mark.parametrize("gone", ["launcher", "folder"])
def test_a_stray_that_holds_the_lock_of_python_ends(gone, tmp_path):
    """As one in a call that starts MPI does, whose peer was killed."""
    program, folder = tmp_path / "program.py", tmp_path / "folder"
    program.write_text("import ctypes, sys\nprint('begun', flush=True)\nctypes.PyDLL(None).sleep(100)\n")
    folder.mkdir()
    launcher = subprocess.Popen(["sleep", "100"])
    stray = subprocess.Popen(
        [sys.executable, "-m", "lamina.launching.rank", str(program)], stdout=subprocess.PIPE,
        env={**os.environ, FOLDER: str(folder), LAUNCHER: str(launcher.pid)},
    )  # fmt: skip
    try:
        assert stray.stdout.read(5) == b"begun"
        sleep(1.5)
        assert stray.poll() is None
        if gone == "folder":
            shutil.rmtree(folder)
        else:
            launcher.kill()
            launcher.wait()
        assert stray.wait(10) == -signal.SIGKILL
    finally:
        for process in (launcher, stray):
            process.kill()
            process.communicate()


def test_killed_and_stopped_jobs_go_on():
    kills(2)


def test_torchrun_starts_no_mpi(monkeypatch):
    monkeypatch.setenv("RANK", "0")
    monkeypatch.setenv("WORLD_SIZE", "2")
    program = "import lamina; lamina.distributed.init_process_group()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100, check=False)
    assert "start them by `python -m lamina launch -n 2 program.py` or by mpiexec" in done.stderr
