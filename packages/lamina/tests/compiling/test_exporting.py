"""Exported modules: the same results from a file, in a process without modules; what cannot be exported, and damaged files, are told."""

import json
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from compiling.trained import MODELS

import lamina as torch
import lamina_ndarray as nd
from lamina import nn
from lamina_flatarray import CheckpointError
from lamina_ndarray import files
from lamina_ndarray.programs import frozen

WITHOUT_MODULES = """
import sys
from lamina_ndarray.files import load, save
from lamina_ndarray.programs import load_program
program = load_program(sys.argv[1])
save(sys.argv[3], program(load(sys.argv[2]))[0])
assert not {"lamina_nn", "lamina_tensor", "lamina"} & set(sys.modules)
"""


@pytest.mark.parametrize("name", MODELS)
def test_a_model_from_a_file_computes_the_same(name, tmp_path):
    torch.manual_seed(0)
    model, inputs = MODELS[name][0]().eval(), MODELS[name][1](4)
    exported = torch.export.export(model, (inputs,))
    torch.export.save(exported, tmp_path / "model.pt2")
    with torch.no_grad():
        expected = model(inputs)
        for parameter in model.parameters():  # what is loaded has its own
            parameter.zero_()
        loaded = torch.export.load(tmp_path / "model.pt2", device=inputs.device).module()
        other = MODELS[name][1](4)
        assert torch.equal(loaded(inputs), expected) and not torch.equal(loaded(other), expected)
        assert torch.equal(exported.module()(inputs), model(inputs))  # and this shares them
    assert set(files.load_safetensors(tmp_path / "model.pt2")) >= {name for name, p in model.named_parameters()}


def test_a_process_without_modules_runs_it_on_each_backend(tmp_path):
    torch.manual_seed(0)
    model, inputs = MODELS["convolutions"][0]().eval(), torch.randn(4, 1, 4, 4)
    torch.export.save(torch.export.export(model, (inputs,)), tmp_path / "model.pt2")
    np.save(tmp_path / "given.npy", inputs.numpy())
    with torch.no_grad():
        expected = model(inputs).double()
    for backend in ("numpy", os.environ.get("LAMINA_BACKEND", "numpy")):
        command = [sys.executable, "-c", WITHOUT_MODULES, "model.pt2", "given.npy", "result.npy"]
        subprocess.run(command, check=True, cwd=tmp_path, env={**os.environ, "LAMINA_BACKEND": backend})
        result = torch.from_numpy(np.load(tmp_path / "result.npy")).double()
        sums = 16 * 4 + 9 + 3  # as many products and more are added up behind one another
        assert (result - expected).abs().max() <= sums * torch.finfo(torch.float32).eps * expected.abs().max().clamp(min=1)


class Nested(nn.Module):
    def forward(self, x, *, scale, more):
        return {"sum": x * scale + more["y"], "rest": (x.sum(), [more["y"].exp(), None, 3])}


def test_trees_of_arguments_and_results(tmp_path):
    x, more = torch.randn(2, 3), {"y": torch.randn(2, 3)}
    torch.export.save(torch.export.export(Nested(), (x,), {"scale": 2.0, "more": more}), tmp_path / "nested.pt2")
    loaded = torch.export.load(tmp_path / "nested.pt2", device=x.device).module()
    mine, expected = loaded(x, scale=2.0, more=more), Nested()(x, scale=2.0, more=more)
    assert torch.equal(mine["sum"], expected["sum"]) and torch.equal(mine["rest"][0], expected["rest"][0])
    assert torch.equal(mine["rest"][1][0], expected["rest"][1][0]) and mine["rest"][1][1:] == [None, 3]
    turned = torch.randn(3, 2).t()  # of other strides
    assert torch.equal(loaded(turned, scale=2.0, more=more)["sum"], turned * 2.0 + more["y"])
    for args, kwargs in (((x,), {"scale": 3.0, "more": more}), ((x, x), {"scale": 2.0, "more": more}), ((), {})):
        with pytest.raises(TypeError, match="not like those"):
            loaded(*args, **kwargs)


def test_what_does_not_fit_is_refused():
    module = torch.export.export(nn.Linear(3, 2), (torch.zeros(4, 3),)).module()
    with pytest.raises(RuntimeError, match=r"\(5, 3\); the program is for \(4, 3\)"):
        module(torch.zeros(5, 3))
    with pytest.raises(RuntimeError, match="is of float64; the program is for float32"):
        module(torch.zeros(4, 3).double())
    with pytest.raises(RuntimeError, match="computes no gradients"):
        module(torch.zeros(4, 3, requires_grad=True))
    with pytest.raises(RuntimeError, match="Unable to call ExportedProgram directly"):
        torch.export.export(nn.ReLU(), (torch.zeros(2),))(torch.zeros(2))


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (nn.Dropout(), "draws random numbers"),
        (nn.BatchNorm1d(3), "writes into what it refers to"),
        (lambda x: x if x.sum() > 0 else -x, "reads a value of a tensor"),
        (lambda x: x[:1], "shares memory with an argument"),
        (lambda x: torch.randn(3) + x, "draws random numbers"),
        (lambda x: x.add_(1), "writes into an argument|shares memory with an argument"),
        (lambda x: 3, "not at all"),
        (lambda x: {1, 2}, "a set among what it is given or returns"),
    ],
)
def test_what_cannot_be_exported_is_told(function, why):
    with pytest.raises(RuntimeError, match=why):
        torch.export.export(function, (torch.ones(4, 3),))


