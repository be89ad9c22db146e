"""A native part that is not there: the build says why, and the doctor repeats it and never calls that nothing."""

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

PACKAGES = Path(__file__).parents[2] / "packages"
MODULE = f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
NATIVE = {"backend-cpp": "lamina_backend_cpp", "compiled": "lamina_compiled"}
BROKEN = {"backend-cpp": "cpp", "compiled": "lamina-compiled"}
DOCTORS = [
    ["-m", "lamina_flatarray", "--strict"], ["-m", "lamina_flatarray", "--brief", "--strict"],
    ["-c", "from lamina.command_line import app; app()", "doctor", "--strict"],
]  # fmt: skip

pytestmark = pytest.mark.skipif(
    bool(sysconfig.get_config_var("Py_GIL_DISABLED")), reason="lamina-compiled is not built without a global lock"
)


def hook(package):
    spec = importlib.util.spec_from_file_location("hook", PACKAGES / package / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def installed(folder, package, version="editable"):
    """What an editable installation of a project of one source makes of its package, which an earlier one has given a module."""
    native, inside = folder / "native", folder / "src" / NATIVE[package]
    native.mkdir()
    (native / "one.cpp").write_text("int one() { return 1 }\n")
    inside.mkdir(parents=True)
    (inside / MODULE).touch()
    module, data = hook(package), {"force_include": {}}
    build = next(found for name, found in vars(module).items() if name.endswith("Hook"))
    build(str(folder), {}, None, None, str(folder), "wheel").initialize(version, data)
    return inside, data


@pytest.mark.parametrize("package", NATIVE)
def test_an_installation_without_a_compiler_says_so(package, tmp_path, monkeypatch, capfd):
    monkeypatch.delenv("LAMINA_REQUIRE_NATIVE", raising=False)
    monkeypatch.setenv("CXX", "no-such-compiler")
    inside, _ = installed(tmp_path, package)
    reason = "there is no C++ compiler 'no-such-compiler'; install one (for example g++), or name it in CXX"
    assert [file.name for file in inside.iterdir()] == ["not_built.txt"]  # the module of older sources is gone
    assert (inside / "not_built.txt").read_text() == reason + "\n"
    assert reason in "".join(capfd.readouterr())


@pytest.mark.parametrize("package", NATIVE)
def test_a_wheel_takes_the_reason_of_a_failed_compilation_with_it(package, tmp_path, monkeypatch):
    monkeypatch.delenv("LAMINA_REQUIRE_NATIVE", raising=False)
    monkeypatch.setenv("CXX", "false")
    inside, data = installed(tmp_path, package, version="standard")
    ((reason, place),) = data["force_include"].items()
    assert place == f"{NATIVE[package]}/not_built.txt" and "pure_python" not in data
    assert "the C++ compiler 'false' ended with status 1" in Path(reason).read_text()
    assert [file.name for file in inside.iterdir()] == [MODULE]  # a wheel leaves the checkout as it is


@pytest.mark.parametrize("package", NATIVE)
def test_where_kernels_are_required_a_failure_is_an_error(package, tmp_path, monkeypatch):
    monkeypatch.setenv("LAMINA_REQUIRE_NATIVE", "1")
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(FileNotFoundError):
        installed(tmp_path, package)


@pytest.mark.parametrize("package", NATIVE)
def test_a_module_takes_the_place_of_the_reason(package, tmp_path):
    built, inside = tmp_path / MODULE, tmp_path / "package"
    built.touch()
    inside.mkdir()
    (inside / "not_built.txt").touch()
    hook(package).place(built, inside)
    assert [file.name for file in inside.iterdir()] == [MODULE]


@pytest.mark.parametrize(
    ("defined", "level"),
    [
        ("", "baseline"),
        ("AVX2 FMA BMI BMI2 F16C MOVBE LZCNT", "avx2"),
        ("AVX2 FMA BMI BMI2 F16C MOVBE LZCNT AVX512F AVX512BW AVX512CD AVX512DQ", "avx2"),
        ("AVX2 FMA BMI BMI2 F16C MOVBE LZCNT AVX512F AVX512BW AVX512CD AVX512DQ AVX512VL", "avx512"),
    ],
)
def test_an_editable_installation_has_the_best_that_the_processor_has(defined, level, monkeypatch):
    cpp = hook("backend-cpp")
    if len(cpp.LEVELS) == 1:
        pytest.skip("this processor has the baseline alone")
    monkeypatch.setattr(cpp, "run", lambda command: "".join(f"#define __{part}__ 1\n" for part in defined.split()))
    monkeypatch.delenv("LAMINA_CPP_BUILD", raising=False)
    assert cpp.wanted_levels() == [level]
    monkeypatch.setenv("LAMINA_CPP_BUILD", "all")
    assert cpp.wanted_levels() == ["avx512", "avx2", "baseline"]


def copied(package, folder):
    """A copy of an installed package without its module, which Python finds first."""
    source = PACKAGES / package / "src" / NATIVE[package]
    return shutil.copytree(source, folder / NATIVE[package], ignore=shutil.ignore_patterns("_native*.so", "not_built.txt"))


def doctor(command, folder):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LAMINA_")}
    return subprocess.run([sys.executable, *command], env={**clean, "PYTHONPATH": str(folder)}, capture_output=True, text=True, cwd=folder)


@pytest.mark.parametrize(
    ("command", "package"),
    [(DOCTORS[0], "backend-cpp"), (DOCTORS[1], "backend-cpp"), (DOCTORS[1], "compiled"), (DOCTORS[2], "compiled")],
    ids=["whole", "brief", "brief-compiled", "command-compiled"],
)
def test_the_doctor_says_why_it_was_not_built(command, package, tmp_path):
    reason = {"backend-cpp": "there is no C++ compiler 'c++'", "compiled": "the C++ compiler 'c++' ended with status 1: bad"}[package]
    (copied(package, tmp_path) / "not_built.txt").write_text(reason + "\n")
    told = doctor(command, tmp_path)
    expected = f"was not built: {reason}; with a C++17 compiler, ./run kernels builds it"
    assert told.returncode == 1 and expected in told.stdout, told.stdout + told.stderr
    assert "nothing is wrong" not in told.stdout
    served, wrong = told.stdout.splitlines()[-2:]
    assert wrong == f"wrong with {BROKEN[package]}: see above"
    assert served.startswith("cpu is served by " + ("numpy, in the place of cpp, with" if package == "backend-cpp" else "cpp, with"))


@pytest.mark.parametrize("package", NATIVE)
@pytest.mark.parametrize(
    ("source", "why"),
    [(None, "No module named"), ("raise ImportError('its kernels were compiled for another processor')", "compiled for another processor")],
)
def test_the_doctor_names_what_has_fallen_back(package, source, why, tmp_path):
    inside = copied(package, tmp_path)
    if source is not None:
        (inside / "_native.py").write_text(source)
    told = doctor(DOCTORS[0], tmp_path)
    assert told.returncode == 1 and "is not there, or cannot be loaded" in told.stdout and why in told.stdout, told.stdout + told.stderr
    assert told.stdout.splitlines()[-1] == f"wrong with {BROKEN[package]}: see above"


def test_twins_that_nobody_wants_are_nothing_wrong(tmp_path):
    copied("compiled", tmp_path)
    told = subprocess.run(
        [sys.executable, "-m", "lamina_flatarray", "--brief", "--strict"], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "LAMINA_COMPILED": "0", "LAMINA_BACKENDS": "none"},
    )  # fmt: skip
    assert told.returncode == 0 and told.stdout.splitlines()[-1] == "nothing is wrong", told.stdout + told.stderr
