"""The examples that need nothing but lamina run, and reach what they promise."""

import runpy
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_record(capsys):
    example = runpy.run_path(str(EXAMPLES / "record.py"))
    example["main"](steps=301)  # exits with an error below 97%
    losses = [float(line.split()[3]) for line in capsys.readouterr().out.splitlines() if line.startswith("step")]
    assert losses == sorted(losses, reverse=True) and len(losses) == 4