def test_a_program_is_written_and_not_pickled():
    with pytest.raises(TypeError, match=r"written by save\(path\)"):
        pickle.dumps(torch.export.export(nn.ReLU(), (torch.zeros(2),)))


def test_arguments_of_export_itself():
    with pytest.raises(TypeError, match="args must be a tuple"):
        torch.export.export(nn.ReLU(), torch.zeros(2))
    with pytest.raises(ValueError, match="dynamic_shapes"):
        torch.export.export(nn.ReLU(), (torch.zeros(2),), dynamic_shapes={})
    with pytest.raises(TypeError, match="'ep' parameter"):
        torch.export.save(nn.ReLU(), "never.pt2")
    assert not os.path.exists("never.pt2")


def test_threads_run_one_program():
    module = torch.export.export(MODELS["MLP"][0](), (torch.zeros(4, 6),)).module()
    inputs = [torch.randn(4, 6) for _ in range(4)]
    expected = [module(x) for x in inputs]
    wrong = []

    def run(i):
        wrong.extend(i for _ in range(50) if not torch.equal(module(inputs[i]), expected[i]))

    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "model.pt2"
    torch.export.save(torch.export.export(MODELS["MLP"][0](), (torch.zeros(4, 6),)), path)
    return path


def changed(path, change):
    """The file with its calls changed, and told as what was saved."""
    with files.open_safetensors(path) as file:
        told = dict(file.metadata)
    arrays = files.load_safetensors(path, mmap=False)
    program = json.loads(told["program"])
    change(program)
    text = json.dumps(program)
    files.save_safetensors(arrays, path, {**told, "program": text, "sha256": frozen._digest(text)})


@pytest.mark.parametrize(
    "change",
    [
        lambda p: p["calls"][0].__setitem__(0, "system"),
        lambda p: p["calls"][0].__setitem__(1, "object"),
        lambda p: p["operands"][0].__setitem__(0, 99),
        lambda p: p["operands"][0].__setitem__(0, -1),
        lambda p: p["operands"][0].__setitem__(1, 1 << 40),
        lambda p: p["operands"][0].__setitem__(2, 1 << 40),
        lambda p: p["layouts"][0].__setitem__(2, 1 << 40),
        lambda p: p["layouts"][0].__setitem__(1, [1 << 20] * len(p["layouts"][0][1])),
        lambda p: p["storages"][0].__setitem__(1, 1 << 40),
        lambda p: p["storages"][0].__setitem__(2, "elsewhere"),
        lambda p: p["results"].clear() or p["results"].append(0),
        lambda p: p.pop("calls"),
        lambda p: p.update(about=None),
        lambda p: p["about"].update(given=["object", []]),
        lambda p: p["calls"].append([[]]),
        lambda p: p["calls"][0][4].update(dict=[1]),
        lambda p: p["calls"][0].__setitem__(4, {"dict": [1]}),
        lambda p: p["operands"][0].__setitem__(2, 1.5),
        lambda p: p.update(layouts={}),
        lambda p: p["storages"].append(["float32", 1 << 60, "scratch", None]) or p["operands"][-1].__setitem__(0, -1 + len(p["storages"])),
    ],
)
def test_a_program_that_leads_out_of_its_memory_is_refused(saved, change):
    changed(saved, change)
    with pytest.raises(CheckpointError, match=r"model\.pt2"):
        torch.export.load(saved)


def test_damaged_files_and_other_ones(saved):
    content, told = saved.read_bytes(), 0
    for place in range(8, len(content) - 200, 97):
        saved.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        try:
            torch.export.load(saved)  # a number of a parameter may be another one
        except CheckpointError as error:
            assert "model.pt2" in str(error)
            told += 1
    assert told >= 5
    for end in (0, 7, 100, len(content) - 1):
        saved.write_bytes(content[:end])
        with pytest.raises(CheckpointError):
            torch.export.load(saved)
    files.save_safetensors({"x": nd.ones(2)}, saved)
    with pytest.raises(CheckpointError, match="a file of arrays"):
        torch.export.load(saved)


def test_calls_that_are_nested_without_end(saved):
    with files.open_safetensors(saved) as file:
        told = dict(file.metadata)
    text = "[" * 100_000
    files.save_safetensors({"x": nd.ones(2)}, saved, {**told, "program": text, "sha256": frozen._digest(text)})
    with pytest.raises(CheckpointError, match=r"model\.pt2 is no whole program"):
        torch.export.load(saved)
