"""The repository as a whole: one version, contracts that name every package, documents that name real files."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(p.name for p in (ROOT / "packages").iterdir() if p.is_dir())


def project(package):
    return tomllib.loads((ROOT / "packages" / package / "pyproject.toml").read_text())


def import_name(package):
    (found,) = (p.name for p in (ROOT / "packages" / package / "src").iterdir() if p.name.startswith("lamina"))
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_the_version_comes_from_one_file(package):
    settings = project(package)
    assert settings["project"]["dynamic"] == ["version"]
    assert settings["tool"]["hatch"]["version"]["path"] == "../../VERSION"
    assert version(settings["project"]["name"]) == (ROOT / "VERSION").read_text().strip()


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_carries_the_licence(package):
    assert (ROOT / "packages" / package / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


@pytest.mark.parametrize("package", PACKAGES)
def test_siblings_are_wanted_by_range(package):
    settings = project(package)["project"]
    extras = settings.get("optional-dependencies", {})
    wanted = [*settings["dependencies"], *(r for group in extras.values() for r in group)]
    for requirement in wanted:
        assert "==" not in requirement
        if requirement.startswith("lamina-"):
            assert re.search(r">=[\d.dev]+,<[\d.]+$", requirement), requirement


def test_every_package_stands_in_the_layer_contracts():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    assert sorted(contracts["root_packages"]) == sorted(map(import_name, PACKAGES))
    named = {
        name
        for contract in contracts["contracts"]
        for value in contract.values()
        if isinstance(value, list)
        for name in value
    }
    assert named == set(contracts["root_packages"])


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_is_typed_and_says_what_it_is(package):
    assert (ROOT / "packages" / package / "src" / import_name(package) / "py.typed").exists()
    assert len((ROOT / "packages" / package / "README.md").read_text()) > 200


def test_files_begin_with_what_they_are_for():
    for source in ROOT.glob("packages/*/src/**/*.py"):
        assert source.read_text().lstrip().startswith(('"""', "'''")), source


def test_the_architecture_names_real_files():
    text = (ROOT / "ARCHITECTURE.md").read_text()
    paths = re.findall(r"`((?:packages|tests|examples|benchmarks|decisions)/[\w./-]+)`", text)
    assert len(paths) > 20
    for path in paths:
        assert (ROOT / path).exists(), path


def test_no_machine_paths():
    for folder in ("packages", "docs", "tests", "examples", "benchmarks", "decisions"):
        for source in (ROOT / folder).rglob("*"):
            if source.suffix in (".py", ".md", ".toml", ".cpp", ".hpp") and "build" not in source.parts:
                assert not re.search(r"(?<![\w.])/(work|root|home)/", source.read_text()), source


def test_what_is_to_be_installed_is_in_this_repository():
    """No message, page or pyproject names a distribution of ours, or an extra, that is not here."""
    files = [*ROOT.glob("packages/*/pyproject.toml"), *ROOT.glob("examples/*/pyproject.toml")]
    projects = [tomllib.loads(file.read_text())["project"] for file in files]
    ours = {project["name"]: project.get("optional-dependencies", {}) for project in projects}
    sources = [path for folder in ("packages", "docs", "examples") for path in (ROOT / folder).rglob("*") if "tests" not in path.parts]
    named = [
        (str(path), name, extra)
        for path in (ROOT / "README.md", *sources)
        if path.suffix in (".py", ".md", ".toml", ".jinja") and "build" not in path.parts
        for line in path.read_text().splitlines()
        if "pip install" in line or path.name == "pyproject.toml"
        for name, extra in re.findall(r"[ '\"](lamina(?:-\w+)*)\b(?![./_])(?:\[(\w+)\])?", line.partition("pip install")[2] or line)
    ]
    assert len(named) > 60
    assert [each for each in named if each[1] not in ours or (each[2] and each[2] not in ours[each[1]])] == []
