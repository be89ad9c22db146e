"""Files of `save_run` that are damaged or hostile, their checksums being right, and what is said of each."""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hostile_files.valid_files import KINDS

import lamina_ndarray as nd
from lamina_ndarray.files import save_safetensors
from lamina_nn.files import runs

__all__ = ["FILES", "of_tree"]

ARRAYS = {"x": nd.ones((3,)), "i": nd.arange(3), "z": nd.ones((2, 2), dtype=nd.float64)}
BROKEN = "not a whole file of save_run"


def of_text(text: str, **metadata: str) -> bytes:
    """A file with this text in the place of its tree, and a right checksum."""
    told = {"lamina.run": text, "lamina.crc32": runs._sum(text, ARRAYS)} | metadata
    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "run")
        save_safetensors(ARRAYS, path, told)
        return Path(path).read_bytes()


def of_header(header: Any) -> bytes:
    """One with any header."""
    return of_text(json.dumps(header))


def of_tree(state: Any, joined: Any = ()) -> bytes:
    """One whose part `value` has any state."""
    return of_header({"version": 2, "parts": {"value": {"of": None, "state": state}}, "complex128": joined})


def nested(depth: int) -> bytes:
    """One with tuples in tuples."""
    text = '{"tuple": [' * depth + "]}" * depth
    return of_text('{"version": 2, "complex128": [], "parts": {"value": {"of": null, "state": ' + text + "}}}")


FILES = {
    "another safetensors file": (KINDS["safetensors"].content, BROKEN),
    "another version": (of_header({"version": 3, "parts": {}, "complex128": []}), BROKEN),
    "a version that is a list": (of_header({"version": [2], "parts": {}, "complex128": []}), BROKEN),
    "version 1 with a checksum": (of_header({"version": 1, "parts": {}, "complex128": []}), BROKEN),
    "a wrong checksum": (of_text('{"version": 2}', **{"lamina.crc32": "00000000"}), "checksum"),
    "a checksum that is none": (of_text('{"version": 2}', **{"lamina.crc32": "x" * 1000}), "checksum"),
    "no parts": (of_header({"version": 2, "complex128": []}), BROKEN),
    "parts that are a list": (of_header({"version": 2, "parts": [1], "complex128": []}), BROKEN),
    "a part that is a number": (of_header({"version": 2, "parts": {"value": 1}, "complex128": []}), BROKEN),
    "a header that is a list": (of_header([1]), BROKEN),
    "a header that is a number": (of_header(1), BROKEN),
    "a header that is no JSON": (of_text("{"), BROKEN),
    "a header of brackets": (of_text("[" * 100_000), BROKEN),
    "a header of digits": (of_text("9" * 10_000), BROKEN),
    "tuples in tuples": (nested(50_000), BROKEN),
    "pairs joined that are not there": (of_tree(1, ["q"]), BROKEN),
    "pairs joined of what is no pair": (of_tree(1, ["x"]), BROKEN),
    "pairs joined of integers": (of_tree(1, ["i"]), BROKEN),
    "pairs joined that are a number": (of_tree(1, 5), BROKEN),
    "pairs joined that are lists": (of_tree(1, [[1]]), BROKEN),
    "an object without entries": (of_tree({}), BROKEN),
    "an object of two entries": (of_tree({"float": "1", "bytes": ""}), BROKEN),
    "an unknown kind": (of_tree({"object": "os.system"}), BROKEN),
    "a kind that is a method": (of_tree({"__class__": []}), BROKEN),
    "a tensor that is not there": (of_tree({"tensor": ["q", "cpu", False]}), BROKEN),
    "a tensor without a device": (of_tree({"tensor": ["x"]}), BROKEN),
    "a tensor on a device that is not there": (of_tree({"tensor": ["x", "nowhere:7", False]}), BROKEN),
    "a tensor on a device that is a list": (of_tree({"tensor": ["x", [1], False]}), BROKEN),
    "a tensor on a device that is a number": (of_tree({"tensor": ["x", 10**30, False]}), BROKEN),
    "a tensor whose name is a list": (of_tree({"tensor": [["x"], "cpu", False]}), BROKEN),
    "a tensor of integers with gradients": (of_tree({"tensor": ["i", "cpu", True]}), BROKEN),
    "a tensor that is a text": (of_tree({"tensor": "xyz"}), BROKEN),
    "an array that is not there": (of_tree({"array": "q"}), BROKEN),
    "an array that is a dict": (of_tree({"array": {"x": 1}}), BROKEN),
    "a float that is none": (of_tree({"float": "1.0.0"}), BROKEN),
    "a float that is a list": (of_tree({"float": [1]}), BROKEN),
    "a float of 400 digits": (of_tree({"float": 10**400}), BROKEN),
    "a complex of three": (of_tree({"complex": [1, 2, 3]}), BROKEN),
    "a complex of 400 digits": (of_tree({"complex": [10**400, 0]}), BROKEN),
    "a complex of texts": (of_tree({"complex": ["1", "2"]}), BROKEN),
    "bytes that are none": (of_tree({"bytes": "0g"}), BROKEN),
    "bytes by their number": (of_tree({"bytes": 10**9}), BROKEN),
    "a dtype that is not here": (of_tree({"dtype": "float128"}), BROKEN),
    "a dtype that is a list": (of_tree({"dtype": [1]}), BROKEN),
    "a device that is not one": (of_tree({"device": "no device:x"}), BROKEN),
    "a dict of single items": (of_tree({"dict": [[1]]}), BROKEN),
    "a dict that is a number": (of_tree({"dict": 1}), BROKEN),
    "a dict with a list as a key": (of_tree({"dict": [[[1], 2]]}), BROKEN),
    "a dict with a long tuple as a key": (of_tree({"dict": [[{"tuple": list(range(1000))}, 2]]}), BROKEN),
    "a dict with a key of many digits": (of_tree({"dict": [[10**100, 2]]}), BROKEN),
    "keys of one hash": (of_tree({"dict": [[(2**61 - 1) * k + 5, 1] for k in range(-4, 8)] + [
        [{"tuple": [-1 - (k >> bit & 1) for bit in range(12)]}, 1] for k in range(4000)
    ]}), "have one hash"),
    "a set of lists": (of_tree({"set": [[1]]}), BROKEN),
    "a set of tensors": (of_tree({"set": [{"tensor": ["x", "cpu", False]}]}), BROKEN),
    "a set that is a number": (of_tree({"set": 5}), BROKEN),
    "a counter of texts": (of_tree({"counter": "ab"}), BROKEN),
    "a size of texts": (of_tree({"size": ["a"]}), BROKEN),
    "a size of fractions": (of_tree({"size": [1.5]}), BROKEN),
    "a size that is a number": (of_tree({"size": 3}), BROKEN),
}  # fmt: skip

BOMBS = {
    "an array named again and again": of_tree([{"array": "z"}] * 5000),
    "a tensor named again and again": of_tree([{"tensor": ["x", "meta", False]}] * 5000),
}
