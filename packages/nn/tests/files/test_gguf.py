"""GGUF files: what is mapped and let go, what is refused, and how much memory a tensor takes."""

import gc
import os
import struct
import sys
import tracemalloc

import numpy as np
import pytest

import lamina_tensor as lt
from lamina_flatarray import DTYPES, CheckpointError
from lamina_nn.gguf import load_gguf, open_gguf, save_gguf

F16, F32, I8 = DTYPES["float16"], DTYPES["float32"], DTYPES["int8"]


def maps(path):
    """How many parts of a file are mapped into this process."""
    gc.collect()
    with open("/proc/self/maps") as file:
        return sum(line.rstrip().endswith(str(path)) for line in file)


def test_there_and_back(tmp_path):
    tensors = {"a.weight": lt.arange(6.0).reshape(2, 3), "b": lt.arange(3), "c": lt.ones(2, 2, dtype=DTYPES["bfloat16"])}
    told = {"general.architecture": "none", "deep": [[1, 2], [3], []], "empty": [], "words": ("a", "b")}
    save_gguf(tensors, tmp_path / "a.gguf", told)
    with open_gguf(tmp_path / "a.gguf") as file:
        assert file.metadata == told | {"words": ["a", "b"]}
        assert "b" in file and "d" not in file and len(file) == 3
        assert file.get("b", F16).dtype is F16 and (file.type("c"), file.shape("c")) == ("BF16", (2, 2))
        with pytest.raises(KeyError):
            file["d"]
    back = load_gguf(tmp_path / "a.gguf")
    assert list(back) == list(tensors)
    assert all(back[name].dtype is tensor.dtype and back[name].tolist() == tensor.tolist() for name, tensor in tensors.items())


def test_version_2_and_any_alignment(tmp_path):
    """With an alignment of 1, items may begin anywhere; they are copied then."""
    pairs = struct.pack("<Q17sII", 17, b"general.alignment", 4, 1)
    names = [(b"b", 24, 0, b"\x05"), (b"f", 0, 1, struct.pack("<f", 1.5)), (b"h", 1, 5, struct.pack("<e", 2.5))]
    entries = b"".join(struct.pack("<Q1sIQIQ", 1, name, 1, 1, kind, place) for name, kind, place, _ in names)
    (tmp_path / "v2.gguf").write_bytes(b"GGUF" + struct.pack("<IQQ", 2, 3, 1) + pairs + entries + b"".join(raw for *_, raw in names))
    with open_gguf(tmp_path / "v2.gguf") as file:
        assert file.version == 2 and {name: file[name].tolist() for name in file} == {"b": [5], "f": [1.5], "h": [2.5]}


@pytest.mark.skipif(sys.platform != "linux", reason="/proc says what is mapped")
def test_what_is_mapped_and_let_go(tmp_path):
    path = tmp_path / "mapped.gguf"
    save_gguf({"x": lt.arange(10_000.0), "q": lt.ones(4, 64)}, path, formats={"q": "Q8_0"})
    content, handles = path.read_bytes(), len(os.listdir("/proc/self/fd"))
    with open_gguf(path) as file:
        x, q, groups = file["x"], file["q"], file.quantized("q")
        assert maps(path) >= 1 and file["x"].data_ptr() == x.data_ptr()
    x[0] = 5  # in this process only
    assert x[:2].tolist() == [5, 1] and path.read_bytes() == content
    save_gguf({"x": lt.zeros(10_000)}, path)  # beside the old one, which is still mapped
    assert x[9_999].item() == 9_999
    del x
    assert maps(path) == maps(f"{path} (deleted)") == 0 and q.shape == (4, 64) and groups.values.max().item() == 127
    with pytest.raises(ValueError, match=r"mapped\.gguf is closed"):
        file.get("x")
    with pytest.raises(ValueError, match=r"mapped\.gguf is closed"):
        file.quantized("q")
    for end in range(0, len(content), 997):
        path.write_bytes(content[:end])
        with pytest.raises(CheckpointError, match=r"mapped\.gguf"):
            load_gguf(path)
    assert maps(path) == 0 and len(os.listdir("/proc/self/fd")) == handles


