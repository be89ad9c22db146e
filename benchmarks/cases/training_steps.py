"""Whole training steps: forward, loss, backward and the optimizer, of networks that everybody trains first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

TITLE = "Training steps"


def networks(lib: Any) -> dict[str, Callable[[], tuple[Any, Any, Callable[[], Any]]]]:
    """Name to what makes (the model, its optimizer, the loss of one batch)."""
    nn, functional = lib.nn, lib.nn.functional

    class Block(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, channels: int, out: int, stride: int) -> None:
            super().__init__()
            self.first = nn.Conv2d(channels, out, 3, stride, 1, bias=False)
            self.norm1, self.norm2 = nn.BatchNorm2d(out), nn.BatchNorm2d(out)
            self.second = nn.Conv2d(out, out, 3, 1, 1, bias=False)
            self.short = nn.Identity() if stride == 1 else nn.Conv2d(channels, out, 1, stride, bias=False)

        def forward(self, x: Any) -> Any:
            y = functional.relu(self.norm1(self.first(x)))
            return functional.relu(self.norm2(self.second(y)) + self.short(x))

    class Attention(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, width: int, heads: int) -> None:
            super().__init__()
            self.heads = heads
            self.all, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

        def forward(self, x: Any) -> Any:
            n, length, width = x.shape
            q, k, v = (
                part.view(n, length, self.heads, width // self.heads).transpose(1, 2) for part in self.all(x).split(width, 2)
            )
            y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            return self.out(y.transpose(1, 2).reshape(n, length, width))

    class Layer(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, width: int, heads: int) -> None:
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.attention = Attention(width, heads)
            self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

        def forward(self, x: Any) -> Any:
            x = x + self.attention(self.norm1(x))
            return x + self.mlp(self.norm2(x))

    class GPT(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, words: int, length: int, width: int, heads: int, layers: int) -> None:
            super().__init__()
            self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
            self.layers = nn.Sequential(*(Layer(width, heads) for _ in range(layers)))
            self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)

        def forward(self, ids: Any) -> Any:
            x = self.words(ids) + self.places(lib.arange(ids.shape[1]))
            return self.head(self.norm(self.layers(x)))

    class Tagger(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.words = nn.Embedding(1000, 64)
            self.lstm, self.head = nn.LSTM(64, 128, 2), nn.Linear(128, 1000)

        def forward(self, ids: Any) -> Any:
            return self.head(self.lstm(self.words(ids))[0])

    class VAE(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.into, self.mean, self.log_variance = nn.Linear(784, 400), nn.Linear(400, 20), nn.Linear(400, 20)
            self.back, self.out = nn.Linear(20, 400), nn.Linear(400, 784)

        def forward(self, x: Any) -> Any:
            hidden = functional.relu(self.into(x))
            mean, log_variance = self.mean(hidden), self.log_variance(hidden)
            z = mean + lib.randn_like(mean) * lib.exp(0.5 * log_variance)
            return lib.sigmoid(self.out(functional.relu(self.back(z)))), mean, log_variance

    def classified(model: Any, x: Any, classes: int, settings: str = "SGD") -> tuple[Any, Any, Callable[[], Any]]:
        target = lib.randint(0, classes, (x.shape[0],))
        optimizer = getattr(lib.optim, settings)(model.parameters(), lr=1e-3)
        return model, optimizer, lambda: functional.cross_entropy(model(x), target)

    def moons() -> tuple[Any, Any, Callable[[], Any]]:
        model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 1))
        x, y = lib.randn(32, 2), lib.randn(32, 1)
        return model, lib.optim.SGD(model.parameters(), lr=0.01), lambda: functional.mse_loss(model(x), y)

    def mlp() -> tuple[Any, Any, Callable[[], Any]]:
        model = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Dropout(0.2), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 10))
        return classified(model, lib.randn(64, 784), 10, "Adam")

    def lenet() -> tuple[Any, Any, Callable[[], Any]]:
        model = nn.Sequential(
            nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
        )  # fmt: skip
        return classified(model, lib.randn(64, 1, 28, 28), 10)

    def resnet() -> tuple[Any, Any, Callable[[], Any]]:
        model = nn.Sequential(
            nn.Conv2d(3, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU(), Block(16, 16, 1), Block(16, 32, 2),
            Block(32, 64, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10),
        )  # fmt: skip
        return classified(model, lib.randn(32, 3, 32, 32), 10)

    def lstm() -> tuple[Any, Any, Callable[[], Any]]:
        model, ids = Tagger(), lib.randint(0, 1000, (36, 20))
        optimizer = lib.optim.Adam(model.parameters(), lr=1e-3)
        return model, optimizer, lambda: functional.cross_entropy(model(ids[:-1]).view(-1, 1000), ids[1:].reshape(-1))

    def gpt() -> tuple[Any, Any, Callable[[], Any]]:
        model, ids = GPT(256, 64, 128, 4, 4), lib.randint(0, 256, (8, 65))
        optimizer = lib.optim.AdamW(model.parameters(), lr=1e-3)
        return model, optimizer, lambda: functional.cross_entropy(model(ids[:, :-1]).view(-1, 256), ids[:, 1:].reshape(-1))

    def vae() -> tuple[Any, Any, Callable[[], Any]]:
        model, x = VAE(), lib.rand(128, 784)

        def loss() -> Any:
            made, mean, log_variance = model(x)
            divergence = -0.5 * lib.sum(1 + log_variance - mean.pow(2) - log_variance.exp())
            return functional.binary_cross_entropy(made, x, reduction="sum") + divergence

        return model, lib.optim.Adam(model.parameters(), lr=1e-3), loss

    return {
        "tiny MLP on moons, 32x2": moons,
        "MNIST MLP with dropout, 64x784": mlp,
        "LeNet, 64x1x28x28": lenet,
        "ResNet of 3 blocks, 32x3x32x32": resnet,
        "LSTM of 2 layers, 35x20 words": lstm,
        "GPT of 4 layers, 8x64 tokens": gpt,
        "VAE, 128x784": vae,
    }


def cases(lib: Any) -> dict[str, Callable[[], Any]]:
    """A step of each network."""

    def step_of(make: Callable[[], tuple[Any, Any, Callable[[], Any]]]) -> Callable[[], Any]:
        lib.manual_seed(0)
        _, optimizer, loss_of_batch = make()

        def step() -> None:
            loss = loss_of_batch()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    return {name: step_of(make) for name, make in networks(lib).items()}
