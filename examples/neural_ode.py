"""Learn the law by which something moves from where it was seen: a neural ordinary differential equation (Chen et al., 2018).

Run: python examples/neural_ode.py
A point spirals into the origin, and is seen 60 times in 3 seconds. A network says how it moves from each place, and the method of Runge
and Kutta adds that up; gradients go through every step of it. After 200 steps it stays within 0.017 of where the point was, and, for 3
seconds that it has not seen, within 0.240. The spiral begins 2 from the origin.
"""

import argparse

import lamina as torch
from lamina import nn
from lamina_nn.files import save_file

TIMES = torch.linspace(0, 6, 121)
SEEN = 61  # how many of them are trained on
START = torch.tensor([2.0, 0.0])


def spiral(x):
    """How a point of the true spiral moves: it turns, and loses height."""
    return x @ torch.tensor([[-0.3, 2.0], [-2.0, -0.3]], device=x.device)


class Law(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 48), nn.Tanh(), nn.Linear(48, 2))

    def forward(self, x):
        return self.layers(x)


def path(law, x, times):
    """Where the points (n, 2) are at each of the times, by the method of Runge and Kutta: (times, n, 2)."""
    places = [x]
    for h in times.diff().tolist():
        k1 = law(x)
        k2 = law(x + h / 2 * k1)
        k3 = law(x + h / 2 * k2)
        k4 = law(x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        places.append(x)
    return torch.stack(places)


def drawn(true, found, columns=64, lines=22):
    """Both paths (n, 2) as text: `.` the true one, `o` the found one, `@` where they meet."""
    picture = [[" "] * columns for _ in range(lines)]
    for mark, places in ((".", true), ("o", found)):
        for x, y in places.tolist():
            column, line = round((x + 2.2) / 4.4 * (columns - 1)), round((2.2 - y) / 4.4 * (lines - 1))
            if 0 <= line < lines and 0 <= column < columns:
                picture[line][column] = "@" if (mark, picture[line][column]) == ("o", ".") else mark
    return "\n".join("".join(row) for row in picture)


def main(arguments=None):
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=200)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--device", default="cpu")
    options.add_argument("--out", default="law.safetensors")
    chosen = options.parse_args(arguments)

    torch.manual_seed(chosen.seed)
    with torch.no_grad():
        true = path(spiral, START.to(chosen.device), TIMES)
    law = Law().to(chosen.device)
    optimizer = torch.optim.Adam(law.parameters(), lr=0.02)
    stretch = 6  # pieces of so many steps are easier to learn than the whole, where a small mistake grows
    for step in range(1, chosen.steps + 1):
        starts = torch.randint(0, SEEN - stretch, (32,))
        wanted = torch.stack([true[starts + later] for later in range(stretch + 1)])
        loss = (path(law, wanted[0], TIMES[: stretch + 1]) - wanted).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        optimizer.param_groups[0]["lr"] = 0.02 * (1 - step / chosen.steps)
        if step % 20 == 0:
            print(f"step {step:4}  mean distance in a piece {loss.item():.4f}", flush=True)

    with torch.no_grad():
        found = path(law, START.to(chosen.device), TIMES)
    distance = (found - true).norm(dim=1)
    print(drawn(true.cpu(), found.cpu()))
    seen, ahead = distance[:SEEN].max().item(), distance[SEEN:].max().item()
    save_file(law.state_dict(), chosen.out)
    print(f"farthest from the spiral: {seen:.3f} where it was seen, {ahead:.3f} afterwards; saved to {chosen.out}")
    return max(seen, ahead)


if __name__ == "__main__":
    main()
