"""What `export` is asked for: names, sizes, files, checks; and what it refuses, with the place."""

import math
import re
from types import SimpleNamespace

import numpy as np
import onnx
import pytest

import lamina_nn as nn
import lamina_nn.functional as F
import lamina_tensor as lt
from lamina_onnx import OnnxExporterError, ONNXProgram, UnsupportedOperatorError, export

LINEAR = nn.Linear(2, 3)


def shape_of(value):
    return [d.dim_param or d.dim_value for d in value.type.tensor_type.shape.dim]


def graph_of(*args, **kwargs):
    return export(*args, **kwargs).model_proto.graph


def test_names():
    class Two(nn.Module):
        def forward(self, x, pair, *, scale=2.0):
            return {"sum": x + pair[0], "scaled": (pair[1] * scale,)}

    x = lt.ones(2)
    graph = graph_of(Two(), (x, [lt.ones(2), lt.ones(2)]), kwargs={"scale": 3.0})
    assert [v.name for v in graph.input] == ["x", "pair_0", "pair_1"]
    assert [v.name for v in graph.output] == ["output_0", "output_1"]
    graph = graph_of(Two(), (x, [lt.ones(2), lt.ones(2)]), input_names=["a", "b"], output_names=["c"])
    assert [v.name for v in graph.input] == ["a", "b", "pair_1"]
    assert [v.name for v in graph.output] == ["c", "output_1"]


@pytest.mark.parametrize("settings", [
    {"input_names": ["a", "b"]}, {"output_names": ["a", "b"]}, {"input_names": ["weight"]}, {"output_names": ["weight"]},
    {"output_names": ["input"]}, {"opset_version": 16}, {"opset_version": 99}, {"dynamic_axes": {"input": {5: "n"}}},
    {"dynamic_shapes": {"nobody": {0: "n"}}}, {"dynamic_axes": {"input": {0: "n", 1: "n"}}},
])  # fmt: skip
def test_names_and_numbers_that_do_not_fit(settings):
    with pytest.raises(ValueError, match="export: "):
        export(LINEAR, (lt.ones(1, 2),), **settings)


def test_arguments_that_do_not_fit():
    with pytest.raises(TypeError):
        export(LINEAR, (lt.ones(1, 2), lt.ones(1)))
    x = lt.ones(2)
    with pytest.raises(ValueError, match="given twice"):
        export(lt.add, (x, x))


def test_sizes_have_names():
    for settings in (
        {"dynamic_axes": {"input": {0: "batch"}}}, {"dynamic_shapes": [{0: "batch"}]}, {"dynamic_shapes": {"input": {0: "batch"}}},
        {"dynamic_shapes": {"input": ("batch", None)}},
        {"dynamic_shapes": [{0: SimpleNamespace(__name__="batch", min=1, max=9)}]},
    ):  # fmt: skip
        graph = graph_of(LINEAR, (lt.ones(4, 2),), **settings)
        assert [shape_of(v) for v in (graph.input[0], graph.output[0])] == [["batch", 2], ["batch", 3]]
    graph = graph_of(LINEAR, (lt.ones(4, 2),), dynamic_axes={"input": [0]})
    assert shape_of(graph.input[0]) == ["input_dim_0", 2]


def test_parameters_are_initializers_under_their_names():
    model = nn.Sequential(LINEAR, nn.BatchNorm1d(3))
    graph = graph_of(model, (lt.ones(1, 2),))
    names = {t.name for t in graph.initializer}
    assert names == model.state_dict().keys() - {"1.num_batches_tracked"}
    assert [v.name for v in graph.input] == ["input"]
    for settings in ({"export_params": False}, {"keep_initializers_as_inputs": True}):
        graph = graph_of(model, (lt.ones(1, 2),), **settings)
        assert {v.name for v in graph.input} == {"input"} | names
        assert bool(graph.initializer) == ("export_params" not in settings)


def test_a_tied_parameter_is_there_once():
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.Linear(2, 2)
            self.b = self.a

        def forward(self, x):
            return self.b(self.a(x))

    assert len(graph_of(Tied(), (lt.ones(1, 2),)).initializer) == 2


def test_constants_are_folded():
    def model(x):
        table = lt.arange(8).reshape(2, 4).float().sin() * 2
        return x + table[0]

    graph = graph_of(model, (lt.ones(4),))
    assert [n.op_type for n in graph.node] == ["Constant", "Add"]


def test_the_model_stays_as_it_was():
    model = nn.Sequential(nn.Linear(2, 2), nn.Dropout(), nn.BatchNorm1d(2)).train()
    model[0].eval()
    x = lt.ones(3, 2)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    graph = graph_of(model, (x,))
    assert [n.op_type for n in graph.node] == ["Gemm", "BatchNormalization"]
    assert [m.training for m in model.modules()] == [True, False, True, True]
    assert all(lt.equal(value, before[name]) for name, value in model.state_dict().items())
    assert lt.equal(x, lt.ones(3, 2))


