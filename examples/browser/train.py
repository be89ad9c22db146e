"""What the page runs: a classifier of points in two moons, its border and its loss shown while it learns."""

import asyncio
import math

import lamina as torch
import lamina.nn.functional as F
from lamina import nn, viz

SIDE = 40


def moons(n):
    """Points (2n, 2) of two half circles that reach into each other, and which of them each is from."""
    angle = torch.rand(n) * math.pi
    upper = torch.stack([angle.cos(), angle.sin()], dim=1)
    lower = torch.stack([1 - angle.cos(), 0.5 - angle.sin()], dim=1)
    return torch.cat([upper, lower]) + 0.1 * torch.randn(2 * n, 2), torch.arange(2).repeat_interleave(n)


def border(model):
    """What the model makes of each place of the plane: (SIDE, SIDE) of how probable the second moon is, as nested lists."""
    x, y = torch.meshgrid(torch.linspace(-1.5, 2.5, SIDE), torch.linspace(1.5, -1, SIDE), indexing="xy")
    with torch.no_grad():
        return model(torch.stack([x.flatten(), y.flatten()], dim=1)).softmax(1)[:, 1].reshape(SIDE, SIDE).tolist()


async def train(show, steps=300):
    """Train, calling `show(step, loss, border)` now and then; the share of unseen points that are right, and the curve of the loss."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    (x, y), (unseen, labels) = moons(200), moons(200)
    losses = []
    for step in range(1, steps + 1):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if step % 10 == 0:
            show(step, losses[-1], border(model))
            await asyncio.sleep(0)  # the browser draws
    right = (model(unseen).argmax(1) == labels).float().mean().item()
    return right, viz.curves({"loss": losses}).svg
