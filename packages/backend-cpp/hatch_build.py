"""Build hook: compiles `native/` into the extension module, or leaves it out where there is no C++ compiler.

All that lies under `native/loops/` is compiled once per instruction set, and the module chooses among these when it is loaded. Set
LAMINA_REQUIRE_NATIVE=1 to make a failed compilation an error instead of a package without native kernels; CXX, CXXFLAGS and LDFLAGS
mean what they mean everywhere.
"""

import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import pybind11
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FLAGS = ["-std=c++17", "-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast"]
FLAGS += ["-fvisibility=hidden", "-fPIC", "-pthread", "-MMD"]
CGROUP = Path("/sys/fs/cgroup")
LEVELS = {  # the baseline is for processors of before 2015, and compiles in two thirds of the time with -O2
    "baseline": ["-O2", "-march=x86-64-v2"],
    "avx2": ["-march=x86-64-v3"],
    "avx512": ["-march=x86-64-v4"],
}


class NativeHook(BuildHookInterface):
    """Adds the extension module to the wheel, with the tag of this machine."""

    def initialize(self, version, build_data):
        root = Path(self.root)
        try:
            module = compile_module(root, root / "build" / f"native-{sysconfig.get_config_var('SOABI')}")
        except (OSError, subprocess.CalledProcessError) as error:
            if os.environ.get("LAMINA_REQUIRE_NATIVE") == "1":
                raise
            self.app.display_warning(f"lamina-backend-cpp is built without native kernels: {error}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        if version == "editable":
            place(module, root / "src" / "lamina_backend_cpp")
        else:
            build_data["force_include"][str(module)] = f"lamina_backend_cpp/{module.name}"


def place(module, folder):
    """Put the extension module into a folder at once: a process that has loaded the one before keeps that."""
    beside = folder / f"{module.name}.new"
    shutil.copy2(module, beside)
    os.replace(beside, folder / module.name)


def compile_module(root, build):
    """The path of the extension module, compiled where a source is newer than its object, or a header that it includes."""
    build.mkdir(parents=True, exist_ok=True)
    compiler, flags, link_flags = (os.environ.get(name, or_else).split() for name, or_else in
                                   (("CXX", "c++"), ("CXXFLAGS", ""), ("LDFLAGS", "")))  # fmt: skip
    include = ["-I", str(root / "native"), "-I", sysconfig.get_path("include"), "-I", pybind11.get_include()]
    jobs, objects = [], []
    for source in sorted((root / "native").rglob("*.cpp")):
        path = source.relative_to(root / "native")
        for level, more in variants(path):
            target = build / f"{'.'.join(path.with_suffix('').parts)}-{level}.o"
            objects.append(target)
            if stale(target):
                jobs.append([*compiler, *FLAGS, *flags, *more, *include, "-c", str(source), "-o", str(target)])
    with ThreadPoolExecutor(available_cores()) as pool:
        for done, job in enumerate(as_completed([pool.submit(run, job) for job in jobs]), 1):
            job.result()
            show_progress(done, len(jobs))
    module = build / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not module.exists() or any(target.stat().st_mtime > module.stat().st_mtime for target in objects):
        link = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-Wl,--strip-all"]
        run([*compiler, "-shared", "-pthread", *link, *map(str, objects), *link_flags, "-o", str(module)])
    return module


def available_cores():
    """How many cores this process may use: those of its affinity, but no more than its control group's quota, rounded up."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    for names in (["cpu.max"], ["cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"]):  # of the second and the first version
        try:
            quota, period = map(int, " ".join((CGROUP / name).read_text() for name in names).split())
        except (OSError, ValueError):  # no such file, or "max": no quota
            continue
        if quota > 0 and period > 0:
            return max(1, min(cores, -(-quota // period)))
    return cores


def show_progress(done, jobs):
    """How far it is, on one line of the terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\rcompiling native kernels: {done} of {jobs}" + ("\n" if done == jobs else ""))
        sys.stderr.flush()


def stale(target):
    """Whether an object is missing, or older than a file that it was compiled from, by the list that the compiler wrote beside it."""
    listed = target.with_suffix(".d")
    if not (target.exists() and listed.exists()):
        return True
    read = [Path(name) for name in shlex.split(listed.read_text().partition(":")[2].replace("\\\n", " "))]
    return any(not file.exists() or file.stat().st_mtime > target.stat().st_mtime for file in read)


def variants(path):
    """The name and flags of each instruction set that a source is compiled for, by its path within `native/`."""
    if path.parts[0] != "loops":
        return [("any", [])]
    if platform.machine() not in ("x86_64", "AMD64"):
        return [("baseline", ["-DLAMINA_ISA=baseline"])]
    return [(level, [f"-DLAMINA_ISA={level}", *flags]) for level, flags in LEVELS.items()]


def run(command):
    """Run a compiler; its messages go into the error."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.stderr.write(done.stderr)
        done.check_returncode()
