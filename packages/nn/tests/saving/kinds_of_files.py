"""How a file of each kind is written and read, with a tensor in it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from lamina_ndarray import files as of_arrays
from lamina_nn.files import load, load_file, load_run, save, save_file, save_run
from lamina_nn.gguf import load_gguf, save_gguf

__all__ = ["KINDS", "Kind"]


class Kind(NamedTuple):
    """A kind of file.

    Attributes:
        save: writes a tensor to a path.
        load: reads it again, as a tensor or an array.
        ending: what the file's name has to end with.
    """

    save: Callable[[Any, Any], None]
    load: Callable[[Any], Any]
    ending: str = ""

    def path(self, folder: Any, name: str = "file") -> str:
        """A file of this kind in a folder."""
        return os.path.join(folder, name + self.ending)


KINDS = {
    "pt": Kind(lambda path, x: save({"x": x}, path), lambda path: load(path)["x"]),
    "pt before 1.6": Kind(lambda path, x: save({"x": x}, path, _use_new_zipfile_serialization=False), lambda path: load(path)["x"]),
    "safetensors": Kind(lambda path, x: save_file({"x": x}, path), lambda path: load_file(path)["x"]),
    "gguf": Kind(lambda path, x: save_gguf({"x": x}, path), lambda path: load_gguf(path)["x"]),
    "run": Kind(lambda path, x: save_run(path, x=x), lambda path: load_run(path)["x"]),
    "npy": Kind(lambda path, x: of_arrays.save(path, x.array), of_arrays.load, ".npy"),
    "npz": Kind(lambda path, x: of_arrays.savez(path, x=x.array), lambda path: of_arrays.load(path)["x"], ".npz"),
    "npz, deflated": Kind(
        lambda path, x: of_arrays.savez_compressed(path, x=x.array), lambda path: of_arrays.load(path)["x"], ".npz"
    ),
}
