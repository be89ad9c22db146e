"""The report that whoever has a device sends: each case runs, here on the stand-in, at a small size."""

import subprocess
import sys
from pathlib import Path

import pytest
from standin import HostPort

import lamina
from lamina_backend_cuda import CudaBackend
from lamina_flatarray import backends

SCRIPT = Path(__file__).parents[4] / "benchmarks" / "cuda_report.py"


@pytest.fixture
def report(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    backends.register(CudaBackend(HostPort()))
    import cuda_report

    yield cuda_report
    lamina.set_default_device(None)
    backends.unregister("cuda")


def test_each_case_is_timed(report):
    lines = report.table(lambda lib: report.cases(lib, "cuda", scale=0.002), seconds=0, calls=1)[2:]
    assert len(lines) == 15
    assert all(float(line.split("|")[2]) > 0 for line in lines)


def test_a_training_step_is_timed_on_the_device(report):
    made = dict(list(report.steps(lamina, "cuda").items())[:1])
    (line,) = report.table(lambda lib: made, seconds=0, calls=1)[2:]
    assert float(line.split("|")[2]) > 0
    assert lamina.get_default_device().type == "cuda"


def test_a_run_tells_its_last_line_and_what_failed(report, tmp_path):
    (tmp_path / "test_two.py").write_text("def test_holds(): pass\ndef test_fails(): assert False\n")
    told = report.Tests(0, tmp_path)._run("two", str(tmp_path / "test_two.py"))
    assert "1 failed, 1 passed" in told[0]
    assert len(told) == 2 and "test_fails" in told[1]
    assert "test_fails" in (tmp_path / "two.log").read_text()


def test_the_heading_names_the_device(report):
    name, lines = report.heading()
    assert name and f"# {name}" in lines


def test_without_a_device_it_says_what_is_missing():
    done = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True)
    if done.returncode == 0:
        pytest.skip("there is a device")
    assert done.returncode == 2
    assert "cannot run here" in done.stderr
