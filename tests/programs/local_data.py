"""Small data sets in the places and formats where programs look for them, the same bytes each time."""

from __future__ import annotations

import pickle
import struct
from pathlib import Path

import numpy as np

__all__ = ["WRITERS"]


def _pictures(count: int, shape: tuple[int, ...], seed: int) -> tuple[np.ndarray, np.ndarray]:
    """uint8 (count, *shape), a blurred pattern for each of ten classes with noise on it, and labels, uint8 (count,)."""
    patterns = np.random.RandomState(0).rand(10, *shape)
    for axis in (-1, -2):
        patterns = (patterns + np.roll(patterns, 1, axis) + np.roll(patterns, 2, axis)) / 3
    random = np.random.RandomState(seed)
    labels = random.randint(0, 10, count).astype(np.uint8)
    return (255 * (0.7 * patterns[labels] + 0.3 * random.rand(count, *shape))).astype(np.uint8), labels


def mnist(at: Path, train: int, test: int) -> None:
    """IDX files as `torchvision.datasets.MNIST` expects them under its root."""
    raw = at / "MNIST" / "raw"
    raw.mkdir(parents=True)
    for seed, (part, count) in enumerate([("train", train), ("t10k", test)], 1):
        images, labels = _pictures(count, (28, 28), seed)
        (raw / f"{part}-images-idx3-ubyte").write_bytes(struct.pack(">4i", 0x803, *images.shape) + images.tobytes())
        (raw / f"{part}-labels-idx1-ubyte").write_bytes(struct.pack(">2i", 0x801, count) + labels.tobytes())


def cifar10(at: Path, train: int, test: int) -> None:
    """CIFAR-10's files in both versions: the pickled one for torchvision, the binary one for lamina."""
    pickled, binary = at / "cifar-10-batches-py", at / "cifar-10-batches-bin"
    pickled.mkdir(parents=True)
    binary.mkdir()
    names = ["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"]
    (pickled / "batches.meta").write_bytes(pickle.dumps({"label_names": names}))
    (binary / "batches.meta.txt").write_text("\n".join([*names, ""]))
    for seed, part in enumerate([*(f"data_batch_{i}" for i in range(1, 6)), "test_batch"], 1):
        images, labels = _pictures(test if part == "test_batch" else train // 5, (3, 32, 32), seed)
        flat = images.reshape(len(images), -1)
        (pickled / part).write_bytes(pickle.dumps({"data": flat, "labels": labels.tolist()}))
        (binary / f"{part}.bin").write_bytes(np.concatenate([labels[:, None], flat], axis=1).tobytes())


def text(at: Path, lines: int, words: int = 60, opening: str = "") -> None:
    """A first line, and lines of made-up words, the first of them the more frequent."""
    random = np.random.RandomState(1)
    letters = np.array(list("aeioubcdfglmnprst"))
    known = ["".join(random.choice(letters, random.randint(2, 8))) for _ in range(words)]
    often = 1 / np.arange(1, words + 1)
    at.parent.mkdir(parents=True, exist_ok=True)
    made = (" ".join(random.choice(known, 8, p=often / often.sum())) + "." for _ in range(lines))
    at.write_text("\n".join([opening, *made, ""]))


def images(at: Path, count: int, size: int) -> None:
    """PNG files in colour."""
    from PIL import Image

    at.mkdir(parents=True)
    for i, pixels in enumerate(_pictures(count, (3, size, size), 1)[0]):
        Image.fromarray(pixels.transpose(1, 2, 0)).save(at / f"{i}.png")


def folder(at: Path) -> None:
    """A folder that a program writes to and does not make."""
    at.mkdir(parents=True)


WRITERS = {"mnist": mnist, "cifar10": cifar10, "text": text, "images": images, "folder": folder}
"""Names as the list of programs has them."""
