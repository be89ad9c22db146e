"""PyTorch's files both ways: what torch.save writes is read here, and what is written here torch.load reads, equal."""

import io
import itertools
import pickle
import zipfile
from collections import Counter, OrderedDict

import numpy as np
import pytest
import torch

import lamina
import lamina_nn
from lamina_flatarray import CheckpointError
from lamina_flatarray.dtypes import DTYPES

PROTOCOLS = (2, 3, 4, 5)


def theirs_to_ours(obj, protocol=2, zipped=True):
    held = io.BytesIO()
    torch.save(obj, held, pickle_protocol=protocol, _use_new_zipfile_serialization=zipped)
    held.seek(0)
    return lamina.load(held)


def ours_to_theirs(obj, zipped=True):
    held = io.BytesIO()
    lamina.save(obj, held, _use_new_zipfile_serialization=zipped)
    held.seek(0)
    return torch.load(held, weights_only=True)


def told(value):
    """A value in terms that both sides have: kinds, numbers, shapes, strides, and which tensors share memory where."""
    storages = {}

    def tell(x):
        if isinstance(x, (torch.Tensor, lamina.Tensor)):
            ours = isinstance(x, lamina.Tensor)
            memory = getattr(x.array.flat, "whole", x.array.flat) if ours else x.untyped_storage()
            key = id(memory) if ours else memory.data_ptr()
            size = memory.nbytes if ours else memory.nbytes()
            place = storages.setdefault(key if size else object(), len(storages))
            kept = (str(x.dtype).split(".")[1], tuple(x.shape), tuple(x.stride()), x.storage_offset(), size, place, x.requires_grad)
            return type(x).__name__, kept, repr(x.detach().tolist())
        if isinstance(x, dict):
            return type(x).__name__, [(tell(k), tell(v)) for k, v in x.items()], tell(getattr(x, "_metadata", None))
        if isinstance(x, (list, tuple, set, frozenset)):
            return type(x).__name__, [tell(item) for item in x]
        if type(x).__module__.partition(".")[0] in ("torch", "lamina", "lamina_flatarray", "lamina_tensor"):
            return repr(x).removeprefix("torch.").removeprefix("lamina.")
        return type(x).__name__, repr(x)

    return tell(value)


def numbers(dtype, *shape):
    made = torch.arange(torch.Size(shape).numel(), dtype=torch.int64).reshape(shape) - (0 if dtype.is_signed is False else 2)
    return made.to(dtype)


ALL = [getattr(torch, name) for name in DTYPES]

PLAIN = {
    "scalars": [None, True, 0, -1, 255, 256, 65536, 2**31, -(2**63), 2**200, 1.5, float("inf"), 1 + 2j],
    "texts": ["", "naïve \ud800 \U0001f600", "x" * 300, b"", b"\0\xff" * 200, bytearray(b"ab")],
    "containers": [[], (), {}, set(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), {"a": {1: (2, [3])}}, {1, 2}, OrderedDict(b=1, a=2)],
    "keys": {1: 0, "1": 1, (1, "b"): 2, 1.5: 3, None: 4, b"x": 5},
    "counters": Counter("aab"),
    "torch": [torch.Size([1, 2]), torch.Size(), torch.device("cpu"), torch.device("cuda", 1), torch.strided, *ALL],
    "many": {str(i): i for i in range(3000)},
    "long": list(range(3000)),
}


@pytest.mark.parametrize("case", PLAIN)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_plain_values(case, protocol):
    value = PLAIN[case]
    ours = theirs_to_ours(value, protocol)
    assert told(ours) == told(value)
    assert told(ours_to_theirs(ours)) == told(value)


