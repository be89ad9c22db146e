"""Tell two half moons apart, and draw the border that a network puts between them.

Run: python examples/moons.py
On 200 points that it has not seen, 99.5% are right after 300 steps.
"""

import argparse

import lamina as torch
import lamina.nn.functional as F
from lamina import nn
from lamina_nn.files import load_file, save_file

LEFT, RIGHT, BOTTOM, TOP = -1.5, 2.5, -1.0, 1.5  # the part of the plane that is drawn


def moons(count):
    """Points (count, 2) on two half circles that reach into each other, and which one each is on."""
    angle = torch.rand(count) * torch.pi
    labels = torch.arange(count) % 2
    upper = torch.stack([angle.cos(), angle.sin()], 1)
    lower = torch.stack([1 - angle.cos(), 0.5 - angle.sin()], 1)
    points = torch.where(labels[:, None] == 0, upper, lower)
    return points + 0.1 * torch.randn(count, 2), labels


def network():
    return nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))


def train(model, points, labels, steps):
    """Each answer is one number: the logarithm of how many times likelier the lower moon is."""
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(1, steps + 1):
        loss = F.binary_cross_entropy_with_logits(model(points)[:, 0], labels.float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step:4}  loss {loss.item():.4f}")


def border(model, device, columns=72, lines=24):
    """What the model says of each place, as characters: from sure of the one to sure of the other, the border left blank."""
    across, down = torch.linspace(LEFT, RIGHT, columns), torch.linspace(TOP, BOTTOM, lines)
    y, x = torch.meshgrid(down, across, indexing="ij")
    with torch.no_grad():
        lower = torch.sigmoid(model(torch.stack([x, y], -1).to(device))[..., 0]).cpu()
    return [["-. :="[min(int(5 * p), 4)] for p in row] for row in lower.tolist()]


def with_points(picture, points, labels):
    """The picture, with `o` for the points of the upper moon and `x` for those of the lower."""
    lines, columns = len(picture), len(picture[0])
    for (x, y), label in zip(points.tolist(), labels.tolist(), strict=True):
        line, column = round((TOP - y) / (TOP - BOTTOM) * (lines - 1)), round((x - LEFT) / (RIGHT - LEFT) * (columns - 1))
        if 0 <= line < lines and 0 <= column < columns:
            picture[line][column] = "ox"[label]
    return "\n".join("".join(row) for row in picture)


def main(arguments=None):
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=300)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--device", default="cpu")
    options.add_argument("--out", default="moons.safetensors")
    chosen = options.parse_args(arguments)

    torch.manual_seed(chosen.seed)
    points, labels = (part.to(chosen.device) for part in moons(400))
    unseen, truth = moons(200)
    model = network().to(chosen.device)
    train(model, points, labels, chosen.steps)

    save_file(model.state_dict(), chosen.out)
    again = network().to(chosen.device)
    again.load_state_dict(load_file(chosen.out))  # what is drawn is what the file holds
    print(with_points(border(again, chosen.device), unseen, truth))
    with torch.no_grad():
        right = ((again(unseen.to(chosen.device))[:, 0] > 0).cpu() == (truth == 1)).float().mean().item()
    print(f"{right:.1%} of {len(truth)} unseen points are right; saved to {chosen.out}")
    return right


if __name__ == "__main__":
    main()
