"""No module imports, over others, itself: not even by an import within a function."""

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

PACKAGES = sorted(path.parent.name for path in Path(__file__).parents[2].glob("packages/*/src/*/__init__.py"))


@pytest.mark.parametrize("package", PACKAGES)
def test_there_are_no_import_cycles(package):
    graph = grimp.build_graph(package, exclude_type_checking_imports=True, cache_dir=None)
    try:
        TopologicalSorter({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))
