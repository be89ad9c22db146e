"""What `import lamina` loads: counted in modules, in a process of its own."""

import importlib.util
import json
import subprocess
import sys

import lamina
import lamina_ndarray as nd

PROGRAM = """
import json, sys
import numpy, ml_dtypes
before = set(sys.modules)
import lamina
print(json.dumps(sorted(set(sys.modules) - before)))
"""
HEAVY = {
    "asyncio", "inspect", "lamina_backend_cpp", "lamina_nn", "lamina_onnx", "lamina_testkit", "multiprocessing", "onnx", "pluggy",
    "requests", "rich", "safetensors", "scipy", "sympy", "typer",
}  # fmt: skip
OTHERS = 10  # of the standard library and NumPy


def loaded():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_nothing_heavy_and_no_plug_in_is_loaded():
    assert not HEAVY & {name.partition(".")[0] for name in loaded()}


def test_little_beside_its_own_modules_is_loaded():
    other = [name for name in loaded() if not name.startswith("lamina")]
    assert len(other) <= OTHERS, other


def test_what_is_loaded_when_first_used_is_not_loaded_before():
    later = {importlib.util.resolve_name(place, nd.__name__) for place in nd._LOADED_LATER.values()} | set(lamina._LOADED_LATER.values())
    assert later and not later & set(loaded())