@pytest.mark.parametrize("dtype", ALL, ids=str)
@pytest.mark.parametrize(("protocol", "zipped"), [*((protocol, True) for protocol in PROTOCOLS), (2, False), (4, False)])
def test_dtypes_views_and_shared_storages(dtype, protocol, zipped):
    x, alone = numbers(dtype, 2, 3, 4), numbers(dtype, 5)
    value = {
        "x": x, "t": x.transpose(0, 2), "part": x[:, 1:, ::2], "0-d": x[1, 2, 3], "none": x[:, 3:], "row": x[1],
        "expanded": x[0, :1].expand(6, 4), "alone": alone, "empty": torch.empty(0, 3, dtype=dtype), "same": [x, alone],
        "windows": alone.unfold(0, 3, 1), "at the end": alone[5:], "new": torch.tensor(1).to(dtype),
    }  # fmt: skip
    ours = theirs_to_ours(value, protocol, zipped)
    assert told(ours) == told(value)
    assert ours["x"] is ours["same"][0]
    assert told(ours_to_theirs(ours, zipped)) == told(value)


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128])
def test_what_is_conjugated_or_negated_later(dtype):
    x = torch.tensor([1 + 2j, 3 - 4j], dtype=dtype)
    value = [x.conj(), x.conj().imag, x.conj()[1:], x.conj().expand(3, 2), x.imag]
    for one, zipped in itertools.product(value, (True, False)):
        ours = theirs_to_ours(one, 2, zipped)
        assert ours.tolist() == one.tolist() and tuple(ours.stride()) == one.stride()
        assert ours_to_theirs(ours).tolist() == one.tolist()


@pytest.mark.parametrize("zipped", [True, False])
def test_one_memory_read_as_several_dtypes(zipped):
    """PyTorch reads what it does not write itself."""
    z = lamina.tensor([1 + 2j, 3 + 4j])
    back = ours_to_theirs([z, z.real, z.imag], zipped)
    back[2][0] = 7
    assert back[0].tolist() == [1 + 7j, 3 + 4j] and back[1].tolist() == [1, 3]


def test_gradients_parameters_and_attributes():
    noted, tensor = torch.nn.Parameter(torch.ones(2)), torch.ones(3)
    noted.note, tensor.note = 1, [2]
    frozen = torch.nn.Parameter(torch.ones(2), requires_grad=False)
    value = {"leaf": torch.ones(2, requires_grad=True), "noted": noted, "tensor": tensor, "frozen": frozen}
    ours = theirs_to_ours(value)
    assert told(ours) == told(ours_to_theirs(ours)) == told(value)
    assert not hasattr(ours["noted"], "note")


OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True),
    "adam": lambda p: torch.optim.Adam(p, lr=0.1),
    "amsgrad": lambda p: torch.optim.Adam(p, lr=torch.tensor(0.1), amsgrad=True),
    "adamw": lambda p: torch.optim.AdamW([{"params": q, "lr": 0.1 * i} for i, q in enumerate(p, 1)]),
    "rmsprop": lambda p: torch.optim.RMSprop(p, centered=True),
    "adagrad": lambda p: torch.optim.Adagrad(p),
    "lbfgs": lambda p: torch.optim.LBFGS(p),
    "rprop": lambda p: torch.optim.Rprop(p),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_training_states(name):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.LSTM(4, 2))
    model[0].register_forward_hook(lambda *_: None)
    optimizer = OPTIMIZERS[name](list(model.parameters()))
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)

    def closure():
        optimizer.zero_grad()
        loss = model(torch.randn(5, 3))[0].square().sum()
        loss.backward()
        return loss

    for _ in range(2):
        optimizer.step(closure)
        scheduler.step()
    value = {
        "model": model.state_dict(), "optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict(), "epoch": 2,
        "best": (0.5, [1, 2.5]), "random": torch.get_rng_state(), "half": model.bfloat16().state_dict(),
    }  # fmt: skip
    ours = theirs_to_ours(value)
    assert told(ours) == told(value)
    back = ours_to_theirs(ours)
    assert told(back) == told(value)
    model.load_state_dict(back["half"])
    optimizer.load_state_dict(back["optimizer"])
    lamina.set_rng_state(ours["random"])
    torch.set_rng_state(back["random"])
    assert lamina.rand(3).tolist() == torch.rand(3).tolist()


