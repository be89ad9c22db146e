"""Public functions with spoilt arguments: some hundreds of calls; `python -m hostile_arguments` makes as many as are asked for."""

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from hostile_arguments import Example, calling, examples, run, running


def test_examples_are_of_most_functions():
    assert len({example.name for example in examples()}) > 1200


def test_spoilt_arguments_are_refused_or_served():
    finds, worked = run(400, 7)
    assert finds == [], "\n".join(f"{find.kind} in call {find.number}: {find.told}" for find in finds)
    assert 100 < worked < 350


@pytest.mark.parametrize("error", [SystemError, OverflowError, KeyError, AttributeError, UnboundLocalError, ZeroDivisionError, ValueError])
def test_errors_of_wrong_kinds_are_told_from_others(monkeypatch, error):
    def function():
        raise error("of a sort")

    monkeypatch.setattr(calling, "prepared", lambda seed, number: (Example("nd.function", function, (), {}, False), [], {}, Random(0)))
    outcome = calling.called(0, 0)
    assert outcome.sound == (error is ValueError)
    assert outcome.error.startswith(error.__name__) and ("test_hostile_arguments.py" in outcome.trace) != outcome.sound


@pytest.mark.parametrize(("end", "kind"), [("kill -6 $$", "crash"), ("exec sleep 100", "hang")])
def test_a_crash_and_a_hang_are_found(monkeypatch, tmp_path, end, kind):
    child = tmp_path / "python"
    child.write_text(f"""#!/bin/sh\necho '{{"number": 3, "call": "f()", "items": 1}}'\n{end}\n""")
    child.chmod(0o755)
    monkeypatch.setattr(running.sys, "executable", str(child))
    finds, worked = run(1, 0, first=3, limit=2.0)
    assert [(find.number, find.kind) for find in finds] == [(3, kind)] and worked == 0
    assert "f()" in finds[0].told
