"""The report that whoever has a device sends: each case runs, here on the stand-in, at a small size."""

import subprocess
import sys
from pathlib import Path

import pytest
from standin import HostPort

from lamina_backend_cuda import CudaBackend
from lamina_flatarray import backends

SCRIPT = Path(__file__).parents[4] / "benchmarks" / "cuda_report.py"


@pytest.fixture
def report(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    backends.register(CudaBackend(HostPort()))
    import cuda_report

    yield cuda_report
    backends.unregister("cuda")


def test_each_case_is_timed(report):
    lines = report.times(seconds=0, scale=0.002, calls=1)[2:]
    assert len(lines) == 15
    assert all(float(line.split("|")[2]) > 0 for line in lines)


def test_the_heading_names_the_device(report):
    name, lines = report.heading()
    assert name and f"# {name}" in lines


def test_without_a_device_it_says_what_is_missing():
    done = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True)
    if done.returncode == 0:
        pytest.skip("there is a device")
    assert done.returncode == 2
    assert "cannot run here" in done.stderr
