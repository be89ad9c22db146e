"""Tell two spirals apart with parameters in a plain dict and a record of each step: no tensor ever asks for gradients.

Run: python examples/record.py
"""

import argparse
from itertools import pairwise

import lamina as torch
import lamina.nn.functional as F
from lamina_nn.files import load_file, save_file

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


def main(arguments=None):
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=500)
    options.add_argument("--out", default="record.safetensors")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--device", default="cpu")
    chosen = options.parse_args(arguments)

    torch.manual_seed(chosen.seed)
    x, y = (part.to(chosen.device) for part in spirals())
    layers = {name: {k: p.to(chosen.device) for k, p in layer.items()} for name, layer in parameters().items()}
    train(layers, x, y, chosen.steps)

    save_file({f"{name}.{k}": p for name, layer in layers.items() for k, p in layer.items()}, chosen.out)
    saved = load_file(chosen.out)  # what is reported is what the file holds
    again = {name: {k: saved[f"{name}.{k}"].to(chosen.device) for k in layer} for name, layer in layers.items()}
    right = (network(again, x)[0].argmax(1) == y).float().mean().item()
    print(f"{right:.1%} of {len(y)} points are right; saved to {chosen.out}")
    if right < 0.97:
        raise SystemExit(f"accuracy {right:.1%} is below 97%")


if __name__ == "__main__":
    main()
