"""Models that are read: they answer as they were written, have their parameters, train, and are refused where they lie."""

import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnx
import pytest
from models import ZOO, normalized
from onnx import TensorProto, helper, numpy_helper

import lamina_nn as nn
import lamina_tensor as lt
from lamina_onnx import UnsupportedOperatorError, export, load
from lamina_onnx.importing import OPS

FLOAT = TensorProto.FLOAT


def tensors(tree):
    if isinstance(tree, lt.Tensor):
        return [tree]
    return [x for part in tree for x in tensors(part)] if isinstance(tree, (list, tuple)) else []


@pytest.mark.parametrize("name", ZOO)
def test_exported_models_come_back(name):
    lt.manual_seed(0)
    make, cases, dynamic = ZOO[name]
    model = normalized(make()).eval()
    again = load(export(model, cases[0], dynamic_shapes=dynamic).model_proto)
    names = {**dict(model.named_parameters()), **dict(model.named_buffers())}
    assert again.state_dict().keys() <= names.keys()
    for args in cases:
        with lt.no_grad():
            expected, given = tensors(model(*args)), tensors(again(*args))
        for ours, theirs in zip(expected, given, strict=True):
            assert ours.shape == theirs.shape and ours.dtype is theirs.dtype
            assert lt.allclose(ours, theirs, rtol=1e-5, atol=1e-5)


def test_parameters_have_their_names_and_gradients():
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    again = load(export(model, (lt.ones(1, 3),)).model_proto)
    assert list(again.state_dict()) == list(model.state_dict())
    again(lt.ones(5, 3)).sum().backward()
    model(lt.ones(5, 3)).sum().backward()
    for ours, theirs in zip(model.parameters(), again.parameters(), strict=True):
        assert lt.allclose(ours.grad, theirs.grad, atol=1e-6)
    again.load_state_dict(model.state_dict())


def model_of(nodes, inputs, outputs, initializers=(), opset=20):
    values = [[helper.make_tensor_value_info(n, FLOAT, ["n"]) for n in names] for names in (inputs, outputs)]
    return helper.make_model(
        helper.make_graph(nodes, "graph", *values, list(initializers)),
        opset_imports=[helper.make_opsetid("", opset)],
        ir_version=10,
    )


@pytest.mark.parametrize(
    "name", ["_places", "input_names", "forward", "a.b", "a..b", "training", "_graph.x", "__class__", "."]
)
def test_any_name_of_an_initializer_is_kept_apart(name):
    tensors = [numpy_helper.from_array(np.full(2, i, np.float32), n) for i, n in enumerate([name, "a", "a.b.c"])]
    nodes = [helper.make_node("Sum", ["x", name, "a", "a.b.c"], ["y"])]
    model = load(model_of(nodes, ["x"], ["y"], tensors))
    assert model(lt.ones(2)).tolist() == [4.0, 4.0]
    assert len(model.state_dict()) == 3


def test_branches_and_loops():
    def branch(op):
        return helper.make_graph(
            [helper.make_node(op, ["x", "x"], [f"{op}_y"])],
            op,
            [],
            [helper.make_tensor_value_info(f"{op}_y", FLOAT, ["n"])],
        )

    zero = numpy_helper.from_array(np.zeros((), np.float32), "zero")
    nodes = [
        helper.make_node("ReduceSum", ["x"], ["total"], keepdims=0), helper.make_node("Greater", ["total", "zero"], ["more"]),
        helper.make_node("If", ["more"], ["y"], then_branch=branch("Add"), else_branch=branch("Mul")),
    ]  # fmt: skip
    model = load(model_of(nodes, ["x"], ["y"], [zero]))
    assert model(lt.tensor([1.0, 2.0])).tolist() == [2.0, 4.0]
    assert model(lt.tensor([-1.0, -2.0])).tolist() == [1.0, 4.0]


def test_wrong_arguments_name_the_inputs():
    model = load(model_of([helper.make_node("Add", ["a", "b"], ["c"])], ["a", "b"], ["c"]))
    for args, kwargs in (
        ((), {}),
        ((lt.ones(1),), {}),
        ((lt.ones(1),) * 3, {}),
        ((lt.ones(1),), {"x": lt.ones(1)}),
        ((lt.ones(1),), {"a": lt.ones(1)}),
    ):
        with pytest.raises(TypeError, match=re.escape("forward() takes the inputs ['a', 'b']")):
            model(*args, **kwargs)
    assert model(lt.ones(1), b=lt.ones(1)).item() == 2
    with pytest.raises(RuntimeError) as caught:
        model(lt.ones(2), lt.ones(3))
    assert "Add" in caught.value.__notes__[0]


REFUSED = {
    "an op": [helper.make_node("NonMaxSuppression", ["a", "b"], ["c"])],
    "an op of a domain": [helper.make_node("Inverse", ["a"], ["c"], domain="com.example")],
    "an attribute": [helper.make_node("Cast", ["a"], ["c"], to=TensorProto.STRING)],
}


