"""What a module lists in `__all__` is there."""

import importlib
from pathlib import Path

import grimp
import pytest

PACKAGES = sorted(path.parent.name for path in Path(__file__).parents[2].glob("packages/*/src/*/__init__.py"))
LACKING_A_PACKAGE = {"lamina.utils.tensorboard"}  # it says what to install


def _modules(package):
    graph = grimp.build_graph(package, cache_dir=None)
    return sorted(name for name in graph.modules if not name.endswith(".__main__") and name not in LACKING_A_PACKAGE)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_listed_name_is_there(package):
    absent = []
    for module in map(importlib.import_module, _modules(package)):
        absent += [f"{module.__name__}.{name}" for name in getattr(module, "__all__", ()) if not hasattr(module, name)]
    assert not absent
