"""Build hook: compiles `native/` into the extension module, or leaves it out where there is no C++ compiler.

Set LAMINA_REQUIRE_NATIVE=1 to make a failed compilation an error instead of a package without it.
"""

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FLAGS = ["-std=c++17", "-O2", "-fvisibility=hidden", "-fPIC", "-shared"]


class CompiledHook(BuildHookInterface):
    """Adds the extension module to the wheel, with the tag of this machine."""

    def initialize(self, version, build_data):
        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            return
        root = Path(self.root)
        try:
            module = compile_module(root, root / "build" / f"native-{sysconfig.get_config_var('SOABI')}")
        except (OSError, subprocess.CalledProcessError) as error:
            if os.environ.get("LAMINA_REQUIRE_NATIVE") == "1":
                raise
            self.app.display_warning(f"lamina-compiled is built without its native part: {error}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        if version == "editable":
            place(module, root / "src" / "lamina_compiled")
        else:
            build_data["force_include"][str(module)] = f"lamina_compiled/{module.name}"


def place(module, folder):
    """Put the extension module into a folder at once: a process that has loaded the one before keeps that."""
    beside = folder / f"{module.name}.new"
    shutil.copy2(module, beside)
    os.replace(beside, folder / module.name)


def compile_module(root, build):
    """The path of the extension module, compiled where a source is newer."""
    build.mkdir(parents=True, exist_ok=True)
    module = build / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    sources = sorted((root / "native").glob("*.cpp"))
    read = [*sources, *(root / "native").glob("*.hpp")]
    if not module.exists() or any(file.stat().st_mtime > module.stat().st_mtime for file in read):
        compiler, *flags = [*shlex.split(os.environ.get("CXX", "c++")), *shlex.split(os.environ.get("CXXFLAGS", ""))]
        link = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
        include = ["-I", sysconfig.get_path("include")]
        command = [compiler, *FLAGS, *flags, *include, *map(str, sources), *link, "-o", str(module)]
        subprocess.run(command, check=True)
    return module
