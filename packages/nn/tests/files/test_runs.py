"""Whole training runs in files: they go on bit for bit, or nothing is changed; and tensors in several files."""

import json
import os
import random
from collections import Counter, OrderedDict

import numpy as np
import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray import DTYPES, CheckpointError, Device
from lamina_flatarray.dtypes import STORED
from lamina_flatarray.random import Generator, default_generator
from lamina_nn.data import DataLoader
from lamina_nn.files import load_file, load_run, load_sharded, save_file, save_run
from lamina_nn.optim import SGD, Adam


def small(optimizer=Adam):
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    return model, optimizer(model.parameters(), lr=0.05)


def step(model, optimizer):
    x = lt.randn(16, 3)
    loss = ((model(x) - x[:, :1]) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def shown(*objects):
    """All bits of states."""
    return [repr([(k, v.tolist() if isinstance(v, lt.Tensor) else v) for k, v in o.state_dict().items()]) for o in objects]


@pytest.mark.parametrize("optimizer", [Adam, lambda p, lr: SGD(p, lr, momentum=0.9)])
def test_a_run_goes_on_bit_for_bit(tmp_path, optimizer):
    lt.manual_seed(1)
    model, opt = small(optimizer)
    own = Generator().manual_seed(5)
    for _ in range(3):
        step(model, opt)
    lt.randn(3, generator=own)
    save_run(tmp_path / "run", model=model, optimizer=opt, random=default_generator, own=own, epoch=3, losses=[0.1, 0.2])
    losses = [step(model, opt) for _ in range(4)]
    drawn = lt.randn(5, generator=own).tolist()
    after = shown(model, opt)

    lt.manual_seed(2)
    model, opt = small(optimizer)
    own = Generator()
    step(model, opt)
    rest = load_run(tmp_path / "run", model=model, optimizer=opt, random=default_generator, own=own)
    assert rest == {"epoch": 3, "losses": [0.1, 0.2]}
    assert [step(model, opt) for _ in range(4)] == losses
    assert lt.randn(5, generator=own).tolist() == drawn
    assert shown(model, opt) == after


VALUES = [
    None, True, 1, -(2**70), 0.1, -0.0, float("inf"), float("nan"), 1e-320, 1 + 2j, complex("nan"), "naïve \ud800\0", b"\0\xff",
    [1, [2.5, None]], (1, (2,)), {"a": 1, 2: "b", (1, 2): None}, OrderedDict(b=1, a=2), Counter("aab"), {1}, frozenset([1]),
    lt.Size([2, 3]), DTYPES["bfloat16"], STORED["float8_e5m2"], Device("cpu"), {"dict": {"tuple": 1}},
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values(tmp_path, value):
    save_run(tmp_path / "run", value=value)
    back = load_run(tmp_path / "run")["value"]
    assert (type(back), repr(back)) == (type(value), repr(value))


@pytest.mark.parametrize("dtype", DTYPES)
def test_tensors_and_arrays(tmp_path, dtype):
    x = lt.arange(6).reshape(2, 3).to(DTYPES[dtype])
    tensors = [x, x.t(), x[1, 1], x[:0], x]
    save_run(tmp_path / "run", tensors=tensors, array=x.numpy())
    back = load_run(tmp_path / "run")
    assert [(t.dtype, t.tolist()) for t in back["tensors"]] == [(t.dtype, t.tolist()) for t in tensors]
    assert back["array"].dtype == x.numpy().dtype and back["array"].tolist() == x.tolist()
    assert back["tensors"][4].array is back["tensors"][0].array  # what is there twice is written once


def test_other_readers_find_the_tensors(tmp_path):
    model, _ = small()
    save_run(tmp_path / "run", model=model, z=lt.tensor([1 + 2j]).to(DTYPES["complex128"]))
    found = load_file(tmp_path / "run")
    assert found["model/0.weight"].tolist() == model[0].weight.tolist() and found["z"].tolist() == [[1, 2]]


class Stubborn:
    """Takes a state, then finds that it does not like it."""

    def __init__(self):
        self.state = 0

    def state_dict(self):
        return {"state": self.state}

    def load_state_dict(self, state):
        self.state = state["state"]
        if self.state == 13:
            raise ValueError("not 13")


def test_all_parts_are_loaded_or_none(tmp_path):
    model, opt = small()
    step(model, opt)
    stubborn = Stubborn()
    stubborn.state = 13
    save_run(tmp_path / "run", model=model, optimizer=opt, random=default_generator, stubborn=stubborn)

    lt.manual_seed(7)
    model, opt = small()
    step(model, opt)
    fresh = Adam(model.parameters())
    stubborn = Stubborn()
    before, random = shown(model, opt, fresh), default_generator.get_state()
    for parts in ({"optimizer": opt}, {"optimizer": fresh}):
        with pytest.raises(CheckpointError, match=r"stubborn does not take its state .* nothing is changed: not 13"):
            load_run(tmp_path / "run", model=model, random=default_generator, **parts, stubborn=stubborn)
        assert shown(model, opt, fresh) == before and stubborn.state == 0
        assert (default_generator.get_state() == random).all()


def test_a_loader_that_was_given_a_state_in_vain_begins_as_before(tmp_path):
    def loaded():
        return DataLoader(list(range(20)), batch_size=4, shuffle=True)

    loader, stubborn = loaded(), Stubborn()
    next(iter(loader))
    stubborn.state = 13
    save_run(tmp_path / "run", loader=loader, stubborn=stubborn)
    loader, other = loaded(), loaded()
    with pytest.raises(CheckpointError, match="not 13"):
        load_run(tmp_path / "run", loader=loader, stubborn=Stubborn())
    batches = []
    for one in (loader, other):
        lt.manual_seed(4)
        batches.append([batch.tolist() for batch in one])
    assert batches[0] == batches[1] and len(batches[0]) == 5


def test_parts_that_do_not_fit(tmp_path):
    model, opt = small()
    save_run(tmp_path / "run", model=model, optimizer=opt, epoch=1)
    wide = nn.Sequential(nn.Linear(3, 9), nn.Tanh(), nn.Linear(9, 1))
    deep = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1), nn.Linear(1, 1))
    flat = nn.Sequential(nn.Linear(3, 8), nn.Tanh())
    few = Adam([model[0].weight])
    for parts, message in [
        ({"model": wide}, r"model/0.weight is float32 \(9, 3\); in the file there is float32 \(8, 3\)"),
        ({"model": deep}, r"model/3.weight is .* there is no tensor"),
        ({"model": flat}, r"Unexpected key"),
        ({"model": small()[0].double()}, "model/0.weight is float64 .* there is float32"),
        ({"optimizer": SGD(model.parameters())}, "optimizer is of class SGD; in .* it is of Adam"),
        ({"optimizer": few}, "does not take its state"),
        ({"scheduler": opt}, "has no part 'scheduler'; it has model, optimizer, epoch"),
        ({"epoch": opt}, "a plain value"),
    ]:
        with pytest.raises(CheckpointError, match=message):
            load_run(tmp_path / "run", **parts)
    with pytest.raises(TypeError, match="epoch is int"):
        load_run(tmp_path / "run", epoch=0)


