"""Checkpoints in pieces: what stops a save at any place leaves the former one, and what is damaged or missing is told."""

import json
import os

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray import float64
from lamina_nn.optim import AdamW
from lamina_nn.sharding.checkpoints import saving
from lamina_nn.sharding.checkpoints.loading import load
from lamina_nn.sharding.checkpoints.saving import save
from lamina_nn.sharding.checkpoints.state_dicts import (
    StateDictOptions,
    get_state_dict,
    set_optimizer_state_dict,
    set_state_dict,
)
from lamina_nn.sharding.distributed_tensor import distribute_tensor
from lamina_nn.sharding.fully_shard import fully_shard
from lamina_nn.sharding.placements import Shard


def state(value):
    return {
        "model": {"w": lt.full((5, 3), value), "none": lt.ones(0, 2),
                  "b": distribute_tensor(lt.full((4, 2), value), placements=[Shard(1)])},
        "groups": [{"lr": 0.1 * value, "betas": (0.9, float("inf")), "params": ["w", "b"]}], "step": value, 3: lt.tensor(value),
    }  # fmt: skip


def test_what_is_saved_is_loaded(tmp_path):
    save(state(3.0), checkpoint_id=tmp_path / "c")
    found = state(0.0)
    load(found, checkpoint_id=tmp_path / "c")
    wanted = state(3.0)
    assert (found["model"]["w"] == wanted["model"]["w"]).all() and found[3].item() == 3.0
    assert (found["model"]["b"].to_local() == 3.0).all()
    assert found["groups"] == wanted["groups"] and found["step"] == 3.0
    part = {"model": {"b": lt.zeros(4, 2, dtype=float64)}}  # a whole tensor of another dtype, where a shard was
    load(part, checkpoint_id=tmp_path / "c")
    assert (part["model"]["b"] == 3.0).all()


@pytest.mark.parametrize("stop", ["makedirs", "save_safetensors", "write_index", "listdir"])
def test_a_save_that_stops_leaves_a_whole_checkpoint(tmp_path, monkeypatch, stop):
    save(state(1.0), checkpoint_id=tmp_path)

    def stopped(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(saving if hasattr(saving, stop) else os, stop, stopped)
        with pytest.raises(KeyboardInterrupt):
            save(state(2.0), checkpoint_id=tmp_path)
    found = state(0.0)
    load(found, checkpoint_id=tmp_path)
    whole = 2.0 if stop == "listdir" else 1.0  # the index is there
    assert found["step"] == whole and (found["model"]["w"] == whole).all()
    save(state(3.0), checkpoint_id=tmp_path)
    assert len([name for name in os.listdir(tmp_path) if name.startswith("pieces-")]) == 1  # what was left is swept


def test_what_is_wrong_is_told(tmp_path):
    save({"w": lt.ones(2, 3)}, checkpoint_id=tmp_path)
    with pytest.raises(RuntimeError, match="Missing key in checkpoint state_dict: v"):
        load({"v": lt.ones(2)}, checkpoint_id=tmp_path)
    with pytest.raises(ValueError, match=r"Size mismatch between saved \[2, 3\] and current: \[3, 2\] for w"):
        load({"w": lt.ones(3, 2)}, checkpoint_id=tmp_path)
    with pytest.raises(TypeError, match="not plain data"):
        save({"f": open}, checkpoint_id=tmp_path)
    with pytest.raises(TypeError, match="a tuple with tensors"):
        save({"t": (lt.ones(1),)}, checkpoint_id=tmp_path)
    with pytest.raises(FileNotFoundError):
        load({}, checkpoint_id=tmp_path / "none")
    with pytest.raises(NotImplementedError, match=r"planner=.* is not served"):
        load({}, checkpoint_id=tmp_path, planner=object())
    index = json.loads((tmp_path / "index.json").read_text())
    for change, told in (
        (lambda i: i.update(folder="../elsewhere"), "is not the index of a checkpoint"), (lambda i: i.pop("tensors"), "is not the index"),
        (lambda i: i["tensors"][0][2].clear(), "have 0 of 6 items"), (lambda i: i["tensors"][0][2][0].__setitem__(0, "gone"), "lacks gone"),
        (lambda i: i["tensors"][0][2][0].__setitem__(1, "v"), "has no tensor 'v'"),
    ):  # fmt: skip
        changed = json.loads(json.dumps(index))
        change(changed)
        (tmp_path / "index.json").write_text(json.dumps(changed))
        with pytest.raises(RuntimeError, match=told):
            load({"w": lt.ones(2, 3)}, checkpoint_id=tmp_path)


def test_a_model_and_its_optimizer_go_on(tmp_path):
    """The third step after loading is that of who was never interrupted, bit for bit, whole or in shards."""

    def step(model, optimizer):
        optimizer.zero_grad()
        model(lt.ones(3)).square().sum().backward()
        optimizer.step()

    def made(shards, lr=0.1):
        lt.manual_seed(0)
        model = nn.Linear(3, 2)
        if shards:
            fully_shard(model)
        return model, AdamW(model.parameters(), lr=lr)

    for first, second in ((True, False), (False, True), (True, True)):
        model, optimizer = made(first)
        step(model, optimizer)
        step(model, optimizer)
        options = StateDictOptions(full_state_dict=first and not second)
        weights, steps = get_state_dict(model, optimizer, options=options)
        save({"model": weights, "optimizer": steps}, checkpoint_id=tmp_path)
        other, going_on = made(second, lr=9.0)
        weights, steps = get_state_dict(other, going_on)
        found = {"model": weights, "optimizer": steps}
        load(found, checkpoint_id=tmp_path)
        set_state_dict(other, going_on, model_state_dict=found["model"], optim_state_dict=found["optimizer"])
        step(model, optimizer)
        step(other, going_on)
        whole = [(p.full_tensor() if shards else p).tolist() for m, shards in ((model, first), (other, second)) for p in m.parameters()]
        assert whole[:2] == whole[2:]


def test_an_optimizers_state_is_loaded_whole_or_not_at_all():
    model = nn.Linear(3, 2)
    optimizer = AdamW([{"params": [model.weight]}, {"params": [model.bias]}], lr=0.5)
    _, saved = get_state_dict(model, optimizer)
    for group in saved["param_groups"]:
        group["lr"] = 0.1
    del saved["state"]["bias"]
    with pytest.raises(ValueError, match="set_optimizer_state_dict: there is no group, or no state"):
        set_optimizer_state_dict(model, optimizer, saved)
    assert [group["lr"] for group in optimizer.param_groups] == [0.5, 0.5]
    with pytest.raises(ValueError, match="set_optimizer_state_dict: an optimizer has a parameter"):
        set_optimizer_state_dict(nn.Linear(3, 2), optimizer, saved)


def test_what_goes_item_by_item_goes_on_parts():
    x = distribute_tensor(lt.tensor([[1.0, 4.0], [9.0, 16.0]]), placements=[Shard(0)])
    for result, expected in ((lt.sqrt(x), [[1.0, 2.0], [3.0, 4.0]]), (lt.maximum(x, x * 2), [[2.0, 8.0], [18.0, 32.0]])):
        assert result.placements == (Shard(0),) and result.full_tensor().tolist() == expected
    assert x.sqrt_().to_local().tolist() == [[1.0, 2.0], [3.0, 4.0]]
    for refused in (lt.sum, lt.sort, lt.flip):
        with pytest.raises(NotImplementedError, match="not served by DTensor"):
            refused(x, 0) if refused is not lt.flip else refused(x, (0,))
