"""A valid file of each kind that is read, from which damaged ones are made."""

from __future__ import annotations

import gzip
import io
import json
import struct
from collections import Counter, OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray import DTYPES
from lamina_ndarray import files as of_arrays
from lamina_nn.data.readers import TextLines, read_cifar, read_csv, read_idx, read_image
from lamina_nn.files import load, load_file, load_run, load_sharded, save, save_file, save_run
from lamina_nn.gguf import open_gguf, save_gguf

try:
    from PIL import Image
except ModuleNotFoundError:  # which is installed where images are read
    Image = None

__all__ = ["KINDS", "Kind", "written"]


class Kind(NamedTuple):
    """A kind of file.

    Attributes:
        ending: what its name ends with.
        read: what a file at a path holds.
        content: a valid one.
        summed: whether a checksum covers what it holds, so that a flipped bit gives the same or nothing.
        unpacks: whether it is compressed, so that a small one may give 64 MiB of items.
    """

    ending: str
    read: Callable[[Path], Any]
    content: bytes
    summed: bool = False
    unpacks: bool = False


def written(write: Callable[[Any], Any]) -> bytes:
    """What this writes to an open file."""
    held = io.BytesIO()
    write(held)
    return held.getvalue()


def _written_to_a_path(write: Callable[[Path], Any]) -> bytes:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        write(Path(folder) / "file")
        return (Path(folder) / "file").read_bytes()


VALUES = {
    "x": lt.arange(6.0), "y": [lt.ones(2, 3, dtype=DTYPES["bfloat16"]).t(), nn.Parameter(lt.zeros(2))], "n": (1, 2.5, None, "text"),
    "s": {1, 2}, "o": OrderedDict(a=b"bytes"), "z": Counter("aab"), "size": lt.Size([1, 2]), "u": lt.ones(2, dtype=DTYPES["uint16"]),
    "b": lt.tensor([True, False]), "a": np.arange(3, dtype=np.int16),
}  # fmt: skip
TENSORS = {
    "x": lt.arange(6.0), "h": lt.ones(2, 3, dtype=DTYPES["bfloat16"]), "b": lt.tensor([True, False]), "e": lt.zeros(0, 3), "i": lt.arange(3)
}  # fmt: skip
IN_GGUF = {"x": lt.arange(6.0), "h": lt.ones(2, 3, dtype=DTYPES["bfloat16"]), "q": lt.ones(2, 64), "i": lt.arange(3), "e": lt.zeros(0, 3)}
METADATA = {"general.architecture": "none", "n": 3, "f": 0.5, "tokens": ["a", "bc"], "deep": [[1, 2], [3]], "flags": [True, False]}
IN_A_RUN = {"x": lt.arange(50.0), "y": [1, 2.5, "text", (True, None)], "b": lt.tensor([True, False]), "a": np.arange(3), "c": 1j}
ARRAYS = {"x": np.arange(50.0), "b": np.array([True, False])}
NOISE = np.random.default_rng(0)
DIGITS = struct.pack(">HBBIII", 0, 8, 3, 4, 5, 6) + NOISE.integers(0, 255, 120, np.uint8).tobytes()
_SHARD = _written_to_a_path(lambda path: save_file(TENSORS, path))


def _read_index(path: Path) -> Any:
    if not (path.parent / "one.safetensors").exists():
        (path.parent / "one.safetensors").write_bytes(_SHARD)
    return load_sharded(path)


def _read_gguf(path: Path) -> Any:
    """All that can be had of it."""
    with open_gguf(path) as file:
        matrices = [name for name in file if file.type(name) == "Q8_0" and len(file.shape(name)) == 2]
        return {"metadata": file.metadata, **file, **{name: file.quantized(name) for name in matrices}}


KINDS = {
    "pt": Kind(".pt", load, written(lambda f: save(VALUES, f)), True),
    "pt mapped": Kind(".pt", lambda path: load(path, mmap=True), written(lambda f: save(VALUES, f))),
    "pt before 1.6": Kind(".pt", load, written(lambda f: save(VALUES, f, _use_new_zipfile_serialization=False))),
    "safetensors": Kind(".safetensors", load_file, _SHARD),
    "safetensors, not mapped": Kind(".safetensors", lambda path: load_file(path, mmap=False), _SHARD),
    "index": Kind(".json", _read_index, json.dumps({"metadata": {}, "weight_map": dict.fromkeys(TENSORS, "one.safetensors")}).encode()),
    "gguf": Kind(".gguf", _read_gguf, _written_to_a_path(lambda path: save_gguf(IN_GGUF, path, METADATA, {"q": "Q8_0"}))),
    "run": Kind(".run", load_run, _written_to_a_path(lambda path: save_run(path, **IN_A_RUN)), True),
    "npy": Kind(".npy", of_arrays.load, written(lambda f: of_arrays.save(f, ARRAYS["x"]))),
    "npy mapped": Kind(".npy", lambda path: of_arrays.load(path, "c"), written(lambda f: of_arrays.save(f, ARRAYS["x"]))),
    "npz": Kind(".npz", of_arrays.load, written(lambda f: of_arrays.savez(f, **ARRAYS)), True, True),
    "npz, deflated": Kind(".npz", of_arrays.load, written(lambda f: of_arrays.savez_compressed(f, **ARRAYS)), True, True),
    "idx": Kind(".idx", read_idx, DIGITS),
    "idx, gzip": Kind(".idx.gz", read_idx, gzip.compress(DIGITS, mtime=0), True, True),
    "cifar": Kind(".bin", read_cifar, b"".join(bytes([i]) + NOISE.integers(0, 255, 3072, np.uint8).tobytes() for i in range(3))),
    "csv": Kind(".csv", read_csv, b"one,two,three\n" + b"".join(b'%d,"%d",%.3f\n' % (i, i * i, i / 3) for i in range(30))),
    "lines": Kind(".txt", lambda path: list(TextLines(path)), "plain\n\nGrüße\r\nend".encode() * 10),
}
if Image is not None:
    _PICTURE = Image.fromarray(NOISE.integers(0, 255, (9, 11, 3), np.uint8))
    KINDS |= {
        name: Kind(f".{name}", read_image, written(lambda f, name=name: _PICTURE.save(f, name)), unpacks=True)
        for name in ("bmp", "gif", "jpeg", "png", "ppm", "tiff", "webp")
    }