def test_what_cannot_be_kept_leaves_the_old_file(tmp_path):
    save_run(tmp_path / "run", epoch=1)
    looped = []
    looped.append(looped)
    for value, message in [
        (print, "value/a is a builtins.builtin_function"), (np.float64(1), "value/a is a numpy"), (looped, "holds itself"),
    ]:  # fmt: skip
        with pytest.raises(CheckpointError, match=message):
            save_run(tmp_path / "run", epoch=2, value={"a": value})
    assert load_run(tmp_path / "run") == {"epoch": 1} and os.listdir(tmp_path) == ["run"]


def test_damaged_runs(tmp_path):
    path = tmp_path / "run"
    save_run(path, x=lt.ones(3), y={"a": (1, 2)})
    whole = path.read_bytes()
    for damaged in (
        whole[:-1], whole[:40], b"", whole.replace(b"lamina.run", b"lamina.ruN"), whole.replace(b"tuple", b"tupel"),
        whole.replace(b'version\\": 2', b'version\\": 1'), whole.replace(b'\\"x\\", \\"cpu', b'\\"q\\", \\"cpu'),
        whole.replace(b'[1, 2]', b'{1, 2]'), whole.replace(b'[1, 2]', b'{ "":2}'[:6]),
    ):  # fmt: skip
        assert damaged != whole
        path.write_bytes(damaged)
        with pytest.raises(CheckpointError, match="run"):
            load_run(path)
    save_file({"a": lt.ones(2)}, path)
    with pytest.raises(CheckpointError, match="not a whole file of save_run"):
        load_run(path)


FLIPS = int(os.environ.get("LAMINA_FLIPS", "300"))


def test_every_flipped_bit_is_found(tmp_path):
    """But for those in the header's spaces, which say nothing. LAMINA_FLIPS=10000 is the long run."""
    path = tmp_path / "run"
    value = {"x": lt.arange(50.0), "y": [1, 2.5, "text", (True, None)], "b": lt.tensor([True, False])}
    save_run(path, **value)
    whole, same = path.read_bytes(), repr(load_run(path))
    chance = random.Random(0)
    refused = 0
    for bit in [chance.randrange(8 * len(whole)) for _ in range(FLIPS)]:
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        try:
            assert repr(load_run(path)) == same
        except CheckpointError as error:
            assert "run" in str(error)
            refused += 1
    assert refused > 0.97 * FLIPS


# -- several files ------------------------------------------------------------------------------------------------------


def test_shards(tmp_path):
    save_file({"a": lt.ones(2), "b": lt.zeros(3)}, tmp_path / "one.safetensors")
    save_file({"c": lt.full((1,), 7.0)}, tmp_path / "two.safetensors")
    places = {"c": "two.safetensors", "a": "one.safetensors"}
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"metadata": {"total_size": 12}, "weight_map": places}))
    back = load_sharded(index)
    assert {k: v.tolist() for k, v in back.items()} == {"c": [7], "a": [1, 1]} and list(back) == ["c", "a"]
    for text, message in [
        ("[]", "not an index"), ("{", "not an index"), ("[" * 100_000, "not an index"), ('{"weight_map": {"a": 1}}', "not an index"),
        ('{"weight_map": {"a": "../one.safetensors"}}', "not beside it"), ('{"weight_map": {"a": "/etc/passwd"}}', "not beside it"),
        ('{"weight_map": {"a": ".."}}', "not beside it"),
        ('{"weight_map": {"a": "a\\u0000"}}', "not beside it"), ('{"weight_map": {"z": "one.safetensors"}}', "no tensor 'z'"),
    ]:  # fmt: skip
        index.write_text(text)
        with pytest.raises(CheckpointError, match=message):
            load_sharded(index)
