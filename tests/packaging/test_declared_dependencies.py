"""What a package imports it declares, and what it declares it imports."""

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(p.name for p in (ROOT / "packages").iterdir() if p.is_dir())
IMPORTED_AS = {  # where the import name is another one
    "pillow": "PIL", "scikit_learn": "sklearn", "protobuf": "google", "cupy_cuda12x": "cupy", "cupy_cuda13x": "cupy",
}  # fmt: skip
OPTIONAL = {"lamina_compiled"}  # imported where it is installed, as `twins` says
PLUG_INS = {  # found at run time and never imported
    "lamina_backend_cpp", "lamina_backend_cuda", "lamina_compiled", "lamina_process_mpi", "mpich", "nvidia_nccl_cu12", "nvidia_nccl_cu13",
}  # fmt: skip


def project(package):
    return tomllib.loads((ROOT / "packages" / package / "pyproject.toml").read_text())["project"]


def import_name(package):
    return project(package)["name"].replace("-", "_")


def declared(package):
    """Import names of what a package declares, extras too."""
    settings = project(package)
    extras = settings.get("optional-dependencies", {})
    wanted = [*settings["dependencies"], *(r for group in extras.values() for r in group)]
    names = {re.match(r"[\w-]+", requirement)[0].replace("-", "_") for requirement in wanted}
    return {IMPORTED_AS.get(name, name) for name in names} - {import_name(package)}


def with_storeys_below(package):
    """What a package declares, and what the storeys that it declares bring."""
    below = [p for p in PACKAGES if import_name(p) in declared(package) - PLUG_INS]
    return declared(package).union(*map(with_storeys_below, below))


def imported(package):
    """Top-level names of all absolute imports of a package's modules, but its own and the standard library's."""
    names = set()
    for source in (ROOT / "packages" / package / "src" / import_name(package)).rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names.add(node.module.partition(".")[0])
    return names - set(sys.stdlib_module_names) - {import_name(package)}


@pytest.mark.parametrize("package", PACKAGES)
def test_what_is_imported_is_declared(package):
    undeclared = imported(package) - with_storeys_below(package) - OPTIONAL
    assert not undeclared, f"{package} imports {sorted(undeclared)}"


@pytest.mark.parametrize("package", PACKAGES)
def test_what_is_declared_is_imported(package):
    unused = declared(package) - imported(package) - PLUG_INS
    assert not unused, f"{package} declares {sorted(unused)} and does not import it"
