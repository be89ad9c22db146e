"""Further whole training steps, of networks that a compiler is asked about: recurrent, of patches, with shortcuts, and very small."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["networks"]


def networks(lib: Any) -> dict[str, Callable[[], tuple[Any, Any, Callable[[], Any]]]]:
    """Name to what makes (the model, its optimizer, the loss of one batch)."""
    nn, functional = lib.nn, lib.nn.functional

    class Tagger(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.words, self.gru, self.head = nn.Embedding(1000, 64), nn.GRU(64, 128), nn.Linear(128, 1000)

        def forward(self, ids: Any) -> Any:
            return self.head(self.gru(self.words(ids))[0])

    class ViT(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, width: int, layers: int) -> None:
            super().__init__()
            self.patches = nn.Conv2d(3, width, 4, stride=4)
            self.first = nn.Parameter(lib.zeros(1, 1, width))
            self.places = nn.Parameter(lib.randn(1, 65, width) * 0.02)
            layer = nn.TransformerEncoderLayer(width, 4, 2 * width, 0.0, "gelu", batch_first=True, norm_first=True)
            self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
            self.head = nn.Linear(width, 10)

        def forward(self, x: Any) -> Any:
            x = self.patches(x).flatten(2).transpose(1, 2)
            x = lib.cat([self.first.expand(x.shape[0], -1, -1), x], 1) + self.places
            return self.head(self.layers(x)[:, 0])

    class UNet(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.down1, self.down2, self.bottom = self.pair(1, 8), self.pair(8, 16), self.pair(16, 32)
            self.up2, self.up1 = nn.ConvTranspose2d(32, 16, 2, 2), nn.ConvTranspose2d(16, 8, 2, 2)
            self.across2, self.across1, self.out = self.pair(32, 16), self.pair(16, 8), nn.Conv2d(8, 1, 1)

        @staticmethod
        def pair(channels: int, out: int) -> Any:
            return nn.Sequential(
                nn.Conv2d(channels, out, 3, padding=1), nn.BatchNorm2d(out), nn.ReLU(),
                nn.Conv2d(out, out, 3, padding=1), nn.BatchNorm2d(out), nn.ReLU(),
            )  # fmt: skip

        def forward(self, x: Any) -> Any:
            first = self.down1(x)
            second = self.down2(functional.max_pool2d(first, 2))
            x = self.up2(self.bottom(functional.max_pool2d(second, 2)))
            x = self.up1(self.across2(lib.cat([second, x], 1)))
            return self.out(self.across1(lib.cat([first, x], 1)))

    def tiny() -> tuple[Any, Any, Callable[[], Any]]:
        model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))  # 17 parameters
        x, y = lib.randn(8, 2), lib.randn(8, 1)
        return model, lib.optim.Adam(model.parameters(), lr=0.01), lambda: functional.mse_loss(model(x), y)

    def gru() -> tuple[Any, Any, Callable[[], Any]]:
        model, ids = Tagger(), lib.randint(0, 1000, (36, 20))
        optimizer = lib.optim.Adam(model.parameters(), lr=1e-3)
        return model, optimizer, lambda: functional.cross_entropy(model(ids[:-1]).view(-1, 1000), ids[1:].reshape(-1))

    def vit() -> tuple[Any, Any, Callable[[], Any]]:
        model, x, y = ViT(64, 4), lib.randn(8, 3, 32, 32), lib.randint(0, 10, (8,))
        return model, lib.optim.AdamW(model.parameters(), lr=1e-3), lambda: functional.cross_entropy(model(x), y)

    def unet() -> tuple[Any, Any, Callable[[], Any]]:
        model, x, y = UNet(), lib.randn(4, 1, 32, 32), (lib.rand(4, 1, 32, 32) > 0.5).float()
        optimizer = lib.optim.Adam(model.parameters(), lr=1e-3)
        return model, optimizer, lambda: functional.binary_cross_entropy_with_logits(model(x), y)

    return {
        "tiny model of 17 parameters, 8x2": tiny,
        "GRU, 35x20 words": gru,
        "ViT of 4 layers, 8x3x32x32": vit,
        "U-Net, 4x1x32x32": unet,
    }
