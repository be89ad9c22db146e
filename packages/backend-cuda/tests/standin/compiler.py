"""CUDA C++ compiled as C++: a header gives CUDA's words a meaning, and each kernel a loop over its blocks and threads."""

import ctypes
import hashlib
import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from .refusals import Refused

__all__ = ["Entry", "compiled", "parameters_of"]

_SHIM = Path(__file__).with_name("shim.hpp")
_KERNEL = re.compile(r"extern \"C\" __global__ void (?:__launch_bounds__\(\w+\) )?(\w+)\(([^)]*)\)")
_MEETING = ("__syncthreads", "__syncwarp", "_sync(")
_OPTIONS = ("-std=c++17", "-O1", "-fwrapv", "-fno-math-errno", "-fPIC", "-w")


class Entry(NamedTuple):
    """A kernel: the function that runs it, its parameters as they are written, and the size of each."""

    run: Any
    parameters: tuple[str, ...]
    sizes: tuple[int, ...]


def compiled(source: str) -> dict[str, Entry]:
    """Compile a source, or take what was made of the same one before, and return its kernels."""
    kernels = parameters_of(source)
    entries = "".join(f"LAMINA_ENTRY({name})\n" for name in kernels)
    built = _built(f"{source}\n{entries}", any(word in source for word in _MEETING))
    library = ctypes.PyDLL(str(built))  # keeps Python's lock while a kernel runs: where a thread of it is, is one variable of the process
    found = {}
    for name, parameters in kernels.items():
        run = getattr(library, f"run_{name}")
        run.argtypes = [ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p]
        sizes = (ctypes.c_longlong * len(parameters)).in_dll(library, f"sizes_{name}")
        found[name] = Entry(run, parameters, tuple(sizes))
    return found


def parameters_of(source: str) -> dict[str, tuple[str, ...]]:
    """Return the kernels of a source by name, and the parameters of each as they are written."""
    kernels = {name: tuple(p.strip() for p in given.split(",")) for name, given in _KERNEL.findall(source)}
    if source.count("__global__ void") != len(kernels):
        raise Refused("a kernel is not declared as: extern \"C\" __global__ void name(parameters)")
    return kernels


def _built(text: str, barriers: bool) -> Path:
    folder = Path(os.environ.get("LAMINA_STANDIN_CACHE") or Path(tempfile.gettempdir()) / f"lamina-standin-{os.getuid()}")
    folder.mkdir(exist_ok=True, parents=True)
    header = _header(folder, ("#define LAMINA_BARRIERS\n" if barriers else "") + _SHIM.read_text())
    library = folder / f"{_key(header.name, text)}.so"
    if not library.exists():
        own = folder / f"{library.stem}.{os.getpid()}.cpp"
        own.write_text(text)
        _run("-shared", "-include", str(header), "-o", str(own.with_suffix("")), str(own), "-lm")
        own.unlink()
        own.with_suffix("").rename(library)
    return library


def _header(folder: Path, text: str) -> Path:
    """The shim, compiled once: reading the C library's headers takes longer than a kernel."""
    header = folder / f"shim-{_key(text)}.hpp"
    ready = header.with_suffix(".hpp.gch")
    if not ready.exists():
        own = header.with_suffix(f".{os.getpid()}")
        own.write_text(text)
        own.rename(header)  # another process may be reading it
        _run("-x", "c++-header", "-o", f"{ready}.{os.getpid()}", str(header))
        Path(f"{ready}.{os.getpid()}").rename(ready)
    return header


def _key(*texts: str) -> str:
    return hashlib.sha256("\0".join((*texts, *_OPTIONS)).encode()).hexdigest()[:32]


def _run(*arguments: str) -> None:
    done = subprocess.run(["g++", *_OPTIONS, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise Refused(f"a kernel does not compile:\n{done.stderr[:4000]}")
