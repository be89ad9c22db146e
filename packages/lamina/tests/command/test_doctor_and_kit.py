"""`lamina doctor` and `lamina check-backend`."""

import importlib.util
import json

import pytest

from lamina.command_line import main


def test_the_doctor_in_words(capsys):
    assert main(["doctor"]) == 0
    assert "numpy: available" in capsys.readouterr().out


def test_the_doctor_for_programs(capsys):
    assert main(["doctor", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {"name": "numpy", "state": "available", "device_type": "cpu"}.items() <= told["backends"][0].items()
    assert isinstance(told["wrong"], list)


@pytest.fixture
def kit():
    if importlib.util.find_spec("lamina_testkit") is None:
        pytest.skip("lamina-testkit is not installed")


def test_the_kit_passes(kit, capfd):
    assert main(["check-backend", "numpy", "--level", "core", "-k", "test_kernel and exp-float32", "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert report["backend"] == "numpy" and report["levels"]["core"]["passed"] > 0 and report["levels"]["core"]["failed"] == 0


def test_the_kit_in_words(kit, capfd):
    assert main(["check-backend", "numpy", "-k", "test_kernel and exp-float32"]) == 0
    assert "level" in capfd.readouterr().out


def test_there_is_no_such_backend(kit, capfd):
    assert main(["check-backend", "nonesuch"]) == 4  # pytest's status for wrong usage
    assert "nonesuch" in capfd.readouterr().err


def test_the_kit_is_not_installed(monkeypatch, capsys):
    monkeypatch.setattr("lamina.commands.check_backend.find_spec", lambda name: None)
    assert main(["check-backend", "numpy"]) == 1
    assert capsys.readouterr().err.endswith("pip install lamina-testkit\n")
