"""What each distribution says of itself: licence, readme, authors, keywords, and classifiers that exist and agree with it."""

import re
import tomllib
from importlib.metadata import metadata
from pathlib import Path

import pytest
import yaml
from trove_classifiers import classifiers as existing

ROOT = Path(__file__).parents[2]
PROJECTS = sorted((*ROOT.glob("packages/*/pyproject.toml"), *ROOT.glob("examples/*/pyproject.toml")))
VERSION = (ROOT / "VERSION").read_text().strip()
AUTHORS = "The lamina contributors"


def settings(file):
    return tomllib.loads(file.read_text())


@pytest.mark.parametrize("file", PROJECTS, ids=lambda file: file.parent.name)
def test_a_distribution_says_what_it_is(file):
    project = settings(file)["project"]
    assert project["license"] == "Apache-2.0" and project["license-files"] == ["LICENSE"]
    assert project["authors"] == [{"name": AUTHORS}]
    assert project["description"].endswith(".")
    assert project["keywords"] == sorted(set(project["keywords"])) != []
    assert (file.parent / project["readme"]).is_file() and (file.parent / "LICENSE").is_file()


@pytest.mark.parametrize("file", PROJECTS, ids=lambda file: file.parent.name)
def test_classifiers_exist_and_agree(file):
    project, pythons = settings(file)["project"], pythons_of_the_matrix()
    named = project["classifiers"]
    assert set(named) <= existing and len(set(named)) == len(named)
    assert not [each for each in named if each.startswith("License")]  # the expression says it
    assert {each.rpartition(" ")[2] for each in named if re.search(r":: 3\.\d+$", each)} == pythons
    assert project["requires-python"] == f">={min(pythons)}"
    assert ("Typing :: Typed" in named) == any(file.parent.glob("src/*/py.typed"))
    assert ("Programming Language :: C++" in named) == (file.parent / "native").exists()


def pythons_of_the_matrix():
    """Those that tox.ini has."""
    minors = re.search(r"wheels-py\{([\d,]+)\}", (ROOT / "tox.ini").read_text())[1]
    return {f"3.{each[1:]}" for each in minors.split(",")}


@pytest.mark.parametrize("file", [file for file in PROJECTS if file.parent.parent.name == "packages"], ids=lambda file: file.parent.name)
def test_what_is_installed_says_it_too(file):
    project = settings(file)["project"]
    told = metadata(project["name"])
    assert told["License-Expression"] == project["license"] and told["Summary"] == project["description"]
    assert sorted(told.get_all("Provides-Extra") or []) == sorted(project.get("optional-dependencies", {}))


def test_the_citation_is_of_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == VERSION
    assert citation["license"] == "Apache-2.0" and citation["authors"] == [{"name": AUTHORS}]


def test_the_changelog_begins_with_this_version():
    first = re.search(r"^## (\S+) \((.+)\)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert first[1] == re.sub(r"\.dev\d+$", "", VERSION)
    assert (first[2] == "unreleased") == (".dev" in VERSION)
