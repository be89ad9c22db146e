"""Files: what is written is read again, by NumPy too; what is damaged or hostile is refused by name."""

import gc
import io
import os
import pickle
import struct
import sys
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lamina_ndarray as nd
from lamina_flatarray import CheckpointError, DTypeError, ShapeError
from lamina_flatarray.dtypes import DTYPES
from lamina_ndarray import files
from lamina_ndarray.files.replacing import replacing

PLAIN = [name for name in DTYPES if name != "bfloat16"]


def some(dtype: str) -> nd.NDArray:
    return nd.transpose(nd.astype(nd.reshape(nd.arange(6), (2, 3)), dtype))


# -- NumPy's files ---


@pytest.mark.parametrize("dtype", PLAIN)
def test_npy_there_and_back_and_by_numpy(tmp_path, dtype):
    path = tmp_path / "a.npy"
    files.save(path, some(dtype))
    back, theirs = files.load(path), np.load(path)
    assert (back.dtype.name, back.tolist()) == (dtype, some(dtype).tolist())
    assert (theirs.dtype, theirs.tolist()) == (some(dtype).dtype.numpy, some(dtype).tolist())
    np.save(path, np.asfortranarray(theirs))
    assert files.load(path).tolist() == some(dtype).tolist()


@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (1, 1), (2, 3, 4)])
def test_shapes(tmp_path, shape):
    x = nd.zeros(shape, dtype=nd.int16)
    files.save(tmp_path / "x", x)  # ".npy" is added, as by NumPy
    assert os.listdir(tmp_path) == ["x.npy"]
    assert files.load(tmp_path / "x.npy").shape == shape
    held = io.BytesIO()
    files.save(held, x)
    held.seek(0)
    assert files.load(held).shape == shape


def test_other_byte_orders_and_versions_are_read(tmp_path):
    path = tmp_path / "a.npy"
    np.save(path, np.arange(5, dtype=">i4"))
    assert files.load(path).tolist() == [0, 1, 2, 3, 4]
    for version in ((1, 0), (2, 0), (3, 0)):
        with open(path, "wb") as f:
            np.lib.format.write_array(f, np.arange(3.0), version=version)
        assert files.load(path).tolist() == [0.0, 1.0, 2.0]


@pytest.mark.parametrize("write", [files.savez, files.savez_compressed])
def test_npz(tmp_path, write):
    path = tmp_path / "several"
    write(path, nd.arange(3), [1.5], name=some("float16"), file_name=nd.ones(()))
    back = files.load(f"{path}.npz")
    assert sorted(back) == ["arr_0", "arr_1", "file_name", "name"]
    assert back["name"].tolist() == some("float16").tolist() and back["name"].dtype is nd.float16
    with np.load(f"{path}.npz") as theirs:
        assert theirs["arr_1"].tolist() == [1.5]
    held = io.BytesIO()
    write(held, nd.ones((2,)))
    held.seek(0)
    assert files.load(held)["arr_0"].tolist() == [1, 1]
    with pytest.raises(ValueError, match="arr_0"):
        write(path, nd.ones(()), arr_0=nd.ones(()))


def test_what_the_format_does_not_have_is_refused(tmp_path):
    with pytest.raises(DTypeError, match=r"bfloat16.*save_safetensors"):
        files.save(tmp_path / "b", nd.ones((2,), dtype=nd.bfloat16))
    with pytest.raises(DTypeError, match="name: bfloat16"):
        files.savez(tmp_path / "b", name=nd.ones((2,), dtype=nd.bfloat16))
    with pytest.raises(DTypeError, match="pickled"):
        files.save(tmp_path / "o", np.array([{}], dtype=object))
    assert os.listdir(tmp_path) == []


class Bomb:
    def __reduce__(self):
        return (os.system, ("echo it ran > ran",))