def test_files(tmp_path, capsys):
    program = export(LINEAR, (lt.ones(1, 2),), tmp_path / "a.onnx", verbose=True)
    assert "Gemm" in capsys.readouterr().out
    assert isinstance(program, ONNXProgram)
    assert onnx.load(tmp_path / "a.onnx") == program.model_proto
    big = export(nn.Linear(64, 64), (lt.ones(1, 64),))
    for _ in range(2):
        big.save(tmp_path / "b.onnx", external_data=True)
        assert (tmp_path / "b.onnx.data").stat().st_size == 64 * 64 * 4
    assert {t.name for t in onnx.load(tmp_path / "b.onnx").graph.initializer} == {"weight", "bias"}
    big.save(tmp_path / "c.onnx", include_initializers=False)
    assert len(onnx.load(tmp_path / "c.onnx").graph.input) == 3


def test_a_program_is_called():
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    program = export(LINEAR, (lt.ones(1, 2),), dynamic_axes={"input": {0: "n"}}, verify=True)
    x = lt.randn(5, 2)
    (y,) = program(x)
    assert lt.allclose(y, LINEAR(x), atol=1e-6)
    assert lt.equal(program(input=x)[0], y)
    with pytest.raises(TypeError, match="input"):
        program()


def by_items(x):
    return x if x.sum() > 0 else -x


def by_item(x):
    return x * x.sum().item()


def by_length(x):
    return x * 2 if x.shape[0] > 5 else x + 2


def by_steps(x):
    total = x[0]
    for i in range(1, x.shape[0]):
        total = total + x[i]
    return total


def fractions(x):
    return x / math.sqrt(x.shape[0])


def rounded(x):
    return lt.zeros(math.isqrt(x.shape[0] * 7)) + x.sum()


def random(x):
    return x + lt.rand(3)


def unseen(x):
    return x + lt.tensor(x.numpy() * 2)


def decomposed(x):
    return lt.linalg_of(x) if False else lt.cumprod(x, 0)


def masks(x):
    return x[x > 0]


def a_third(x):
    return lt.zeros(x.shape[0] // 3) + x.sum()


def at_most(x):
    return x[: min(x.shape[0], 8)]


def second_half(x):
    y = x + 0
    _, second = y.chunk(2)
    y.add_(1)
    return second


def overlapping(x):
    y = x + 0
    y.as_strided((2,), (1,)).fill_(1.0)
    return y


@pytest.mark.parametrize("model, told", [
    (by_items, "reads the items"), (by_item, "reads the items"), (by_length, "for some sizes"), (by_steps, "depends on sizes"),
    (fractions, "is no integer"), (rounded, "affine"), (random, "no ONNX for 'rand'"), (unseen, "reads the items"),
    (decomposed, "no ONNX for 'cumprod'"), (masks, "mask"), (overlapping, "as_strided"),
    (a_third, "affine"), (at_most, "affine"), (second_half, "changed in place"),
])  # fmt: skip
def test_what_the_graph_would_not_tell_is_refused_with_the_place(model, told):
    with pytest.raises(OnnxExporterError, match=re.escape(told)) as caught:
        export(model, (lt.arange(1.0, 5.0),), dynamic_shapes=[{0: "n"}])
    assert f"{__file__}:" in str(caught.value) or "test_exporting.py:" in str(caught.value)


def test_what_was_computed_unseen_is_found():
    """A tensor whose memory comes from elsewhere is a constant only where other inputs make the same."""

    class Elsewhere(nn.Module):
        def forward(self, x):
            return x + lt.tensor(np.asarray([float(x.stride(0)), 1.0], np.float32)) + self.later

    model = Elsewhere()
    model.later = lt.ones(2)
    assert [n.op_type for n in graph_of(model, (lt.ones(2),)).node if n.op_type != "Constant"] == ["Add", "Add"]


def test_a_model_that_keeps_something_is_refused():
    class Counting(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", lt.zeros(1))

        def forward(self, x):
            self.count += 1
            return x + self.count

    with pytest.raises(OnnxExporterError, match="writes into 'count'"):
        export(Counting(), (lt.ones(1),))


def test_the_module_is_named():
    class Inner(nn.Module):
        def forward(self, x):
            return lt.cummax(x, 0)[0]

    model = nn.Sequential(nn.ReLU(), nn.Sequential(Inner()))
    with pytest.raises(UnsupportedOperatorError, match=re.escape("in '1.0'")):
        export(model, (lt.ones(2),))


def test_training_is_refused():
    with pytest.raises(UnsupportedOperatorError, match="in training"):
        export(lambda x: F.dropout(x, 0.5, training=True), (lt.ones(2),))


def test_arguments_that_a_lowering_does_not_serve_are_refused():
    with pytest.raises(UnsupportedOperatorError, match="with indices"):
        export(lambda x: F.max_pool2d(x, 2, return_indices=True)[0], (lt.ones(1, 1, 4, 4),))


def test_a_size_that_is_an_affine_function_or_a_product():
    def model(x, y):
        b, t = x.shape
        return (
            lt.zeros(2 * b + t + 1),
            lt.zeros(b * t),
            lt.zeros(t // 1 - 1),
            x.reshape(b * t),
            lt.zeros(y.shape[0] + b),
        )

    dynamic = [{0: "b", 1: "t"}, {0: "n"}]
    program = export(model, (lt.ones(2, 3), lt.ones(4)), dynamic_shapes=dynamic)
    onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    assert onnxruntime
    shapes = [tuple(x.shape) for x in program(lt.ones(5, 7), lt.ones(11))]
    assert shapes == [(18,), (35,), (6,), (35,), (16,)]
