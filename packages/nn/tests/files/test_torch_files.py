"""PyTorch's files without PyTorch: what is saved comes back, and what cannot be saved leaves the old file."""

import io
import os
import zipfile
from collections import Counter, OrderedDict, namedtuple

import numpy as np
import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray import DTYPES, CheckpointError, Device
from lamina_flatarray.dtypes import STORED
from lamina_nn.files import archive_writing, load, save
from lamina_nn.optim import Adam
from lamina_tensor.devices.memory_formats import strided


def there_and_back(obj):
    held = io.BytesIO()
    save(obj, held)
    held.seek(0)
    return load(held)


def items(t):
    return t.dtype, tuple(t.shape), t.stride(), t.storage_offset(), t.requires_grad, repr(t.tolist())


# -- there and back -----------------------------------------------------------------------------------------------------

PLAIN = [
    None, True, False, 0, 255, 256, 65535, 65536, -1, 2**31 - 1, -(2**31), 2**31, 2**63, -(2**80), 1.5, float("inf"), -0.0,
    1 + 2j, "", "naïve \ud800 \U0001f600", b"", b"\x00\xff", bytearray(b"ab"), bytearray(), [], (), {}, set(), [1, [2]],
    (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), {"a": {1: [None]}, (1, "b"): 2}, {1, "a", (2, 3)}, OrderedDict(b=1, a=2),
    Counter("aab"), lt.Size([2, 3]), lt.Size(), DTYPES["bfloat16"], Device("cpu"), Device("cuda", 1), strided,
]  # fmt: skip


@pytest.mark.parametrize("value", PLAIN, ids=lambda value: type(value).__name__)
def test_plain_values(value):
    back = there_and_back(value)
    assert (type(back), repr(back)) == (type(value), repr(value))


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes_and_layouts(dtype):
    x = lt.arange(24).reshape(2, 3, 4).to(DTYPES[dtype])
    views = [x, x.transpose(0, 2), x[:, 1:, ::2], x[1, 2, 3], x[:, 3:], x[0, :1].expand(5, 4), lt.zeros(0, 3, dtype=x.dtype)]
    back = there_and_back(views)
    assert [items(t) for t in back] == [items(t) for t in views]
    assert all(t.array.flat is back[0].array.flat for t in back[:-1])
    back[0].fill_(0)
    assert not back[1].any()


@pytest.mark.parametrize("dtype", STORED)
def test_dtypes_that_only_hold_numbers(dtype):
    x = lt.arange(1.0, 13.0).reshape(3, 4).to(STORED[dtype])
    whole, turned, named = there_and_back([x, x.t(), x.dtype])
    assert (whole.dtype, turned.dtype, named) == (x.dtype,) * 3
    assert whole.float().tolist() == x.float().tolist() and turned.float().tolist() == x.t().float().tolist()


def test_a_reversed_tensor_is_written_as_a_copy():
    x = lt.arange(4)
    back = there_and_back([x, lt.Tensor(x.array[::-1])])
    assert back[1].tolist() == [3, 2, 1, 0] and back[1].stride() == (1,)


def test_one_memory_read_as_several_dtypes():
    z = lt.tensor([1 + 2j, 3 + 4j])
    back = there_and_back([z, z.real, z.imag])
    back[2][0] = 7
    assert back[0].tolist() == [1 + 7j, 3 + 4j] and back[1].tolist() == [1, 3]


def test_identity_of_containers_is_kept_and_a_list_may_hold_itself():
    inner, t = [1], lt.ones(2)
    outer = {"a": inner, "b": inner, "t": (t, t), "s": "text"}
    inner.append(inner)
    back = there_and_back(outer)
    assert back["a"] is back["b"] and back["a"][1] is back["a"] and back["t"][0] is back["t"][1]
    looped = ([],)
    looped[0].append(looped)
    with pytest.raises(CheckpointError, match="holds itself"):
        save(looped, io.BytesIO())


def test_depth_is_no_limit():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    back, depth = there_and_back(deep), 0
    while back:
        back, depth = back[0], depth + 1
    assert depth == 100_000


