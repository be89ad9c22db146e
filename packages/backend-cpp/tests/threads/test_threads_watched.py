"""The pool of threads under a sanitizer that watches for races: as a program without Python, so that no other library is watched."""

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NATIVE = HERE.parents[1] / "native"
COMPILER = shutil.which("c++")


@pytest.mark.skipif(COMPILER is None or not NATIVE.is_dir(), reason="there is no compiler, or no source")
def test_no_race_between_callers(tmp_path: Path) -> None:
    assert COMPILER is not None
    program = tmp_path / "alone"
    sources = [HERE / "threads_alone.cpp", *(NATIVE / "runtime" / f"{name}.cpp" for name in ("threads", "cores"))]
    include = ["-I", str(NATIVE), "-I", sysconfig.get_path("include")]
    command = [COMPILER, "-std=c++17", "-O1", "-g1", "-fsanitize=thread", "-pthread", *include, *map(str, sources), "-o", str(program)]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    if compiled.returncode and "tsan" in compiled.stderr:
        pytest.skip("the compiler has no sanitizer of threads")
    assert compiled.returncode == 0, compiled.stderr
    alone = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}  # another sanitizer's
    done = subprocess.run([program], capture_output=True, text=True, check=False, timeout=100, env=alone)
    if "unexpected memory mapping" in done.stderr:
        pytest.skip("the sanitizer does not run on this system's memory")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 wrong\n", "")
