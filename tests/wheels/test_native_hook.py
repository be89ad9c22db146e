"""The build hook of the C++ backend: what it makes where the compiler fails, and what it compiles again."""

import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def build(tmp_path):
    """Builds a copy of the package with a compiler that always fails."""
    package = tmp_path / "packages" / "backend-cpp"
    leave = shutil.ignore_patterns("build", "*.so", "__pycache__")
    shutil.copytree(ROOT / "packages" / "backend-cpp", package, ignore=leave)
    shutil.copy(ROOT / "VERSION", tmp_path)

    def run(**environment):
        command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(package)]
        done = subprocess.run(
            command, env={**os.environ, "CXX": "false", "LAMINA_REQUIRE_NATIVE": "", **environment},
            capture_output=True, text=True,
        )  # fmt: skip
        return done, list(tmp_path.glob("*.whl"))

    return run


def test_without_a_compiler_the_wheel_is_pure(build):
    done, wheels = build()
    assert done.returncode == 0, done.stderr
    assert "built without native kernels" in done.stdout + done.stderr
    (wheel,) = wheels
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "lamina_backend_cpp/__init__.py" in names
    assert not [name for name in names if name.endswith(".so")]


def test_where_kernels_are_required_it_is_an_error(build):
    done, wheels = build(LAMINA_REQUIRE_NATIVE="1")
    assert done.returncode != 0
    assert not wheels


@pytest.fixture
def hook():
    spec = importlib.util.spec_from_file_location("hook", ROOT / "packages" / "backend-cpp" / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("files", "most"),
    [
        ({}, 1000),
        ({"cpu.max": "max 100000"}, 1000),
        ({"cpu.max": "150000 100000"}, 2),
        ({"cpu.max": "20000 100000"}, 1),
        ({"cpu/cpu.cfs_quota_us": "100000", "cpu/cpu.cfs_period_us": "100000"}, 1),
        ({"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, 1000),
    ],
)
def test_it_compiles_on_the_cores_that_there_are(hook, tmp_path, monkeypatch, files, most):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text + "\n")
    monkeypatch.setattr(hook, "CGROUP", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(1000)), raising=False)
    assert hook.available_cores() == most


def test_a_terminal_sees_how_far_it_is(hook, capsys, monkeypatch):
    hook.show_progress(1, 2)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    hook.show_progress(1, 2)
    hook.show_progress(2, 2)
    assert capsys.readouterr().err.split("\r")[1:] == ["compiling native kernels: 1 of 2", "compiling native kernels: 2 of 2\n"]


def test_what_read_a_changed_header_is_compiled_again(hook, tmp_path, monkeypatch):
    really, commands = hook.run, []
    monkeypatch.setattr(hook, "run", lambda command: (commands.append(command), really(command)))
    native = tmp_path / "a project" / "native"
    (native / "folder").mkdir(parents=True)
    for name, text in (("read.hpp", ""), ("reads.cpp", '#include "read.hpp"\n'), ("other.cpp", ""), ("folder/other.cpp", "")):
        (native / name).write_text(text)

    def compiled():
        commands.clear()
        hook.compile_module(native.parent, tmp_path / "build")
        return sorted(Path(command[-3]).name for command in commands if "-c" in command), len(commands)

    assert compiled() == (["other.cpp", "other.cpp", "reads.cpp"], 4)
    assert compiled() == ([], 0)
    os.utime(native / "read.hpp", (2e9, 2e9))
    assert compiled()[0] == ["reads.cpp"]
