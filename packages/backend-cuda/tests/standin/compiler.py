"""CUDA C++ compiled as C++: a header gives CUDA's words a meaning, and each kernel a loop over its blocks and threads."""

import ctypes
import hashlib
import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from .refusals import Refused

__all__ = ["Entry", "compiled"]

_SHIM = Path(__file__).with_name("shim.hpp")
_KERNEL = re.compile(r"extern \"C\" __global__ void (?:__launch_bounds__\(\w+\) )?(\w+)\(([^)]*)\)")
_OPTIONS = ("-std=c++17", "-O1", "-fwrapv", "-fno-math-errno", "-shared", "-fPIC", "-w")


class Entry(NamedTuple):
    """A kernel: the function that runs it, its parameters as they are written, and the size of each."""

    run: ctypes._CFuncPtr
    parameters: tuple[str, ...]
    sizes: tuple[int, ...]


def compiled(source: str) -> dict[str, Entry]:
    """Compile a source, or take what was made of the same one before, and return its kernels."""
    kernels = {name: tuple(p.strip() for p in given.split(",")) for name, given in _KERNEL.findall(source)}
    if source.count("__global__ void") != len(kernels):
        raise Refused("a kernel is not declared as: extern \"C\" __global__ void name(parameters)")
    threads = "#define LAMINA_BARRIERS\n" if "__syncthreads" in source else ""
    entries = "".join(f"LAMINA_ENTRY({name})\n" for name in kernels)
    text = f"{threads}{_SHIM.read_text()}\n#line 1 \"kernel\"\n{source}\n{entries}"
    library = ctypes.CDLL(str(_built(text)))
    found = {}
    for name, parameters in kernels.items():
        run = getattr(library, f"run_{name}")
        run.argtypes = [ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p]
        sizes = (ctypes.c_longlong * len(parameters)).in_dll(library, f"sizes_{name}")
        found[name] = Entry(run, parameters, tuple(sizes))
    return found


def _built(text: str) -> Path:
    folder = Path(os.environ.get("LAMINA_STANDIN_CACHE") or Path(tempfile.gettempdir()) / f"lamina-standin-{os.getuid()}")
    folder.mkdir(exist_ok=True, parents=True)
    key = hashlib.sha256("\0".join((text, *_OPTIONS)).encode()).hexdigest()[:32]
    library = folder / f"{key}.so"
    if not library.exists():
        own = folder / f"{key}.{os.getpid()}"
        Path(f"{own}.cpp").write_text(text)
        command = ["g++", *_OPTIONS, "-o", str(own), f"{own}.cpp", "-lm"]
        done = subprocess.run(command, capture_output=True, text=True)
        Path(f"{own}.cpp").unlink(missing_ok=True)
        if done.returncode:
            raise Refused(f"a kernel does not compile:\n{done.stderr[:4000]}")
        own.rename(library)
    return library
