"""Whether CUDA can run here: each of the six states is told, each by what mends it; and CuPy alone is never imported early."""

import subprocess
import sys
from io import StringIO

import pytest
from standin import HostPort

from lamina_backend_cuda import CudaBackend
from lamina_backend_cuda.interface import Facts, Properties
from lamina_backend_cuda.port import CupyPort
from lamina_backend_cuda.readiness import problem
from lamina_flatarray.backends import doctor, registry
from lamina_flatarray.errors import BackendError

NEW = Properties("New", (9, 0), 1 << 34, 100)
OLD = Properties("Old", (6, 1), 1 << 33, 20)
GOOD = Facts(("cupy-cuda12x",), "", 12040, 12090, (NEW,))

STATES = {
    "no CuPy": (Facts((), "ModuleNotFoundError: No module named 'cupy'"), "CuPy is not installed", "lamina-backend-cuda[cuda12]"),
    "two CuPys": (GOOD._replace(distributions=("cupy-cuda12x", "cupy-cuda13x")), "both installed", "pip uninstall -y cupy-cuda12x"),
    "no driver": (GOOD._replace(driver=0, devices=()), "no NVIDIA driver", "nvidia-smi"),
    "no device": (GOOD._replace(devices=()), "shows no device", "CUDA_VISIBLE_DEVICES"),
    "old driver": (GOOD._replace(driver=11080, devices=()), "serves CUDA 11.8, but CuPy was built for 12.9", "newer driver"),
    "old device": (GOOD._replace(devices=(OLD,)), "Old (6.1) is older than compute capability 7.5", "device='cpu'"),
}


@pytest.mark.parametrize("state", STATES)
def test_each_state_has_its_reason_and_what_mends_it(state):
    facts, reason, mended_by = STATES[state]
    told = problem(facts)
    assert reason in told and mended_by in told
    assert "\n" not in told
    others = {problem(other) for name, (other, *_) in STATES.items() if name != state}
    assert told not in others


class PortThatFinds(HostPort):
    """A port on a machine of which the facts are given."""

    def __init__(self, facts):
        super().__init__()
        self.found = facts

    def facts(self):
        return self.found


@pytest.mark.parametrize("state", STATES)
def test_status_the_doctor_and_the_error_tell_each_state(state):
    facts, reason, mended_by = STATES[state]
    registry.register(CudaBackend(PortThatFinds(facts)))
    try:
        (line,) = (s for s in registry.status() if s.name == "cuda")
        with pytest.raises(BackendError) as refusal:
            registry.backend("cuda")
        examined = StringIO()
        doctor.examine(examined)
        for text in (line.reason, str(refusal.value), examined.getvalue()):
            assert reason in text and mended_by in text
    finally:
        registry.unregister("cuda")


def test_all_is_well_with_one_good_device():
    """A driver of the same major release serves, and an old device beside a good one does no harm."""
    assert problem(GOOD) is None
    assert problem(GOOD._replace(devices=(OLD, NEW))) is None
    assert problem(GOOD._replace(driver=13000)) is None


def test_a_broken_cupy_is_told_apart_from_none():
    assert "cannot be imported (ImportError: libx)" in problem(Facts(("cupy",), "ImportError: libx"))


def test_the_real_port_tells_facts_and_never_raises():
    facts = CupyPort().facts()
    assert isinstance(facts, Facts)
    if not facts.devices:
        assert problem(facts) is not None


def test_cupy_is_not_imported_before_something_is_asked():
    program = "import sys, lamina_backend_cuda.port as p; p.CupyPort(); assert 'cupy' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)
