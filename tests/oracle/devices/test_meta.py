"""The device `meta`: PyTorch's shapes, dtypes and strides without memory, over its op database and for whole models."""

import copy
import tomllib
import tracemalloc
import warnings
from itertools import islice
from pathlib import Path

import pytest
import torch
from databases import op_database, op_strides
from torch.utils._pytree import tree_flatten, tree_unflatten

import lamina

KNOWN = tomllib.loads((Path(__file__).parents[1] / "databases" / "known_differences.toml").read_text())["meta"]
NAMES = list(op_strides.cases())


def _told(x):
    return tuple(x.shape), str(x.dtype).rpartition(".")[2], x.device.type, x.requires_grad


def compared(name):
    """Compare an entry's results on meta with PyTorch's on the CPU, and their strides with ours there.

    Returns:
        How many were compared, and how many calls wanted items.
    """
    info, count, refused = op_strides.entries()[name], 0, 0
    ours = op_database.counterpart(info)
    dtype = getattr(torch, op_strides._dtype(info))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample in islice(info.sample_inputs_func(info, "cpu", dtype, False), 8):
            flat, form = tree_flatten(((sample.input, *sample.args), dict(sample.kwargs)))
            if "device" in sample.kwargs or not any(isinstance(x, torch.Tensor) for x in flat):
                continue
            try:
                args, params = tree_unflatten([x.clone() if isinstance(x, torch.Tensor) else x for x in flat], form)
                expected = op_strides._tensors(info.op(*args, **params), torch.Tensor)
                there = [op_database.to_lamina(x) for x in flat]
                args, params = tree_unflatten([x.clone() if isinstance(x, lamina.Tensor) else x for x in there], form)
                here = op_strides._tensors(ours(*args, **params), lamina.Tensor)
            except Exception:
                continue  # other tests ask for the values
            moved = [x.to("meta") if isinstance(x, lamina.Tensor) else x for x in there]
            if name == "tensor_split":  # its positions are read on the host, as in PyTorch
                moved[1:] = there[1:]
            args, params = tree_unflatten(moved, form)
            try:
                observed = op_strides._tensors(ours(*args, **params), lamina.Tensor)
            except NotImplementedError:
                refused += 1
                continue
            wanted = [(*_told(x)[:2], "meta", x.requires_grad) for x in expected]
            if list(map(_told, observed)) != wanted:
                raise op_database.Difference(f"{name}: {list(map(_told, observed))[:3]} instead of {wanted[:3]}")
            if name not in op_database.UNINITIALISED and list(map(op_strides._meant, observed)) != list(map(op_strides._meant, here)):
                raise op_database.Difference(f"{name}: strides {[x.stride() for x in observed]}, on the CPU {[x.stride() for x in here]}")
            count += len(observed)
    return count, refused


@pytest.mark.parametrize("name", NAMES)
def test_shapes_and_dtypes(name):
    try:
        refused = compared(name)[1]
    except RuntimeError as error:
        pytest.fail(str(error))
    assert bool(refused) == (name in KNOWN), f"{refused} calls wanted items"


def _transformer(t):
    with t.device("meta"):
        model = t.nn.Transformer(16, 4, 1, 1, 32, batch_first=True)
        mask = model.generate_square_subsequent_mask(7)
        return model, model(t.empty(2, 5, 16), t.empty(2, 7, 16), tgt_mask=mask, tgt_is_causal=True)


def _conv_net(t):
    nn = t.nn
    model = nn.Sequential(
        nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(), nn.Flatten(), nn.Linear(8 * 7 * 7, 10)
    ).to("meta")  # fmt: skip
    scores = model(t.empty(4, 3, 16, 16, device="meta"))
    return model, nn.functional.cross_entropy(scores, t.zeros(4, dtype=t.int64, device="meta"))


def _lstm(t):
    model = t.nn.LSTM(5, 6, 2, bidirectional=True, dropout=0.5, device="meta")
    return model, model(t.empty(7, 3, 5, device="meta"))[0]


@pytest.mark.parametrize("make", [_transformer, _conv_net, _lstm])
def test_whole_models(make):
    seen = []
    for t in (lamina, torch):
        model, result = make(t)
        result.sum().backward()
        seen.append((_told(result), result.stride(), {name: _told(p.grad) for name, p in model.named_parameters()}))
    assert seen[0] == seen[1]


