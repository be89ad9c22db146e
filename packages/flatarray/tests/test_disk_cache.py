"""What was compiled, on disk: what they are kept under, damage, a folder that is bounded or cannot be written, and many processes."""

import os
import subprocess
import sys

import pytest

from lamina_flatarray.disk_cache import DiskCache, cache_folder


class Compiler:
    """Makes a new binary each time."""

    def __init__(self, size=100):
        self.count, self.size = 0, size

    def __call__(self):
        self.count += 1
        return bytes([self.count % 256]) * self.size


def test_a_binary_is_compiled_once_for_each_key(tmp_path):
    """Another source, architecture or compiler is another key; so are parts that only look alike when joined."""
    compiler = Compiler()
    for _ in range(2):
        cache = DiskCache(tmp_path / "new" / "folder")
        for key in (("source", "90"), ("source", "89"), ("other", "90"), ("source9", "0"), ("source", "90", "12")):
            cache.get(key, compiler)
    assert compiler.count == 5


@pytest.mark.parametrize("damage", ["cut", "changed", "empty"])
def test_a_damaged_binary_is_compiled_again(tmp_path, damage):
    cache, compiler = DiskCache(tmp_path), Compiler()
    cache.get(("source",), compiler)
    (file,) = tmp_path.iterdir()
    content = file.read_bytes()
    file.write_bytes({"cut": content[:-1], "changed": content[:-1] + b"?", "empty": b""}[damage])
    assert cache.get(("source",), compiler) == bytes([2]) * 100 and compiler.count == 2
    assert cache.get(("source",), compiler) == bytes([2]) * 100 and compiler.count == 2


def test_those_that_were_not_used_for_longest_go(tmp_path):
    cache, compiler = DiskCache(tmp_path, most=1000), Compiler(200)  # each has 232 bytes: there is room for four
    for i in range(4):
        cache.get((f"{i}",), compiler)
        for age, file in enumerate(sorted(tmp_path.iterdir(), key=os.path.getmtime)):
            os.utime(file, (age + 1, age + 1))
    cache.get(("0",), compiler)  # the oldest is used again
    cache.get(("4",), compiler)
    assert len(list(tmp_path.iterdir())) == 4 and compiler.count == 5
    cache.get(("0",), compiler)
    assert compiler.count == 5
    cache.get(("1",), compiler)
    assert compiler.count == 6


def test_nothing_is_left_of_a_write_that_fails(tmp_path, monkeypatch):
    def fail(*given):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "replace", fail)
    compiler = Compiler()
    assert DiskCache(tmp_path).get(("source",), compiler) == bytes([1]) * 100
    assert not list(tmp_path.iterdir())


def test_without_a_folder_that_can_be_written_all_is_compiled(tmp_path):
    (tmp_path / "file").write_text("")
    compiler = Compiler()
    for folder in (None, tmp_path / "file" / "folder"):
        for _ in range(2):
            DiskCache(folder).get(("source",), compiler)
    assert compiler.count == 4


WRITER = """
import sys
from pathlib import Path
from lamina_flatarray.disk_cache import DiskCache

cache = DiskCache(Path(sys.argv[1]), most=3000)
for i in range(200):
    key = str(i % 4)
    assert cache.get((key,), lambda: key.encode() * 900) == key.encode() * 900
"""


def test_processes_see_the_whole_of_a_binary_or_nothing(tmp_path):
    processes = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)]) for _ in range(3)]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    assert all(len(file.read_bytes()) == 932 for file in tmp_path.iterdir())


def test_where_it_is_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("LAMINA_CUDA_CACHE", str(tmp_path))
    assert cache_folder("cuda") == tmp_path
    monkeypatch.delenv("LAMINA_CUDA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder("cuda") == tmp_path / "lamina" / "cuda"
