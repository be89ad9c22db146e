"""The published table of subgradients holds, on every backend."""

import math
import tomllib
from pathlib import Path

import numpy as np
import pytest

import lamina_tensor as lt
from lamina_flatarray import OPS
from lamina_tensor.dispatch.tensor_functions import af


def found(name):
    """The public function of an op, else the recorded op itself."""
    return getattr(lt, name, None) or getattr(lt, OPS[name].spelling, None) or getattr(af, name)

POINTS = tomllib.loads(Path(__file__).with_name("subgradients.toml").read_text())["point"]


class Names(dict):
    """Tensors by name, and functions by PyTorch's."""

    def __missing__(self, name):
        return found(name)


@pytest.mark.parametrize("point", POINTS, ids=lambda point: f"{point['call']} at {point['x']}")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_subgradient(point, dtype):
    tensors = {n: lt.tensor(point[n], dtype=dtype, requires_grad=True) for n in ("x", "y") if n in point}
    eval(point["call"], {}, Names(tensors, inf=math.inf)).sum().backward()
    for name, tensor in tensors.items():
        np.testing.assert_allclose(tensor.grad.numpy(), point[f"{name}_gradient"], rtol=1e-6, err_msg=name)


def test_no_point_is_listed_twice():
    seen = [(p["call"], str(p["x"]), str(p.get("y"))) for p in POINTS]
    assert len(seen) == len(set(seen))
