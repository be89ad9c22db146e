"""All damaged and hostile files by kind and name, each with what its error says."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hostile_files import (
    data_files,
    gguf_files,
    numpy_headers,
    pickle_programs,
    run_trees,
    safetensors_headers,
    zip_archives,
)
from hostile_files.pt_files import of_program
from hostile_files.valid_files import KINDS

__all__ = ["BOMBS", "REFUSED", "content"]

Content = bytes | Callable[[], bytes]

_MAPPED: dict[str, Mapping[str, tuple[Content, str]]] = {"pt": zip_archives.PT_ARCHIVES, "npy": numpy_headers.ARRAYS}
_BY_KIND: dict[str, Mapping[str, tuple[Content, str]]] = {
    "pt": {name: (of_program(program), says) for name, (program, says) in pickle_programs.PROGRAMS.items()} | zip_archives.PT_ARCHIVES,
    "pt before 1.6": pickle_programs.STREAMS,
    "safetensors": safetensors_headers.FILES,
    "safetensors, not mapped": safetensors_headers.FILES,
    "index": safetensors_headers.INDICES,
    "gguf": gguf_files.FILES,
    "run": run_trees.FILES,
    "npy": numpy_headers.ARRAYS,
    "npz": numpy_headers.ARCHIVES,
    **{f"{kind} mapped": {name: (file, "load: ") for name, (file, _) in files.items()} for kind, files in _MAPPED.items()},
    "idx": data_files.IDX,
    "idx, gzip": data_files.GZIPPED,
    "cifar": data_files.CIFAR,
    "csv": data_files.TABLES,
    "lines": data_files.LINES,
    "png": data_files.IMAGES,
}

REFUSED = {(kind, name): file for kind, files in _BY_KIND.items() if kind in KINDS for name, file in files.items()}
"""By kind and name: the file, and what is said of it, as a regular expression."""

BOMBS = {("pt", name): of_program(program) for name, program in pickle_programs.BOMBS.items()} | {
    (kind, name): file for kind, files in (("run", run_trees.BOMBS), ("gguf", gguf_files.BOMBS)) for name, file in files.items()
}
"""By kind and name: files that would take the square of their size, or more. Some are valid."""

if "png" in KINDS:
    _AT = KINDS["png"].content.index(b"IDAT") - 4
    BOMBS["png", "pixels that claim a gigabyte"] = KINDS["png"].content[:_AT] + b"\x40" + KINDS["png"].content[_AT + 1 :]


def content(file: Content) -> bytes:
    """The bytes of a file; large ones are made when they are asked for."""
    return file() if callable(file) else file
