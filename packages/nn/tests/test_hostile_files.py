"""Files of PyTorch's format that are damaged or hostile: they are refused, run nothing, and take no more memory than they have."""

import io
import struct
import sys
import tracemalloc
import zipfile
import zlib
from collections import Counter, OrderedDict
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray import DTYPES, BackendError, CheckpointError, Device
from lamina_nn.files import load, load_run, save, save_run
from lamina_tensor.methods.memory.storage import Storage


def rezipped(file, change=lambda name, data: data, method=zipfile.ZIP_STORED, extra=()):
    """The archive, written anew with its records changed."""
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(file)) as old, zipfile.ZipFile(held, "w", method) as new:
        for info in old.infolist():
            new.writestr(info.filename, change(info.filename, old.read(info)))
        for name, data in extra:
            new.writestr(name, data)
    held.seek(0)
    return held


def saved(obj=None):
    held = io.BytesIO()
    save(lt.arange(6.0) if obj is None else obj, held)
    return held.getvalue()


def of_program(program, storage=b"\0" * 24):
    """An archive of any pickle, with one storage of 24 bytes."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as new:
        new.writestr("archive/data.pkl", b"\x80\x02" + program + b".")
        new.writestr("archive/data/0", storage)
    held.seek(0)
    return held


def told(kind=b"FloatStorage", key=b"0", count=b"K\x06"):
    return b"(U\x07storage".replace(b"U\x07", b"X\x07\0\0\0") + b"ctorch\n" + kind + b"\nX" + struct.pack("<I", len(key)) + key + (
        b"X\x03\0\0\0cpu" + count + b"tQ"
    )  # fmt: skip


def tensor(storage=told(), offset=b"K\0", size=b"K\x06\x85", stride=b"K\x01\x85", rest=b"\x89N"):
    return b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + offset + size + stride + rest + b"tR"


F4 = b"cnumpy\ndtype\n\x8c\x02f4\x89\x88\x87R"


def numpy_array(code=b"\x8c\x02f4", shape=b"K\x02\x85", data=b"C\x08" + b"\3" * 8):
    empty = b"cnumpy._core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85C\x01b\x87R"
    return empty + b"(K\x01" + shape + F4.replace(b"\x8c\x02f4", code) + b"\x89" + data + b"tb"


HUGE = b"\x8a\x08" + struct.pack("<q", 1 << 61)

PROGRAMS = {
    "os.system": (b"cos\nsystem\nX\x02\0\0\0ls\x85R", "names 'os.system', which is not on the closed list"),
    "builtins.eval": (b"c__builtin__\neval\nX\x01\0\0\x001\x85R", "names 'builtins.eval'"),
    "posix by the stack": (b"X\x05\0\0\0posixX\x06\0\0\0system\x93", "names 'posix.system'"),
    "an attribute of a name": (b"ctorch\nload.__globals__\n", "closed list"),
    "a name by itself": (b"ctorch\nFloatStorage\n", "only a value may stand"),
    "a name in a tuple in a list": (b"](ctorch\nFloatStorage\n\x85e", "only a value may stand"),
    "a storage by itself": (told(), "only a value may stand"),
    "a call of a value": (b"X\x02\0\0\0ls)R", "str cannot be called"),
    "an unknown opcode": (b"i", "opcode b'i'"),
    "an inst": (b"(ios\nsystem\n", "opcode b'i'"),
    "an extension": (b"\x82\x01", "opcode b'.x82'"),
    "a new object": (b"ccollections\nOrderedDict\n)\x81", "opcode b'.x81'"),
    "an empty stack": (b"", "no value"),
    "a pop across a mark": (b"K\x01(0", "no value"),
    "no mark": (b"K\x01t", "no mark"),
    "an unkept number": (b"h\x05", "number 5"),
    "a huge memo number": (b"K\x01r\xff\xff\xff\xffj\xfe\xff\xff\xff", "number 4294967294"),
    "a huge text": (b"X\xff\xff\xff\xff", "cut off: 4294967295"),
    "huge bytes": (b"\x8e" + b"\xff" * 8, "cut off: 18446744073709551615"),
    "a huge int": (b"\x8b\xff\xff\xff\x7f", "cut off: 2147483647"),
    "text that is none": (b"X\x01\0\0\0\xff", "utf-8"),
    "protocol 9": (b"\x80\x09", "protocol 9"),
    "an unhashable key": (b"}]K\x01s", "list found as a key"),
    "a key without a value": (b"}(K\x01u", "without a value"),
    "an item for a dict": (b"}K\x01a", "dict found; list wanted"),
    "bytes in utf-7": (b"c_codecs\nencode\nX\x01\0\0\x001X\x05\0\0\0utf-7\x86R", "latin1"),
    "zeros by their number": (b"c__builtin__\nbytearray\n\x8a\x05\xff\xff\xff\xff\x00\x85R", "int found where bytes"),
    "attributes of a dict": (b"ccollections\nOrderedDict\n)R}X\x05\0\0\0itemsK\x01sb", "attributes"),
    "another storage": (tensor(told(key=b"1")), "no record 'data/1'"),
    "a path out": (tensor(told(key=b"../../data.pkl")), "no record"),
    "a short storage": (tensor(told(count=b"K\x07")), "has 24 bytes; 7 items"),
    "a huge storage": (tensor(told(count=HUGE)), "has 24 bytes"),
    "a short storage for doubles": (tensor(told(b"DoubleStorage")), "has 24 bytes; 6 items"),
    "a tensor beyond its storage": (tensor(size=b"K\x07\x85"), "wants more than the 6 items"),
    "an offset beyond": (tensor(offset=b"K\x01"), "wants more than the 6 items"),
    "an empty one far away": (tensor(offset=b"K\x07", size=b"K\0\x85"), "wants more than the 6 items"),
    "a stride beyond": (tensor(size=b"K\x02\x85", stride=b"K\x06\x85"), "wants more than the 6 items"),
    "a negative stride": (tensor(stride=b"J\xff\xff\xff\xff\x85"), "negative"),
    "a negative length": (tensor(size=b"J\xff\xff\xff\xff\x85"), "negative"),
    "too many items": (tensor(size=b"(" + HUGE * 3 + b"t", stride=b"(K\0K\0K\0t"), "too many items"),
    "more strides than lengths": (tensor(stride=b"K\x01K\x01\x86"), "zip"),
    "a length that is True": (tensor(size=b"\x88\x85"), "no int"),
    "gradients of ints": (tensor(told(b"LongStorage", count=b"K\x03"), size=b"K\x03\x85", rest=b"\x88N"), "grad"),
    "a tensor of a name": (tensor(b"ctorch\nFloatStorage\n"), "no storage"),
    "a NumPy array of objects": (numpy_array(b"\x8c\x02O8"), "only numeric ones"),
    "a NumPy array of too many items": (numpy_array(shape=HUGE + b"\x85"), "8 bytes for a NumPy array"),
    "a NumPy array of negative length": (numpy_array(shape=b"J\xff\xff\xff\xff\x85"), "a shape that is none"),
    "a NumPy array of a list": (numpy_array(data=b"]"), "list found where the bytes"),
    "a NumPy array of wrong bools": (numpy_array(b"\x8c\x02b1", shape=b"K\x08\x85"), "other than 0 and 1"),
    "a NumPy array without a state": (numpy_array() + b"K\x01b", "a state that is none"),
    "a NumPy array of a matrix": (b"cnumpy\nmatrix\n", "names 'numpy.matrix'"),
    "a NumPy dtype by itself": (b"cnumpy\ndtype\n\x8c\x02f4\x89\x88\x87R", "only a value may stand"),
    "a NumPy dtype with fields": (b"cnumpy\ndtype\n\x8c\x02f4\x89\x88\x87R(K\x03\x8c\x01<N)}J\xff\xff\xff\xffK\1K\0tb", "state of another"),
    "a NumPy scalar that is cut off": (b"cnumpy._core.multiarray\nscalar\n" + F4 + b"C\x02ab\x86R", "2 bytes for a NumPy"),
    "a dtype that is not here": (b"ctorch\nfloat8_e4m3fn\n", "names 'torch.float8_e4m3fn'"),
}  # fmt: skip


@pytest.mark.parametrize("case", PROGRAMS)
def test_hostile_programs(case):
    program, message = PROGRAMS[case]
    for weights_only in (True, False):
        with pytest.raises(CheckpointError, match=message):
            load(of_program(program), weights_only=weights_only)


def test_the_plain_program_is_read():
    assert load(of_program(tensor())).tolist() == [0.0] * 6  # so the cases above fail for what is wrong in them


def test_the_plain_array_is_read():
    x = load(of_program(numpy_array()))
    assert x.dtype == np.float32 and x.tobytes() == b"\3" * 8


def test_bools_are_bools():
    with pytest.raises(CheckpointError, match="bytes other than 0 and 1"):
        load(of_program(tensor(told(b"BoolStorage")), b"\x02" * 24))


TEXT = b"X" + struct.pack("<I", 100_000) + b"a" * 100_000
MANY = b"](" + b"".join(b"J" + struct.pack("<i", i) for i in range(20_000)) + b"e"

BOMBS = {
    "bytes again and again": TEXT + b"q\0](" + b"c_codecs\nencode\nh\0X\x06\0\0\0latin1\x86R" * 2000 + b"e",
    "sets of one list": MANY + b"q\0](" + b"c__builtin__\nset\nh\0\x85R" * 2000 + b"e",
    "tuples of tuples as a key": b")" + b"q\0h\0\x86" * 40 + b"q\x01}h\x01K\x01s",
    "tuples of tuples deep as a key": b")" + b"\x85" * 200_000 + b"q\x01}h\x01K\x01s",
    "one long tuple as many keys": b"(" + b"K\x01" * 50_000 + b"tq\0}(" + b"h\0K\x01" * 20_000 + b"u",
    "complex numbers of one hash": b"c__builtin__\ncomplex\nq\0](" + b"".join(
        b"h\0G" + struct.pack(">d", -1000003.0 * i) + b"G" + struct.pack(">d", i) + b"\x86R" for i in range(20_000)
    ) + b"eq\x01c__builtin__\nset\nh\x01\x85R",
    "arrays of the same bytes": TEXT.replace(b"X", b"B", 1) + b"q\0](" + numpy_array(shape=b"M\xa8\x61\x85", data=b"h\0") * 2000 + b"e",
    "conjugates of one storage": b"](" + b"".join(
        tensor(told(b"ComplexFloatStorage", count=b"K\x03"), size=b"K\x03\x85", rest=b"\x89N}X\x04\0\0\0conj\x88s").replace(
            b"K\0", b"K" + bytes([i % 3]), 1
        ).replace(b"K\x03\x85", b"K\x01\x85") for i in range(2000)
    ) + b"e",
}  # fmt: skip


@pytest.mark.parametrize("case", BOMBS)
def test_bombs(case):
    file = of_program(BOMBS[case])
    length = len(file.getvalue())
    tracemalloc.start()
    with suppress(CheckpointError):
        load(file)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 128 * length + 4_000_000


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


def test_an_expanded_conjugate_is_not_blown_up():
    program = tensor(
        told(b"ComplexFloatStorage", count=b"K\x03"), size=b"(" + b"\x8a\x05\0\0\0\0\x01" + b"t", stride=b"K\0\x85",
        rest=b"\x89N}X\x04\0\0\0conj\x88s",
    )  # fmt: skip
    assert load(of_program(program)).shape == (1 << 32,)


def test_a_wrong_checksum():
    file = bytearray(saved())
    at = file.index(struct.pack("<f", 3.0))
    file[at] ^= 1
    with pytest.raises(CheckpointError, match="checksum"):
        load(io.BytesIO(bytes(file)))


def test_a_file_without_checksums_is_read():
    file = saved()
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        for info in archive.infolist():
            file = file.replace(struct.pack("<I", info.CRC), b"\0\0\0\0")
    assert load(io.BytesIO(file)).tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("cut", [0, 1, 3, 4, 100, 300, 500, -100, -22, -1])
def test_a_cut_file(tmp_path, cut):
    path = tmp_path / "x.pt"
    path.write_bytes(saved()[:cut])
    for mapped in (False, True):
        with pytest.raises(CheckpointError, match=r"not a whole zip|not a file of torch.save"):
            load(path, mmap=mapped)


def test_archives_of_other_kinds():
    with pytest.raises(CheckpointError, match=r"compressed"):
        load(rezipped(saved({"zeros": lt.zeros(100_000)}), method=zipfile.ZIP_DEFLATED))
    with pytest.raises(CheckpointError, match="TorchScript"):
        load(rezipped(saved(), extra=[("archive/constants.pkl", b"")]))
    with pytest.raises(CheckpointError, match=r"2 records data.pkl"):
        load(rezipped(saved(), extra=[("other/data.pkl", b"")]))
    with pytest.raises(CheckpointError, match="byte order"):
        load(rezipped(saved(), lambda name, data: b"middle" if name.endswith("byteorder") else data))
    with pytest.raises(CheckpointError, match=r"tar archive"):
        load(io.BytesIO(b"sys_info".ljust(257, b"\0") + b"ustar" + b"\0" * 1000))
    with pytest.raises(CheckpointError, match=r"begins with b'\\x93NUMPY"):
        load(io.BytesIO(b"\x93NUMPY" + b"\0" * 100))
    with pytest.warns(UserWarning, match="Duplicate"):
        twice = rezipped(saved(), extra=[("archive/data/0", b"\0" * 24)])
    with pytest.raises(CheckpointError, match="twice"):
        load(twice)


def stream(obj=None):
    """A file in the format before 1.6."""
    held = io.BytesIO()
    save({"x": lt.arange(6.0), "y": lt.ones(3)} if obj is None else obj, held, _use_new_zipfile_serialization=False)
    return held.getvalue()


def of_stream(program, keys=b"](X\x01\0\0\x000e", content=struct.pack("<Q", 6) + b"\0" * 24):
    """A file in the format before 1.6 of any pickle."""
    start = stream()[: stream().index(b"X\x01\0\0\0x") - 6]
    return io.BytesIO(start[: start.rindex(b".") + 1] + b"\x80\x02" + program + b".\x80\x02" + keys + b"." + content)


STREAMS = {
    "a name": (of_stream(b"cos\nsystem\nX\x02\0\0\0ls\x85R"), "names 'os.system'"),
    "a module with its source": (of_stream(b"(X\6\0\0\0moduleNNNtQ"), "no storage"),
    "a huge storage": (of_stream(tensor(told(count=HUGE))), "more bytes than the file has"),
    "many storages": (of_stream(b"](" + b"".join(tensor(told(key=b"%d" % i, count=b"K\x3c")) for i in range(99)) + b"e"), "more bytes"),
    "another length": (of_stream(tensor(), content=struct.pack("<Q", 7) + b"\0" * 28), "7 items in its storage 0"),
    "a cut storage": (of_stream(tensor(), content=struct.pack("<Q", 6) + b"\0" * 23), "cut off within its storage"),
    "no keys": (of_stream(tensor(), keys=b"]"), "list of storages"),
    "keys twice": (of_stream(tensor(), keys=b"](" + b"X\x01\0\0\x000" * 2 + b"e"), "list of storages"),
    "keys of another kind": (of_stream(tensor(), keys=b"](K\0e"), "list of storages"),
    "a view beyond": (of_stream(tensor(told().replace(b"tQ", b"X\1\0\0\0vK\4K\3\x87tQ"))), "a view of items 4 to 7"),
    "a view that is none": (of_stream(tensor(told().replace(b"tQ", b"X\1\0\0\0vN\x86tQ"))), "a view of a storage by"),
    "a tensor beyond its view": (of_stream(tensor(told().replace(b"tQ", b"X\1\0\0\0vK\4K\2\x87tQ"))), "more than the 2 items"),
    "wrong bools": (of_stream(tensor(told(b"BoolStorage")), content=struct.pack("<Q", 6) + b"\2" * 6), "other than 0 and 1"),
    "a bare pickle": (io.BytesIO(b"\x80\x02K\x01."), "not of torch.save"),
    "another version": (io.BytesIO(stream().replace(b"M\xe9\x03.", b"M\xea\x03.", 1)), "unknown version"),
}  # fmt: skip


@pytest.mark.parametrize("case", STREAMS)
def test_hostile_files_from_before_1_6(case):
    file, message = STREAMS[case]
    with pytest.raises(CheckpointError, match=message):
        load(file)


def test_a_view_of_a_storage_is_read():
    view = told().replace(b"tQ", b"X\1\0\0\0vK\2K\3\x87tQ")
    content = struct.pack("<Q6f", 6, *range(6))
    x = load(of_stream(tensor(view, size=b"K\x03\x85"), content=content))
    assert x.tolist() == [2, 3, 4]
    assert load(of_stream(tensor(), content=content)).tolist() == [0, 1, 2, 3, 4, 5]


def test_every_cut_of_a_file_from_before_1_6():
    file = stream()
    assert load(io.BytesIO(file))["x"].tolist() == [0, 1, 2, 3, 4, 5]
    for length in range(len(file)):
        with pytest.raises(CheckpointError):
            load(io.BytesIO(file[:length]))


def test_overlapping_records():
    """Two entries of the directory that point to the same bytes (a quine of a bomb)."""
    header = struct.pack("<4s5H3I2H", b"PK\x03\x04", 0, 0, 0, 0, 0, zlib.crc32(b"abcd"), 4, 4, 16, 0) + b"archive/data.pkl"
    entries = b""
    for name in (b"archive/data.pkl", b"archive/data/000"):
        entries += struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 0, 0, 0, 0, 0, 0, zlib.crc32(b"abcd"), 4, 4, 16, 0, 0, 0, 0, 0, 0) + name
    body = header + b"abcd"
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 2, 2, len(entries), len(body), 0)
    with pytest.raises(CheckpointError, match=r"overlaps|not where"):
        load(io.BytesIO(body + entries + end))


def test_the_other_byte_order():
    x = {"f": lt.arange(3.0), "c": lt.tensor([1 + 2j]), "b": lt.tensor([True]), "h": lt.arange(3).to(DTYPES["bfloat16"])}
    other = b"big" if sys.byteorder == "little" else b"little"
    widths = {"0": 4, "1": 4, "2": 1, "3": 2}

    def turned(name, data):
        width = widths.get(name.rpartition("/")[2]) if "/data/" in name else None
        return other if name.endswith("byteorder") else data if width is None else np.frombuffer(data, f"u{width}").byteswap().tobytes()

    back = load(rezipped(saved(x), turned))
    assert {k: v.tolist() for k, v in back.items()} == {k: v.tolist() for k, v in x.items()}


def with_location(location):
    held = io.BytesIO()
    save(lt.arange(3), held)
    return rezipped(held.getvalue(), lambda name, data: data.replace(b"\x03\0\0\0cpu", bytes([len(location), 0, 0, 0]) + location))


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


# -- any wrong byte -----------------------------------------------------------------------------------------------------

VALID = saved({
    "x": lt.arange(6.0), "y": [lt.ones(2, 3, dtype=DTYPES["bfloat16"]).t(), nn.Parameter(lt.zeros(2))], "n": (1, 2.5, None, "text"),
    "s": {1, 2}, "o": OrderedDict(a=b"bytes"), "z": Counter("aab"), "size": lt.Size([1, 2]), "u": lt.ones(2, dtype=DTYPES["uint16"]),
})  # fmt: skip
SAME = repr(load(io.BytesIO(VALID)))
PICKLE = bytes(zipfile.ZipFile(io.BytesIO(VALID)).read("archive/data.pkl"))

Edit = st.tuples(st.sampled_from(["set", "cut", "drop", "insert"]), st.integers(0, 1 << 30), st.binary(min_size=1, max_size=8))


def edited(data, edits):
    data = bytearray(data)
    for how, at, what in edits:
        at %= len(data) + 1
        if how == "set":
            data[at : at + len(what)] = what
        elif how == "insert":
            data[at:at] = what
        elif how == "drop":
            del data[at : at + len(what)]
        else:
            del data[max(at, 1) :]
    return bytes(data)


def read_or_refused(file):
    """What a file gives, if anything, in bounded memory; no other error comes out."""
    tracemalloc.start()
    try:
        return load(io.BytesIO(file))
    except CheckpointError:
        return None
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 2_000_000 + 100 * len(file)


@settings(max_examples=400, deadline=None)
@given(st.lists(Edit, min_size=1, max_size=4))
def test_any_change_to_a_file(edits):
    read_or_refused(edited(VALID, edits))


@settings(max_examples=800, deadline=None)
@given(st.lists(Edit, min_size=1, max_size=6))
@example([("set", 1 << 20, b"x")])
def test_any_change_to_its_pickle(edits):
    """The checksums being right."""
    changed = edited(PICKLE, edits)
    read_or_refused(rezipped(VALID, lambda name, data: changed if name.endswith("data.pkl") else data).getvalue())


def test_every_byte_of_the_archive_matters_or_does_not():
    """One wrong byte gives the same content or a CheckpointError, since all that is read has a checksum."""
    for at in range(0, len(VALID), 7):
        file = bytearray(VALID)
        file[at] ^= 0x55
        with suppress(CheckpointError):
            assert repr(load(io.BytesIO(bytes(file)))) == SAME
