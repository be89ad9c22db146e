"""The generated files are what their generators write."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("generator", sorted((ROOT / "generate").glob("*.py")), ids=lambda file: file.stem)
def test_generated_source_is_up_to_date(generator):
    checked = subprocess.run([sys.executable, str(generator), "--check"], capture_output=True, text=True, cwd=ROOT)
    assert checked.returncode == 0, checked.stderr
