"""Jobs on a Ray cluster: one that loses a process goes on, one that is interrupted ends, and nobody is left behind."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import kills
import pytest

CLUSTER = """
import sys, ray
ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
print(ray.get_runtime_context().gcs_address, flush=True)
sys.stdin.read()
"""
FAULT = str(Path(__file__).parent / "fault.py")
MARK = "LAMINA_TEST_OF_RAY"
GONE_WITHIN = 15  # seconds


@pytest.fixture(scope="module")
def address():
    """That of a cluster of this machine, which ends when nobody is there to write to it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "token")  # as a cluster of this machine has it, but not who connects to it
        words = [sys.executable, "-P", "-c", CLUSTER]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as cluster:
            found = cluster.stdout.readline().strip()
            if not found:
                pytest.skip("Ray has not started a cluster: it gives its parts 30 s, which a busy machine may not keep")
            yield found
            cluster.stdin.close()
            cluster.wait(60)


def left(mark):
    """Command lines of processes that have a mark in their environment, and go on having it: Ray ends its own a little later."""
    until = monotonic() + GONE_WITHIN
    while (found := marked(mark)) and monotonic() < until:
        sleep(0.2)
    return found


def marked(mark):
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            pass
    return found


def test_a_killed_process_is_named_and_its_job_goes_on(address, monkeypatch):
    expected = kills.undisturbed(2)  # without Ray
    monkeypatch.setenv(MARK, "kill")
    _, how, seconds = kills.disturbed(2, random.Random(0), expected, "--ray", address, ways=[signal.SIGKILL])
    assert how == "killed" and seconds < kills.NAMED_WITHIN
    assert not left("kill")


@pytest.mark.skipif("LAMINA_LONG_RUNS" not in os.environ, reason="half a minute more of Ray: LAMINA_LONG_RUNS=1 asks for it")
def test_an_interrupted_job_ends(address, tmp_path):
    words = [sys.executable, "-m", "lamina", "launch", "--ray", address, "-n", "2", str(kills.PROGRAM), str(tmp_path)]
    job = subprocess.Popen(words, env={**os.environ, MARK: "interrupt"}, stderr=subprocess.PIPE, text=True)
    until = monotonic() + kills.LIMIT
    while not (tmp_path / "checkpoint.pt").exists() and job.poll() is None and monotonic() < until:
        sleep(0.05)
    job.send_signal(signal.SIGINT)
    _, errors = job.communicate(timeout=kills.LIMIT)
    assert job.returncode != 0 and "KeyboardInterrupt" in errors, errors
    assert not left("interrupt")


def test_no_such_cluster():
    words = [sys.executable, "-m", "lamina", "launch", "--ray", "127.0.0.1:9", "-n", "2", FAULT, "none"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=kills.LIMIT, check=False)
    assert done.returncode != 0 and "lamina launch: no Ray cluster at '127.0.0.1:9'" in done.stderr, done.stderr
