"""Models of four kinds, with what they are trained on and how, written once over a module called `torch`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

__all__ = ["PROGRAMS", "Program", "evaluated", "losses"]

WORDS = 24


def mlp(torch: Any) -> Any:
    """Three linear maps with dropout between them."""
    nn = torch.nn
    return nn.Sequential(
        nn.Linear(20, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 32), nn.GELU(), nn.Dropout(0.5), nn.Linear(32, 5)
    )


def resnet(torch: Any) -> Any:
    """Residual blocks of convolutions and batch norm, the second one strided, with its own shortcut."""
    nn = torch.nn

    class Block(nn.Module):
        def __init__(self, planes: int, out: int, stride: int) -> None:
            super().__init__()
            self.conv1 = nn.Conv2d(planes, out, 3, stride, 1, bias=False)
            self.bn1 = nn.BatchNorm2d(out)
            self.conv2 = nn.Conv2d(out, out, 3, padding=1, bias=False)
            self.bn2 = nn.BatchNorm2d(out)
            self.downsample = None
            if stride != 1 or planes != out:
                self.downsample = nn.Sequential(nn.Conv2d(planes, out, 1, stride, bias=False), nn.BatchNorm2d(out))

        def forward(self, x: Any) -> Any:
            shortcut = x if self.downsample is None else self.downsample(x)
            return torch.relu(self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x))))) + shortcut)

    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.MaxPool2d(2),
        Block(8, 8, 1), nn.Dropout2d(0.1), Block(8, 16, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.3), nn.Linear(16, 5),
    )  # fmt: skip


def tagger(torch: Any) -> Any:
    """Words to tags by an LSTM of two layers, both ways."""
    nn = torch.nn

    class Tagger(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.words = nn.Embedding(WORDS, 8, padding_idx=0)
            self.lstm = nn.LSTM(8, 12, num_layers=2, batch_first=True, dropout=0.2, bidirectional=True)
            self.head = nn.Linear(24, 5)

        def forward(self, x: Any) -> Any:
            return self.head(self.lstm(self.words(x))[0]).flatten(0, 1)

    return Tagger()


def gpt(torch: Any) -> Any:
    """Two pre-norm blocks of causal attention, with a tied head."""
    nn, F = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self, features: int, heads: int) -> None:
            super().__init__()
            self.heads = heads
            self.norm1, self.norm2 = nn.LayerNorm(features), nn.LayerNorm(features)
            self.qkv, self.out = nn.Linear(features, 3 * features), nn.Linear(features, features)
            self.feed = nn.Sequential(nn.Linear(features, 4 * features), nn.GELU(), nn.Linear(4 * features, features))
            self.drop = nn.Dropout(0.1)

        def forward(self, x: Any) -> Any:
            b, n, c = x.shape
            q, k, v = self.qkv(self.norm1(x)).split(c, dim=2)
            q, k, v = (y.view(b, n, self.heads, c // self.heads).transpose(1, 2) for y in (q, k, v))
            y = F.scaled_dot_product_attention(q, k, v, dropout_p=0.1 if self.training else 0.0, is_causal=True)
            x = x + self.drop(self.out(y.transpose(1, 2).reshape(b, n, c)))
            return x + self.drop(self.feed(self.norm2(x)))

    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.rows, self.places = nn.Embedding(WORDS, 16), nn.Embedding(16, 16)
            self.blocks = nn.ModuleList([Block(16, 4) for _ in range(2)])
            self.norm = nn.LayerNorm(16)
            self.head = nn.Linear(16, WORDS, bias=False)
            self.head.weight = self.rows.weight
            self.register_buffer("order", torch.arange(16), persistent=False)

        def forward(self, x: Any) -> Any:
            h = self.rows(x) + self.places(self.order[: x.shape[1]])
            for block in self.blocks:
                h = block(h)
            return self.head(self.norm(h)).flatten(0, 1)

    return Model()


def _classified(torch: Any, *shape: int) -> Any:
    """Random inputs, each with the place of the largest of its first five features."""
    x = torch.randn(150, *shape)
    return x, (x if x.ndim == 2 else x.mean((1, 3)))[:, :5].argmax(1)


def _tagged(torch: Any) -> Any:
    """Random words, each tagged by the one before."""
    x = torch.randint(1, WORDS, (150, 9))
    return x, torch.roll(x, 1, 1) % 5


def _continued(torch: Any) -> Any:
    """Texts in which each letter follows from the two before, and the same one letter on."""
    text = torch.randint(0, WORDS, (150, 2))
    while text.shape[1] < 13:
        text = torch.cat([text, (text[:, -1:] + 2 * text[:, -2:-1] + 1) % WORDS], 1)
    return text[:, :-1], text[:, 1:]


class Program(NamedTuple):
    """What makes a model, its data, an optimizer of its parameters, and a schedule of that."""

    model: Callable[[Any], Any]
    data: Callable[[Any], Any]
    optimizer: Callable[[Any, Any], Any]
    schedule: Callable[[Any, Any], Any]


PROGRAMS = {
    "mlp": Program(mlp, lambda torch: _classified(torch, 20), lambda o, p: o.SGD(p, lr=0.1, momentum=0.9, weight_decay=1e-3),
                   lambda s, o: s.StepLR(o, 20, 0.5)),
    "resnet": Program(resnet, lambda torch: _classified(torch, 3, 10, 10), lambda o, p: o.SGD(p, lr=0.02, momentum=0.9, nesterov=True),
                      lambda s, o: s.CosineAnnealingLR(o, 50)),
    "tagger": Program(tagger, _tagged, lambda o, p: o.Adam(p), lambda s, o: s.OneCycleLR(o, 0.03, total_steps=50)),
    "gpt": Program(gpt, _continued, lambda o, p: o.AdamW(p, lr=3e-3), lambda s, o: s.LinearLR(o, 0.1, total_iters=10)),
}  # fmt: skip


def losses(torch: Any, program: Program, model: Any, steps: int) -> Iterator[float]:
    """Train a model on shuffled batches, the last of each epoch smaller; the loss of every step."""
    data = torch.utils.data.TensorDataset(*program.data(torch))
    loader = torch.utils.data.DataLoader(data, batch_size=16, shuffle=True)
    optimizer = program.optimizer(torch.optim, model.parameters())
    schedule = program.schedule(torch.optim.lr_scheduler, optimizer)
    model.train()
    while steps:
        for x, y in loader:
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(x), y.flatten())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            yield loss.item()
            steps -= 1
            if not steps:
                break


def evaluated(torch: Any, model: Any, x: Any) -> Any:
    """What a model gives in evaluation."""
    model.eval()
    with torch.no_grad():
        return model(x)
