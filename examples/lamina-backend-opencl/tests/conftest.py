"""Fixtures of the plug-in's tests: the backend where there is a device, and a skip that says why where there is none."""

import pytest
from lamina_backend_opencl.devices import discover

from lamina_flatarray import backends


@pytest.fixture(scope="session")
def opencl():
    """Return the backend, loaded through its entry point."""
    found = discover()
    if found.state != "ready":
        pytest.skip(found.reason)
    return backends.backend("opencl")
