"""`torch.onnx.export` under PyTorch's signature: what it hands on, and what it refuses."""

import sys

import pytest

import lamina as torch


def test_what_is_not_supported_is_refused():
    model, args = torch.nn.Linear(2, 3), (torch.ones(1, 2),)
    for settings in (
        {"report": True}, {"profile": True}, {"dump_exported_program": True}, {"custom_translation_table": {len: len}},
        {"custom_opsets": {"mine": 1}}, {"export_modules_as_functions": True}, {"training": torch.onnx.TrainingMode.TRAINING},
        {"training": torch.onnx.TrainingMode.PRESERVE}, {"operator_export_type": torch.onnx.OperatorExportTypes.ONNX_ATEN},
    ):  # fmt: skip
        with pytest.raises(NotImplementedError, match=r"torch\.onnx\.export"):
            torch.onnx.export(model, args, **settings)


def test_the_command_that_installs_it_is_told(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "lamina_onnx"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "lamina_onnx", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install lamina\[onnx\]"):
        torch.onnx.export(torch.nn.Linear(2, 3), (torch.ones(1, 2),))
    assert not torch.onnx.is_in_onnx_export()


def test_a_model_is_written(tmp_path):
    pytest.importorskip("lamina_onnx", reason="lamina-onnx is not installed")
    told = []

    class Model(torch.nn.Module):
        def forward(self, x, y):
            told.append(torch.onnx.is_in_onnx_export())
            return x + y

    path = tmp_path / "model.onnx"
    args = (torch.ones(2, 3), torch.ones(3))
    program = torch.onnx.export(
        Model(), args, path, input_names=["a", "b"], output_names=["c"], dynamic_axes={"a": {0: "n"}}, opset_version=18
    )
    assert told and all(told) and not torch.onnx.is_in_onnx_export()
    assert [value.name for value in program.model_proto.graph.input] == ["a", "b"]
    assert program.model_proto.opset_import[0].version == 18 and path.exists()
    assert torch.onnx.export(Model(), args, path, dynamo=False, training=torch.onnx.TrainingMode.EVAL) is None
