"""Tell two spirals apart with parameters in a plain dict and a record of each step: no tensor ever asks for gradients.

Run: python examples/record.py
"""

from itertools import pairwise

import lamina as torch
import lamina.nn.functional as F

POINTS = 200  # per spiral
SIZES = (2, 32, 32, 2)


def spirals():
    """Points (2 * POINTS, 2) on two spirals that wind around each other, and which one each is on."""
    turn = torch.linspace(0.5, 3.0, POINTS) * torch.pi
    arms = []
    for sign in (1.0, -1.0):
        arm = torch.stack([turn.cos(), turn.sin()], 1) * turn[:, None] / 10 * sign
        arms.append(arm + 0.01 * torch.randn(POINTS, 2))
    return torch.cat(arms), torch.arange(2).repeat_interleave(POINTS)


def parameters():
    return {
        f"layer {i}": {"weight": torch.randn(m, n) * (2 / m) ** 0.5, "bias": torch.zeros(n)}
        for i, (m, n) in enumerate(pairwise(SIZES))
    }


def network(layers, x):
    """Scores (n, 2) for points (n, 2), and what the last hidden layer made of them."""
    *hidden, last = layers.values()
    for layer in hidden:
        x = (x @ layer["weight"] + layer["bias"]).tanh()
    return x @ last["weight"] + last["bias"], x


def train(layers, x, y, steps, rate=0.5, momentum=0.9):
    velocity = {name: {k: torch.zeros_like(p) for k, p in layer.items()} for name, layer in layers.items()}
    for step in range(steps):
        with torch.record(layers) as rec:
            scores, features = network(layers, x)
            loss = F.cross_entropy(scores, y)
        grads = rec.gradients(loss)
        if step % 100 == 0:
            strength = grads.wrt(features).norm()  # of a result as of a parameter
            print(f"step {step:4}  loss {loss.item():.4f}  gradient of the features {strength.item():.2e}")
        found = grads.wrt(layers)
        for name, layer in layers.items():
            for k, p in layer.items():
                velocity[name][k].mul_(momentum).add_(found[name][k])
                p -= rate * velocity[name][k]


def main(steps=500):
    torch.manual_seed(0)
    x, y = spirals()
    layers = parameters()
    train(layers, x, y, steps)
    right = (network(layers, x)[0].argmax(1) == y).float().mean().item()
    print(f"{right:.1%} of {len(y)} points are right")
    if right < 0.97:
        raise SystemExit(f"accuracy {right:.1%} is below 97%")


if __name__ == "__main__":
    main()