def test_weights_come_later():
    lamina.manual_seed(0)
    whole = lamina.nn.Linear(3, 4)
    with lamina.device("meta"):
        first, second = lamina.nn.Linear(3, 4), lamina.nn.Linear(3, 4)
    first.load_state_dict(whole.state_dict(), assign=True)
    second.to_empty(device="cpu").load_state_dict(whole.state_dict())
    x = lamina.randn(2, 3)
    assert whole(x).tolist() == first(x).tolist() == second(x).tolist()
    with pytest.raises(NotImplementedError, match="no data"):
        lamina.nn.Linear(3, 4, device="meta").to("cpu")


def test_weights_that_are_copied_to_meta_are_lost_with_a_warning():
    texts = []
    for t in (torch, lamina):
        with pytest.warns(UserWarning, match="no-op") as caught:
            t.nn.Linear(2, 3, device="meta").load_state_dict(t.nn.Linear(2, 3).state_dict())
        texts.append([str(warning.message) for warning in caught])
    assert texts[0] == texts[1]


@pytest.mark.parametrize(("writer", "reader"), [(torch, lamina), (lamina, torch), (lamina, lamina)])
def test_files_keep_shapes_alone(writer, reader, tmp_path):
    place = tmp_path / "meta.pt"
    state = {"x": writer.empty(3, 2, device="meta").t(), "p": writer.nn.Parameter(writer.empty(4, dtype=writer.float64, device="meta"))}
    writer.save(state, place)
    loaded = reader.load(place)
    assert {k: (*_told(v), v.stride()) for k, v in loaded.items()} == {k: (*_told(v), v.stride()) for k, v in state.items()}
    assert place.stat().st_size < 4096


def test_an_ensemble_over_a_model_without_memory():
    models = [lamina.nn.Sequential(lamina.nn.Linear(4, 8), lamina.nn.ReLU(), lamina.nn.Linear(8, 2)) for _ in range(3)]
    params, buffers = lamina.func.stack_module_state(models)
    base = copy.deepcopy(models[0]).to("meta")
    x = lamina.randn(5, 4)
    results = lamina.vmap(lambda p, b: lamina.func.functional_call(base, (p, b), (x,)))(params, buffers)
    for result, model in zip(results, models, strict=True):
        assert lamina.allclose(result, model(x), rtol=1e-5, atol=1e-6)


def test_no_memory_is_taken():
    tracemalloc.start()
    x = lamina.empty(2**40, device="meta", requires_grad=True)
    (x.exp() * 2).sum().backward()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert x.grad.shape == (2**40,)
    assert peak < 2**24


def test_nothing_is_drawn_from_the_stream_of_the_cpu():
    before = lamina.get_rng_state().tolist()
    with lamina.device("meta"):
        lamina.nn.Linear(3, 4)
        lamina.randn(3), lamina.randperm(4), lamina.empty(3).normal_(), lamina.randint(3, (4,))
        lamina.nn.init.trunc_normal_(lamina.empty(3, 4))
        lamina.nn.functional.dropout(lamina.empty(3))
    assert lamina.get_rng_state().tolist() == before


@pytest.mark.parametrize("name", ["item", "tolist", "numpy", "bool", "cpu", "nonzero", "unique", "masked"])
def test_refused_as_by_pytorch(name):
    ask = {
        "item": lambda x: x[0].item(), "tolist": lambda x: x.tolist(), "numpy": lambda x: x.numpy(), "bool": lambda x: bool(x[0]),
        "cpu": lambda x: x.cpu(), "nonzero": lambda x: x.nonzero(), "unique": lambda x: x.unique(), "masked": lambda x: x[x > 0],
    }[name]  # fmt: skip
    with pytest.raises((RuntimeError, TypeError)) as theirs:
        ask(torch.empty(3, device="meta"))
    with pytest.raises(theirs.type):
        ask(lamina.empty(3, device="meta"))


def test_a_generator_on_meta_is_refused():
    for t in (torch, lamina):
        with pytest.raises(RuntimeError, match="META device type not an accelerator"):
            t.Generator("meta")


def test_operands_on_two_devices_are_named():
    with pytest.raises(RuntimeError, match=r"meta.*cpu"):
        lamina.empty(3, device="meta") + lamina.ones(3)


def test_text():
    for shape, dtype in (((2, 3), "float32"), ((2,), "int64"), ((), "bool")):
        seen = [repr(t.empty(shape, dtype=getattr(t, dtype), device="meta")).replace("lamina.", "torch.") for t in (lamina, torch)]
        assert seen[0] == seen[1]
