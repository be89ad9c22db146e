"""A small model trained by all processes, each with its share of every batch: `training.py MODEL OPTIMIZER STEPS` prints losses as JSON."""

import json
import sys

import lamina as torch

kind, optimizer, steps = sys.argv[1], sys.argv[2], int(sys.argv[3])
d, nn = torch.distributed, torch.nn
d.init_process_group(timeout=120)
rank, size = d.get_rank(), d.get_world_size()


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first, self.second = (nn.Conv2d(channels, channels, 3, padding=1, bias=False) for _ in range(2))
        self.norms = nn.ModuleList(nn.SyncBatchNorm(channels) for _ in range(2))

    def forward(self, x):
        return torch.relu(x + self.norms[1](self.second(torch.relu(self.norms[0](self.first(x))))))


class GPT(nn.Module):
    def __init__(self, words=17, width=32, length=12):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        layer = nn.TransformerEncoderLayer(width, 4, 64, dropout=0.0, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(width, words)

    def forward(self, x):
        length = x.shape[1]
        mask = nn.Transformer.generate_square_subsequent_mask(length)
        return self.head(self.layers(self.words(x) + self.places(torch.arange(length)), mask=mask, is_causal=True))


torch.manual_seed(0)
if kind == "mlp":
    model = nn.Sequential(nn.Linear(10, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 3))
    data, targets = torch.randn(steps, 8, 10), torch.randint(0, 3, (steps, 8))
elif kind == "resnet":
    model = nn.Sequential(nn.Conv2d(1, 6, 3, bias=False), nn.SyncBatchNorm(6), nn.ReLU(), Residual(6), nn.Flatten(), nn.Linear(6 * 36, 3))
    data, targets = torch.randn(steps, 8, 1, 8, 8), torch.randint(0, 3, (steps, 8))
else:
    model = GPT()
    text = torch.randint(0, 17, (steps, 8, 13))
    data, targets = text[:, :, :-1], text[:, :, 1:]

model = nn.parallel.DistributedDataParallel(model, bucket_cap_mb=0.01)
if optimizer == "zero":
    stepper = d.optim.ZeroRedundancyOptimizer(model.parameters(), torch.optim.AdamW, lr=0.003)
else:
    stepper = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
losses = []
for x, y in zip(data, targets, strict=True):
    scores = model(x[rank::size])
    loss = nn.functional.cross_entropy(scores.reshape(-1, scores.shape[-1]), y[rank::size].reshape(-1))
    stepper.zero_grad()
    loss.backward()
    stepper.step()
    mean = loss.detach().clone()
    d.all_reduce(mean, d.ReduceOp.AVG)
    losses.append(mean.item())
if rank == 0:
    weights = sum(p.double().sum().item() for p in model.parameters())
    print(f"losses {json.dumps(losses)} {weights.hex()}", flush=True)
