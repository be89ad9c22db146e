"""Files of PyTorch's formats that say little, or too much, and what is right in them; whole ones are read."""

import io
import struct
import sys
import zipfile

import numpy as np
import pytest
from hostile_files.pt_files import numpy_array, of_program, of_stream, rezipped, saved, stream, tensor, told

import lamina_tensor as lt
from lamina_flatarray import DTYPES, BackendError, CheckpointError, Device
from lamina_nn.files import load, load_run, save, save_run
from lamina_tensor.methods.memory.storage import Storage


def read(content, **options):
    return load(io.BytesIO(content), **options)


def test_the_plain_program_is_read():
    assert read(of_program(tensor())).tolist() == [0.0] * 6  # so the cases above fail for what is wrong in them


def test_the_plain_array_is_read():
    x = read(of_program(numpy_array()))
    assert x.dtype == np.float32 and x.tobytes() == b"\3" * 8


def test_bools_are_bools():
    with pytest.raises(CheckpointError, match="bytes other than 0 and 1"):
        read(of_program(tensor(told(b"BoolStorage")), b"\x02" * 24))


def test_a_view_of_a_storage_is_read():
    view = told().replace(b"tQ", b"X\1\0\0\0vK\2K\3\x87tQ")
    content = struct.pack("<Q6f", 6, *range(6))
    x = read(of_stream(tensor(view, size=b"K\x03\x85"), content=content))
    assert x.tolist() == [2, 3, 4]
    assert read(of_stream(tensor(), content=content)).tolist() == [0, 1, 2, 3, 4, 5]


def test_an_expanded_conjugate_is_not_blown_up():
    program = tensor(
        told(b"ComplexFloatStorage", count=b"K\x03"), size=b"(" + b"\x8a\x05\0\0\0\0\x01" + b"t", stride=b"K\0\x85",
        rest=b"\x89N}X\x04\0\0\0conj\x88s",
    )  # fmt: skip
    assert read(of_program(program)).shape == (1 << 32,)


def colliding(count):
    """Different tuples with one hash: -1 and -2 have the same, and a tuple's is made of those of its items."""
    return [tuple(-1 - (i >> bit & 1) for bit in range(12)) for i in range(count)]


@pytest.mark.parametrize("kind", ["keys", "items"])
def test_keys_of_one_hash_are_refused(tmp_path, kind):
    keys = colliding(4000)
    assert len(set(map(hash, keys))) == 1 and len(set(keys[:50])) == 50
    few = dict.fromkeys(keys[:50], 1) if kind == "keys" else set(keys[:50])
    save(few, tmp_path / "few")
    assert load(tmp_path / "few") == few
    many = dict.fromkeys(keys, 1) if kind == "keys" else set(keys)
    save(many, tmp_path / "many")
    with pytest.raises(CheckpointError, match=r"many, at byte .*have one hash"):
        load(tmp_path / "many")
    numbers = [k * (2**61 - 1) for k in range(-100, 101) if -4 <= k <= 8]
    save_run(tmp_path / "run", few=few, numbers=dict.fromkeys(numbers, 1))
    assert load_run(tmp_path / "run") == {"few": few, "numbers": dict.fromkeys(numbers, 1)}
    save_run(tmp_path / "run", many=many)
    with pytest.raises(CheckpointError, match=r"run is not .*have one hash"):
        load_run(tmp_path / "run")


def test_a_wrong_checksum():
    file = bytearray(saved())
    at = file.index(struct.pack("<f", 3.0))
    file[at] ^= 1
    with pytest.raises(CheckpointError, match="checksum"):
        read(bytes(file))


def test_a_file_without_checksums_is_read():
    file = saved()
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        for info in archive.infolist():
            file = file.replace(struct.pack("<I", info.CRC), b"\0\0\0\0")
    assert read(file).tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("cut", [0, 1, 3, 4, 100, 300, 500, -100, -22, -1])
def test_a_cut_file(tmp_path, cut):
    path = tmp_path / "x.pt"
    path.write_bytes(saved()[:cut])
    for mapped in (False, True):
        with pytest.raises(CheckpointError, match=r"not a whole zip|not a file of torch.save"):
            load(path, mmap=mapped)


def test_every_cut_of_a_file_from_before_1_6():
    file = stream()
    assert read(file)["x"].tolist() == [0, 1, 2, 3, 4, 5]
    for length in range(len(file)):
        with pytest.raises(CheckpointError):
            read(file[:length])


def test_the_other_byte_order():
    x = {"f": lt.arange(3.0), "c": lt.tensor([1 + 2j]), "b": lt.tensor([True]), "h": lt.arange(3).to(DTYPES["bfloat16"])}
    other = b"big" if sys.byteorder == "little" else b"little"
    widths = {"0": 4, "1": 4, "2": 1, "3": 2}

    def turned(name, data):
        width = widths.get(name.rpartition("/")[2]) if "/data/" in name else None
        return other if name.endswith("byteorder") else data if width is None else np.frombuffer(data, f"u{width}").byteswap().tobytes()

    back = read(rezipped(saved(x), turned))
    assert {k: v.tolist() for k, v in back.items()} == {k: v.tolist() for k, v in x.items()}


def with_location(location):
    held = io.BytesIO()
    save(lt.arange(3), held)
    other = bytes([len(location), 0, 0, 0]) + location
    return io.BytesIO(rezipped(held.getvalue(), lambda name, data: data.replace(b"\x03\0\0\0cpu", other)))


def test_places():
    there = with_location(b"cuda:1")
    with pytest.raises(CheckpointError, match=r"'cuda:1', which is not here .* map_location='cpu'"):
        load(there)
    seen = []
    for place in ("cpu", Device("cpu"), {"cuda:1": "cpu"}, lambda s, where: seen.append((s, where)) or s):
        there.seek(0)
        assert load(there, map_location=place).tolist() == [0, 1, 2]
    assert isinstance(seen[0][0], Storage) and seen[0][1] == "cuda:1"
    with pytest.raises(BackendError):
        load(there, map_location="nowhere")
