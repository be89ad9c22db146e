"""Compiles each native source, with the flags of the build hooks but unoptimized, for systems that this one is not, and says which compile.

    python tests/other_systems/compile.py [--only TEXT] [TARGET ...]

The compiler is Clang as the package ziglang brings it, with the C and C++ libraries of each target; Python's headers are this
machine's, but for what windows.h says. Nothing is linked.
"""

import argparse
import importlib.util
import os
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ["backend-cpp", "compiled"]
TARGETS = [
    "x86_64-linux-musl", "aarch64-linux-gnu", "aarch64-linux-musl", "x86_64-macos", "aarch64-macos", "x86_64-windows-gnu",
]  # fmt: skip

HERE = ["-w", "-O0", "-fno-sanitize=undefined"]  # optimization changes nothing about what compiles


def hook_for(package, target):
    """The build hook of a package, with the target's compiler."""
    spec = importlib.util.spec_from_file_location("hook", ROOT / "packages" / package / "hatch_build.py")
    hook = importlib.util.module_from_spec(spec)
    os.environ["CXX"] = f"{sys.executable} -m ziglang c++ -target {target}"
    os.environ["CXXFLAGS"] = f"-include {Path(__file__).parent / 'windows.h'}" if "windows" in target else ""
    spec.loader.exec_module(hook)
    return hook


def commands(package, target, folder):
    """The command that makes each object of a package for a target."""
    hook, root = hook_for(package, target), ROOT / "packages" / package
    if package == "backend-cpp":
        hook.LEVELS = hook.levels_of(target.partition("-")[0])
        return hook.compilations(root, folder, list(hook.LEVELS))
    begin = [*hook.compiler(), *hook.FLAGS, *os.environ["CXXFLAGS"].split(), "-I", sysconfig.get_path("include"), "-c"]
    objects = {source: folder / f"{source.stem}.o" for source in sorted((root / "native").glob("*.cpp"))}
    return {target: [*begin, str(source), "-o", str(target)] for source, target in objects.items()}


def failed(command):
    """The first error of a compilation, or None."""
    done = subprocess.run([*command, *HERE], capture_output=True, text=True)
    if done.returncode == 0:
        return None
    return next((line for line in done.stderr.splitlines() if "error" in line), f"status {done.returncode}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", nargs="*", default=TARGETS)
    parser.add_argument("--only", default="", metavar="TEXT", help="objects whose names hold this")
    chosen, wrong = parser.parse_args(), 0
    for target in chosen.target:
        for package in PACKAGES:
            with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
                wanted = {unit: command for unit, command in commands(package, target, Path(folder)).items() if chosen.only in unit.stem}
                errors = dict(zip(wanted, pool.map(failed, wanted.values()), strict=True))
            errors = {unit.stem: error for unit, error in errors.items() if error}
            print(f"{target}: {len(wanted) - len(errors)} of {len(wanted)} objects of {package} compile", flush=True)
            for unit, error in errors.items():
                print(f"  {unit}: {error}")
            wrong += len(errors)
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
