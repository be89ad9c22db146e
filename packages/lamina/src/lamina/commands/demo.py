"""Train a small network on two interleaved half moons, in seconds, and draw what it has learned."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from math import pi
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lamina import Tensor, nn

__all__ = ["arguments", "command"]

_ENOUGH = 0.97


def arguments(parser: ArgumentParser) -> None:
    """Say what `lamina demo` takes.

    Args:
        parser: the subcommand's own.
    """
    parser.add_argument("--steps", type=int, default=300, help="of training (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of data and weights (default: %(default)s)")
    parser.add_argument("--device", default="cpu", help="where it is trained (default: %(default)s)")
    parser.add_argument("--save", metavar="FILE", help="write the weights to a safetensors file")
    parser.add_argument("--json", action="store_true", help="print figures alone, as JSON")


def command(options: Namespace) -> int:
    """Train, tell the loss on the way, and draw.

    Args:
        options: what `arguments` asked for.

    Returns:
        1 if fewer than 97% of the points that it was not trained on are right.
    """
    import lamina
    from lamina import nn

    lamina.manual_seed(options.seed)
    points, labels = moons(400)
    held_out, truth = moons(200)
    model = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 2)).to(options.device)
    optimizer = lamina.optim.Adam(model.parameters(), lr=0.01)
    x, y = points.to(options.device), labels.to(options.device)
    begin, losses = perf_counter(), {}
    for step in range(options.steps):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0 or step == options.steps - 1:
            losses[step] = loss.item()
            if not options.json:
                print(f"step {step:4}  loss {losses[step]:.4f}")
    seconds = perf_counter() - begin
    with lamina.no_grad():
        right = (model(held_out.to(options.device)).argmax(1) == truth.to(options.device)).float().mean().item()
    backend = lamina.backends.backend_for(lamina.device(options.device).type).name
    if options.json:
        print(json.dumps({"losses": losses, "accuracy": right, "seconds": seconds, "backend": backend}))
    else:
        print(drawn(model, held_out, truth, options.device))
        print(f"{right:.1%} of {len(truth)} held-out points are right; {options.steps} steps in {seconds:.2f} s on the backend {backend}")
    if options.save:
        from lamina_nn.files import save_file

        save_file(model.state_dict(), options.save)
        if not options.json:
            print(f"saved: lamina summary {options.save}")
    return int(right < _ENOUGH)


def moons(count: int) -> tuple[Tensor, Tensor]:
    """Make points on two half circles that reach into each other, with some noise.

    Args:
        count: how many.

    Returns:
        The points (count, 2), and which moon each lies on (count,).
    """
    import lamina

    angles = lamina.rand(count) * pi
    labels = (lamina.arange(count) % 2).long()
    upper = lamina.stack([angles.cos(), angles.sin()], 1)
    lower = lamina.stack([1 - angles.cos(), 0.5 - angles.sin()], 1)
    points = lamina.where((labels == 0)[:, None], upper, lower)
    return points + 0.1 * lamina.randn(count, 2), labels


def drawn(model: nn.Module, points: Tensor, labels: Tensor, device: str, columns: int = 64, lines: int = 20) -> str:
    """Draw which moon the model takes each place for, and the points.

    Args:
        model: what has been trained.
        points: of the plane, (count, 2).
        labels: of the points, (count,).
        device: where the model is.
        columns, lines: the size of the picture.

    Returns:
        Lines of text: `.` and `:` are what the model says of a place, `o` and `x` the points of either moon.
    """
    import lamina

    left, right, bottom, top = -1.5, 2.5, -1.0, 1.5
    across, down = lamina.linspace(left, right, columns), lamina.linspace(top, bottom, lines)
    grid = lamina.stack([across.expand(lines, columns), down[:, None].expand(lines, columns)], -1).reshape(-1, 2)
    with lamina.no_grad():
        said = model(grid.to(device)).argmax(1).cpu().reshape(lines, columns)
    picture = [[".:"[int(place)] for place in row] for row in said.tolist()]
    for (x, y), label in zip(points.tolist(), labels.tolist(), strict=True):
        column, line = round((x - left) / (right - left) * (columns - 1)), round((top - y) / (top - bottom) * (lines - 1))
        if 0 <= column < columns and 0 <= line < lines:
            picture[line][column] = "ox"[label]
    return "\n".join("".join(row) for row in picture)
