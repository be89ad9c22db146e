"""Models whose weights and inputs are on a device that the host cannot read are written, checked and run as others are."""

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray import backends
from lamina_onnx import export

toys = pytest.importorskip("lamina_testkit.toy", reason="the second device is the kit's")


@pytest.fixture
def toy():
    backends.register(toys.ToyBackend())
    yield "toy"
    backends.unregister("toy")


class Model(nn.Module):
    """A weight, a number that is made on the way, and one that is kept."""

    def __init__(self, device):
        super().__init__()
        self.linear = nn.Linear(3, 2, device=device)
        self.kept = lt.full((2,), 3.0, device=device)

    def forward(self, x):
        return self.linear(x) * self.kept + lt.arange(2, device=x.device)


@pytest.mark.filterwarnings("ignore")
def test_a_model_on_a_device(toy):
    model, x = Model(toy), lt.ones(4, 3, device=toy)
    program = export(model, (x,), dynamic_shapes={"x": {0: "n"}}, verify=True)
    x = lt.arange(15.0, device=toy).reshape(5, 3)
    (found,) = program(x)
    assert lt.allclose(found, model(x).cpu())
