"""A group of one process, which gathers and shares out as many do, so that memory and order can be looked at."""

import pytest

from lamina_nn.process_groups import destroy_process_group, init_process_group


def pytest_collection_modifyitems(config, items):
    if config.getoption("--backend", "numpy") != "numpy":
        for item in items:
            if item.path.parent.name == "sharding":
                item.add_marker(pytest.mark.skip(reason="asked once, of the reference: processes exchange what lies in the host's memory"))


@pytest.fixture(autouse=True)
def grouped():
    init_process_group(world_size=1, rank=0, store=object())
    yield
    destroy_process_group()