def test_nothing_is_ever_unpickled(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("o.npy", np.array([Bomb()], dtype=object), allow_pickle=True)
    np.savez("o.npz", a=np.array([Bomb()], dtype=object), allow_pickle=True)
    (tmp_path / "p.npy").write_bytes(pickle.dumps(Bomb()))
    for name, says in (("o.npy", "pickle"), ("o.npz", "pickle"), ("p.npy", "neither")):
        with pytest.raises(CheckpointError, match=says):
            files.load(name)
    assert not (tmp_path / "ran").exists()


def npy(header: str, body: bytes = b"", length: int | None = None) -> bytes:
    text = header.encode("latin-1")
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text) if length is None else length) + text + body


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\x93NUM", b"\x93NUMPY\x01\x00", b"\x93NUMPY\x09\x00\x10\x00{}", b"PK\x03\x04", b"PK\x05\x06" + b"\0" * 5,
        npy("{}"), npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", b"\0" * 11),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,)}", b"\0" * 8),  # 4 TB, it claims
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}", b"\0" * 12),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (True,)}", b"\0" * 12),
        npy("{'descr': '<f4', 'fortran_order': 1, 'shape': (3,)}", b"\0" * 12),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': [3]}", b"\0" * 12),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}", b"\0" * 12),
        npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,)}", b"\0" * 12),
        npy("{'descr': '<M8[s]', 'fortran_order': False, 'shape': (1,)}", b"\0" * 8),
        npy("{'descr': '<U4', 'fortran_order': False, 'shape': (1,)}", b"\0" * 16),
        npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", pickle.dumps(1)),
        npy("{'descr': '|V2', 'fortran_order': False, 'shape': (1,)}", b"\0" * 2),
        npy("{'descr': __import__('os').getcwd(), 'fortran_order': False, 'shape': (1,)}", b"\0" * 4),
        npy("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", b"\0\1\2"),
        npy(f"{{'descr': '<f4', 'fortran_order': False, 'shape': {(1,) * 65}}}", b"\0" * 4),
        npy(f"{{'descr': '<f4', 'fortran_order': False, 'shape': {(0, 2**61, 2**61)}}}"),
        npy("(" * 5000, b""), npy("-" * 9000 + "1"), npy("{'descr'", b"", 60000), npy("\xff\xfe"),
    ],
)  # fmt: skip
def test_damaged_and_hostile_files_are_refused_by_name(tmp_path, content):
    path = tmp_path / "wrong.npy"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"wrong\.npy"):
        files.load(path)


def test_bfloat16_saved_by_numpy_is_told_apart(tmp_path):
    path = tmp_path / "b.npy"
    np.save(path, np.ones(2, nd.bfloat16.numpy))
    with pytest.raises(CheckpointError, match=r"bfloat16.*save_safetensors"):
        files.load(path)


def archive(**members: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as z:
        for name, content in members.items():
            z.writestr(name.replace("__", "."), content)
    return held.getvalue()


GOOD = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", b"\0" * 12)


@pytest.mark.parametrize(
    "content",
    [archive(a__txt=b"x"), archive(a__npy=GOOD + b"more"), archive(a__npy=GOOD[:-1]), archive(a__npy=b""), archive(a__npy=GOOD)[:-9]],
    ids=["other members", "more bytes", "fewer bytes", "no bytes", "cut off"],
)
def test_archives_of_other_things_are_refused(tmp_path, content):
    path = tmp_path / "wrong.npz"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"wrong\.npz"):
        files.load(path)


