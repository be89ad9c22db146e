"""Makes the stand-in importable, and a backend on it."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def port():
    from standin import HostPort

    return HostPort()


@pytest.fixture
def cuda(port):
    """A backend on the stand-in, which is not registered."""
    from lamina_backend_cuda import CudaBackend

    return CudaBackend(port)
