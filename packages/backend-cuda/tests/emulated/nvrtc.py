"""NVRTC by ctypes: CUDA C++ to PTX, without a driver or a device; what was compiled once is kept on disk."""

import ctypes
import hashlib
import os
import sys
import tempfile
from functools import cache
from pathlib import Path

__all__ = ["CompileError", "NotInstalled", "available", "compiler", "kept_as", "ptx_of"]

_OPTIONS = ("--std=c++17", "-default-device")


class NotInstalled(Exception):
    """There is no NVRTC here."""


class CompileError(Exception):
    """NVRTC refuses a source; the text is its log."""


def ptx_of(source: str, architecture: int = 75, keep: bool = True) -> str:
    """Compile a source for an architecture, or take what was made of the same one before."""
    kept = kept_as(source, architecture, "ptx")
    if kept.exists():
        return kept.read_text()
    ptx = _compiled(_library(), source, architecture)
    if keep:
        own = kept.with_suffix(f".{os.getpid()}")
        own.write_text(ptx)
        own.rename(kept)  # another process may be reading it
    return ptx


def kept_as(source: str, architecture: int, suffix: str) -> Path:
    """The file of what is made of a source."""
    key = hashlib.sha256("\0".join((source, str(architecture), *_OPTIONS, compiler())).encode()).hexdigest()[:32]
    return _folder() / f"{key}.{suffix}"


def _folder() -> Path:
    folder = Path(os.environ.get("LAMINA_PTX_CACHE") or Path(tempfile.gettempdir()) / f"lamina-ptx-{os.getuid()}")
    folder.mkdir(exist_ok=True, parents=True)
    return folder


@cache
def _library() -> ctypes.CDLL:
    for folder in sys.path:
        for path in sorted((Path(folder) / "nvidia" / "cuda_nvrtc" / "lib").glob("libnvrtc.so.*")):
            return ctypes.CDLL(str(path))
    raise NotInstalled("NVRTC is not installed: pip install nvidia-cuda-nvrtc-cu12")


def compiler() -> str:
    """The version of NVRTC."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    _library().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    return f"{major.value}.{minor.value}"


def _compiled(library: ctypes.CDLL, source: str, architecture: int) -> str:
    program = ctypes.c_void_p()
    library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernel.cu", 0, None, None)
    try:
        options = [option.encode() for option in (f"--gpu-architecture=compute_{architecture}", *_OPTIONS)]
        if library.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)):
            raise CompileError(f"compute_{architecture}:\n{_text(library, program, 'ProgramLog')[:3000]}")
        return _text(library, program, "PTX")
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))


def _text(library: ctypes.CDLL, program: ctypes.c_void_p, what: str) -> str:
    size = ctypes.c_size_t()
    getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    getattr(library, f"nvrtcGet{what}")(program, text)
    return text.value.decode()


def available() -> bool:
    """Return whether there is an NVRTC."""
    try:
        _library()
    except NotInstalled:
        return False
    return True
