"""Makes the modules beside the tests importable, and asks once what no backend's kernels take part in."""

import sys
from pathlib import Path

import pytest

from lamina_flatarray import backends

sys.path.insert(0, str(Path(__file__).parent))

ONCE = {
    "test_data.py": "orders, batches and workers are the same on every backend",
    "test_files.py": "files are read and written on the host",
    "test_gguf.py": "files are read and written on the host",
    "test_method_names.py": "names are the same on every backend",
    "test_modes.py": "modes are the same on every backend",
    "test_named_results.py": "names are the same on every backend",
    "test_other_devices.py": "devices are looked at before a kernel is called",
    "test_printing.py": "texts are made on the host",
    "test_printing_oracle.py": "texts are made on the host",
    "test_promotion_oracle.py": "dtypes are settled before a kernel is called",
    "test_subclasses.py": "classes are the same on every backend",
    "test_op_gradients.py::test_second_gradients": "second gradients run the rules of the first, over kernels that those have asked",
}


def pytest_collection_modifyitems(config, items):
    if config.getoption("--backend") == "numpy":
        return
    for item in items:
        for place in (item.path.name, f"{item.path.name}::{getattr(item, 'originalname', '')}"):
            if place in ONCE:
                item.add_marker(pytest.mark.skip(reason=f"asked once, of the reference: {ONCE[place]}"))


@pytest.fixture(scope="module", autouse=True)
def backends_are_left_as_they_were():
    """What a file registers would be named in the errors that the files after it look at."""
    before = backends.names()
    yield
    assert backends.names() == before, "a backend that a test registered was left behind: backends.unregister"