def test_blocks_take_little_memory_beside_their_items(tmp_path):
    items, path = 1 << 22, tmp_path / "large.gguf"
    x = lt.full((1024, items // 1024), 2.0)
    tracemalloc.start()
    try:
        save_gguf({"w": x}, path, formats={"w": "Q8_0"})
        assert tracemalloc.get_traced_memory()[1] < 6_000_000
        tracemalloc.reset_peak()
        with open_gguf(path) as file:
            assert tracemalloc.get_traced_memory()[1] < 1_000_000
            assert file.get("w", F16).shape == x.shape
            assert 2 * items < tracemalloc.get_traced_memory()[1] < 2 * items + 3_000_000
            tracemalloc.reset_peak()
            assert file.quantized("w").values.shape == x.shape
            assert items < tracemalloc.get_traced_memory()[1] < items + items // 16 + 1_000_000
    finally:
        tracemalloc.stop()


def test_what_a_reader_refuses(tmp_path):
    save_gguf({"f": lt.ones(32), "q": lt.ones(32)}, tmp_path / "r.gguf", formats={"q": "Q8_0"})
    with open_gguf(tmp_path / "r.gguf") as file:
        with pytest.raises(CheckpointError, match=r"f in .*r\.gguf is of F32; it wants Q4_0, Q4_1, Q8_0"):
            file.quantized("f")
        with pytest.raises(TypeError, match="q is of Q8_0, whose items are floating-point; int8 is not"):
            file.get("q", I8)
        assert file.get("f", I8).tolist() == [1] * 32
    with pytest.raises(FileNotFoundError):
        load_gguf(tmp_path / "none")


NAN = float("nan")
REFUSED = {
    "a dtype": ({"t": lt.ones(2, dtype="complex64")}, {}, "t is lamina.complex64, which the format does not have"),
    "bools": ({"t": lt.ones(2, dtype="bool")}, {}, "t is lamina.bool"),
    "five dims": ({"t": lt.ones(1, 1, 1, 1, 1)}, {}, "t has 5 dims; the format has 4"),
    "no tensor": ({"t": np.ones(2)}, {}, "t is ndarray; it wants a tensor"),
    "a long name": ({"t" * 65: lt.ones(2)}, {}, "names are texts of at most 64 bytes"),
    "a name without UTF-8": ({"\ud800": lt.ones(2)}, {}, "has no UTF-8"),
    "a name that is a number": ({3: lt.ones(2)}, {}, "names are texts"),
    "a format for nothing": ({}, {"formats": {"t": "Q8_0"}}, "a format is given for 't'"),
    "another format": ({"t": lt.ones(32)}, {"formats": {"t": "Q4_K"}}, "as 'Q4_K'; it can be as 'Q8_0'"),
    "half a block": ({"t": lt.ones(2, 16)}, {"formats": {"t": "Q8_0"}}, r"shape \(2, 16\).*rows of a multiple of 32"),
    "a number in blocks": ({"t": lt.tensor(1.0)}, {"formats": {"t": "Q8_0"}}, r"shape \(\)"),
    "integers in blocks": ({"t": lt.ones(32, dtype=I8)}, {"formats": {"t": "Q8_0"}}, "floating-point items"),
    "NaN in blocks": ({"t": lt.full((32,), NAN)}, {"formats": {"t": "Q8_0"}}, "t has items that are infinite, NaN"),
    "infinity in blocks": ({"t": lt.full((32,), float("inf"))}, {"formats": {"t": "Q8_0"}}, "t has items that are infinite"),
    "beyond the scale": ({"t": lt.full((32,), 65520.0 * 127)}, {"formats": {"t": "Q8_0"}}, "beyond 65504"),
    "beyond float32": ({"t": lt.full((32,), 1e300, dtype="float64")}, {"formats": {"t": "Q8_0"}}, "beyond 65504"),
    "no text as key": ({}, {"metadata": {3: 3}}, "the key '3' of metadata"),
    "an empty key": ({}, {"metadata": {"": 3}}, "the key '' of metadata"),
    "a long key": ({}, {"metadata": {"k" * 65536: 3}}, "keys are texts of 1 to 65535 bytes"),
    "None": ({}, {"metadata": {"k": None}}, "the value of 'k' is NoneType"),
    "a dict": ({}, {"metadata": {"k": {}}}, "'k' is dict"),
    "several kinds": ({}, {"metadata": {"k": [1, "a"]}}, "'k' is a list of several kinds"),
    "bools and ints": ({}, {"metadata": {"k": [1, True]}}, "'k' is a list of several kinds"),
    "a large int": ({}, {"metadata": {"k": 2**64}}, "'k' has 18446744073709551616"),
    "a list of wide ints": ({}, {"metadata": {"k": [-1, 2**63]}}, "'k' has 9223372036854775808"),
    "a large float": ({}, {"metadata": {"k": 1e39}}, r"'k' is 1e\+39, which float32 does not hold"),
    "NumPy's halves": ({}, {"metadata": {"k": np.float16(1)}}, "'k' is of NumPy's float16"),
    "NumPy's texts": ({}, {"metadata": {"k": np.array(["a"])}}, "'k' is of NumPy's <U1"),
    "half a character": ({}, {"metadata": {"k": "\udfff"}}, "'k' has no UTF-8"),
    "an alignment of 12": ({}, {"metadata": {"general.alignment": 12}}, "general.alignment is 12"),
    "an alignment of 2**40": ({}, {"metadata": {"general.alignment": 2**40}}, "power of two from 8"),
    "an alignment that is a text": ({}, {"metadata": {"general.alignment": "32"}}, "general.alignment is '32'"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_writer_refuses(tmp_path, name):
    """And the old file stays."""
    tensors, more, says = REFUSED[name]
    path = tmp_path / "old.gguf"
    path.write_bytes(b"old")
    with pytest.raises(CheckpointError, match=f"save_gguf: .*{says}"):
        save_gguf(tensors, path, **more)
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["old.gguf"]


def test_lists_without_an_end_are_refused(tmp_path):
    endless = []
    endless.append(endless)
    with pytest.raises(CheckpointError, match="lists in lists more than 16 deep"):
        save_gguf({}, tmp_path / "e.gguf", {"k": endless})
