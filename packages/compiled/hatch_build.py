"""Build hook: compiles `native/` into the extension module, or leaves it out where there is no C++ compiler.

Set LAMINA_REQUIRE_NATIVE=1 to make a failed compilation an error instead of a package without it, which then says why. On Windows the
compiler is Clang as the package ziglang brings it, unless CXX names another.
"""

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FLAGS = ["-std=c++17", "-O2", "-fvisibility=hidden", "-fPIC"]
WINDOWS = sys.platform == "win32"
REASON = "not_built.txt"
"""The file of the package that says why it has no module."""


class CompiledHook(BuildHookInterface):
    """Adds the extension module to the wheel, with the tag of this machine."""

    def initialize(self, version, build_data):
        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            return
        root = Path(self.root)
        build = root / "build" / f"native{sysconfig.get_config_var('EXT_SUFFIX').rpartition('.')[0].replace('.', '-')}"
        build.mkdir(parents=True, exist_ok=True)
        try:
            added = compile_module(root, build)
        except (OSError, subprocess.CalledProcessError) as error:
            if os.environ.get("LAMINA_REQUIRE_NATIVE") == "1":
                raise
            self.app.display_warning(f"lamina-compiled is built without its native part: {explained(error)}")
            added = build / REASON
            added.write_text(explained(error) + "\n")
        else:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
        if version == "editable":
            place(added, root / "src" / "lamina_compiled")
        else:
            build_data["force_include"][str(added)] = f"lamina_compiled/{added.name}"


def place(added, package):
    """Put the module, or the reason that there is none, into the package, in the place of what a build before has left there.

    It comes at once: a process that has loaded the module before keeps that.
    """
    beside = package / f"{added.name}.new"
    shutil.copy2(added, beside)
    os.replace(beside, package / added.name)
    for name in {REASON, f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"} - {added.name}:
        (package / name).unlink(missing_ok=True)


def compile_module(root, build):
    """The path of the extension module, compiled where a source is newer."""
    module = build / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    sources = sorted((root / "native").rglob("*.cpp"))
    read = [*sources, *(root / "native").rglob("*.hpp")]
    if not module.exists() or any(file.stat().st_mtime > module.stat().st_mtime for file in read):
        flags = shlex.split(os.environ.get("CXXFLAGS", ""))
        link = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
        include = ["-I", str(root / "native"), "-I", sysconfig.get_path("include")]
        command = [*compiler(), *FLAGS, "-shared", *flags, *include, *map(str, sources), *link, *python_library(), "-o", str(module)]
        subprocess.run(command, check=True)
    return module


def python_library():
    """What a module is linked with: on Windows the library of its Python, elsewhere nothing of it."""
    if not WINDOWS:
        return []
    return ["-L", str(Path(sys.base_prefix, "libs")), f"-lpython{sys.version_info.major}{sys.version_info.minor}"]


def compiler():
    """The command of the compiler."""
    if WINDOWS and "CXX" not in os.environ:  # the target is named, as else it is this very processor
        return [sys.executable, "-m", "ziglang", "c++", "-target", "x86_64-windows-gnu"]
    return shlex.split(os.environ.get("CXX", "c++"))


def explained(error):
    """Why nothing was compiled, in one line; what the compiler says stands above it."""
    if isinstance(error, FileNotFoundError) and error.filename == compiler()[0]:
        return f"there is no C++ compiler {compiler()[0]!r}; install one (for example g++), or name it in CXX"
    if isinstance(error, OSError):
        return str(error)
    return f"the C++ compiler {compiler()[0]!r} ended with status {error.returncode}"
