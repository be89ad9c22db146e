"""Models that are trained by compiled steps and by eager ones, and all that there is afterwards, to be compared."""

import lamina as torch
from lamina import nn
from lamina.nn import functional as F

STEPS = 10


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.lstm, self.head = nn.Embedding(9, 4), nn.LSTM(4, 5, batch_first=True), nn.Linear(5, 3)

    def forward(self, ids):
        return self.head(self.lstm(self.words(ids))[0][:, -1])


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(9, 8), nn.Embedding(6, 8)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1, batch_first=True, norm_first=True)
        self.head = nn.Linear(8, 3)

    def forward(self, ids):
        x = self.words(ids) + self.places(torch.arange(ids.shape[1]))
        return self.head(self.layer(x, src_mask=nn.Transformer.generate_square_subsequent_mask(ids.shape[1])).mean(1))


def mlp():
    return nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))


def convolutions():
    return nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Dropout(0.3), nn.Linear(16, 3)
    )


MODELS = {
    "MLP": (mlp, lambda n: torch.randn(n, 6)),
    "convolutions": (convolutions, lambda n: torch.randn(n, 1, 4, 4)),
    "LSTM": (Tagger, lambda n: torch.randint(0, 9, (n, 6))),
    "transformer": (Transformer, lambda n: torch.randint(0, 9, (n, 6))),
}
OPTIMIZERS = sorted(
    name for name in dir(torch.optim)
    if isinstance(kind := getattr(torch.optim, name), type) and issubclass(kind, torch.optim.Optimizer)
    and kind not in (torch.optim.Optimizer, torch.optim.LBFGS, torch.optim.SparseAdam)  # these want a closure, or sparse gradients
)  # fmt: skip


def optimizer_of(name, model):
    if name == "Muon":  # it takes matrices alone
        for p in model.parameters():
            p.requires_grad_(p.ndim == 2)
    return getattr(torch.optim, name)([p for p in model.parameters() if p.requires_grad], lr=0.05)


def written(value):
    """All items in a tree of tensors, as they are written."""
    if isinstance(value, torch.Tensor):
        return value.dtype, tuple(value.shape), value.detach().numpy().tobytes()
    if isinstance(value, dict):
        return {key: written(part) for key, part in value.items()}
    return [written(part) for part in value] if isinstance(value, (list, tuple)) else value


def everything(model, optimizer, losses):
    gradients = [None if p.grad is None else p.grad for p in model.parameters()]
    return written([model.state_dict(), optimizer.state_dict(), gradients, losses, torch.get_rng_state()])


def trained(name, compile, change=None, made="MLP", fullgraph=True, body=None, options=None):
    """What is there after the steps, of which half are made before a change; and what was called."""
    torch.manual_seed(0)
    make, batch = MODELS[made]
    model = make()
    optimizer = optimizer_of(name, model)

    def step(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    if body is not None:
        step = body(model, optimizer)
    called = torch.compile(step, fullgraph=fullgraph, options=options) if compile else step
    losses, n = [], 4
    for turn in range(STEPS):
        if turn == STEPS // 2 and change is not None:
            n = change(model, optimizer) or n
        loss = called(batch(n), torch.randint(0, 3, (n,)))
        losses.append(loss.detach())
    return everything(model, optimizer, losses), called


def clipped(model, optimizer):
    def step(x, y):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
        return loss.detach() + norm

    return step


def scheduled(model, optimizer):
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, 20)

    def step(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        return loss

    return step
