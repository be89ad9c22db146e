"""Networks trained on the emulated device reach the reference's losses: every kernel of forward, backward and step is real PTX."""

from collections.abc import Callable

import emulated
import pytest
from emulated.nvrtc import available

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


def perceptron():
    """Two layers, and numbers to regress."""
    import lamina_nn as nn
    import lamina_tensor as lt

    model = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 2))
    x, y = lt.randn(12, 5), lt.randn(12, 2)
    return model, (x, y), lambda x, y: nn.functional.mse_loss(model(x), y)


def convolutional():
    """LeNet's shape: Y. LeCun et al., Gradient-based learning applied to document recognition, 1998."""
    import lamina_nn as nn
    import lamina_tensor as lt

    model = nn.Sequential(
        nn.Conv2d(1, 3, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(3, 4, 3), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(4 * 2 * 2, 10),
    )  # fmt: skip
    x, y = lt.randn(4, 1, 12, 12), lt.randint(0, 10, (4,))
    return model, (x, y), lambda x, y: nn.functional.cross_entropy(model(x), y)


def transformer():
    """A decoder of one block: embeddings, causal attention, a layer in between, and what comes next."""
    import lamina_nn as nn
    import lamina_tensor as lt

    vocabulary, width, heads, length = 11, 8, 2, 6
    embedding, position = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
    first, second, last = nn.LayerNorm(width), nn.LayerNorm(width), nn.LayerNorm(width)
    mixed, joined = nn.Linear(width, 3 * width), nn.Linear(width, width)
    wide, narrow, head = nn.Linear(width, 4 * width), nn.Linear(4 * width, width), nn.Linear(width, vocabulary)
    model = nn.ModuleList([embedding, position, first, second, last, mixed, joined, wide, narrow, head])
    tokens = lt.randint(0, vocabulary, (3, length + 1))
    places = lt.arange(length)

    def loss(tokens, places):
        x = embedding(tokens[:, :-1]) + position(places)
        q, k, v = (
            part.reshape(3, length, heads, width // heads).transpose(1, 2) for part in mixed(first(x)).chunk(3, dim=-1)
        )
        seen = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + joined(seen.transpose(1, 2).reshape(3, length, width))
        x = x + narrow(nn.functional.gelu(wide(second(x))))
        return nn.functional.cross_entropy(head(last(x)).reshape(-1, vocabulary), tokens[:, 1:].reshape(-1))

    return model, (tokens, places), loss


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