def test_the_caller_allows_more_to_be_unpacked(tmp_path):
    path = tmp_path / "zeros.npz"
    files.savez_compressed(path, a=np.zeros(40 << 20, np.uint8), b=np.zeros(30 << 20, np.uint8))
    with pytest.raises(CheckpointError, match=r"b\.npy takes 31457280 bytes unpacked, and the whole file may take 67108864; .*unpacked"):
        files.load(path)
    assert files.load(path, max_unpacked=70 << 20)["b"].shape == (30 << 20,)
    files.savez(path, a=nd.zeros((10,)))
    with pytest.raises(CheckpointError, match="may take 39"):
        files.load(path, max_unpacked=39)


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_wrong_bytes_anywhere_never_do_worse_than_an_error(data):
    held = io.BytesIO()
    if data.draw(st.booleans()):
        files.savez_compressed(held, nd.arange(50), b=some("float32"))
    else:
        files.save(held, nd.arange(50))
    content = bytearray(held.getvalue())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    content = content[: data.draw(st.integers(len(content) // 2, len(content)))]
    try:
        files.load(io.BytesIO(bytes(content)))
    except CheckpointError as error:
        assert "load" in str(error)


def test_a_mapped_file(tmp_path):
    path = tmp_path / "m.npy"
    files.save(path, nd.reshape(nd.arange(6), (2, 3)))
    private = files.load(path, "c")
    private[0, 0] = 9
    assert private.tolist() == [[9, 1, 2], [3, 4, 5]]
    shared = files.load(path, "r+")
    shared[1, 2] = 7
    assert np.load(path).tolist() == [[0, 1, 2], [3, 4, 7]]
    np.save(path, np.asfortranarray(np.arange(6.0).reshape(2, 3)))
    assert files.load(path, "c").tolist() == [[0, 1, 2], [3, 4, 5]]
    assert files.load(path, "c").strides == (1, 2)
    np.save(path, np.arange(3, dtype=">f8"))
    with pytest.raises(CheckpointError, match="byte order"):
        files.load(path, "c")
    path.write_bytes(GOOD[:-1])
    with pytest.raises(CheckpointError, match="cut off"):
        files.load(path, "c")
    path.write_bytes(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}", b"\0" * 24))
    assert files.load(path).tolist() == [0, 0, 0]
    with pytest.raises(CheckpointError, match=r"m\.npy cannot be mapped \(from_file: offset 65"):
        files.load(path, "c")
    path.write_bytes(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", b"\0\1\2"))
    with pytest.raises(CheckpointError, match="its byte 2 is 2"):
        files.load(path, "c")
    with pytest.raises(ValueError, match="mmap_mode 'w'"):
        files.load(path, "w")


# -- replacing ---


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.npy"
    files.save(path, nd.arange(3))
    path.chmod(0o640)
    with pytest.raises(ZeroDivisionError), replacing(path) as file:
        file.write(b"half")
        1 / 0
    assert files.load(path).tolist() == [0, 1, 2]
    files.save(path, nd.arange(4))
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["a.npy"]
    with pytest.raises(FileNotFoundError):
        files.save(tmp_path / "no folder" / "a.npy", nd.arange(3))


# -- raw files and buffers ---


def test_from_file(tmp_path):
    path = tmp_path / "raw"
    path.write_bytes(np.arange(10, dtype=np.int16).tobytes())
    assert nd.from_file(path, dtype=nd.int16).tolist() == list(range(10))
    part = nd.from_file(path, (2, 3), dtype=nd.int16, offset=4)
    assert part.tolist() == [[2, 3, 4], [5, 6, 7]]
    part[0, 0] = 99
    assert nd.from_file(path, dtype=nd.int16).tolist() == list(range(10))
    shared = nd.from_file(path, 12, dtype=nd.int16, shared=True)
    shared[11] = 5
    assert nd.from_file(path, dtype=nd.int16).tolist() == [*range(10), 0, 5]
    assert nd.from_file(tmp_path / "new", (2, 2), shared=True).tolist() == [[0, 0], [0, 0]]
    assert nd.from_file(path, 0).shape == (0,)
    for call, error in (
        (lambda: nd.from_file(path, 100), CheckpointError), (lambda: nd.from_file(path, dtype=nd.complex128), CheckpointError),
        (lambda: nd.from_file(path, 1, offset=2), ShapeError), (lambda: nd.from_file(path, -1), ShapeError),
        (lambda: nd.from_file(path, 1, offset=-4), ShapeError), (lambda: nd.from_file(tmp_path / "none"), FileNotFoundError),
    ):  # fmt: skip
        with pytest.raises(error):
            call()


def test_frombuffer():
    data = bytearray(range(16))
    x = nd.frombuffer(data, dtype=nd.uint8, count=4, offset=2)
    x[0] = 99
    assert data[2] == 99
    assert nd.frombuffer(data, dtype=nd.uint16, offset=1, count=2).tolist() == [1 + 99 * 256, 3 + 4 * 256]
    constant = nd.frombuffer(b"\0\0\0\0", dtype=nd.int32)
    constant[0] = 1
    assert nd.frombuffer(memoryview(data)[4:], dtype=nd.uint8).shape == (12,)
    for params in ({"offset": 16}, {"offset": -1}, {"count": 0}, {"count": 17}, {"dtype": nd.int64, "offset": 1}):
        with pytest.raises(ShapeError, match="frombuffer"):
            nd.frombuffer(data, **{"dtype": nd.uint8, **params})
    with pytest.raises(ShapeError, match="gaps"):
        nd.frombuffer(memoryview(data)[::2], dtype=nd.uint8)
    with pytest.raises(TypeError):
        nd.frombuffer(3, dtype=nd.uint8)


# -- safetensors ---


def test_safetensors_there_and_back(tmp_path):
    pytest.importorskip("safetensors", reason="the extra `files` is not installed")
    path = tmp_path / "a.safetensors"
    arrays = {name: some(name) for name in DTYPES if name != "complex128"}
    arrays["empty"], arrays["number"] = nd.zeros((0, 3)), nd.full((), 2.5)
    files.save_safetensors(arrays, path, {"made": "by hand"})
    back = files.load_safetensors(path)
    assert back.keys() == arrays.keys()
    for name, array in arrays.items():
        assert (back[name].dtype, back[name].shape) == (array.dtype, array.shape)
        assert back[name].tolist() == array.tolist()
    with files.open_safetensors(path) as file:
        assert set(file) == set(arrays) and len(file) == len(arrays) and file.metadata == {"made": "by hand"}
        assert (file.shape("int8"), file.dtype("int8")) == ((3, 2), nd.int8)
        assert file["number"].item() == 2.5
        with pytest.raises(KeyError):
            file["none"]
    with pytest.raises(CheckpointError, match="complex128"):
        files.save_safetensors({"z": nd.zeros((1,), dtype=nd.complex128)}, path)
    assert len(files.load_safetensors(path)) == len(arrays)
    with pytest.raises(FileNotFoundError):
        files.load_safetensors(tmp_path / "none")


@pytest.mark.parametrize("mmap", [None, True, False])
def test_safetensors_are_mapped_or_read(tmp_path, mmap):
    pytest.importorskip("safetensors", reason="the extra `files` is not installed")
    path = tmp_path / "m.safetensors"
    files.save_safetensors({"x": nd.arange(1000), "flags": nd.ones(3, dtype=nd.bool), "none": nd.zeros((0, 2))}, path)
    before = path.read_bytes()
    with files.open_safetensors(path, mmap=mmap) as file:
        x, again = file["x"], file["x"]
    x[0] = 7  # in this process only
    assert path.read_bytes() == before
    mapped = sys.platform != "win32" if mmap is None else mmap
    assert again[0].item() == (7 if mapped else 0)  # a part of the same map
    with pytest.raises(ValueError, match="closed"):
        file["x"]
    if mapped and sys.platform == "linux":
        files.save_safetensors({"x": nd.zeros(3)}, path)  # beside the old one, which is still mapped
        assert x[999].item() == 999
        with open("/proc/self/maps") as maps:
            assert sum("m.safetensors (deleted)" in line for line in maps) == 1
        del x, again
        gc.collect()
        with open("/proc/self/maps") as maps:
            assert "m.safetensors" not in maps.read()


def stored(header: bytes, body: bytes = b"", length: int | None = None) -> bytes:
    return struct.pack("<Q", len(header) if length is None else length) + header + body


@pytest.mark.parametrize(
    "content",
    [
        stored(b'{"a":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]}}', b"\0\1\2"),
        b"", b"\0" * 7, stored(b"{}", length=2**62), stored(b"["), stored(b"[]"), stored(b'{"a":1}'),
        stored(b'{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}}', b"\0" * 11),
        stored(b'{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,12]}}', b"\0" * 12),
        stored(b'{"a":{"dtype":"F32","shape":[3],"data_offsets":[4,16]}}', b"\0" * 16),
        stored(b'{"a":{"dtype":"F32","shape":[3],"data_offsets":[12,0]}}', b"\0" * 12),
        stored(b'{"a":{"dtype":"F32","shape":[4611686018427387905],"data_offsets":[0,4]}}', b"\0" * 4),
        stored(b'{"a":{"dtype":"WHAT","shape":[3],"data_offsets":[0,12]}}', b"\0" * 12),
        stored(b'{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}', b"\0" * 12),
    ],
)  # fmt: skip
def test_wrong_safetensors_are_refused_by_name(tmp_path, content):
    pytest.importorskip("safetensors", reason="the extra `files` is not installed")
    path = tmp_path / "wrong.safetensors"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"wrong\.safetensors"):
        files.load_safetensors(path)


def test_a_dtype_that_lamina_lacks_is_named(tmp_path):
    pytest.importorskip("safetensors", reason="the extra `files` is not installed")
    path = tmp_path / "f8.safetensors"
    path.write_bytes(stored(b'{"a":{"dtype":"F8_E4M3","shape":[3],"data_offsets":[0,3]},'
                            b'"b":{"dtype":"U8","shape":[1],"data_offsets":[3,4]}}', b"\0\0\0\7"))
    with files.open_safetensors(path) as file:
        assert file["b"].tolist() == [7]
        with pytest.raises(CheckpointError, match=r"a in .* has dtype F8_E4M3"):
            file["a"]


def test_the_missing_library_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "safetensors", None)
    files.save_safetensors({"a": nd.ones((2,))}, tmp_path / "a")  # which wants no library
    with pytest.raises(ModuleNotFoundError, match=r"lamina-ndarray\[files\]"):
        files.load_safetensors(tmp_path / "a")
