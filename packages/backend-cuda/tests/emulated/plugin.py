"""A pytest plug-in: the backend `cuda` on the emulated device, so that `--backend cuda` runs real PTX where there is no device."""

import pytest

from lamina_backend_cuda import CudaBackend
from lamina_flatarray.backends import registry
from lamina_flatarray.ops import OPS

from .port import EmulatedPort

__all__: list[str] = []


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    """Register it, which goes before what is installed under the same name."""
    registry.register(CudaBackend(EmulatedPort(library=config.getoption("--library"))))


def pytest_addoption(parser):
    """Add --every-op and --library."""
    group = parser.getgroup("lamina")
    group.addoption("--every-op", action="store_true", help="cases of ops without a kernel of their own, too: thousands of launches each")
    group.addoption("--library", action="store_true", help="products by a library: recurrences have kernels of their own only with it")


def pytest_collection_modifyitems(config, items):
    """Leave out cases of ops that have no kernel of their own."""
    if config.getoption("--every-op"):
        return
    served = registry.backend("cuda").capabilities()
    kept, left_out = [], []
    for item in items:
        marker = item.get_closest_marker("conformance")
        op, dtype = marker.args if marker and marker.args else (None, None)
        (kept if op not in OPS or dtype in served.get(op, ()) else left_out).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept
