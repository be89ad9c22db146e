"""The built wheels: edges point down, pure ones are pure and small, the native one says for which machine it is."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

if "LAMINA_DIST" not in os.environ:
    pytest.skip("LAMINA_DIST names no folder of built wheels (nox -s wheels builds them)", allow_module_level=True)

DIST = Path(os.environ["LAMINA_DIST"])
STOREYS = ["lamina-flatarray", "lamina-ndarray", "lamina-tensor", "lamina-nn", "lamina"]
ALLOWED = {
    **{name: set(STOREYS[:i]) for i, name in enumerate(STOREYS)},
    "lamina-onnx": set(STOREYS[:4]),
    "lamina-testkit": set(STOREYS[:3]),
    "lamina-course": {*STOREYS, "lamina-testkit"},
    "lamina-backend-cpp": {"lamina-flatarray"},
    "lamina-fusing-llvm": {"lamina-flatarray"},
    "lamina-process-mpi": {"lamina-flatarray"},
    "lamina-process-nccl": {"lamina-flatarray", "lamina-backend-cuda", "lamina-process-mpi"},
    "lamina-process-ray": {"lamina-flatarray", "lamina-process-mpi"},
    "lamina-compiled": set(),
}


def metadata(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(name).decode())


WHEELS = {metadata(w)["Name"]: w for w in DIST.glob("*.whl")}


def test_all_are_there():
    assert set(WHEELS) == set(ALLOWED)


@pytest.mark.parametrize("name", ALLOWED)
def test_requirements_point_down(name):
    for requirement in metadata(WHEELS[name]).get_all("Requires-Dist") or []:
        if "extra ==" not in requirement:
            wanted = re.match(r"[\w-]+", requirement)[0]
            assert not wanted.startswith("lamina") or wanted in ALLOWED[name], requirement


def test_pure_wheels_are_pure_and_small():
    pure = [w for n, w in WHEELS.items() if n not in ("lamina-backend-cpp", "lamina-compiled")]
    assert all(w.name.endswith("-py3-none-any.whl") for w in pure)
    assert sum(w.stat().st_size for w in pure) < 3_000_000


def test_the_native_wheel_is_for_this_machine_only():
    wheel = WHEELS["lamina-backend-cpp"]
    assert not wheel.name.endswith("none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert sum("_native" in n and n.endswith(".so") for n in archive.namelist()) == 1


def test_wheels_hold_the_package_and_nothing_else():
    for name, wheel in WHEELS.items():
        package = name.replace("-", "_")
        with zipfile.ZipFile(wheel) as archive:
            inside = archive.namelist()
        assert f"{package}/py.typed" in inside
        assert any(n.endswith("/licenses/LICENSE") for n in inside), wheel
        assert {n.partition("/")[0].partition("-")[0] for n in inside} == {package}, wheel


def test_the_native_wheel_has_all_instruction_sets(tmp_path):
    """That of the oldest processors is the one that an installation for this machine alone leaves out."""
    with zipfile.ZipFile(WHEELS["lamina-backend-cpp"]) as archive:
        (module,) = (name for name in archive.namelist() if name.endswith(".so"))
        extracted = archive.extract(module, tmp_path)
    ask = "import sys; sys.path.insert(0, sys.argv[1]); import _native; print(_native.instruction_set)"
    done = subprocess.run(
        [sys.executable, "-c", ask, str(Path(extracted).parent)], env={**os.environ, "LAMINA_CPP_ISA": "baseline"},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout == "baseline\n", done.stderr


def test_sdists_hold_what_a_build_needs():
    sdists = {path.name.partition("-")[0]: path for path in DIST.glob("*.tar.gz")}
    assert set(sdists) == {name.replace("-", "_") for name in ALLOWED}
    for path in sdists.values():
        with tarfile.open(path) as archive:
            members = archive.getmembers()
        assert all(member.isfile() for member in members), path  # a link out of an sdist is refused when it is unpacked
        names = {member.name.partition("/")[2] for member in members}
        assert {"PKG-INFO", "LICENSE", "README.md", "pyproject.toml"} <= names
    with tarfile.open(sdists["lamina_backend_cpp"]) as archive:
        names = {member.name.partition("/")[2] for member in archive.getmembers()}
    package = Path(__file__).parents[2] / "packages" / "backend-cpp"
    sources = {str(source.relative_to(package)) for source in package.glob("native/**/*.?pp")}
    assert "native/loops/maps/arithmetic.cpp" in sources and {"hatch_build.py", *sources} <= names
