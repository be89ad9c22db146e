"""Training gives the same bits with 1, 2 and 8 threads: what is summed in parts is cut by shapes alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray.threads import get_num_threads, set_num_threads
from lamina_nn import functional as F
from lamina_nn import optim
from lamina_nn.gradient_clipping import clip_grad_norm_
from lamina_tensor import Tensor


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = get_num_threads()
    yield
    set_num_threads(before)


def perceptron() -> tuple[nn.Module, Tensor, Tensor]:
    model = nn.Sequential(nn.Linear(200, 300), nn.LayerNorm(300), nn.GELU(), nn.Dropout(0.3), nn.Linear(300, 70))
    return model, lt.randn(257, 200), lt.randint(0, 70, (257,))


def convolutions() -> tuple[nn.Module, Tensor, Tensor]:
    model = nn.Sequential(
        nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 32, 3, padding=1, groups=32), nn.GroupNorm(4, 32), nn.SiLU(), nn.Conv2d(32, 64, 3, stride=2),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10),
    )  # fmt: skip
    return model, lt.randn(17, 3, 32, 32), lt.randint(0, 10, (17,))


class Words(nn.Module):
    """Embedding, a recurrence, and attention over what it gives."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(50, 64)
        self.recurrence = nn.LSTM(64, 96, batch_first=True)
        self.attention = nn.TransformerEncoderLayer(96, 4, 200, dropout=0.1, batch_first=True)
        self.out = nn.Linear(96, 50)

    def forward(self, x: Tensor) -> Tensor:
        made: Tensor = self.out(self.attention(self.recurrence(self.embedding(x))[0])).mean(1)
        return made


def words() -> tuple[nn.Module, Tensor, Tensor]:
    return Words(), lt.randint(0, 50, (20, 130)), lt.randint(0, 50, (20,))


def trained(make: Callable[[], tuple[nn.Module, Tensor, Tensor]], threads: int) -> list[bytes]:
    """The bytes of all parameters and buffers after three steps, and of the losses."""
    set_num_threads(threads)
    lt.manual_seed(0)
    model, x, target = make()
    optimizer = optim.Adam(model.parameters(), lr=1e-3)
    bits = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), target)
        loss.backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        bits.append(loss.detach().numpy().tobytes())
    return bits + [value.numpy().tobytes() for value in model.state_dict().values()]


@pytest.mark.parametrize("make", [perceptron, convolutions, words])
def test_training_does_not_depend_on_the_number_of_threads(make: Callable[[], tuple[nn.Module, Tensor, Tensor]]) -> None:
    alone = trained(make, 1)
    assert trained(make, 2) == alone
    assert trained(make, 8) == alone
    assert len(set(alone)) > 3


def test_convolutions_of_any_number_of_filters_do_not_depend_on_it() -> None:
    """Whatever parts filters are cut into, for tiles of 4, 6 or 12 of them."""
    def made(filters: int, threads: int) -> list[bytes]:
        set_num_threads(threads)
        lt.manual_seed(filters)
        operands = [lt.randn(*shape, requires_grad=True) for shape in ((3, 16, 21, 20), (filters, 16, 3, 3), (filters,))]
        result = F.conv2d(*operands, padding=1)
        result.sum().backward()
        return [part.numpy().tobytes() for part in (result.detach(), *(operand.grad for operand in operands)) if part is not None]

    for filters in range(1, 31):
        alone = made(filters, 1)
        assert made(filters, 2) == alone, filters
        assert made(filters, 8) == alone, filters
