"""Makes the stand-in importable, and a backend on it."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def port():
    from standin import HostPort

    return HostPort()


@pytest.fixture(params=["standin", "emulated"])
def cuda(request):
    """A backend on the stand-in, and one on the emulated device; it is not registered."""
    from emulated import EmulatedPort
    from emulated.nvrtc import available
    from standin import HostPort

    from lamina_backend_cuda import CudaBackend

    if request.param == "emulated" and not available():
        pytest.skip("NVRTC is not installed: pip install nvidia-cuda-nvrtc-cu12")
    return CudaBackend(HostPort() if request.param == "standin" else EmulatedPort())
