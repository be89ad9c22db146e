"""A pytest plug-in: the backend `cuda` on the stand-in, so that `--backend cuda` runs where there is no device."""

import pytest

from lamina_backend_cuda import CudaBackend
from lamina_flatarray.backends import registry

from .port import HostPort

__all__: list[str] = []


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    """Register it, which goes before what is installed under the same name."""
    registry.register(CudaBackend(HostPort()))
