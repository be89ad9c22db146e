"""Networks trained on the emulated device reach the reference's losses: every kernel of forward, backward and step is real PTX."""

from collections.abc import Callable

import emulated
import pytest
from emulated.nvrtc import available
from networks import convolutional, perceptron, transformer

from lamina_flatarray import backends
from lamina_flatarray.backends import registry
from lamina_flatarray.backends.fallback import fallbacks, reset_fallbacks

STEPS = 4

pytestmark = pytest.mark.skipif(not available(), reason="NVRTC is not installed: pip install nvidia-cuda-nvrtc-cu12")


@pytest.fixture
def registered(request):
    """The backend on an emulated device of the compute capability that the test asks for."""
    from lamina_backend_cuda import CudaBackend

    registry.register(CudaBackend(emulated.EmulatedPort(architecture=request.param)))
    yield
    registry.unregister("cuda")


def losses(make: Callable, device: str) -> list[float]:
    """Of each step with Adam; the numbers that a model begins with are drawn on the host."""
    import lamina_nn as nn
    import lamina_tensor as lt

    lt.manual_seed(7)
    model, data, loss_of = make()
    model.to(device)
    data = [x.to(device) for x in data]
    optimizer = nn.optim.Adam(model.parameters(), lr=0.02)
    seen = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = loss_of(*data)
        loss.backward()
        optimizer.step()
        seen.append(loss.item())
    return seen


@pytest.mark.parametrize(
    ("registered", "make"), [(75, perceptron), (120, perceptron), (75, convolutional), (75, transformer)], indirect=["registered"]
)
def test_the_same_losses_as_on_the_reference(registered, make):
    reset_fallbacks()
    with backends.use_backend("numpy"):
        expected = losses(make, "cpu")
    seen = losses(make, "cuda")
    assert seen == pytest.approx(expected, rel=64 * 2**-23)  # no sum has more than some 64 terms that matter, each rounded once
    assert expected[-1] < expected[0]
    assert not fallbacks()
