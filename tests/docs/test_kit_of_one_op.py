"""The kit judges one overridden op from the command line, as the page on backends says."""

import subprocess
import sys

import pytest

from lamina_flatarray import BackendError, backends


@pytest.mark.parametrize(("expression", "fails"), [("np.maximum(x, 0)", False), ("abs(x)", True)])
def test_one_op(tmp_path, monkeypatch, expression, fails):
    try:
        backends.backend("cpp")
    except BackendError as cause:
        pytest.skip(str(cause))
    (tmp_path / "my_relu.py").write_text(f"""
import numpy as np
from lamina_flatarray.backends import override

def relu(out, x):
    out, x = (o.flat.numpy()[: o.layout.size] for o in (out, x))
    out[...] = {expression}

override("cpp", "relu", ("float32", "float64"), relu)
""")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    kit = ["--pyargs", "lamina_testkit.conformance.test_kernels", "--backend", "cpp", "-k", "relu-float32 or relu-float64"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "my_relu", "-p", "no:cacheprovider", *kit]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == int(fails), done.stdout + done.stderr
    assert ("2 failed" if fails else " passed") in done.stdout
