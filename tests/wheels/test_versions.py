"""Wheels of neighbouring versions of the contract meet: they work, or the plug-in is refused with the line that mends it."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lamina_flatarray import PROTOCOL

ROOT = Path(__file__).parents[2]
OURS = (PROTOCOL[0], PROTOCOL[1])
NEWER, NEXT = (OURS[0], OURS[1] + 1), (OURS[0] + 1, 0)
VERSIONS = [OURS, NEWER, NEXT]
"""This version of the contract, and those that a compatible and an incompatible change would make."""

NEEDED = ["numpy", "pluggy", "ml_dtypes", "safetensors", "lamina", "lamina_nn", "lamina_tensor", "lamina_ndarray"]
WORK = """
import json, sys
sys.path.append(sys.argv[1])
import lamina, lamina_flatarray
from lamina_flatarray import BackendError, FlatArray, backends
told = {"layer": lamina_flatarray.PROTOCOL, "host": (lamina.ones(2) + 1).tolist(), "loaded": "lamina_tiny" in sys.modules}
try:
    told["device"] = (lamina.ones(2, device="tiny") + 1).tolist()
except BackendError as refusal:
    told["refusal"], told["kind"] = str(refusal), type(refusal).__name__
told["loaded"] = "lamina_tiny" in sys.modules
told["state"] = next(s.state for s in backends.status() if s.name == "tiny")
told["from"] = lamina_flatarray.__file__
print(json.dumps(told))
"""
PLUGIN = """
from lamina_flatarray.hookspec import hookimpl
from lamina_flatarray.numpy_backend import NumpyBackend

class Tiny(NumpyBackend):
    name = device_type = "tiny"
    protocol = {protocol}

@hookimpl
def lamina_backend():
    return Tiny()
"""
MANIFEST = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "lamina-tiny"
version = "{major}.{minor}"
[project.entry-points."lamina.backends"]
tiny = "lamina_tiny"
[project.entry-points."lamina.protocol"]
tiny = "v{major}_{minor}"
[tool.hatch.build.targets.wheel]
packages = ["lamina_tiny.py"]
"""


def quietly(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pip(python, dist, *requirements):
    """Install wheels of a folder, and nothing of an index."""
    offline = ["--no-index", "--no-deps", "--quiet", "--disable-pip-version-check", "--find-links", str(dist)]
    return quietly(sys.executable, "-m", "pip", "--python", str(python), "install", *offline, *requirements)


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """Wheels of flatarray and of a plug-in for each version of the contract, by version."""
    work = tmp_path_factory.mktemp("versions")
    for version in VERSIONS:
        major, minor = version
        layer = work / f"v{major}_{minor}" / "packages" / "flatarray"
        shutil.copytree(ROOT / "packages" / "flatarray", layer, ignore=shutil.ignore_patterns("tests", "__pycache__"))
        (layer.parents[1] / "VERSION").write_text(f"{major}.{minor}\n")
        contract = layer / "src" / "lamina_flatarray" / "contract" / "backend.py"
        text = contract.read_text()
        assert text.count(f"PROTOCOL: Final = {PROTOCOL}") == 1
        contract.write_text(text.replace(f"PROTOCOL: Final = {PROTOCOL}", f"PROTOCOL: Final = {version}"))
        plugin = layer.parents[1] / "plugin"
        plugin.mkdir()
        (plugin / "lamina_tiny.py").write_text(PLUGIN.format(protocol=version))
        (plugin / "pyproject.toml").write_text(MANIFEST.format(major=major, minor=minor))
        for source in (layer, plugin):
            quietly(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(work / "dist"), cwd=source)
    return work / "dist"


@pytest.fixture(scope="module")
def beside(tmp_path_factory):
    """A folder with what flatarray needs, and with the storeys above it, of this environment."""
    folder = tmp_path_factory.mktemp("beside")
    for name in NEEDED:
        (place,) = importlib.util.find_spec(name).submodule_search_locations
        (folder / name).symlink_to(place)
        libraries = Path(place).with_name(f"{name}.libs")
        if libraries.exists():
            (folder / libraries.name).symlink_to(libraries)
    return folder


@pytest.fixture
def environment(tmp_path):
    quietly(sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv"))
    return tmp_path / "venv" / "bin" / "python"


def told_by(python, beside):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "LAMINA"))}
    return json.loads(quietly(str(python), "-c", WORK, str(beside), env=environment, cwd=beside))


def written(version):
    return f"{version[0]}.{version[1]}"


@pytest.mark.parametrize("plugin", VERSIONS, ids=[f"plugin-{written(v)}" for v in VERSIONS])
@pytest.mark.parametrize("layer", VERSIONS, ids=[f"layer-{written(v)}" for v in VERSIONS])
def test_a_pair(layer, plugin, dist, environment, beside):
    pip(environment, dist, f"lamina-flatarray=={written(layer)}", f"lamina-tiny=={written(plugin)}")
    told = told_by(environment, beside)
    assert str(environment.parents[1]) in told["from"] and tuple(told["layer"]) == layer
    assert told["host"] == [2.0, 2.0]  # whatever comes of the plug-in
    if layer[0] == plugin[0] and plugin <= layer:
        assert told["device"] == [2.0, 2.0] and told["state"] == "available"
        return
    assert (told["kind"], told["state"], told["loaded"]) == ("ProtocolMismatch", "refused", False)
    speaks, _, command = told["refusal"].rpartition(": ")
    assert "\n" not in told["refusal"] and "tiny" in speaks and written(plugin) in speaks and written(layer) in speaks
    assert command == ("pip install --upgrade lamina-tiny" if plugin < layer else f"pip install 'lamina-tiny<{written(plugin)}'")


@pytest.mark.parametrize(("layer", "plugin"), [(NEXT, OURS), (OURS, NEWER)], ids=["too-old", "too-new"])
def test_the_line_mends_it(layer, plugin, dist, environment, beside):
    """As a shell would read it, where the index has these wheels."""
    import shlex

    pip(environment, dist, f"lamina-flatarray=={written(layer)}", f"lamina-tiny=={written(plugin)}")
    refusal = told_by(environment, beside)["refusal"]
    pip_word, install, *arguments = shlex.split(refusal.rpartition(": ")[2])
    assert (pip_word, install) == ("pip", "install")
    pip(environment, dist, *arguments)
    assert told_by(environment, beside)["device"] == [2.0, 2.0]