@pytest.mark.parametrize("nodes", REFUSED.values(), ids=REFUSED)
def test_what_is_not_served_is_refused_by_name(nodes):
    model = model_of(nodes, ["a", "b"], ["c"])
    model.opset_import.append(helper.make_opsetid("com.example", 1))
    with pytest.raises(UnsupportedOperatorError, match=nodes[0].op_type):
        load(model)(lt.ones(1, 1, 1), lt.ones(1, 1, 1))


def test_no_op_is_served_without_a_test_of_it():
    """Each op that is run is one of ONNX's, under its name."""
    known = {schema.name for schema in onnx.defs.get_all_schemas_with_history()}
    assert OPS.keys() <= known


# -- hostile files ------------------------------------------------------------------------------------------------------


def test_threads_share_a_module():
    """What runs in one, subgraphs included, is not seen in another."""
    def branch(op):
        node = helper.make_node(op, ["middle", "middle"], ["z"])
        return helper.make_graph([node], op, [], [helper.make_tensor_value_info("z", FLOAT, ["n"])])

    module = load(model_of([
        helper.make_node("Relu", ["x"], ["middle"]),
        helper.make_node("ReduceMax", ["x"], ["most"], keepdims=0),
        helper.make_node("Cast", ["most"], ["any"], to=TensorProto.BOOL),
        helper.make_node("If", ["any"], ["y"], then_branch=branch("Add"), else_branch=branch("Mul")),
    ], ["x"], ["y"]))  # fmt: skip

    def answers(number):
        return all(module(lt.full((3,), float(number))).tolist() == [2.0 * number] * 3 for _ in range(200))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(answers, range(1, 9)))


def external(location, offset=None, length=None, dims=(4,)):
    tensor = TensorProto(name="w", data_type=FLOAT, dims=dims, data_location=TensorProto.EXTERNAL)
    for key, value in (("location", location), ("offset", offset), ("length", length)):
        if value is not None:
            tensor.external_data.add(key=key, value=str(value))
    return model_of([helper.make_node("Add", ["x", "w"], ["y"])], ["x"], ["y"], [tensor])


def test_items_in_a_file_beside(tmp_path):
    (tmp_path / "model").mkdir()
    path = tmp_path / "model" / "m.onnx"
    (path.parent / "items").write_bytes(np.arange(6, dtype=np.float32).tobytes())
    path.write_bytes(external("items", 8, 16).SerializeToString())
    assert load(path)(lt.zeros(4)).tolist() == [2.0, 3.0, 4.0, 5.0]


@pytest.mark.parametrize("settings", [
    ("../secret",), ("/etc/passwd",), ("missing",), ("",), ("link",), ("items", 0, 1_000_000), ("items", -4, 16), ("items", 0, 8),
    ("items", "x"),
    ("items", 0, 16, (2**40, 2**40)), (".",),
])  # fmt: skip
def test_files_elsewhere_or_of_another_length_are_refused(tmp_path, settings):
    (tmp_path / "model").mkdir()
    (tmp_path / "secret").write_bytes(bytes(16))
    (tmp_path / "model" / "items").write_bytes(bytes(16))
    (tmp_path / "model" / "link").symlink_to(tmp_path / "secret")
    path = tmp_path / "model" / "m.onnx"
    path.write_bytes(external(*settings).SerializeToString())
    with pytest.raises(ValueError, match="load: "):
        load(path)
    with pytest.raises(ValueError, match="load: "):
        load(path.read_bytes())


def test_files_that_are_no_models(tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(b"\xff" * 100)
    for source in (path, b"\xff" * 100, b"", b"GIF89a"):
        with pytest.raises(ValueError, match="load: "):
            load(source)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.onnx")
    whole = export(nn.Linear(2, 2), (lt.ones(1, 2),)).model_proto.SerializeToString()
    for cut in range(1, len(whole), 7):
        with pytest.raises((ValueError, UnsupportedOperatorError)):
            load(whole[:cut])


def test_a_graph_that_is_out_of_order():
    nodes = [helper.make_node("Add", ["x", "later"], ["y"]), helper.make_node("Neg", ["x"], ["later"])]
    with pytest.raises(ValueError, match="no valid model"):
        load(model_of(nodes, ["x"], ["y"]))


def test_subgraphs_that_lie_too_deep():
    graph = helper.make_graph([], "leaf", [], [])
    for depth in range(20):
        node = helper.make_node("If", ["x"], [f"y{depth}"], then_branch=graph, else_branch=graph) if depth < 3 else helper.make_node(
            "If", ["x"], [f"y{depth}"], then_branch=graph, else_branch=helper.make_graph([], "leaf", [], []))  # fmt: skip
        graph = helper.make_graph([node], f"graph{depth}", [], [])
    model = model_of(list(graph.node), ["x"], ["x"])
    with pytest.raises((UnsupportedOperatorError, ValueError)):
        load(model)
