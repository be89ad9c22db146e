"""Compiled models train as eager ones do: losses, parameters and buffers, bit for bit."""

import pytest

import lamina as torch
from lamina import nn
from lamina.nn import functional as F

STEPS = 6


class VariationalAutoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(8, 6), nn.Linear(3, 8)

    def forward(self, x):
        mean, log_variance = self.encoder(x).chunk(2, -1)
        result = self.decoder(mean + torch.randn_like(mean) * (0.5 * log_variance).exp())
        return F.mse_loss(result, x) + (mean.square() + log_variance.exp() - 1 - log_variance).mean()


class UnderAutocast(nn.Linear):
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return super().forward(x)


class Cubed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x)
        ctx.factor = factor
        return x * x * x * factor

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return 3 * x * x * gradient * ctx.factor, None


class WithOwnFunction(nn.Linear):
    def forward(self, x):
        return Cubed.apply(super().forward(x), 2.0)


class RunningMean(nn.Linear):
    def __init__(self):
        super().__init__(4, 4)
        self.register_buffer("mean", torch.zeros(4))
        self.register_buffer("steps", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        with torch.no_grad():
            self.mean.mul_(0.9).add_(x.mean(0))
            self.steps += 1
        return super().forward(x) - self.mean + torch.arange(4) + torch.tensor([1.0, 2.0, 3.0, 4.0])


class TiedWeights(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.head = nn.Embedding(7, 4), nn.Linear(4, 7, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, positions):
        return self.head(self.embedding(positions))


def upsampling():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.GroupNorm(2, 8), nn.SiLU(), nn.ConvTranspose2d(8, 3, 4, stride=2, padding=1),
        nn.Upsample(scale_factor=2, mode="bilinear"), nn.PixelUnshuffle(2), nn.Softplus(),
    )  # fmt: skip


def classifying():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Dropout(), nn.Linear(32, 4)
    )


MODELS = {
    "encoder": (lambda: nn.TransformerEncoderLayer(16, 2, 32, batch_first=True), lambda: (torch.randn(2, 5, 16),)),
    "decoder": (lambda: nn.TransformerDecoderLayer(16, 2, 32, batch_first=True), lambda: (torch.randn(2, 5, 16), torch.randn(2, 4, 16))),
    "attention": (lambda: nn.MultiheadAttention(16, 2), lambda: (torch.randn(2, 5, 16), torch.randn(2, 5, 16), torch.randn(2, 5, 16))),
    "LSTM": (lambda: nn.LSTM(4, 5, 2, batch_first=True, dropout=0.2), lambda: (torch.randn(2, 5, 4),)),
    "GRU": (lambda: nn.GRU(4, 5, bidirectional=True), lambda: (torch.randn(3, 2, 4),)),
    "convolutions": (classifying, lambda: (torch.randn(2, 3, 8, 8),)),
    "upsampling": (upsampling, lambda: (torch.randn(2, 3, 8, 8),)),
    "embedding": (lambda: nn.Sequential(nn.Embedding(10, 6), nn.LayerNorm(6), nn.Linear(6, 6)), lambda: (torch.randint(0, 10, (3, 4)),)),
    "weight norm": (lambda: nn.utils.parametrizations.weight_norm(nn.Linear(4, 4)), lambda: (torch.randn(2, 4),)),
    "spectral norm": (lambda: nn.utils.parametrizations.spectral_norm(nn.Linear(4, 4)), lambda: (torch.randn(2, 4),)),
    "variational": (VariationalAutoencoder, lambda: (torch.randn(4, 8),)),
    "autocast": (lambda: UnderAutocast(4, 4), lambda: (torch.randn(4, 4),)),
    "own function": (lambda: WithOwnFunction(4, 4), lambda: (torch.randn(4, 4),)),
    "running mean": (RunningMean, lambda: (torch.randn(4, 4),)),
    "tied weights": (TiedWeights, lambda: (torch.randint(0, 7, (3,)),)),
}


def trained(make, arguments, compile):
    torch.manual_seed(0)
    model = make()
    called = torch.compile(model, fullgraph=True) if compile else model
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    losses = []
    for step in range(STEPS):
        torch.manual_seed(step)
        result = called(*arguments())
        loss = (result if isinstance(result, torch.Tensor) else result[0]).float().square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, {name: value.tolist() for name, value in model.state_dict().items()}, called


@pytest.mark.parametrize("name", MODELS)
def test_training_is_the_same_bit_for_bit(name):
    losses, state, _ = trained(*MODELS[name], compile=False)
    compiled_losses, compiled_state, called = trained(*MODELS[name], compile=True)
    assert called._compiled_function.explain()[0].kernels is not None
    assert compiled_losses == losses
    assert compiled_state == state


def test_checkpoints_stay_eager_as_they_set_the_generator():
    model = nn.Sequential(nn.Linear(4, 4), nn.Dropout())
    compiled = torch.compile(lambda x: torch.utils.checkpoint.checkpoint(model, x, use_reentrant=False))
    with pytest.warns(UserWarning, match="state of a random generator"):
        for _ in range(STEPS):
            compiled(torch.ones(2, 4)).sum().backward()
