"""`lamina demo` and `lamina bench`."""

import json

import pytest

import lamina
from lamina.command_line import main


def test_the_demo_learns_and_draws(capsys):
    assert main(["demo"]) == 0
    lines = capsys.readouterr().out.splitlines()
    picture = [line for line in lines if set(line) <= set(".:ox") and len(line) == 64]
    assert len(picture) == 20 and all(any(mark in line for line in picture) for mark in ".:ox")
    assert "held-out points are right" in lines[-1]


def test_the_demo_for_programs_saves_what_it_has_learned(tmp_path, capsys):
    file = str(tmp_path / "moons.safetensors")
    assert main(["demo", "--json", "--save", file]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["accuracy"] >= 0.97 and told["losses"]["299"] < told["losses"]["0"]
    assert main(["summary", file]) == 0
    assert "tensors: 6, items: 1,218" in capsys.readouterr().out


def test_a_demo_that_does_not_learn_says_so(capsys):
    assert main(["demo", "--steps", "1"]) == 1


def test_bench_for_programs(capsys):
    before = lamina.get_num_threads()
    try:
        assert main(["bench", "--backend", "numpy", "--threads", "1", "--seconds", "0", "--json"]) == 0
    finally:
        lamina.set_num_threads(before)
    told = json.loads(capsys.readouterr().out)
    assert told["threads"] == 1 and len(told["microseconds"]) == 5
    assert all(time > 0 for times in told["microseconds"].values() for time in times.values())


def test_bench_in_words(capsys):
    assert main(["bench", "--seconds", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("microseconds for a call") and len(lines) == 3 + 5
    assert lines[4].rstrip().endswith("GB/s")


@pytest.mark.parametrize("name", ["nonesuch", "meta"])
def test_bench_of_what_does_not_serve_the_cpu(name, capsys):
    assert main(["bench", "--backend", name]) == 1
    assert capsys.readouterr().err.startswith("lamina bench: ")