def test_parameters_state_dicts_and_optimizers():
    model = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))
    optimizer = Adam(model.parameters())
    model(lt.ones(1, 3)).sum().backward()
    optimizer.step()
    frozen = nn.Parameter(lt.ones(2), requires_grad=False)
    back = there_and_back({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "p": [model[0].weight, frozen]})
    assert [type(p) for p in back["p"]] == [nn.Parameter] * 2
    assert [p.requires_grad for p in back["p"]] == [True, False]
    assert type(back["model"]) is OrderedDict
    assert back["model"]["0.weight"].array.flat is back["p"][0].array.flat
    other = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))
    other.load_state_dict(back["model"])
    again = Adam(other.parameters())
    again.load_state_dict(back["optimizer"])
    assert repr(again.state_dict()) == repr(optimizer.state_dict())


def test_numpy_arrays_have_memory_of_their_own():
    x, data = np.arange(2000.0), np.arange(2000.0).tobytes()
    back = there_and_back({"x": x, "again": [x], "data": data, "buffer": bytearray(b"a" * 5000), "n": np.float32(1.5)})
    assert back["x"] is back["again"][0] and back["buffer"] == b"a" * 5000
    back["x"][:] = 7
    assert back["data"] == data and type(back["n"]) is np.float32 and back["n"] == 1.5


Pair = namedtuple("Pair", "a b")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (nn.Linear(2, 2), r"Linear given; .* save its state_dict\(\)"),
        (Adam(nn.Linear(2, 2).parameters()), r"Adam given; .* save its state_dict\(\)"),
        (np.str_("a"), "numpy.str_ given"),
        (np.array([1, None]), "dtype object given"), (np.zeros(2, "i4,f4"), "only numeric"), (np.zeros(2, "M8[s]"), "only numeric"),
        (print, "builtin_function_or_method given"),
        (lt.ones(2, 2).max(dim=0), "lamina_tensor.dispatch.return_types.max given"), ({1j: 0}, "complex found as a key"),
        (1 << 3000, "an int of 376 bytes"),
    ],
)  # fmt: skip
def test_what_is_not_saved_leaves_the_old_file(tmp_path, value, message):
    path = tmp_path / "x.pt"
    save([1], path)
    with pytest.raises(CheckpointError, match=message):
        save({"deep": [value]}, path)
    assert load(path) == [1] and os.listdir(tmp_path) == ["x.pt"]


def test_the_same_content_gives_the_same_bytes(tmp_path):
    for name in "ab":
        save({"x": lt.arange(3), "text": "".join(["te", "xt"])}, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


class Pipe(io.RawIOBase):
    def __init__(self):
        self.parts = []

    def writable(self):
        return True

    def write(self, data):
        self.parts.append(bytes(data))
        return len(self.parts[-1])


def test_a_file_that_cannot_seek_is_written():
    pipe = Pipe()
    save(lt.arange(5), pipe)
    assert load(io.BytesIO(b"".join(pipe.parts))).tolist() == [0, 1, 2, 3, 4]


def test_mapped(tmp_path):
    path = tmp_path / "x.pt"
    save({"x": lt.arange(1000.0), "y": lt.ones(3, dtype=DTYPES["bfloat16"])}, path)
    before = path.read_bytes()
    back = load(path, mmap=True)
    back["x"][0] = 5  # in this process only
    assert back["x"][:2].tolist() == [5, 1] and back["y"].tolist() == [1, 1, 1]
    assert path.read_bytes() == before
    with pytest.raises(ValueError, match="path"):
        load(io.BytesIO(before), mmap=True)


@pytest.mark.parametrize("long", [0xFFFFFFFF, 100])
def test_the_archive_is_a_zip_file_with_short_and_long_numbers(monkeypatch, long):
    monkeypatch.setattr(archive_writing, "_LONG", long)
    state = {"a": lt.arange(100), "b": lt.ones(3, 50), "c": lt.zeros(0)}
    pipe, behind = Pipe(), io.BytesIO(b"before")
    save(state, pipe)
    behind.seek(0, io.SEEK_END)
    save(state, behind)
    for held in (io.BytesIO(b"".join(pipe.parts)), behind):
        with zipfile.ZipFile(held) as archive:
            assert archive.testzip() is None
            for entry in archive.infolist():
                assert entry.compress_type == zipfile.ZIP_STORED
                held.seek(entry.header_offset + 26)
                name, extra = (int.from_bytes(held.read(2), "little") for _ in range(2))
                assert (entry.header_offset + 30 + name + extra) % 64 == 0
    found = load(io.BytesIO(b"".join(pipe.parts)))
    assert {name: t.tolist() for name, t in found.items()} == {name: t.tolist() for name, t in state.items()}
