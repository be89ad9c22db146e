"""The hosted workflows: actions have versions, and what they run is in this repository, or is installed by them."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
NATIVE = [file.parent.parent.name for file in ROOT.glob("packages/*/native/module.cpp")]
KNOWN = {"test", "grep", "for", "done", "./run", ".venv/bin/mkdocs", "mike", "echo", "git", "python"}


def read(file):
    return yaml.safe_load(file.read_text())


def steps(file):
    return [step for job in read(file)["jobs"].values() for step in job.get("steps", [])]


def lines(file):
    return [line.strip() for step in steps(file) for line in step.get("run", "").splitlines()]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_a_workflow_says_what_it_may_do(file):
    workflow = read(file)
    assert workflow["name"] == file.stem and workflow["permissions"] == {"contents": "read"} and True in workflow  # `on` is YAML's true
    for job in workflow["jobs"].values():
        assert "steps" in job or (ROOT / job["uses"]).is_file()
        assert {job["needs"]} <= set(workflow["jobs"]) if "needs" in job else True


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_actions_have_versions(file):
    for step in steps(file):
        assert ("uses" in step) != ("run" in step)
        assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+\.\d+\.\d+", step.get("uses", "a/b@v1.2.3")), step


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_a_workflow_runs_what_is_there(file):
    installed = {re.match(r"[\w-]+", name)[0] for line in lines(file) if "pip install" in line for name in shlex.split(line)[4:]}
    for line in lines(file):
        words = shlex.split(line.replace("${{ matrix.package }}", NATIVE[0]).replace("$package", "flatarray"))
        assert words[0] in KNOWN, line
        if words[0] == "./run":
            assert f"\n  {words[1]})\n" in (ROOT / "run").read_text(), line
        if words[:2] == ["python", "-m"]:
            assert words[2] in installed | {"pip"}, line
        for word in words:
            assert not word.startswith("packages/") or (ROOT / word / "pyproject.toml").is_file(), line


def test_all_packages_are_released():
    wheels = ROOT / ".github" / "workflows" / "wheels.yml"
    assert sorted(read(wheels)["jobs"]["native"]["strategy"]["matrix"]["package"]) == sorted(NATIVE)
    (loop,) = (line for line in lines(wheels) if line.startswith("for "))
    pure = re.search(r" in (.+); do", loop)[1].split()
    sdists = [Path(line.split()[-1]).name for line in lines(wheels) if "--sdist" in line]
    assert sorted([*pure, *sdists]) == sorted(path.parent.name for path in ROOT.glob("packages/*/pyproject.toml"))
    assert sorted(sdists) == sorted(NATIVE)


@pytest.mark.parametrize("package", NATIVE)
def test_wheels_are_built_for_the_pythons_that_packages_say(package):
    project = tomllib.loads((ROOT / "packages" / package / "pyproject.toml").read_text())
    built = set(re.findall(r"cp3(\d+)-", project["tool"]["cibuildwheel"]["build"]))
    said = {each.rpartition(".")[2] for each in project["project"]["classifiers"] if re.search(r":: 3\.\d+$", each)}
    assert said <= built
    for path in re.findall(r"\{package\}/([\w./-]+)", str(project["tool"]["cibuildwheel"])):
        assert (ROOT / "packages" / package / path).exists(), path


@pytest.mark.parametrize("file", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")), ids=lambda file: file.stem)
def test_an_issue_form_asks(file):
    form = read(file)
    assert form["name"] and form["description"]
    assert all(field["type"] == "textarea" and field["attributes"]["label"] for field in form["body"])
