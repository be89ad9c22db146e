"""Every state of discovery is told apart, and says what mends it; without pyopencl the plug-in still loads."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from lamina_backend_opencl.devices import STATES, among


class Refusal(Exception):
    """Stands for pyopencl.Error."""


def _raise(*_):
    raise Refusal("PLATFORM_NOT_FOUND_KHR")


def _machine(*platforms):
    """A pyopencl that finds these platforms, each a list of devices or the error that it raises."""
    found = [SimpleNamespace(name=f"platform {i}", get_devices=_raise if p is None else lambda p=p: p) for i, p in enumerate(platforms)]
    return SimpleNamespace(Error=Refusal, get_platforms=lambda: found)


SINGLE = SimpleNamespace(name="single", double_fp_config=0)
DOUBLE = SimpleNamespace(name="double", double_fp_config=63)


@pytest.mark.parametrize(
    ("machine", "state", "line"),
    [
        (SimpleNamespace(Error=Refusal, get_platforms=_raise), "no platform", "pip install pocl-binary-distribution"),
        (_machine(), "no platform", "pip install pocl-binary-distribution"),
        (_machine([], None), "no device", "platform 0, platform 1"),
        (_machine([SINGLE]), "no double precision", "single"),
    ],
)
def test_what_is_lacking_is_said_with_what_mends_it(machine, state, line):
    found = among(machine)
    assert found.state == state
    assert found.devices == ()
    assert line in found.reason and "pip install" in found.reason and "\n" not in found.reason


def test_devices_with_double_precision_are_used_whatever_else_there_is():
    assert among(_machine(None, [SINGLE], [DOUBLE, DOUBLE])) == ("ready", (DOUBLE, DOUBLE), "")


def test_without_pyopencl_the_plug_in_loads_and_says_so():
    program = """
import sys
sys.modules["pyopencl"] = None
from lamina_flatarray import NoHardware, backends
assert len(backends.capabilities("opencl")["ops"]) > 40
try:
    backends.backend("opencl")
except NoHardware as error:
    print(error)
print(next(s.state for s in backends.status() if s.name == "opencl"))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    reason, state = done.stdout.splitlines()
    assert "run: pip install pyopencl" in reason
    assert state == "no hardware"


def test_every_state_but_ready_has_a_line():
    assert [state for state, line in STATES.items() if "pip install" not in line] == ["ready"]


@pytest.mark.usefixtures("opencl")
def test_the_doctor_finds_nothing_wrong():
    """Loading it changes nothing of the process."""
    done = subprocess.run([sys.executable, "-m", "lamina_flatarray", "--strict"], capture_output=True, text=True)
    assert "wrong with opencl" not in done.stdout and "opencl: available" in done.stdout, done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_is_refused_at_once():
    """The threads of the device are not there: a copy would never end."""
    program = """
import multiprocessing
import lamina_ndarray as nd
from lamina_flatarray.errors import DeviceError

x = nd.asarray([1.0, 2.0], device="opencl")
assert (x + x).tolist() == [2.0, 4.0]

def work(connection):
    try:
        connection.send(nd.asarray([3.0], device="opencl").tolist())
    except DeviceError as refusal:
        connection.send(str(refusal))

own, other = multiprocessing.Pipe()
process = multiprocessing.get_context("fork").Process(target=work, args=(other,))
process.start()
print(own.recv())
process.join()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert "this process was forked" in done.stdout
