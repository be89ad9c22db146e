"""Build hook: compiles `native/` into the extension module, or leaves it out where there is no C++ compiler.

All that lies under `native/loops/` is compiled once per instruction set, and the module chooses among these when it is loaded. A wheel
has all of them; an editable installation stays on its machine, and has the best that its processor has, unless LAMINA_CPP_BUILD=all is
set. Set LAMINA_REQUIRE_NATIVE=1 to make a failed compilation an error instead of a package without native kernels, which then says why;
CXX, CXXFLAGS and LDFLAGS mean what they mean everywhere. On Windows the compiler is Clang as the package ziglang brings it, unless CXX
names another.

Run as a program, it compiles what an editable installation will want, and shows how far it is.
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
WINDOWS = sys.platform == "win32"
NEEDED = {  # what the compiler defines for a processor that has the set
    "avx512": {f"__AVX512{part}__" for part in ("F", "BW", "CD", "DQ", "VL")},
    "avx2": {f"__{part}__" for part in ("AVX2", "FMA", "BMI", "BMI2", "F16C", "MOVBE", "LZCNT")},
    "baseline": set(),
}
REASON = "not_built.txt"
"""The file of the package that says why it has no module."""


def levels_of(processor):
    """The flags of each instruction set, from the best on."""
    if processor not in ("x86_64", "AMD64"):
        return {"baseline": []}
    return {
        "avx512": ["-march=x86-64-v4", "-mprefer-vector-width=512"],  # whole lines are stored faster than halves
        "avx2": ["-march=x86-64-v3"],
        "baseline": ["-O2", "-march=x86-64-v2"],  # for processors of before 2015; it compiles in two thirds of the time
    }


LEVELS = levels_of(platform.machine())


class NativeHook(BuildHookInterface):
    """Adds the extension module to the wheel, with the tag of this machine."""

    def initialize(self, version, build_data):
        root = Path(self.root)
        build, package = build_folder(root), root / "src" / "lamina_backend_cpp"
        editable = version == "editable"
        try:
            added = compile_module(root, build, wanted_levels() if editable else list(LEVELS))
        except (OSError, subprocess.CalledProcessError) as error:
            if os.environ.get("LAMINA_REQUIRE_NATIVE") == "1":
                raise
            self.app.display_warning(f"lamina-backend-cpp is built without native kernels: {explained(error)}")
            added = build / REASON
            build.mkdir(parents=True, exist_ok=True)
            added.write_text(explained(error) + "\n")
        else:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
        if editable:
            place(added, package)
        else:
            build_data["force_include"][str(added)] = f"lamina_backend_cpp/{added.name}"


def build_folder(root):
    """Where this Python's objects are."""
    return root / "build" / f"native{sysconfig.get_config_var('EXT_SUFFIX').rpartition('.')[0].replace('.', '-')}"


def wanted_levels():
    """The instruction sets for an installation that stays on this machine."""
    if os.environ.get("LAMINA_CPP_BUILD") == "all" or len(LEVELS) == 1:
        return list(LEVELS)
    defined = set(run([*compiler(), "-march=native", "-dM", "-E", "-x", "c++", os.devnull]).split())
    return [next(level for level in LEVELS if NEEDED[level] <= defined)]


def place(added, package):
    """Put the module, or the reason that there is none, into the package, in the place of what a build before has left there.

    It comes at once: a process that has loaded the module before keeps that.
    """
    beside = package / f"{added.name}.new"
    shutil.copy2(added, beside)
    os.replace(beside, package / added.name)
    for name in {REASON, f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"} - {added.name}:
        (package / name).unlink(missing_ok=True)


def compile_module(root, build, levels=tuple(LEVELS)):
    """The path of the extension module, compiled where a source is newer than its object, or a header that it includes."""
    folder = build / "-".join(levels)  # a module for each choice of levels, which share their objects
    folder.mkdir(parents=True, exist_ok=True)
    commands = compilations(root, build, levels)
    objects, jobs = list(commands), [command for target, command in commands.items() if stale(target)]
    with ThreadPoolExecutor(available_cores()) as pool:
        try:
            for done, job in enumerate(as_completed([pool.submit(run, job) for job in jobs]), 1):
                job.result()
                show_progress(done, len(jobs))
        except subprocess.CalledProcessError:
            pool.shutdown(cancel_futures=True)  # what is left would be compiled in vain
            raise
    module = folder / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not module.exists() or any(target.stat().st_mtime > module.stat().st_mtime for target in objects):
        link = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-Wl,--strip-all"]
        link_flags = [*python_library(), *os.environ.get("LDFLAGS", "").split()]
        run([*compiler(), "-shared", "-pthread", *link, *map(str, objects), *link_flags, "-o", str(module)])
    return module


def compilations(root, build, levels):
    """The command that makes each object."""
    flags, commands = os.environ.get("CXXFLAGS", "").split(), {}
    include = ["-I", str(root / "native"), "-I", sysconfig.get_path("include"), "-I", pybind11.get_include()]
    for source in sorted((root / "native").rglob("*.cpp")):
        path = source.relative_to(root / "native")
        for variant, more in variants(path, levels):
            target = build / f"{'.'.join(path.with_suffix('').parts)}-{variant}.o"
            commands[target] = [*compiler(), *FLAGS, *flags, *more, *include, "-c", str(source), "-o", str(target)]
    return commands


def python_library():
    """What a module is linked with: on Windows the library of its Python, elsewhere nothing of it."""
    if not WINDOWS:
        return []
    threads = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    return ["-L", str(Path(sys.base_prefix, "libs")), f"-lpython{sys.version_info.major}{sys.version_info.minor}{threads}"]


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


def variants(path, levels):
    """The name and flags of each variant that a source is compiled in, by its path within `native/`."""
    if path.name == "dispatch.cpp":
        return [("-".join(levels), [f"-DLAMINA_SETS(X)={' '.join(f'X({level})' for level in levels)}"])]
    if path.parts[0] != "loops":
        return [("any", [])]
    return [(level, [f"-DLAMINA_ISA={level}", *map(spelled, LEVELS[level])]) for level in levels]


def compiler():
    """The command of the compiler."""
    if WINDOWS and "CXX" not in os.environ:  # the target is named, as else it is this very processor
        return [sys.executable, "-m", "ziglang", "c++", "-target", "x86_64-windows-gnu"]
    return os.environ.get("CXX", "c++").split()


def spelled(flag):
    """A flag as the compiler spells it: that of ziglang has no hyphens in the names of processors."""
    return flag.replace("x86-64-v", "x86_64_v") if "ziglang" in compiler() else flag


def run(command):
    """What a compiler prints; its messages go into the error."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.stderr.write(done.stderr)
        done.check_returncode()
    return done.stdout


def explained(error):
    """Why nothing was compiled, in one line."""
    if isinstance(error, FileNotFoundError) and error.filename == compiler()[0]:
        return f"there is no C++ compiler {compiler()[0]!r}; install one (for example g++), or name it in CXX"
    if isinstance(error, OSError):
        return str(error)
    messages = [line for line in error.stderr.splitlines() if "error" in line] or error.stderr.splitlines()
    return f"the C++ compiler {compiler()[0]!r} ended with status {error.returncode}: {messages[0] if messages else 'no message'}"


if __name__ == "__main__":
    here = Path(__file__).parent
    try:
        compile_module(here, build_folder(here), wanted_levels())
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(explained(error))