@pytest.mark.parametrize("name", ["SGD", "Adam"])
def test_training_goes_on_there_from_here(name):
    """The state of a model and an optimizer of lamina, in PyTorch's."""
    lamina.manual_seed(0)
    settings = {"lr": 0.1, "momentum": 0.9} if name == "SGD" else {"lr": 0.1}
    ours = lamina.nn.Sequential(lamina.nn.Linear(3, 4), lamina.nn.Tanh(), lamina.nn.Linear(4, 1))
    our_optimizer = getattr(lamina.optim, name)(ours.parameters(), **settings)
    x = lamina.randn(8, 3)

    def step(model, optimizer, x):
        optimizer.zero_grad()
        loss = (model(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss.item()

    step(ours, our_optimizer, x)
    back = ours_to_theirs({"model": ours.state_dict(), "optimizer": our_optimizer.state_dict(), "x": x})
    theirs = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    their_optimizer = getattr(torch.optim, name)(theirs.parameters(), **settings)
    theirs.load_state_dict(back["model"])
    their_optimizer.load_state_dict(back["optimizer"])
    for _ in range(5):
        assert step(ours, our_optimizer, x) == pytest.approx(step(theirs, their_optimizer, back["x"]), rel=1e-5)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_results_with_names(protocol):
    value = torch.max(torch.tensor([[1.0, 3.0], [2.0, 0.0]]), 0)
    ours = theirs_to_ours({"max": value, "svd": torch.linalg.svd(torch.eye(2)), "frozen": frozenset([1])}, protocol)
    assert type(ours["max"]) is lamina.return_types.max and ours["max"].values.tolist() == [2, 3]
    assert type(ours["svd"]) is lamina.return_types.linalg_svd and ours["frozen"] == frozenset([1])


def test_containers_that_hold_themselves_and_shared_ones():
    shared, looped = [1], {}
    looped["self"] = looped
    ours = theirs_to_ours({"a": shared, "b": shared, "loop": looped})
    assert ours["a"] is ours["b"] and ours["loop"]["self"] is ours["loop"]
    back = ours_to_theirs(ours)
    assert back["a"] is back["b"] and back["loop"]["self"] is back["loop"]


@pytest.mark.parametrize("weights_only", [True, False])
def test_other_classes_are_refused(weights_only, tmp_path):
    for value, name in [(torch.nn.Linear(2, 2), "torch.nn.modules"), (np.random.default_rng(1), "numpy.random"),
                        (slice(1), "builtins.slice"),
                        (torch.Generator(), "torch")]:  # fmt: skip
        torch.save({"x": value}, tmp_path / "x.pt")
        with pytest.raises(CheckpointError, match=f"names '{name}.*not on the closed list"):
            lamina.load(tmp_path / "x.pt", weights_only=weights_only)


NUMPY = [
    *(np.arange(12).reshape(3, 4).astype(code) for code in ("i1", "i2", "<i4", ">i4", "i8", "u1", "u2", "u4", "u8")),
    *(np.arange(12).reshape(3, 4).astype(code) for code in ("f2", "f4", ">f8", "c8")),
    np.array([True, False]), np.ones(2, "c16"), np.array(5.0), np.zeros((0, 3)), np.arange(6.0).reshape(2, 3).T, np.arange(9)[::-2],
    np.arange(3000.0), np.float64(0.5), np.float32(2), np.float16(3), np.int8(-4), np.uint64(2**64 - 1), np.complex64(1j), np.True_,
    np.longlong(3), np.arange(3, dtype=np.longlong),
]  # fmt: skip


def numpys(value):
    return type(value), value.dtype, value.shape, value.tobytes(), value.flags.f_contiguous


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_numpy_arrays_and_scalars_of_theirs(protocol):
    for x, back in zip(NUMPY, theirs_to_ours(NUMPY, protocol), strict=True):
        expected = pickle.loads(pickle.dumps(x, protocol))
        assert numpys(back) == numpys(expected)
        assert back.shape == () or back.flags.writeable
    both = {"x": NUMPY[0], "again": NUMPY[0], "t": torch.ones(2), "n": [np.float64(1.0)] * 2}
    back = theirs_to_ours(both, protocol)
    assert back["x"] is back["again"]
    with pytest.raises(CheckpointError, match=r"only numeric|dtype 'O8' found|closed list"):
        theirs_to_ours(np.array([1, None]), protocol)
    with pytest.raises(CheckpointError):
        theirs_to_ours(np.zeros(2, "i4,f4"), protocol)


def test_numpy_arrays_and_scalars_of_ours():
    held = io.BytesIO()
    lamina.save({"list": [*NUMPY, NUMPY[0]], "t": lamina.ones(2)}, held)
    held.seek(0)
    back = torch.load(held, weights_only=False)
    assert back["list"][0] is back["list"][-1] and back["t"].tolist() == [1, 1]
    for x, found in zip(NUMPY, back["list"], strict=False):
        assert numpys(found) == numpys(pickle.loads(pickle.dumps(x, 2)))
    held.seek(0)
    for x, found in zip(NUMPY, lamina.load(held)["list"], strict=False):
        assert numpys(found) == numpys(pickle.loads(pickle.dumps(x, 2)))


def test_numpy_names_of_before_numpy_2():
    held = io.BytesIO()
    torch.save([np.arange(3), np.float64(2.0)], held)
    new = io.BytesIO()
    with zipfile.ZipFile(held) as old, zipfile.ZipFile(new, "w") as archive:
        for name in old.namelist():
            archive.writestr(name, old.read(name).replace(b"numpy._core", b"numpy.core"))
    new.seek(0)
    x, n = lamina.load(new)
    assert x.tolist() == [0, 1, 2] and n == 2.0


def test_the_formats_before_1_6(tmp_path):
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
    value = {"model": model.state_dict(), "p": model[0].weight, "text": "x" * 300, "n": 2**70, "none": torch.empty(0)}
    torch.save(value, tmp_path / "x.pt", _use_new_zipfile_serialization=False)
    ours = lamina.load(tmp_path / "x.pt")
    assert told(ours) == told(value)
    lamina.save(ours, tmp_path / "y.pt", _use_new_zipfile_serialization=False)
    for weights_only in (True, False):
        assert told(torch.load(tmp_path / "y.pt", weights_only=weights_only)) == told(value)
    with pytest.raises(CheckpointError, match=r"not mapped"):
        lamina.load(tmp_path / "x.pt", mmap=True)
    torch.jit.save(torch.jit.script(torch.nn.Linear(2, 2)), tmp_path / "x.pt")
    with pytest.raises(CheckpointError, match=r"TorchScript|compressed"):
        lamina.load(tmp_path / "x.pt")


def test_mapped_both_ways(tmp_path):
    x = torch.arange(1000.0)
    torch.save({"x": x, "y": x[10:20]}, tmp_path / "theirs.pt")
    ours = lamina.load(tmp_path / "theirs.pt", mmap=True)
    assert told(ours) == told({"x": x, "y": x[10:20]})
    lamina.save(ours, tmp_path / "ours.pt")
    assert torch.load(tmp_path / "ours.pt", mmap=True, weights_only=True)["y"].tolist() == list(range(10, 20))


def test_files_without_checksums():
    torch.serialization.set_crc32_options(False)
    try:
        assert theirs_to_ours(torch.arange(3)).tolist() == [0, 1, 2]
    finally:
        torch.serialization.set_crc32_options(True)


def test_the_archive_is_laid_out_as_theirs(tmp_path):
    """The same records, and storages at places divisible by 64."""
    value = {"x": torch.arange(5), "y": torch.ones(300)}
    torch.save(value, tmp_path / "archive.pt")
    lamina.save(theirs_to_ours(value), tmp_path / "ours.pt")
    found = []
    for name in ("archive.pt", "ours.pt"):
        with zipfile.ZipFile(tmp_path / name) as archive:
            assert archive.testzip() is None
            found.append({n: archive.read(n) for n in archive.namelist() if "pkl" not in n and "serialization_id" not in n})
            assert len(archive.read("archive/.data/serialization_id")) == 40
        reader = torch._C.PyTorchFileReader(str(tmp_path / name))
        assert all(reader.get_record_offset(f"data/{i}") % 64 == 0 for i in range(2))
    assert found[0] == found[1]


def test_buffers_of_modules_come_as_tensors():
    module = lamina_nn.Module()
    module.register_buffer("b", lamina.ones(2))
    assert ours_to_theirs(module.state_dict())["b"].tolist() == [1, 1]
