"""`lamina summary`: each format of files, told by its first bytes."""

import json

import numpy as np
import pytest

import lamina as torch
from lamina.command_line import main
from lamina_nn.files import save_file


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def told(file, capsys):
    assert main(["summary", file, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def tensors(file, capsys):
    return [tuple(stored.values()) for stored in told(file, capsys)["tensors"]]


def test_a_checkpoint(capsys):
    torch.save({"model": {"0.weight": torch.ones(2, 3), "steps": [torch.zeros(4, dtype=torch.int64)]}, "epoch": 3}, "a")
    assert tensors("a", capsys) == [("model/0.weight", "float32", [2, 3], 24), ("model/steps/0", "int64", [4], 32)]
    assert told("a", capsys)["format"] == "PyTorch .pt" and told("a", capsys)["about"] == {"epoch": "3"}


def test_a_checkpoint_of_the_older_format(capsys):
    torch.save([torch.ones(2)], "a", _use_new_zipfile_serialization=False)
    assert tensors("a", capsys) == [("0", "float32", [2], 8)]


def test_a_nest_of_any_depth(capsys):
    tree = torch.ones(1)
    for _ in range(300):
        tree = [tree]
    torch.save(tree, "a")
    assert [stored[1:] for stored in tensors("a", capsys)] == [("float32", [1], 4)]


def test_safetensors(capsys):
    save_file({"w": torch.ones(2, 3, dtype=torch.bfloat16)}, "a", {"made": "here"})
    assert tensors("a", capsys) == [("w", "BF16", [2, 3], 12)]
    assert told("a", capsys)["about"] == {"made": "here"}


def test_gguf(capsys):
    torch.gguf.save_gguf({"w": torch.ones(2, 64)}, "a", {"general.architecture": "llama"}, formats={"w": "Q8_0"})
    assert tensors("a", capsys) == [("w", "Q8_0", [2, 64], 2 * 2 * 34)]
    assert told("a", capsys)["about"]["general.architecture"] == "llama"


def test_numpy(capsys):
    np.save("one.npy", np.ones((2, 3), np.int16))
    np.savez("two.npz", a=np.ones(3), b=np.zeros((2, 2), np.float32))
    assert tensors("one.npy", capsys) == [("array", "int16", [2, 3], 12)]
    assert sorted(tensors("two.npz", capsys)) == [("a", "float64", [3], 24), ("b", "float32", [2, 2], 16)]


def test_onnx(capsys):
    pytest.importorskip("lamina_onnx", reason="the extra `onnx` is not installed")
    torch.onnx.export(torch.nn.Linear(2, 3), (torch.ones(1, 2),), "a")
    assert tensors("a", capsys) == [("weight", "float", [3, 2], 24), ("bias", "float", [3], 12)]
    about = told("a", capsys)["about"]
    assert about["nodes"].startswith("1: 1 Gemm") and about["opset"].startswith("ai.onnx ")


def test_a_table(capsys):
    torch.save({"w": torch.ones(2, 3), "text": "x" * 200, "number": torch.tensor(1.0)}, "a.pt")
    assert main(["summary", "a.pt"]) == 0
    assert capsys.readouterr().out == (
        "a.pt: PyTorch .pt\n"
        f"  text: {'x' * 100} ...\n"
        "tensor  dtype    shape  bytes\n"
        "------  -------  -----  -----\n"
        "w       float32  2 x 3     24\n"
        "number  float32  ()         4\n"
        "tensors: 2, items: 7, bytes: 28\n"
    )


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"", "no file of tensors"), (b"text", "no file of tensors"), (b"GGUF", "not a GGUF file"), (b"PK\x03\x04", ""), (b"\x93NUMPY", ""),
     (b"\xff" * 8 + b"{", "not a whole safetensors file"), (b"\x80\x02cos\nsystem\n", ""), (b"\x08\x07\xff", "")],
)  # fmt: skip
def test_what_cannot_be_read_is_told(content, why, tmp_path, capsys):
    (tmp_path / "a").write_bytes(content)
    assert main(["summary", "a"]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("lamina summary: ") and why in err


def test_no_such_file(capsys):
    assert main(["summary", "absent.pt"]) == 1
    assert "No such file" in capsys.readouterr().err
