"""A whole training run: data, model, optimizer, scheduler, clipping and evaluation."""

from typing import assert_type

import lamina as torch
from lamina import Tensor, nn, optim
from lamina.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
features = torch.randn(32, 4)
labels = (features.sum(dim=1) > 0).long()
dataset = TensorDataset(features, labels)
train, test = random_split(dataset, [24, 8])
loader = DataLoader(train, batch_size=8, shuffle=True)

model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
criterion = nn.CrossEntropyLoss()
optimizer = optim.AdamW(model.parameters(), lr=1e-2, betas=(0.9, 0.99), weight_decay=0.01)
scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=3)


def train_epoch(model: nn.Module, loader: DataLoader[tuple[Tensor, ...]], optimizer: optim.Optimizer) -> float:
    model.train()
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        prediction: Tensor = model(x)
        loss: Tensor = criterion(prediction, y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
        total += loss.item() * x.size(0)
    return total


@torch.no_grad()
def accuracy(model: nn.Module, loader: DataLoader[tuple[Tensor, ...]]) -> float:
    model.eval()
    right, seen = 0, 0
    for x, y in loader:
        right += int((model(x).argmax(dim=1) == y).sum())
        seen += len(y)
    return right / seen


for epoch in range(3):
    lost = train_epoch(model, loader, optimizer)
    scheduler.step()
    print(f"{epoch}: {lost:.3f} at {scheduler.get_last_lr()[0]:.4f}")
assert_type(accuracy(model, DataLoader(test, batch_size=4)), float)
