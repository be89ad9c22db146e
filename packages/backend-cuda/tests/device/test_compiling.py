"""Compiled functions of tensors on a device: a backend's own Python is no program's, and copies between devices are told."""

import warnings

import pytest
from standin import HostPort

from lamina_backend_cuda import CudaBackend
from lamina_flatarray.backends import registry

torch = pytest.importorskip("lamina")


@pytest.fixture(autouse=True)
def cuda():
    yield registry.register(CudaBackend(HostPort()))
    registry.unregister("cuda")


def test_a_function_is_compiled_with_its_gradients():
    weight = torch.rand(3, device="cuda", requires_grad=True)
    shift = [0.5, -1.0, 2.0]

    def function(x):
        return (x * weight + torch.tensor(shift, device="cuda")).tanh().sum()

    compiled = torch.compile(function, fullgraph=True)
    for turn in range(5):
        x = torch.rand(4, 3, device="cuda") + turn
        (ours,) = torch.autograd.grad(compiled(x), weight)
        (eager,) = torch.autograd.grad(function(x), weight)
        assert ours.tolist() == eager.tolist()
    assert " backward;" in torch.explain_compiled(compiled)


def test_what_goes_by_another_device_is_eager_and_right():
    compiled = torch.compile(lambda x: x * x.cpu().max().item())
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for turn in range(4):
            x = torch.rand(5, device="cuda") + turn
            assert compiled(x).tolist() == (x * x.max().item()).tolist()
    assert any("another device" in str(warning.message) for warning in told)
